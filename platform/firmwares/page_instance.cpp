// The page-mapped layer of arrays (`page`) as the study configures it: on an array, or on a part that is served as one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/target/handover.h"
#include "firmware/volume/own_policies.h"
#include "platform/firmwares/large_memory.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/pool_arithmetic.h"
#include "platform/firmwares/served_part.h"
#include "platform/firmwares/write_buffer.h"

namespace ftlab::platform {
namespace {

/// A configuration with what comes of it.
struct Volume {
  VolumeConfig config;
  std::uint64_t usable_pages = 0;  ///< T in pages
  std::uint32_t bad_segments = 0;  ///< of the part as it was formatted
};

/// Of an array with as many dies, for a volume of this share of them; 0: no number of them does, or not a reasonable
/// one. A multiple of what there is divides over the dies and their planes as that does.
std::uint32_t enough_segments(const VolumeConfig& config, FlashGeometry geometry, double utilization) {
  const std::uint32_t step = geometry.segments;
  for (; geometry.segments < 4096 * step; geometry.segments += step)
    if (const auto most = static_cast<double>(volume::max_logical_pages(config, geometry));
        most >= 1 && most >= utilization * static_cast<double>(volume::usable_pages(config, geometry)))
      return geometry.segments;
  return 0;
}

[[noreturn]] void refuse(const Study& study, const FlashGeometry& geometry, const VolumeConfig& config,
                         std::string_view reason) {
  const bool few = is_about_segments(reason) && std::ranges::find(study.part_overrides, "segments",
                                                                  &FileOverride::key) != study.part_overrides.end();
  const std::uint32_t enough = few ? enough_segments(config, geometry, study.ftl.utilization) : 0;
  const bool no_room_for_it = config.checkpoint_every > 0 && !(geometry.buffers > 0 && geometry.keeps_metadata);
  throw InputError(fmt::format(
      "{}{} ({} segments of {} pages, number of dies {}, ftl.spare_factor {:g}{})",
      no_room_for_it ? study.where_of("ftl.checkpoint_every") : where_of_reason(study, reason, "ftl.firmware"), reason,
      geometry.segments, geometry.pages_per_segment, geometry.dies, 1 - study.ftl.utilization,
      enough > geometry.segments ? fmt::format("; {} segments would do", enough) : ""));
}

/// `may_be_bad`: segments that the size is chosen by where fewer are bad.
Volume volume_for(const Study& study, FlashPort& array, std::optional<std::uint32_t> bad_at_format,
                  std::uint32_t may_be_bad, VolumeConfig config) {
  const FlashGeometry& geometry = array.geometry();
  if (study.ftl.page_bytes != 0 && study.ftl.page_bytes != geometry.page_bytes) {
    throw InputError(fmt::format("{}{} bytes, but this layer maps pages of the part, which have {}; leave the key out",
                                 study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.page_bytes));
  }
  // Sizes that do not fit may come of a choice that works on no size.
  if (const char* reason = volume::check_choices(config, geometry)) refuse(study, geometry, config, reason);
  const std::uint64_t bad = bad_at_format ? *bad_at_format : std::max(volume::bad_segments(array), may_be_bad);
  const std::uint64_t usable = volume::usable_pages(config, geometry) - bad * geometry.pages_per_segment;
  const auto most = static_cast<double>(volume::max_logical_pages(config, geometry)) -
                    static_cast<double>(bad * geometry.pages_per_segment);
  const double wanted = std::round(study.ftl.utilization * static_cast<double>(usable));
  config.logical_pages = static_cast<std::uint32_t>(std::clamp(wanted, 0.0, 4294967295.0));
  if (most > 0 && wanted > most) {
    const double fullest = std::floor(most / static_cast<double>(usable) * 1e4) / 1e4;
    const bool as_spare = study.where.contains("ftl.spare_factor");
    throw InputError(fmt::format(
        "{}{:g} leaves cleaning nothing to reclaim on {} segments of {} pages, number of dies {}; use at {} {:.4f}, or "
        "more segments{}",
        study.where_of(as_spare ? "ftl.spare_factor" : "ftl.utilization"),
        as_spare ? 1 - study.ftl.utilization : study.ftl.utilization, geometry.segments, geometry.pages_per_segment,
        geometry.dies, as_spare ? "least" : "most", as_spare ? 1 - fullest : fullest,
        config.slc_segments > 0 ? ", or a lower ftl.slc_segments" : ""));
  }
  if (const char* reason = volume::check(config, geometry)) refuse(study, geometry, config, reason);
  // Up to ftl.high_water it goes unless told otherwise, and that is counted in what a volume may hold.
  if (config.policies != nullptr && config.policies->idle_water > config.policies->high_water) {
    const std::uint64_t full =
        (config.logical_pages / geometry.dies + geometry.pages_per_segment - 1) / geometry.pages_per_segment;
    const std::uint64_t in_use = full + volume::streams_of(config) + geometry.unused_per_die;
    const std::uint64_t free =
        geometry.segments_per_die() - std::min<std::uint64_t>(in_use, geometry.segments_per_die());
    if (config.policies->idle_water >= free)
      throw InputError(fmt::format(
          "{}cleaning while the host is idle goes on up to {} free segments of a die, which never has so many at "
          "ftl.utilization {:g}; use less than {}",
          study.where_of("ftl.idle_water"), config.policies->idle_water, study.ftl.utilization, free));
  }
  set_pool_arithmetic(study, geometry.pages_per_segment,
                      1 - static_cast<double>(config.logical_pages) / static_cast<double>(usable), config);
  return {config, usable, static_cast<std::uint32_t>(bad)};
}

/// Of pages written whose class the workload told: how the separation judged them.
constexpr Counter<volume::ClassifiedWrites> kClassifiedCounters[] = {
    flow<&volume::ClassifiedWrites::hot_as_hot>("hot_as_hot", "pages", "hot pages written to the first stream"),
    flow<&volume::ClassifiedWrites::hot_as_cold>("hot_as_cold", "pages", "hot pages written to another stream"),
    flow<&volume::ClassifiedWrites::cold_as_hot>("cold_as_hot", "pages", "cold pages written to the first stream"),
    flow<&volume::ClassifiedWrites::cold_as_cold>("cold_as_cold", "pages", "cold pages written to another stream"),
};

/// Where segments may be filled as SLC.
constexpr Counter<volume::SlcCounts> kSlcCounters[] = {
    flow<&volume::SlcCounts::pages_to_slc>("pages_to_slc", "pages", "host pages programmed in segments filled as SLC"),
    flow<&volume::SlcCounts::pages_to_mlc>("pages_to_mlc", "pages", "host pages programmed in other segments"),
    flow<&volume::SlcCounts::pages_moved>("slc_pages_moved", "pages",
                                          "valid pages copied out of segments filled as SLC, by any cleaning"),
};

class PageInstance final : public FirmwareInstance {
 public:
  PageInstance(std::unique_ptr<ServedPart> part, std::unique_ptr<fms::PolicyChoice> policies, FlashPort& array,
               ProbePort& probe, const Volume& volume)
      : part_(std::move(part)),
        policies_(std::move(policies)),
        usable_pages_(volume.usable_pages),
        pages_per_segment_(array.geometry().pages_per_segment),
        bad_at_format_(volume.bad_segments),
        separates_(volume.config.separation != "none"),
        has_slc_(volume.config.slc_segments > 0),
        buffers_(volume.config.write_buffer > 0),
        arena_(PageFtl::arena_bytes(array, volume.config)),
        ftl_(array, probe, volume.config, arena_.bytes()) {}
  Ftl& ftl() override { return ftl_; }
  [[nodiscard]] std::uint64_t usable_pages() const override { return usable_pages_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const override { return pages_per_segment_; }
  [[nodiscard]] std::uint32_t bad_at_format() const override { return bad_at_format_; }
  [[nodiscard]] std::uint64_t durable_bytes() const override { return buffers_ ? kNoneDurable : 0; }
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> places_of_answered() const override {
    if (!buffers_) return {};
    std::vector<std::uint32_t> places;
    ftl_.for_each_answered([&places](std::uint32_t page) { places.push_back(page); });
    return places;
  }
  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    if (has_slc_) return slc_figures(ftl_.slc_counts());
    return separates_ ? classified_figures(ftl_.classified()) : std::vector<FirmwareFigure>{};
  }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const override { return ftl_.victims_by_valid(); }

