// The layer that the handover names: a configuration of the volume, the policies that decide on it, and how the part is
// served to it. Touches no flash.
#pragma once

#include <optional>

#include "firmware/driver/paged/paged_config.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/policy/policy_choice.h"
#include "firmware/target/handover.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::target {

class Layer {
 public:
  explicit Layer(const Handover& handover);
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  [[nodiscard]] const PagedFlashConfig& part() const { return part_; }
  /// Sets the size of a volume on this flash, of which so many segments hold no data. Null; else why there is none.
  const char* set_size(const FlashGeometry& flash, std::uint32_t bad_segments);
  /// Without those segments.
  [[nodiscard]] std::uint64_t usable_pages() const { return usable_pages_; }
  /// Points into this object.
  [[nodiscard]] const VolumeConfig& volume() const { return volume_; }

 private:
  [[nodiscard]] bool is_fms() const { return layer_ == ServedLayer::fms; }

  ServedLayer layer_;
  std::uint64_t utilization_ppb_;
  FmsConfig fms_;
  std::optional<fms::PolicyChoice> policies_;
  VolumeConfig volume_;
  PagedFlashConfig part_;
  std::uint64_t usable_pages_ = 0;
};

}  // namespace ftlab::target
