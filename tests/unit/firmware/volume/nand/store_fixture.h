// A store with checkpoints on an emulated part, and an FTL so simple that a test can say what it knows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_io.h"
#include "firmware/volume/nand/scan.h"
#include "tests/fixtures/emulated_nand.h"

namespace ftlab::tests {

/// Tells checkpoints what the test has put down here.
class ListedSource final : public nand::CheckpointSource {
 public:
  [[nodiscard]] nand::CheckpointRow checkpoint_row(std::uint32_t segment) const override {
    const auto at = rows.find(segment);
    return at != rows.end() ? at->second : nand::CheckpointRow{};
  }
  [[nodiscard]] std::uint32_t checkpoint_mapped(std::uint32_t first, std::uint32_t count) const override {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < count; ++i) bits |= std::uint32_t{mapped.contains(first + i)} << i;
    return bits;
  }
  [[nodiscard]] std::uint32_t checkpoint_valid(std::uint32_t segment, std::uint32_t first,
                                               std::uint32_t count) const override {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < count; ++i) bits |= std::uint32_t{valid.contains({segment, first + i})} << i;
    return bits;
  }

  std::map<std::uint32_t, nand::CheckpointRow> rows;
  std::set<std::uint32_t> mapped;
  std::set<std::pair<std::uint32_t, std::uint32_t>> valid;
};

/// Keeps what a scan finds.
class Finds final : public nand::ScanVisitor {
 public:
  void page(std::uint32_t segment, std::uint32_t slot, const nand::PageMetadata& metadata) override {
    pages[{segment, slot}] = metadata;
  }
  void lost(std::uint32_t lpn, std::uint64_t after) override { lost_pages[lpn] = after; }
  void segment(const nand::ScannedSegment& found) override { segments.push_back(found); }

  std::map<std::pair<std::uint32_t, std::uint32_t>, nand::PageMetadata> pages;
  std::map<std::uint32_t, std::uint64_t> lost_pages;
  std::vector<nand::ScannedSegment> segments;
};

/// One session of a store and its checkpoints on the part.
struct StoreSession {
  explicit StoreSession(EmulatedNand& flash, std::uint32_t logical_pages = 100, std::uint32_t open_segments = 2)
      : io(flash), store(io, flash.geometry()), checkpoints(store, {0x54534554, 1, logical_pages, 0}) {
    Arena measure(nullptr, 0);
    store.layout(measure, open_segments);
    checkpoints.layout(measure);
    memory.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(std::max_align_t));
    store.layout(arena, open_segments);
    checkpoints.layout(arena);
    store.clear();
    checkpoints.clear();
    store.set_volume(1);
  }
  /// Programs the next page of an open segment with `value` in every byte.
  nand::PageResult put(std::uint32_t segment, std::uint32_t slot, std::uint32_t lpn, std::uint64_t sequence,
                       int value = 1) {
    nand::PageMetadata metadata;
    metadata.lpn = lpn;
    metadata.sequence = sequence;
    metadata.updates = 1;
    metadata.stamp = sequence;
    const std::vector<std::byte> data(store.page_bytes(), static_cast<std::byte>(value));
    return store.program(segment, slot, metadata, data.data());
  }

  std::vector<std::max_align_t> memory;
  FlashIo io;
  nand::PageIo store;
  nand::Checkpoints checkpoints;
  NullProbe probe;
};

}  // namespace ftlab::tests