 private:
  std::unique_ptr<ServedPart> part_;             ///< null: the part is an array
  std::unique_ptr<fms::PolicyChoice> policies_;  ///< null: none look at all segments
  std::uint64_t usable_pages_;                   ///< of the part as it was formatted
  std::uint32_t pages_per_segment_;
  std::uint32_t bad_at_format_;
  bool separates_;
  bool has_slc_;
  bool buffers_;
  LargeMemory arena_;
  PageFtl ftl_;
};

}  // namespace

std::vector<FigureText> separation_figures() { return texts_of(kClassifiedCounters); }

std::vector<FirmwareFigure> classified_figures(const volume::ClassifiedWrites& writes) {
  return figures_of(kClassifiedCounters, writes);
}

std::vector<FirmwareFigure> slc_figures(const volume::SlcCounts& counts) { return figures_of(kSlcCounters, counts); }

std::vector<FigureText> page_figures() {
  std::vector<FigureText> texts = separation_figures();
  std::ranges::move(texts_of(kSlcCounters), std::back_inserter(texts));
  return texts;
}

std::uint32_t begun_units_of(const fms::PolicyChoice& choice) {
  VolumeConfig config;
  config.policies = &choice;
  return volume::begun_units_of(config);
}

std::unique_ptr<FirmwareInstance> make_page(const Study& study, const FirmwarePorts& ports) {
  VolumeConfig config = study.configs.get<VolumeConfig>();
  config.selection = study.ftl.selection;
  config.seed = study.seed;
  refuse_write_buffer(study, config.write_buffer);
  std::unique_ptr<fms::PolicyChoice> policies;
  if (auto own = volume::own_policies(config)) policies = std::make_unique<fms::PolicyChoice>(std::move(*own));
  config.policies = policies.get();
  PagedFlashConfig wish;
  wish.begun_units = volume::begun_units_of(config);
  wish.slc = config.slc_segments > 0;
  std::unique_ptr<ServedPart> part = serve_part(study, ports, wish);
  FlashPort& array = part->array();
  const Volume volume = volume_for(study, array, ports.bad_at_format, 0, config);
  return std::make_unique<PageInstance>(std::move(part), std::move(policies), array, ports.probe, volume);
}

std::unique_ptr<FirmwareInstance> make_policies(const Study& study, const FirmwarePorts& ports,
                                                std::unique_ptr<ServedPart> part, const FmsConfig& fms) {
  auto policies = std::make_unique<fms::PolicyChoice>(fms::choice_of(fms));
  const VolumeConfig config = fms::volume_of(fms, *policies);
  FlashPort& array = part->array();
  const Volume volume = volume_for(study, array, ports.bad_at_format, ports.bad_reserve, config);
  return std::make_unique<PageInstance>(std::move(part), std::move(policies), array, ports.probe, volume);
}

void hand_over_page(const Study& study, target::Handover& handover) {
  const VolumeConfig& config = study.configs.get<VolumeConfig>();
  refuse_pool_arithmetic(study, config);
  refuse_write_buffer(study, config.write_buffer);
  handover.layer = target::ServedLayer::page;
  // As above, segments that may become bad count with the FMS alone.
  handover.bad_reserve = 0;
  FmsConfig selection;
  selection.selection = study.ftl.selection;
  target::to_numbers(fms::kFmsFields, selection, handover.fms);
  target::to_numbers(volume::kPageFields, config, handover.page);
  target::to_numbers(fms::kSharedFields, config.shared, handover.shared);
  handover.params = config.params;
}

}  // namespace ftlab::platform
