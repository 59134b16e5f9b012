// A part with a FlashPort, served as an array as the study asks for it. Knows no layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "firmware/driver/paged/paged_flash.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/study/study.h"

namespace ftlab::platform {

struct ServedPart {
  ServedPart(const FirmwarePorts& ports, const PagedFlashConfig& config)
      : memory(PagedFlash::arena_bytes(ports.flash, config)), port(ports.flash, ports.probe, config, memory) {}
  std::vector<std::byte> memory;
  PagedFlash port;
};

/// Whether the key that a firmware's reason begins with is `segments` of the part.
[[nodiscard]] bool is_about_segments(std::string_view reason);

/// The place of the key that a firmware's reason begins with; else of the first one in it that is not as by default;
/// else, where it begins with `segments`, of what says how many there are; else of `key`.
[[nodiscard]] std::string where_of_reason(const Study& study, std::string_view reason, std::string_view key);

/// `wish`: what the layer decides; the size of pages and their checksums are the study's. Null where the part is an
/// array. Throws InputError with what works, where the part cannot be served so.
[[nodiscard]] std::unique_ptr<ServedPart> serve_part(const Study& study, const FirmwarePorts& ports,
                                                     PagedFlashConfig wish);

}  // namespace ftlab::platform
