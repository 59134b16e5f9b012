// Tables set up by hand for policies, and a probe that keeps what they count.
#pragma once

#include <cstddef>
#include <vector>

#include "firmware/policy/policies.h"
#include "tests/fixtures/counting_probe.h"

namespace ftlab::tests {

/// `segments` segments of `slots`; segment 0 is the fixed one.
class PolicyFixture {
 public:
  PolicyFixture(std::uint32_t segments, std::uint32_t slots, std::uint32_t page_count)
      : memory_(std::size_t{64} * 1024), data_segments_(segments - 1) {
    Arena arena(memory_.data(), memory_.size());
    table.layout(arena, {segments, slots, 1, 8});
    table.lists().layout(arena, {segments});
    places.resize(page_count, kUnmapped);
    pages.layout(arena, page_count, places);
    table.clear();
    pages.clear();
    table.set_state(0, SegmentState::fixed);
    geometry.segments = segments;
  }
  /// A full segment with `valid` valid pages.
  void seal(std::uint32_t segment, std::uint32_t valid, std::uint64_t opened = 0, std::uint32_t erases = 0) {
    while (table.valid(segment) < valid) table.add_valid(segment);
    while (table.valid(segment) > valid) table.drop_valid(segment);
    table.set_state(segment, SegmentState::sealed);
    table.record(segment).opened_stamp = opened;
    table.record(segment).erase_count = erases;
  }
  void free(std::uint32_t segment) {
    table.free().put(0, segment);
    table.set_state(segment, SegmentState::free);
  }
  /// A page that was written so often, last at that time, and lies there.
  void write(std::uint32_t lpn, std::uint32_t ppn, std::uint32_t updates, std::uint64_t stamp) {
    places.at(lpn) = ppn;
    pages.write(lpn, updates, stamp);
  }
  /// The policy as a layer makes it; it watches the table from now on.
  template <class Family>
  Family& make(const fms::Entry<Family>& entry, const fms::PolicyParams& params = {}) {
    const fms::PolicySetup setup{geometry, table.slots(), pages.size(), shared, policy_seed, &now, reserve};
    Arena measure(nullptr, 0);
    (void)entry.make(measure, setup, params.of(entry));
    const std::size_t units = measure.used() / sizeof(std::max_align_t) + 1;
    Arena arena(reinterpret_cast<std::byte*>(policy_.emplace_back(units).data()), units * sizeof(std::max_align_t));
    Family* made = entry.make(arena, setup, params.of(entry));
    std::vector<std::uint32_t> order(table.segments());
    table.join(0, *made, order);
    pages.watch(nullptr);
    if (entry.watches_pages) pages.join(*made);
    return *made;
  }
  /// What a selection chooses that joins now.
  [[nodiscard]] std::optional<std::uint32_t> pick(const fms::SelectionEntry& selection,
                                                  const fms::PolicyParams& params = {}) {
    return make(selection, params).pick(view());
  }
  void plan(const fms::RedistributionEntry& redistribution, std::uint32_t victim, std::span<PageMove> moves,
            const fms::PolicyParams& params = {}) {
    for (PageMove& move : moves) move.segment = victim;
    make(redistribution, params).plan(view(), moves);
  }
  [[nodiscard]] fms::CleaningView view() { return {table.view(0), pages, now, data_segments_, probe, waiting}; }

  SegmentTable table;
  std::vector<std::uint32_t> places;  ///< of each logical page
  PageTable pages;
  CountingProbe probe;
  std::uint64_t now = 1000;
  FlashGeometry geometry;
  fms::SharedParams shared;
  std::uint64_t policy_seed = 1;
  std::uint32_t waiting = kNone;  ///< see CleaningView
  std::uint32_t reserve = 1;

 private:
  std::vector<std::byte> memory_;
  std::uint32_t data_segments_;
  std::vector<std::vector<std::max_align_t>> policy_;
};

}  // namespace ftlab::tests
