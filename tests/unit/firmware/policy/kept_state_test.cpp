// What policies keep, against the tables after every change: in any order of changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "firmware/policy/policy_set.h"
#include "firmware/policy/select/fewest_valid.h"
#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

constexpr std::uint32_t kSegments = 24;
constexpr std::uint32_t kSlots = 6;

/// Changes of a segment table as a volume makes them, without one.
class Changes {
 public:
  explicit Changes(PolicyFixture& fixture, std::uint32_t seed) : f_(fixture), random_(seed) {}

  void one() {
    const std::uint32_t id = draw(1, kSegments - 1);
    switch (f_.table.state(id)) {
      case SegmentState::free:
        f_.table.free().take(0, id);
        f_.table.set_state(id, SegmentState::open);
        f_.table.record(id).opened_sequence = ++sequence_;
        used_[id] = 0;
        break;
      case SegmentState::open:
        write(id);
        break;
      case SegmentState::sealed:
        sealed(id);
        break;
      default:
        break;
    }
  }

 private:
  std::uint32_t draw(std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(random_);
  }
  void write(std::uint32_t id) {
    ++used_[id];
    if (draw(0, 9) != 0) f_.table.add_valid(id);
    if (draw(0, 3) == 0) invalidate(id);
    if (used_[id] == kSlots) f_.table.set_state(id, SegmentState::sealed);
  }
  void sealed(std::uint32_t id) {
    if (f_.table.valid(id) == 0 && draw(0, 1) == 0) {
      f_.table.erase(id);
      if (draw(0, 199) == 0)
        f_.table.set_state(id, SegmentState::bad);
      else
        f_.free(id);
    } else if (f_.table.valid(id) > 0 && draw(0, 19) == 0) {
      f_.table.set_cleaning(id, !f_.table.record(id).cleaning);
    } else {
      invalidate(id);
    }
  }
  void invalidate(std::uint32_t id) {
    if (f_.table.valid(id) > 0) f_.table.drop_valid(id);
  }

  PolicyFixture& f_;
  boost::random::mt19937 random_;
  std::uint64_t sequence_ = 0;
  std::array<std::uint32_t, kSegments> used_{};  ///< places taken since each was opened
};

struct ChangingFixture : PolicyFixture {
  explicit ChangingFixture(std::uint32_t seed) : PolicyFixture(kSegments, kSlots, 10), changes(*this, seed) {
    for (std::uint32_t id = 1; id < kSegments; ++id) free(id);
  }
  Changes changes;
};

/// Keeps all that it sees: valid pages, erase counts and states.
class Mirror final : public Selection {
 public:
  void layout(Arena& arena, const PolicySetup& setup) override {
    seen_ = arena.take<SegmentInfo>(setup.geometry.segments);
  }
  void clear() override { std::ranges::fill(seen_, SegmentInfo{.erase_count = kNone}); }
  void on_write(const SegmentView&, std::uint32_t segment) override { ++seen_[segment].valid_pages; }
  void on_invalidate(const SegmentView&, std::uint32_t segment) override { --seen_[segment].valid_pages; }
  void on_erase(const SegmentView&, std::uint32_t segment) override { ++seen_[segment].erase_count; }
  void on_state(const SegmentView& segments, std::uint32_t segment) override {
    seen_[segment].state = segments.row(segment).state;
    if (seen_[segment].erase_count == kNone) seen_[segment].erase_count = segments.row(segment).erase_count;
  }
  std::optional<std::uint32_t> pick(const CleaningView&) override { return std::nullopt; }
  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    for (std::uint32_t id = 0; id < seen_.size(); ++id) {
      const SegmentRow row = view.segments.row(id);
      if (seen_[id].valid_pages != row.valid) return "valid pages differ";
      if (seen_[id].erase_count != kNone && seen_[id].erase_count != row.erase_count) return "erase counts differ";
      if (seen_[id].state != row.state) return "states differ";
    }
    return nullptr;
  }

 private:
  std::span<SegmentInfo> seen_;
};

constexpr SelectionEntry kMirror = member<Mirror>("mirror", "chooses nothing");

template <class Family>
void expect_kept(const Entry<Family>& entry) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    ChangingFixture fixture(seed);
    for (std::uint32_t i = 0; i < seed * 20; ++i) fixture.changes.one();
    Family& policy = fixture.make(entry);
    for (int i = 0; i < 2000; ++i) {
      fixture.changes.one();
      ASSERT_EQ(policy.self_check(fixture.view()), nullptr) << entry.name << " seed " << seed << " change " << i;
    }
  }
}

TEST(EveryPolicy, keeps_what_a_look_at_the_tables_would_find) {
  for (const TriggerEntry& entry : triggers()) expect_kept(entry);
  for (const SelectionEntry& entry : selections()) expect_kept(entry);
  for (const RedistributionEntry& entry : redistributions()) expect_kept(entry);
  for (const PlacementEntry& entry : placements()) expect_kept(entry);
  for (const WearLevelingEntry& entry : wear_levelers()) expect_kept(entry);
}

TEST(SegmentWatcher, sees_every_page_erase_and_state) { expect_kept(kMirror); }

TEST(PolicySet, passes_every_change_on_to_its_policies) {
  ChangingFixture fixture(3);
  for (int i = 0; i < 200; ++i) fixture.changes.one();
  std::vector<std::max_align_t> memory(1000);
  Arena arena(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(std::max_align_t));
  PolicySet policies;
  policies.layout(arena, {&trigger::watermark, &kMirror, &redistribute::sequential, &place::mixed, &wear::none}, {},
                  {fixture.geometry, kSlots, 10});
  ASSERT_TRUE(arena.fits());
  std::vector<std::uint32_t> order(kSegments);
  fixture.table.join(0, policies, order);
  for (int i = 0; i < 3000; ++i) {
    fixture.changes.one();
    ASSERT_EQ(policies.self_check(fixture.view()), nullptr) << "change " << i;
  }
}

TEST(EverySelection, chooses_the_same_whether_it_was_there_from_the_start_or_joins_now) {
  for (const SelectionEntry& entry : selections()) {
    ChangingFixture fixture(7);
    Selection& old = fixture.make(entry);
    for (int i = 0; i < 3000; ++i) {
      fixture.changes.one();
      if (i % 10 != 0) continue;
      const auto choice = old.pick(fixture.view());
      ASSERT_EQ(fixture.pick(entry), choice) << entry.name << " change " << i;
      fixture.table.watch(0, &old);
    }
  }
}

TEST(Greedy, chooses_and_counts_as_a_scan_does) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    ChangingFixture fixture(seed);
    fixture.shared.ties = kTies[seed % std::size(kTies)].value;
    Selection& greedy = fixture.make(select::greedy);
    for (int i = 0; i < 3000; ++i) {
      fixture.changes.one();
      const std::uint64_t before = fixture.probe.of(Work::segment_compare);
      const auto choice = greedy.pick(fixture.view());
      const std::uint64_t between = fixture.probe.of(Work::segment_compare);
      ASSERT_EQ(choice, fewest_valid(fixture.view(), fixture.shared.ties)) << "seed " << seed << " change " << i;
      ASSERT_EQ(between - before, fixture.probe.of(Work::segment_compare) - between);
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
