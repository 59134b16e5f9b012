// A store with anchors on an emulated part, and an FTL so simple that a test can say what it knows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "firmware/volume/nand/anchor.h"
#include "firmware/volume/nand/nand_store.h"
#include "firmware/volume/nand/scan.h"
#include "tests/fixtures/emulated_nand.h"

namespace ftlab::tests {

/// Tells anchors what the test has put down here.
class ToldSource final : public nand::AnchorSource {
 public:
  [[nodiscard]] nand::AnchorRow anchor_row(std::uint32_t segment) const override {
    const auto at = rows.find(segment);
    return at != rows.end() ? at->second : nand::AnchorRow{};
  }
  [[nodiscard]] bool anchor_mapped(std::uint32_t lpn) const override { return mapped.contains(lpn); }
  [[nodiscard]] bool anchor_valid(std::uint32_t segment, std::uint32_t slot) const override {
    return valid.contains({segment, slot});
  }

  std::map<std::uint32_t, nand::AnchorRow> rows;
  std::set<std::uint32_t> mapped;
  std::set<std::pair<std::uint32_t, std::uint32_t>> valid;
};

/// Keeps what a scan finds.
class Finds final : public nand::ScanVisitor {
 public:
  void page(std::uint32_t segment, std::uint32_t slot, const nand::PageRecord& record) override {
    pages[{segment, slot}] = record;
  }
  void lost(std::uint32_t lpn, std::uint64_t after) override { lost_pages[lpn] = after; }
  void segment(const nand::ScannedSegment& found) override { segments.push_back(found); }

  std::map<std::pair<std::uint32_t, std::uint32_t>, nand::PageRecord> pages;
  std::map<std::uint32_t, std::uint64_t> lost_pages;
  std::vector<nand::ScannedSegment> segments;
};

/// One life of a store and its anchors on the part.
struct StoreLife {
  explicit StoreLife(EmulatedNand& flash, std::uint32_t logical_pages = 100, std::uint32_t open_segments = 2)
      : io(flash), store(io, flash.geometry()), anchors(store, {0x54534554, 1, logical_pages, 0}) {
    Arena measure(nullptr, 0);
    store.layout(measure, open_segments);
    anchors.layout(measure);
    memory.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(std::max_align_t));
    store.layout(arena, open_segments);
    anchors.layout(arena);
    store.clear();
    anchors.clear();
    store.set_volume(1);
  }
  /// Programs the next page of an open segment with `value` in every byte.
  nand::NandResult put(std::uint32_t segment, std::uint32_t slot, std::uint32_t lpn, std::uint64_t sequence,
                       int value = 1) {
    nand::PageRecord record;
    record.lpn = lpn;
    record.sequence = sequence;
    record.updates = 1;
    record.stamp = sequence;
    const std::vector<std::byte> data(store.page_bytes(), static_cast<std::byte>(value));
    return store.program(segment, slot, record, data.data());
  }

  std::vector<std::max_align_t> memory;
  FlashIo io;
  nand::NandStore store;
  nand::Anchors anchors;
  NullProbe probe;
};

}  // namespace ftlab::tests
