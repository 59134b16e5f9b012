// A part served as an array, and single operations on it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "firmware/driver/paged/paged_flash.h"

namespace ftlab::tests {

struct ServedPart {
  ServedPart(PartPort& part, const PagedFlashConfig& config)
      : memory(PagedFlash::arena_bytes(part, config)), port(part, probe, config, memory) {
    EXPECT_EQ(PagedFlash::check(part, config), nullptr);
  }
  FlashDone run(const FlashOp& op) { return run_to_end(port, op); }
  FlashStatus run(FlashOpKind kind, std::uint32_t segment) {
    return run({.kind = kind, .page = segment * port.geometry().pages_per_segment}).status;
  }
  FlashStatus erase(std::uint32_t segment) { return run(FlashOpKind::erase, segment); }
  FlashStatus program(std::uint32_t page, std::uint64_t low) {
    const std::vector<std::byte> data(port.geometry().page_bytes, static_cast<std::byte>(low));
    port.write_buffer(0, 0, data);
    return run({.kind = FlashOpKind::program, .page = page, .buffer = 0, .metadata = {low, low + 100}}).status;
  }
  FlashDone metadata(std::uint32_t page) { return run({.kind = FlashOpKind::read, .page = page}); }
  /// Into the second buffer.
  FlashDone read(std::uint32_t page) { return run({.kind = FlashOpKind::read, .page = page, .buffer = 1}); }
  /// With new metadata.
  FlashDone copy(std::uint32_t page, std::uint32_t target) {
    return run({FlashOpKind::copy, true, 0, page, target, FlashOp::kNoBuffer, true, {7, 300}});
  }

  NullProbe probe;
  std::vector<std::byte> memory;
  PagedFlash port;
};

}  // namespace ftlab::tests
