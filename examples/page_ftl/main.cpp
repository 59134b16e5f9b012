// page_ftl: the program ftlab with one firmware more. Studies, sweeps, comparisons and reports are the same; a study
// names it by ftl.firmware = "page_ftl". The platform brings the card, the host, the workload and the books.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "page_ftl.h"
#include "platform/cli/commands.h"
#include "platform/files/data_files.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/study/firmware_keys.h"

namespace {

using namespace ftlab::platform;
using example::PageFtl;
using example::PageFtlConfig;

/// The firmware with the memory it lives in, and what is read off it.
class Instance final : public FirmwareInstance {
 public:
  Instance(const FirmwarePorts& ports, const PageFtlConfig& config)
      : usable_pages_(PageFtl::usable_pages(ports.flash.geometry(), config)),
        arena_(PageFtl::arena_words(ports.flash.geometry(), config)),
        ftl_(ports.flash, ports.probe, config, arena_) {}
  ftlab::Ftl& ftl() override { return ftl_; }
  [[nodiscard]] std::uint64_t usable_pages() const override { return usable_pages_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const override { return ftl_.slots(); }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    return figures_of(example::kPageFtlCounters, ftl_.own_stats());
  }

 private:
  std::uint64_t usable_pages_;
  std::vector<std::uint32_t> arena_;
  PageFtl ftl_;
};

/// Names of the parts that the firmware was made for, as a study writes them.
std::string nor_parts() {
  std::string names;
  for (const std::string& name : data_names("parts")) {
    const auto part = ftlab::spec::TomlFile::load((data_folder("parts") / (name + ".toml")).string());
    if (part.get_string("family") == "series2plus") names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

/// Throws InputError when the firmware cannot work as the study wants it to.
PageFtlConfig config_for(const Study& study, const FirmwarePorts& ports) {
  const ftlab::FlashGeometry& geometry = ports.flash.geometry();
  PageFtlConfig config = study.configs.get<PageFtlConfig>();
  config.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  config.oldest_first = study.ftl.selection == "oldest";
  if (const char* reason = PageFtl::cannot_use(geometry, ports.flash.capabilities())) {
    throw ftlab::InputError(study.part_where + reason + "; use one of " + nor_parts());
  }
  if (const char* reason = PageFtl::cannot_divide(geometry, config.page_bytes)) {
    throw ftlab::InputError(study.where_of("ftl.page_bytes") + reason);
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
    .help = "the example of a firmware from outside the tree, for NOR parts",
    .title = [](const Study& study) { return "page_ftl, a page map, " + study.ftl.selection + " selection"; },
    .said = kSaid,
    .make = [](const Study& study, const FirmwarePorts& ports) -> std::unique_ptr<FirmwareInstance> {
      return std::make_unique<Instance>(ports, config_for(study, ports));
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
          // Headers take room of the part, too.
          if (!given("ftl.utilization") && !given("ftl.spare_factor")) study.ftl.utilization = 0.8;
        },
    .policies =
        [] {
          return std::vector<PolicyText>{{"ftl.selection", "greedy", "the fewest valid pages"},
                                         {"ftl.selection", "oldest", "the segment that was opened first"}};
        },
    .figures = [] { return texts_of(example::kPageFtlCounters); },
    .not_on_arrays = "does not serve NAND arrays, whose bits cannot be cleared in place",
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
