// The page-mapped layer of arrays (`page`) as the study configures it: on an array, or on a part that is served as one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/input_error.h"
#include "firmware/driver/paged/paged_flash.h"
#include "firmware/ftl/page/page_ftl.h"
#include "platform/firmwares/large_memory.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/pool_arithmetic.h"
#include "platform/study/page_sizes.h"

namespace ftlab::platform {
namespace {

/// A configuration with what comes of it.
struct Volume {
  PageConfig config;
  std::uint64_t usable_pages = 0;  ///< T in pages
  std::uint32_t bad_segments = 0;  ///< of the part as it was formatted
};

Volume volume_for(const Study& study, ArrayPort& array, std::optional<std::uint32_t> bad_at_format, PageConfig config) {
  const ArrayGeometry& geometry = array.geometry();
  if (study.ftl.page_bytes != 0 && study.ftl.page_bytes != geometry.page_bytes) {
    throw InputError(fmt::format("{}{} bytes, but this layer maps pages of the part, which have {}; leave the key out",
                                 study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.page_bytes));
  }
  const std::uint64_t bad = bad_at_format ? *bad_at_format : PageFtl::bad_segments(array);
  const std::uint64_t usable = page::usable_pages(config, geometry) - bad * geometry.pages_per_segment;
  const auto most = static_cast<double>(page::max_logical_pages(config, geometry)) -
                    static_cast<double>(bad * geometry.pages_per_segment);
  const double wanted = std::round(study.ftl.utilization * static_cast<double>(usable));
  config.logical_pages = static_cast<std::uint32_t>(std::clamp(wanted, 0.0, 4294967295.0));
  if (most > 0 && wanted > most) {
    const double fullest = std::floor(most / static_cast<double>(usable) * 1e4) / 1e4;
    const bool as_spare = study.where.contains("ftl.spare_factor");
    throw InputError(fmt::format(
        "{}{:g} leaves cleaning nothing to reclaim on {} segments of {} pages, number of dies {}; use at {} {:.4f}, or "
        "more segments",
        study.where_of(as_spare ? "ftl.spare_factor" : "ftl.utilization"),
        as_spare ? 1 - study.ftl.utilization : study.ftl.utilization, geometry.segments, geometry.pages_per_segment,
        geometry.dies, as_spare ? "least" : "most", as_spare ? 1 - fullest : fullest));
  }
  if (const char* reason = page::check(config, geometry)) {
    const bool no_room_for_it = config.checkpoint_every > 0 && !(geometry.buffers > 0 && geometry.keeps_metadata);
    throw InputError(fmt::format("{}{} ({} segments of {} pages, number of dies {}, ftl.spare_factor {:g})",
                                 study.where_of(no_room_for_it ? "ftl.checkpoint_every" : "ftl.firmware"), reason,
                                 geometry.segments, geometry.pages_per_segment, geometry.dies,
                                 1 - study.ftl.utilization));
  }
  if (config.policies == nullptr) {
    set_pool_arithmetic(study, geometry.pages_per_segment,
                        1 - static_cast<double>(config.logical_pages) / static_cast<double>(usable), config);
  }
  return {config, usable, static_cast<std::uint32_t>(bad)};
}

/// On NOR any size does that fits the segments; on NAND the part's page, or a share of it.
PagedFlashConfig served_part_config(const Study& study, const FlashPort& port, const PageConfig& page) {
  constexpr std::uint32_t kNorPageBytes = 4096;
  const FlashGeometry& part = port.geometry();
  PagedFlashConfig config;
  const bool nor = part.spare_bytes == 0;
  config.data_checksum = study.ftl.data_checksum;
  config.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  if (nor && config.page_bytes == 0) config.page_bytes = kNorPageBytes;
  config.begun_units = page::begun_units_of(page);
  const char* reason = PagedFlash::check(port, config);
  if (reason == nullptr) return config;
  if (nor || study.ftl.page_bytes == 0) {
    throw InputError(fmt::format("{}{} (ftl.page_bytes = {}, segments of {} KiB)", study.where_of("ftl.firmware"),
                                 reason, config.page_bytes, part.segment_bytes / kKiB));
  }
  const auto works = [&](std::uint32_t bytes) {
    PagedFlashConfig other = config;
    other.page_bytes = bytes;
    return PagedFlash::check(port, other) == nullptr;
  };
  throw InputError(fmt::format("{}{} bytes: {}; a page of it has {} bytes, and {} beside them for the firmware; {}",
                               study.where_of("ftl.page_bytes"), config.page_bytes, reason, part.program_unit_bytes,
                               part.spare_bytes, use_one_of(page_sizes_that(works))));
}

/// Of pages written whose class the workload told: how the separation judged them.
constexpr Counter<page::ClassifiedWrites> kClassifiedCounters[] = {
    flow<&page::ClassifiedWrites::hot_as_hot>("hot_as_hot", "pages", "hot pages written to the first stream"),
    flow<&page::ClassifiedWrites::hot_as_cold>("hot_as_cold", "pages", "hot pages written to another stream"),
    flow<&page::ClassifiedWrites::cold_as_hot>("cold_as_hot", "pages", "cold pages written to the first stream"),
    flow<&page::ClassifiedWrites::cold_as_cold>("cold_as_cold", "pages", "cold pages written to another stream"),
};

/// A part with a FlashPort, served as an array.
struct ServedPart {
  ServedPart(const FirmwarePorts& ports, const PagedFlashConfig& config)
      : memory(PagedFlash::arena_bytes(ports.flash, config)), port(ports.flash, ports.probe, config, memory) {}
  std::vector<std::byte> memory;
  PagedFlash port;
};

class PageInstance final : public FirmwareInstance {
 public:
  PageInstance(std::unique_ptr<ServedPart> part, std::unique_ptr<fms::PolicyChoice> policies, ArrayPort& array,
               ProbePort& probe, const Volume& volume)
      : part_(std::move(part)),
        policies_(std::move(policies)),
        usable_pages_(volume.usable_pages),
        pages_per_segment_(array.geometry().pages_per_segment),
        bad_at_format_(volume.bad_segments),
        separates_(volume.config.separation != "none"),
        arena_(PageFtl::arena_bytes(array, volume.config)),
        ftl_(array, probe, volume.config, arena_.bytes()) {}
  Ftl& ftl() override { return ftl_; }
  [[nodiscard]] std::uint64_t usable_pages() const override { return usable_pages_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const override { return pages_per_segment_; }
  [[nodiscard]] std::uint32_t bad_at_format() const override { return bad_at_format_; }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    return separates_ ? figures_of(kClassifiedCounters, ftl_.classified()) : std::vector<FirmwareFigure>{};
  }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const override { return ftl_.victims_by_valid(); }

