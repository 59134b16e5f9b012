// The page-mapped layer of NAND arrays as the study configures it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/page/page_ftl.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/machine/firmwares/large_memory.h"
#include "platform/machine/firmwares/pool_arithmetic.h"

namespace ftlab::platform {
namespace {

/// A configuration with what comes of it.
struct Volume {
  PageConfig config;
  std::uint64_t usable_pages = 0;  ///< T in pages
};

Volume volume_for(const Study& study, ArrayPort& array) {
  const ArrayGeometry& geometry = array.geometry();
  if (study.ftl.page_bytes != 0 && study.ftl.page_bytes != geometry.page_bytes) {
    throw InputError(fmt::format("{}{} bytes, but this layer maps pages of the array, which have {}; leave the key out",
                                 study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.page_bytes));
  }
  PageConfig config = study.page;
  config.seed = study.seed;
  const std::uint64_t bad = PageFtl::bad_segments(array);
  const std::uint64_t usable = page::usable_pages(config, geometry) - bad * geometry.pages_per_segment;
  const auto most = static_cast<double>(page::max_logical_pages(config, geometry)) -
                    static_cast<double>(bad * geometry.pages_per_segment);
  const double wanted = std::round(study.ftl.utilization * static_cast<double>(usable));
  config.logical_pages = static_cast<std::uint32_t>(std::clamp(wanted, 0.0, 4294967295.0));
  if (most > 0 && wanted > most) {
    throw InputError(fmt::format(
        "{}{:g} leaves cleaning nothing to reclaim on {} segments of {} pages over {} dies; use at most {:.4f} "
        "(ftl.spare_factor {:.4f}), or more segments",
        study.where_of("ftl.utilization"), study.ftl.utilization, geometry.segments, geometry.pages_per_segment,
        geometry.dies, std::floor(most / static_cast<double>(usable) * 1e4) / 1e4,
        1 - std::floor(most / static_cast<double>(usable) * 1e4) / 1e4));
  }
  if (const char* reason = page::check(config, geometry)) {
    throw InputError(fmt::format("{}{} ({} segments of {} pages over {} dies, ftl.spare_factor = {:g})",
                                 study.where_of("ftl.firmware"), reason, geometry.segments, geometry.pages_per_segment,
                                 geometry.dies, 1 - study.ftl.utilization));
  }
  set_pool_arithmetic(study, geometry.pages_per_segment,
                      1 - static_cast<double>(config.logical_pages) / static_cast<double>(usable), config);
  return {config, usable};
}

/// Of pages written whose class the workload told: how the separation judged them.
constexpr Counter<page::ClassifiedWrites> kClassifiedCounters[] = {
    flow<&page::ClassifiedWrites::hot_as_hot>("hot_as_hot", "pages", "hot pages written to the first stream"),
    flow<&page::ClassifiedWrites::hot_as_cold>("hot_as_cold", "pages", "hot pages written to another stream"),
    flow<&page::ClassifiedWrites::cold_as_hot>("cold_as_hot", "pages", "cold pages written to the first stream"),
    flow<&page::ClassifiedWrites::cold_as_cold>("cold_as_cold", "pages", "cold pages written to another stream"),
};

class PageInstance final : public FirmwareInstance {
 public:
  PageInstance(ArrayPort& array, ProbePort& probe, const Volume& volume)
      : usable_pages_(volume.usable_pages),
        separates_(volume.config.separation != "none"),
        arena_(PageFtl::arena_bytes(array, volume.config)),
        ftl_(array, probe, volume.config, arena_.bytes()) {}
  Ftl& ftl() override { return ftl_; }
  [[nodiscard]] std::uint64_t usable_pages() const override { return usable_pages_; }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    return separates_ ? figures_of(kClassifiedCounters, ftl_.classified()) : std::vector<FirmwareFigure>{};
  }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const override { return ftl_.victims_by_valid(); }

 private:
  std::uint64_t usable_pages_;  ///< of the part as it was formatted
  bool separates_;
  LargeMemory arena_;
  PageFtl ftl_;
};

}  // namespace

std::unique_ptr<FirmwareInstance> make_page(const Study& study, const FirmwarePorts& ports) {
  if (ports.array == nullptr) {
    throw InputError(fmt::format(
        "{}\"page\" serves NAND arrays (array-slc, array-mlc, array-tlc); for this part use \"pagemap\" or \"fms\"",
        study.where_of("ftl.firmware")));
  }
  return std::make_unique<PageInstance>(*ports.array, ports.probe, volume_for(study, *ports.array));
}

}  // namespace ftlab::platform
