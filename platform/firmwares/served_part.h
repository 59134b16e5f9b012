// The array that a firmware works on: the device's own, or its part served as one, as the study asks for it. Knows no
// layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "firmware/driver/paged/paged_flash.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/study/study.h"

namespace ftlab::platform {

class ServedPart {
 public:
  explicit ServedPart(FlashPort& array) : array_(array) {}
  ServedPart(PartPort& part, ProbePort& probe, const PagedFlashConfig& config)
      : memory_(PagedFlash::arena_bytes(part, config)),
        served_(std::in_place, part, probe, config, memory_),
        array_(*served_) {}
  [[nodiscard]] FlashPort& array() const { return array_; }

 private:
  std::vector<std::byte> memory_;
  std::optional<PagedFlash> served_;
  FlashPort& array_;
};

/// In 1 / 10^9; all, where the study's firmware offers a scenario all that it can hold.
[[nodiscard]] std::uint32_t utilization_ppb(const Study& study);

/// Whether the key that a firmware's reason begins with is `segments` of the part.
[[nodiscard]] bool is_about_segments(std::string_view reason);

/// The place of the key that a firmware's reason begins with; else of the first one in it that is not as by default;
/// else, where it begins with `segments`, of what says how many there are; else of `key`.
[[nodiscard]] std::string where_of_reason(const Study& study, std::string_view reason, std::string_view key);

/// On NAND, whose pages a layer may count several of as one of its own; on NOR those of the study are served.
enum class ServedPages : std::uint8_t { of_study, of_part };

/// `wish`: what the layer decides; the size of pages and their checksums are the study's. Throws InputError with what
/// works, where the part cannot be served so.
[[nodiscard]] std::unique_ptr<ServedPart> serve_part(const Study& study, const FirmwarePorts& ports,
                                                     PagedFlashConfig wish, ServedPages pages = ServedPages::of_study);

}  // namespace ftlab::platform
