// page_ftl: the program ftlab with one firmware more. Studies, sweeps, comparisons and reports are the same; a study
// names it by ftl.firmware = "page_ftl". The platform brings the card, the host, the workload and the books.
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "page_ftl.h"
#include "platform/cli/commands.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/firmwares/served_part.h"
#include "platform/study/firmware_keys.h"

namespace {

using namespace ftlab::platform;
using example::PageFtl;
using example::PageFtlConfig;

/// The firmware with the memory it lives in, on the array that the part is, or is served as; and what is read off it.
class Instance final : public FirmwareInstance {
 public:
  Instance(std::unique_ptr<ServedPart> part, ftlab::ProbePort& probe, const PageFtlConfig& config)
      : part_(std::move(part)),
        usable_pages_(PageFtl::usable_pages(part_->array().geometry(), config)),
        arena_(PageFtl::arena_words(part_->array().geometry(), config)),
        ftl_(part_->array(), probe, config, arena_) {}
  ftlab::Ftl& ftl() override { return ftl_; }
  [[nodiscard]] std::uint64_t usable_pages() const override { return usable_pages_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const override { return ftl_.slots(); }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    return figures_of(example::kPageFtlCounters, ftl_.own_stats());
  }

 private:
  std::unique_ptr<ServedPart> part_;
  std::uint64_t usable_pages_;
  std::vector<std::uint32_t> arena_;
  PageFtl ftl_;
};

/// Throws InputError when the firmware cannot work as the study wants it to.
PageFtlConfig config_for(const Study& study, const ftlab::FlashGeometry& geometry) {
  PageFtlConfig config = study.configs.get<PageFtlConfig>();
  config.oldest_first = study.ftl.selection == "oldest";
  if (const char* reason = PageFtl::cannot_use(geometry)) {
    const std::uint32_t at_once = geometry.page_bytes * geometry.pages_at_once;
    throw ftlab::InputError(study.where_of("ftl.page_bytes") + reason + "; use " + std::to_string(at_once));
  }
  const std::uint32_t most = PageFtl::max_logical_pages(geometry, config);
  if (most == 0) {
    throw ftlab::InputError(study.where_of("page_ftl.reserve") + std::to_string(config.reserve) + " of " +
                            std::to_string(geometry.segments) + " segments leave none for data; use fewer");
  }
  config.logical_pages = static_cast<std::uint32_t>(study.ftl.utilization * most);
  if (config.logical_pages == 0)
    throw ftlab::InputError(study.where_of("ftl.utilization") + "too little for a single page; use more");
  return config;
}

std::string_view selection_name(std::size_t i) {
  constexpr std::string_view kNames[] = {"greedy", "oldest"};
  return i < std::size(kNames) ? kNames[i] : std::string_view{};
}

constexpr std::string_view kSaid[] = {"ftl.selection"};

constexpr FirmwareRow kPageFtl{
    .name = "page_ftl",
    .help = "the example of a firmware from outside the tree",
    .title = [](const Study& study) { return "page_ftl, a page map, " + study.ftl.selection + " selection"; },
    .said = kSaid,
    .make = [](const Study& study, const FirmwarePorts& ports) -> std::unique_ptr<FirmwareInstance> {
      std::unique_ptr<ServedPart> part = serve_part(study, ports, {});
      const PageFtlConfig config = config_for(study, part->array().geometry());
      return std::make_unique<Instance>(std::move(part), ports.probe, config);
    },
    .table = {"page_ftl", "The example of a firmware from outside, used with ftl.firmware = \"page_ftl\""},
    .keys =
        [](FirmwareKeys& keys) {
          keys.share_selection(selection_name);
          keys.add(example::kPageFtlFields);
        },
    .selection = []() -> std::string_view { return "greedy"; },
    .defaults =
        [](Study& study, const Given& given) {
          // A default of its own.
          if (!given("ftl.utilization") && !given("ftl.spare_factor")) study.ftl.utilization = 0.8;
        },
    .policies =
        [] {
          return std::vector<PolicyText>{{"ftl.selection", "greedy", "the fewest valid pages"},
                                         {"ftl.selection", "oldest", "the segment that was opened first"}};
        },
    .figures = [] { return texts_of(example::kPageFtlCounters); },
    .comes_to_rest = true,
    // Cleaning copies into the segment that the host fills, so that the models of one frontier are of it.
    .modelled = [](const Study& study) -> std::optional<ModelledCleaning> {
      return ModelledCleaning{study.ftl.selection == "oldest" ? "lru" : "greedy"};
    }};

}  // namespace

int main(int argc, char** argv) {
  // Where part and host files lie; an environment that says otherwise wins.
  setenv("FTLAB_DATA_DIR", EXAMPLE_DATA_DIR, 0);
  add_firmware(kPageFtl);
  return cli::run_program(argc, argv);
}