 private:
  std::unique_ptr<ServedPart> part_;             ///< null: the part is an array
  std::unique_ptr<fms::PolicyChoice> policies_;  ///< null: the layer's own
  std::uint64_t usable_pages_;                   ///< of the part as it was formatted
  std::uint32_t pages_per_segment_;
  std::uint32_t bad_at_format_;
  bool separates_;
  LargeMemory arena_;
  PageFtl ftl_;
};

}  // namespace

std::vector<FigureText> page_figures() { return texts_of(kClassifiedCounters); }

std::unique_ptr<FirmwareInstance> make_page(const Study& study, const FirmwarePorts& ports) {
  const bool can_overlap = ports.array == nullptr && ports.flash.capabilities().background_erase &&
                           ports.flash.geometry().parallel_units > 1;
  if (study.ftl.erase == Erasing::overlap && !can_overlap) {
    throw InputError(study.where_of("ftl.erase") +
                     (ports.array != nullptr
                          ? "an array erases on its dies by itself; leave the key out"
                          : "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\""));
  }
  if (study.ftl.data_checksum && (ports.array != nullptr || ports.flash.geometry().spare_bytes != 0)) {
    throw InputError(study.where_of("ftl.data_checksum") +
                     "a checksum of each page is for NOR parts: the pages of NAND parts have ECC; leave the key out");
  }
  std::unique_ptr<ServedPart> part;
  PageConfig config = study.configs.get<PageConfig>();
  config.selection = study.ftl.selection;
  config.seed = study.seed;
  if (ports.array == nullptr)
    part = std::make_unique<ServedPart>(ports, served_part_config(study, ports.flash, config));
  ArrayPort& array = part == nullptr ? *ports.array : static_cast<ArrayPort&>(part->port);
  const Volume volume = volume_for(study, array, ports.bad_at_format, config);
  return std::make_unique<PageInstance>(std::move(part), nullptr, array, ports.probe, volume);
}

std::unique_ptr<FirmwareInstance> make_policies_on_array(const Study& study, const FirmwarePorts& ports,
                                                         const fms::PolicyChoice& choice,
                                                         std::uint32_t checkpoint_every) {
  auto policies = std::make_unique<fms::PolicyChoice>(choice);
  PageConfig config;
  config.policies = policies.get();
  config.checkpoint_every = checkpoint_every;
  config.seed = study.seed;
  const Volume volume = volume_for(study, *ports.array, ports.bad_at_format, config);
  return std::make_unique<PageInstance>(nullptr, std::move(policies), *ports.array, ports.probe, volume);
}

}  // namespace ftlab::platform
