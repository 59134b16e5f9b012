// An FMS on an emulated flash with its arena, ready for tests.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "firmware/fms/fms.h"
#include "tests/support/emulated_flash.h"

namespace ftlab::tests {

/// The papers' card: 192 segments of 128 KiB.
inline EmulatedFlashOptions paper_card() {
  EmulatedFlashOptions options;
  options.geometry = {.segments = 192,
                      .segment_bytes = 131072,
                      .program_unit_bytes = 2,
                      .parallel_units = 12,
                      .rated_erase_cycles = 1'000'000};
  return options;
}

/// 13 segments of 4 KiB; with 256-byte pages 13 slots each.
inline EmulatedFlashOptions small_part() {
  EmulatedFlashOptions options;
  options.geometry = {
      .segments = 13, .segment_bytes = 4096, .program_unit_bytes = 2, .parallel_units = 1, .rated_erase_cycles = 1000};
  return options;
}

inline FmsConfig small_config() {
  FmsConfig config;
  config.page_bytes = 256;
  config.logical_pages = 90;
  return config;
}

/// One life of the firmware: tables are new, the medium is the flash's.
class FmsLife {
 public:
  FmsLife(FlashPort& flash, const FmsConfig& config, ProbePort* probe = nullptr)
      : memory_(Fms::arena_bytes(flash.geometry(), config) / sizeof(std::max_align_t) + 1),
        fms_(flash, probe != nullptr ? *probe : null_probe_, config, std::as_writable_bytes(std::span(memory_))) {}
  Fms& operator*() { return fms_; }
  Fms* operator->() { return &fms_; }

 private:
  std::vector<std::max_align_t> memory_;
  NullProbe null_probe_;
  Fms fms_;
};

}  // namespace ftlab::tests
