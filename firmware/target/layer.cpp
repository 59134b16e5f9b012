#include "firmware/target/layer.h"

#include "firmware/volume/own_policies.h"

namespace ftlab::target {
namespace {

FmsConfig fms_config(const Handover& handover) {
  FmsConfig config;
  config.seed = handover.seed;
  if (handover.bytes == 0) return config;
  from_numbers(fms::kFmsFields, handover.fms, config);
  from_numbers(fms::kSharedFields, handover.shared, config.shared);
  config.params = handover.params;
  return config;
}

VolumeConfig page_config(const Handover& handover, const FmsConfig& fms) {
  VolumeConfig config;
  config.seed = handover.seed;
  config.selection = fms.selection;
  config.params = fms.params;
  config.shared = fms.shared;
  from_numbers(volume::kPageFields, handover.page, config);
  return config;
}

}  // namespace

Layer::Layer(const Handover& handover)
    : layer_(handover.layer), utilization_ppb_(handover.utilization_ppb), fms_(fms_config(handover)) {
  if (is_fms()) {
    policies_ = fms::choice_of(fms_);
    volume_ = fms::volume_of(fms_, *policies_);
    part_.segment_units = fms_.segment_units;
    part_.fixed_segments = 1;
  } else {
    volume_ = page_config(handover, fms_);
    policies_ = volume::own_policies(volume_);
    volume_.policies = policies_ ? &*policies_ : nullptr;
    part_.slc = volume_.slc_segments > 0;
  }
  part_.begun_units = volume::begun_units_of(volume_);
  part_.page_bytes = handover.page_bytes;
  part_.data_checksum = handover.data_checksum != 0;
  part_.keeps_content = handover.keeps_content != 0;
}

const char* Layer::set_size(const FlashGeometry& flash, std::uint32_t bad_segments) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  if (is_fms())
    if (const char* reason = fms::check(fms_, flash)) return reason;
  if (const char* reason = volume::check_choices(volume_, flash)) return reason;
  const std::uint64_t bad = std::uint64_t{bad_segments} * flash.pages_per_segment;
  const std::uint64_t all = volume::usable_pages(volume_, flash);
  const std::uint64_t most = volume::max_logical_pages(volume_, flash);
  if (bad >= all || bad >= most) return "utilization leaves no room for data on a part with so many bad segments";
  usable_pages_ = all - bad;
  const std::uint64_t wanted = (usable_pages_ * utilization_ppb_ + kWhole / 2) / kWhole;
  if (wanted > most - bad) return "utilization leaves cleaning nothing to reclaim; use a lower one";
  volume_.logical_pages = static_cast<std::uint32_t>(wanted);
  if (const char* reason = volume::check(volume_, flash)) return reason;
  if (!policies_ || policies_->idle_water <= policies_->high_water) return nullptr;
  const std::uint64_t full = (wanted / flash.dies + flash.pages_per_segment - 1) / flash.pages_per_segment;
  const std::uint64_t in_use = full + volume::streams_of(volume_) + flash.unused_per_die;
  if (in_use + policies_->idle_water < flash.segments_per_die()) return nullptr;
  return "idle_water is more free segments than a die has at this utilization; use less";
}

}  // namespace ftlab::target
