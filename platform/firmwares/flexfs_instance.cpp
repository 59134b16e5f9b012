// FlexFS as the study configures it, and the figures of its paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/input_error.h"
#include "firmware/ftl/flexfs/flexfs.h"
#include "firmware/target/handover.h"
#include "firmware/volume/mount/mount.h"
#include "platform/firmwares/large_memory.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/served_part.h"

namespace ftlab::platform {
namespace {

/// FlexFS: reserve, logs, and a segment to fill.
constexpr double kMinPartition = 5;

/// Throws InputError unless the partition is a whole number of segments that can carry data.
std::uint32_t partition_segments(const Study& study, const FlashGeometry& geometry) {
  const auto bytes = static_cast<double>(study.configs.get<FlexFsConfig>().partition_bytes);
  const double segment_bytes = static_cast<double>(geometry.pages_per_segment) * geometry.page_bytes;
  const double segments = bytes / segment_bytes;
  const double whole = std::floor(segments);
  const std::uint32_t all = flexfs::data_segments({}, geometry);
  if (whole == segments && (whole == 0 || (whole >= kMinPartition && whole <= all))) {
    return static_cast<std::uint32_t>(whole);
  }
  const double step = segment_bytes / static_cast<double>(kMiB);
  throw InputError(
      fmt::format("{}{:g} is not a partition of this part; use 0 for all of it, or a "
                  "multiple of {:g} from {:g} to {:g}",
                  study.where_of("flexfs.partition_mib"), bytes / static_cast<double>(kMiB), step, kMinPartition * step,
                  all * step));
}

/// Throws InputError when a write would wait for more free segments than there can ever be.
void require_reachable(const Study& study, std::string_view key, std::uint64_t wanted, std::uint32_t most) {
  if (wanted <= most) return;
  throw InputError(
      fmt::format("{}{} free segments cannot be had, because {} is the most beside those being filled; use "
                  "at most {}, or a larger partition (flexfs.partition_mib)",
                  study.where_of(key), wanted, most, most));
}

PagedFlashConfig flexfs_part() {
  PagedFlashConfig part;
  part.slc = part.one_die = part.erase_ahead = true;
  return part;
}

void check_array(const Study& study, const FlashGeometry& array) {
  if (array.dies != 1) {
    throw InputError(
        fmt::format("{}FlexFS moves one page after the other, and so works on one die, and this array has {}; set "
                    "part_overrides.channels and part_overrides.dies_per_channel to 1, or use \"page\"",
                    study.where_of("ftl.firmware"), array.dies));
  }
  if (array.buffers == 0) {
    throw InputError(study.where_of("ftl.firmware") +
                     "FlexFS writes checkpoints, which are data, and this array keeps none; set part_overrides.content "
                     "to \"bytes\"");
  }
}

/// What FlexFS sees of the part. Throws InputError unless it can map pages of that.
FlashGeometry geometry_for(const Study& study, const FirmwarePorts& ports) {
  constexpr const char* kNeedsPairs = "FlexFS needs a NAND part with spare bytes whose pages share cells in pairs";
  FlashGeometry geometry;
  if (ports.array != nullptr) {
    geometry = ports.array->geometry();
    check_array(study, geometry);
  } else {
    if (ports.part->geometry().paired_page.empty()) throw InputError(study.where_of("ftl.firmware") + kNeedsPairs);
    const PagedFlashConfig wish = flexfs_part();
    geometry = paged::geometry_of(*ports.part, paged::layout_of(*ports.part, wish), wish);
  }
  if (study.ftl.page_bytes == 0 || study.ftl.page_bytes == geometry.page_bytes) return geometry;
  throw InputError(fmt::format("{}{}, but FlexFS maps the pages of the part; use {}", study.where_of("ftl.page_bytes"),
                               study.ftl.page_bytes, geometry.page_bytes));
}

/// Of the part as it is formatted.
std::uint32_t bad_segments_of(const FirmwarePorts& ports) {
  if (ports.array == nullptr) return 0;
  return ports.bad_at_format ? *ports.bad_at_format : volume::bad_segments(*ports.array);
}

class FlexFsInstance final : public FirmwareInstance {
 public:
  FlexFsInstance(std::unique_ptr<ServedPart> part, const FirmwarePorts& ports, const FlexFsConfig& config)
      : part_(std::move(part)),
        arena_(FlexFs::arena_bytes(part_->array(), config)),
        flexfs_(part_->array(), ports.probe, config, arena_.bytes(), &ports.clock),
        bad_at_format_(bad_segments_of(ports)) {}
  Ftl& ftl() override { return flexfs_; }
  [[nodiscard]] std::uint64_t durable_bytes() const override { return flexfs_.page_bytes(); }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override { return flexfs_figures(flexfs_.flexfs_stats()); }
  [[nodiscard]] std::uint32_t bad_at_format() const override { return bad_at_format_; }

 private:
  std::unique_ptr<ServedPart> part_;
  LargeMemory arena_;
  FlexFs flexfs_;
  std::uint32_t bad_at_format_;
};

}  // namespace

flexfs::EnergyCosts flexfs_costs(const hw::OperationEnergies& energies) {
  const auto nj = [](Picojoules energy) {
    return static_cast<std::uint32_t>(std::min<Int128>(energy.count() / 1000, UINT32_MAX));
  };
  return {nj(energies.slc_program), nj(energies.mlc_program), nj(energies.load), nj(energies.erase)};
}

void hand_over_flexfs(const Study& study, target::Handover& handover) {
  handover.layer = target::ServedLayer::flexfs;
  target::to_numbers(flexfs::kFlexFsFields, study.configs.get<FlexFsConfig>(), handover.flexfs);
}

std::vector<FirmwareFigure> flexfs_figures(const flexfs::FlexFsStats& stats) {
  return figures_of(flexfs::kFlexFsCounters, stats);
}

FlexFsConfig flexfs_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry geometry = geometry_for(study, ports);
  FlexFsConfig config = study.configs.get<FlexFsConfig>();
  flexfs::apply_scheme(config.scheme, config);
  config.data_segments = partition_segments(study, geometry);
  const std::uint32_t most_free = flexfs::most_free_segments(config, geometry);
  const bool migrates = config.slc_region && config.mlc_region;
  if (migrates) require_reachable(study, "flexfs.compulsory_free", config.compulsory_free, most_free);
  require_reachable(study, "flexfs.cleaning_free", config.cleaning_free, most_free);
  config.energy = flexfs_costs(ports.energies);
  // A partition takes good segments from the rest of the part; the whole part must do with those it has.
  config.logical_pages = flexfs::choose_logical_pages(config, geometry, utilization_ppb(study),
                                                      ports.bad_reserve + bad_segments_of(ports));
  if (const char* reason = flexfs::check(config, geometry)) {
    throw InputError(fmt::format("{}{} (flexfs.scheme = {}, {} segments of {} pages)", study.where_of("ftl.firmware"),
                                 reason, config.scheme, geometry.segments, geometry.pages_per_segment));
  }
  return config;
}

std::unique_ptr<FirmwareInstance> make_flexfs(const Study& study, const FirmwarePorts& ports) {
  const FlexFsConfig config = flexfs_config_for(study, ports);
  return std::make_unique<FlexFsInstance>(serve_part(study, ports, flexfs_part()), ports, config);
}

}  // namespace ftlab::platform
