// The lists of the segments, against a model that keeps them as plain lists.
#include "firmware/map/listed_segments.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "firmware/base/random.h"
#include "tests/fixtures/laid_out.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kSegments = 40;
constexpr std::uint32_t kGroups = 3;
constexpr std::uint32_t kPages = 8;

class NaiveLists {
 public:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::uint32_t>> lists;  ///< by group and bin

  void put(std::uint32_t segment, std::uint32_t group, std::uint32_t bin) {
    lists[{group, bin}].push_back(segment);
    where_[segment] = {group, bin};
  }
  void take(std::uint32_t segment) {
    std::erase(lists[where_.at(segment)], segment);
    where_.erase(segment);
  }
  void move(std::uint32_t segment, std::uint32_t bin) {
    const std::uint32_t group = where_.at(segment).first;
    take(segment);
    put(segment, group, bin);
  }
  [[nodiscard]] bool listed(std::uint32_t segment) const { return where_.contains(segment); }
  [[nodiscard]] std::uint32_t lowest(std::uint32_t group) const {
    for (const auto& [key, list] : lists)
      if (key.first == group && !list.empty()) return list.front();
    return kNoSegment;
  }

 private:
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> where_;
};

class SegmentsTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const ListedSegments::Shape shape{kSegments, kGroups, GetParam() ? kPages + 1 : 2, GetParam()};
    memory_ = tests::laid_out([&](Arena& arena) { segments_.layout(arena, shape); });
    segments_.clear();
  }
  void step() {
    const std::uint32_t segment = random_.below(kSegments);
    const std::uint32_t bins = GetParam() ? kPages + 1 : 2;
    if (!naive_.listed(segment)) {
      if (segments_.valid(segment) < kPages && random_.below(3) > 0) return segments_.add_valid(segment);
      const std::uint32_t group = random_.below(kGroups);
      const std::uint32_t bin = GetParam() ? segments_.valid(segment) : random_.below(bins);
      segments_.put(segment, group, bin);
      return naive_.put(segment, group, bin);
    }
    if (segments_.valid(segment) > 0 && random_.below(4) > 0) {
      segments_.drop_valid(segment);
      if (GetParam()) naive_.move(segment, segments_.valid(segment));
    } else if (!GetParam() && random_.below(2) == 0) {
      const std::uint32_t bin = random_.below(bins);
      segments_.move_to_bin(segment, bin);
      naive_.move(segment, bin);
    } else {
      segments_.take(segment);
      naive_.take(segment);
    }
  }
  void check() {
    for (std::uint32_t group = 0; group < kGroups; ++group) {
      std::uint32_t listed = 0;
      std::uint64_t valid = 0;
      const std::uint32_t bins = GetParam() ? kPages + 1 : 2;
      for (std::uint32_t bin = 0; bin < bins; ++bin) {
        std::uint32_t at = segments_.first(group, bin);
        for (const std::uint32_t expected : naive_.lists[{group, bin}]) {
          ASSERT_EQ(at, expected);
          EXPECT_EQ(segments_.group_of(at), group);
          EXPECT_EQ(segments_.bin_of(at), bin);
          ++listed;
          valid += segments_.valid(at);
          at = segments_.next(at);
        }
        ASSERT_EQ(at, kNoSegment);
      }
      ASSERT_EQ(segments_.listed_in(group), listed);
      ASSERT_EQ(segments_.valid_in(group), valid);
      ASSERT_EQ(segments_.lowest(group, bins), naive_.lowest(group));
    }
  }

  std::vector<std::max_align_t> memory_;
  ListedSegments segments_;
  NaiveLists naive_;
  Random random_{7};
};

TEST_P(SegmentsTest, lists_are_those_of_a_plain_model_after_every_change) {
  for (int i = 0; i < 4000; ++i) {
    step();
    check();
    ASSERT_FALSE(HasFatalFailure()) << "change " << i;
  }
}

TEST(ListedSegments, a_page_that_is_back_in_a_full_segment_counts_in_its_group_and_bin) {
  ListedSegments segments;
  const ListedSegments::Shape shape{.segments = 2, .groups = 1, .bins = kPages + 1, .sort_by_valid = true};
  const auto memory = tests::laid_out([&](Arena& arena) { segments.layout(arena, shape); });
  segments.clear();
  segments.add_valid(0, kPages);
  segments.put(0, 0, kPages);
  segments.drop_valid(0);
  segments.add_valid(0);
  EXPECT_EQ(segments.valid_in(0), kPages) << "or it is cleaned for ever, with nothing to gain";
  EXPECT_EQ(segments.bin_of(0), kPages);
  segments.take(0);
  EXPECT_EQ(segments.valid_in(0), 0U);
}

INSTANTIATE_TEST_SUITE_P(SortedOrNot, SegmentsTest, testing::Bool());

}  // namespace
}  // namespace ftlab
