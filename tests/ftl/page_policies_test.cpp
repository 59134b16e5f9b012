// What policies see of the page-mapped log, and what they make of it: order of segments, marks of each die, wear.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

constexpr FlashGeometry kArray{
    .segments = 96, .pages_per_segment = 8, .page_bytes = 512, .dies = 4, .rated_erase_cycles = 1000, .buffers = 32};

class PagePolicies : public ArrayVolume {
 protected:
  PagePolicies() { make(kArray, 3); }

  void start(const FmsConfig& fms, double full = 0.7) {
    ASSERT_EQ(fms::check(fms, kArray), nullptr);
    choice_ = fms::choice_of(fms);
    const VolumeConfig volume = fms::volume_of(fms, choice_);
    config_.policies = volume.policies;
    config_.separation = volume.separation;
    config_.pool_choice = volume.pool_choice;
    fill_share(full);
    boot();
    ASSERT_EQ(ftl_->format(0), FtlStatus::ok);
  }
  void write(std::uint32_t lpn, const WriteHint& hint = {}) {
    const std::vector<std::byte> data(kArray.page_bytes, std::byte{1});
    ASSERT_EQ(ftl_->write(std::uint64_t{lpn} * kArray.page_bytes, data, hint, 0), FtlStatus::ok);
  }
  /// As often as there are pages, most of it to a tenth of them.
  void overwrite(std::uint32_t times) {
    for (std::uint32_t i = 0; i < times * config_.logical_pages; ++i)
      write(random_.below(10) == 0 ? random_.below(config_.logical_pages) : random_.below(config_.logical_pages / 10));
  }
  /// Segments of the die that has the fewest.
  std::uint32_t fewest_free() {
    std::uint32_t fewest = kArray.segments;
    for (std::uint32_t die = 0; die < kArray.dies; ++die) {
      std::uint32_t free = 0;
      for (std::uint32_t i = 0; i < kArray.segments_per_die(); ++i)
        free += ftl_->segment(SegmentId{die * kArray.segments_per_die() + i}).state == SegmentState::free ? 1 : 0;
      fewest = std::min(fewest, free);
    }
    return fewest;
  }
  /// Of the newest checkpoint on the array.
  std::vector<volume::CheckpointHistory> newest_histories() {
    const std::uint32_t pages = volume::with_own_pages(config_, kArray).logical_pages;
    const volume::CheckpointLayout layout{pages, kArray.segments, kArray.page_bytes, kArray.pages_per_segment, true};
    std::map<std::uint64_t, std::vector<std::byte>> by_sequence;
    for (std::uint32_t ppn = 0; ppn < kArray.segments * kArray.pages_per_segment; ++ppn) {
      if (volume::lpn_of(array_->metadata_of(ppn)) != volume::kCheckpointLpn) continue;
      volume::CheckpointHead head;
      std::memcpy(&head, array_->bytes_of(ppn).data(), sizeof head);
      std::vector<std::byte>& bytes = by_sequence[head.sequence];
      bytes.resize(std::size_t{layout.pages()} * layout.payload());
      std::ranges::copy(array_->bytes_of(ppn).subspan(sizeof head, layout.payload()),
                        bytes.begin() + head.index * layout.payload());
    }
    std::vector<volume::CheckpointHistory> histories(pages + kArray.segments + 1);
    std::memcpy(histories.data(), by_sequence.rbegin()->second.data() + layout.rows_end(),
                histories.size() * sizeof histories[0]);
    return histories;
  }
  /// Of each page, that of its newest version.
  std::vector<std::uint32_t> streams_of_pages() {
    std::vector<std::uint32_t> streams(config_.logical_pages);
    std::vector<std::uint64_t> newest(config_.logical_pages);
    for (std::uint32_t ppn = 0; ppn < kArray.segments * kArray.pages_per_segment; ++ppn) {
      const FlashMetadata& metadata = array_->metadata_of(ppn);
      const std::uint32_t lpn = volume::lpn_of(metadata);
      if (lpn >= newest.size() || volume::sequence_of(metadata) < newest[lpn]) continue;
      newest[lpn] = volume::sequence_of(metadata);
      streams[lpn] = volume::stream_of(metadata);
    }
    return streams;
  }

  Random random_{7};
  fms::PolicyChoice choice_;
};

TEST_F(PagePolicies, what_they_remember_of_pages_survives_a_mount_by_the_checkpoint) {
  config_.checkpoint_every = 150;
  start({}, 0.8);
  const std::uint32_t pages = config_.logical_pages;
  for (std::uint32_t lpn = 0; lpn < pages; ++lpn) write(lpn);
  for (std::uint32_t i = 0; i < 3 * pages; ++i) write(i % 7 * (pages / 14));
  const std::vector<volume::CheckpointHistory> before = newest_histories();
  ASSERT_GT(before[1 + pages / 14].updates, 100U);
  mount();
  const std::uint64_t checkpoints = ftl_->stats().log_erases;
  // None of the lower half.
  while (ftl_->stats().log_erases == checkpoints) write(pages / 2 + random_.below(pages / 2));
  const std::vector<volume::CheckpointHistory> after = newest_histories();
  std::uint32_t same = 0;
  for (std::uint32_t i = 1; i <= pages / 2; ++i) {
    // Written or copied between that checkpoint and the mount.
    ASSERT_LE(after[i].updates, before[i].updates + 1U) << i;
    ASSERT_GE(after[i].updates, before[i].updates) << i;
    same += after[i].updates == before[i].updates && after[i].stamp() == before[i].stamp() ? 1 : 0;
  }
  EXPECT_GT(same, pages * 2 / 5);
  EXPECT_GT(after.front().stamp(), before.front().stamp()) << "the clock";
}

TEST_F(PagePolicies, separations_say_which_pages_lie_together_whatever_is_cleaned_and_leave_those_of_the_placement) {
  for (const char* selection : {"cost_benefit", "random"}) {
    for (const char* order : {"sequential", "age_sort"}) {
      SCOPED_TRACE(selection + std::string(" ") + order);
      FmsConfig fms;
      fms.selection = selection;
      fms.redistribution = order;
      fms.separation = "oracle";
      fms.pool_choice = "together";
      start(fms, 0.8);
      const auto class_of = [](std::uint32_t lpn) { return lpn % 3; };
      for (std::uint32_t i = 0; i < 6 * config_.logical_pages; ++i) {
        const std::uint32_t lpn = random_.below(config_.logical_pages);
        // The third class is data that the host marks.
        write(lpn, {.read_only = class_of(lpn) == 2, .data_class = static_cast<std::uint8_t>(class_of(lpn) + 1)});
      }
      const volume::Log& log = std::as_const(*ftl_).log();
      EXPECT_GT(log.stats().pages_copied, 1000U);
      for (std::uint32_t first = 0; first < kArray.segments * kArray.pages_per_segment;
           first += kArray.pages_per_segment) {
        std::set<std::uint32_t> classes;
        for (std::uint32_t ppn = first; ppn < first + kArray.pages_per_segment; ++ppn)
          if (log.is_mapped(ppn)) classes.insert(class_of(log.lpn_at(ppn)));
        EXPECT_LE(classes.size(), 1U) << "segment " << first / kArray.pages_per_segment;
      }
    }
  }
}

TEST_F(PagePolicies, a_pool_choice_divides_the_spare_space_whichever_policies_clean) {
  std::vector<std::uint32_t> cold_segments;
  for (const std::uint32_t share_of_hot : {0x2000U, 0xE000U}) {
    config_.arithmetic.split_q16 = {share_of_hot, 0x10000 - share_of_hot};
    FmsConfig fms;
    fms.selection = "greedy";
    fms.redistribution = "sequential";
    fms.read_only_placement = "mixed";
    fms.separation = "oracle";
    fms.pool_choice = "split";
    start(fms, 0.8);
    const std::uint32_t pages = config_.logical_pages;
    for (std::uint32_t i = 0; i < 8 * pages; ++i) {
      const std::uint32_t lpn = random_.below(pages);
      write(lpn, {.data_class = static_cast<std::uint8_t>(1 + lpn % 2)});
    }
    std::uint32_t cold = 0;
    for (std::uint32_t id = 0; id < kArray.segments; ++id) {
      const SegmentInfo info = ftl_->segment(SegmentId{id});
      cold += info.state == SegmentState::sealed && info.stream == 1 ? 1 : 0;
    }
    cold_segments.push_back(cold);
  }
  EXPECT_GT(cold_segments[0], cold_segments[1] + 4) << "of equally hot halves";
}

TEST_F(PagePolicies, a_checkpoint_is_mounted_by_a_layer_without_policies_and_the_other_way_round) {
  config_.checkpoint_every = 150;
  start({}, 0.8);
  const std::uint32_t pages = config_.logical_pages;
  std::vector<std::uint8_t> written(pages);
  const auto write_some = [&] {
    for (std::uint32_t i = 0; i < 3 * pages; ++i) {
      const std::uint32_t lpn = random_.below(i % 4 == 0 ? pages : 1 + pages / 8);
      const std::vector<std::byte> data(kArray.page_bytes, std::byte{++written[lpn]});
      ASSERT_EQ(ftl_->write(std::uint64_t{lpn} * kArray.page_bytes, data, {}, 0), FtlStatus::ok);
    }
  };
  for (std::uint32_t lpn = 0; lpn < pages; ++lpn) write(lpn);
  std::ranges::fill(written, std::uint8_t{1});
  for (int turn = 0; turn < 6; ++turn) {
    write_some();
    array_->lose_power();
    config_.policies = turn % 2 == 0 ? nullptr : &choice_;
    boot();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    EXPECT_EQ(ftl_->self_check(), nullptr) << ftl_->self_check();
    std::vector<std::byte> data(kArray.page_bytes);
    for (std::uint32_t lpn = 0; lpn < pages; ++lpn) {
      ASSERT_EQ(ftl_->read(std::uint64_t{lpn} * kArray.page_bytes, data, 0), FtlStatus::ok);
      ASSERT_EQ(data[7], std::byte{written[lpn]}) << lpn << " at turn " << turn;
    }
  }
}

TEST_F(PagePolicies, sorting_pages_of_several_victims_sets_hot_ones_apart) {
  const auto copied = [&](const char* redistribution, std::uint32_t at_once) {
    FmsConfig fms;
    fms.selection = "greedy";
    fms.redistribution = redistribution;
    fms.low_water = fms.high_water = 6;
    fms.clean_at_once = at_once;
    start(fms, 0.9);
    overwrite(30);
    EXPECT_EQ(ftl_->self_check(), nullptr);
    return ftl_->stats().pages_copied;
  };
  const std::uint64_t unsorted = copied("sequential", 4);
  for (const char* sort : {"age_sort", "times_sort"}) {
    const std::uint64_t sorted = copied(sort, 4);
    EXPECT_LT(sorted * 10, unsorted * 9) << sort;
    EXPECT_LT(sorted * 10, copied(sort, 1) * 9) << sort << ": within one victim there is little to sort";
  }
}

TEST_F(PagePolicies, idle_time_gives_each_die_its_free_segments) {
  FmsConfig fms;
  fms.idle_cleaning = true;
  fms.idle_water = 6;
  fms.idle_min_ns = 1000;
  start(fms);
  overwrite(10);
  EXPECT_LT(fewest_free(), 7U);
  EXPECT_EQ(ftl_->idle(0, 999), kNoIdleWork) << "too short";
  EXPECT_LT(fewest_free(), 7U);
  for (int steps = 0; ftl_->idle(0, 1'000'000'000) != kNoIdleWork; ++steps) ASSERT_LT(steps, 10'000);
  EXPECT_EQ(fewest_free(), 7U);
  EXPECT_EQ(ftl_->self_check(), nullptr);
  fms.idle_cleaning = false;
  start(fms);
  overwrite(10);
  EXPECT_EQ(ftl_->idle(0, 1'000'000'000), kNoIdleWork);
  EXPECT_LT(fewest_free(), 7U);
}

TEST_F(PagePolicies, idle_time_takes_the_emptiest_segment_whichever_partition_a_page_waited_for_last) {
  FmsConfig fms;
  fms.trigger = "partition_full";
  fms.selection = "partition_fifo";
  fms.redistribution = "locality_preservation";
  fms.read_only_placement = "mixed";
  fms.shared.partitions = 3;
  fms.low_water = fms.high_water = 4;
  fms.idle_cleaning = true;
  fms.idle_water = kArray.segments;
  fms.idle_min_ns = 0;
  start(fms);
  overwrite(10);
  std::uint32_t fewest_valid = 0;
  for (std::uint32_t die = 0; die < kArray.dies; ++die) {
    std::uint32_t fewest = kArray.pages_per_segment;
    for (std::uint32_t i = 0; i < kArray.segments_per_die(); ++i) {
      const SegmentInfo info = ftl_->segment(SegmentId{die * kArray.segments_per_die() + i});
      if (info.state == SegmentState::sealed) fewest = std::min(fewest, info.valid_pages);
    }
    fewest_valid += fewest;
  }
  const std::uint64_t copied = ftl_->stats().pages_copied;
  const std::uint64_t cleanings = ftl_->stats().cleanings;
  while (ftl_->stats().cleanings == cleanings) ASSERT_NE(ftl_->idle(0, 1'000'000'000), kNoIdleWork);
  EXPECT_EQ(ftl_->stats().cleanings - cleanings, kArray.dies);
  EXPECT_EQ(ftl_->stats().pages_copied - copied, fewest_valid);
}

TEST_F(PagePolicies, pages_stay_in_their_partition_where_several_segments_are_cleaned_together) {
  FmsConfig fms;
  fms.trigger = "partition_full";
  fms.selection = "partition_fifo";
  fms.redistribution = "locality_preservation";
  fms.read_only_placement = "mixed";
  fms.shared.partitions = 4;
  fms.low_water = fms.high_water = 2;
  fms.clean_at_once = 8;
  start(fms, 0.95);
  for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) write(lpn);
  ASSERT_EQ(ftl_->flush(0), FtlStatus::ok);
  const std::vector<std::uint32_t> before = streams_of_pages();
  overwrite(30);
  ASSERT_EQ(ftl_->flush(0), FtlStatus::ok);
  EXPECT_EQ(streams_of_pages(), before);
}

TEST_F(PagePolicies, fine_grained_redistribution_copies_less_where_there_is_locality) {
  FmsConfig fms;
  fms.selection = "greedy";
  fms.redistribution = "sequential";
  start(fms);
  overwrite(20);
  const std::uint64_t together = ftl_->stats().pages_copied;
  fms.redistribution = "fine_grained";
  start(fms);
  overwrite(20);
  EXPECT_LT(ftl_->stats().pages_copied, together);
}

TEST_F(PagePolicies, each_die_keeps_its_low_water_free) {
  FmsConfig fms;
  fms.redistribution = "sequential";
  fms.read_only_placement = "mixed";
  fms.low_water = fms.high_water = 7;
  start(fms);
  overwrite(10);
  EXPECT_GE(fewest_free(), 7U);
}

TEST_F(PagePolicies, wear_levelers_move_data_that_rests) {
  const auto never_erased_with = [&](const char* leveler) {
    FmsConfig fms;
    fms.selection = "greedy";
    fms.wear_leveling = leveler;
    for (const auto& [key, value] :
         {std::pair{"swap_from", 3U}, {"swap_spread", 3U}, {"ban_every", 10U}, {"dual_pool_threshold", 4U}})
      EXPECT_TRUE(fms.params.set(key, value));
    start(fms, 0.5);
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) write(lpn);
    for (std::uint32_t i = 0; i < 60 * config_.logical_pages; ++i) write(random_.below(config_.logical_pages / 5));
    EXPECT_EQ(ftl_->self_check(), nullptr);
    std::uint32_t never = 0;
    for (std::uint32_t id = 0; id < kArray.segments; ++id)
      never += ftl_->segment(SegmentId{id}).erase_count == 0 ? 1 : 0;
    return never;
  };
  const std::uint32_t without = never_erased_with("none");
  EXPECT_EQ(ftl_->stats().pages_swapped, 0U);
  for (const char* leveler : {"swap", "ban", "dual_pool"}) {
    SCOPED_TRACE(leveler);
    EXPECT_LT(never_erased_with(leveler), without / 2);
    EXPECT_GT(ftl_->stats().pages_swapped, 0U);
  }
}

TEST(FmsOnDies, says_what_does_not_work_there_and_what_does) {
  const auto reason = [](auto&& change) {
    FmsConfig config;
    change(config);
    const char* refused = fms::check(config, kArray);
    return std::string(refused != nullptr ? refused : "");
  };
  EXPECT_EQ(reason([](FmsConfig&) {}), "");
  EXPECT_EQ(reason([](FmsConfig& c) { c.age_clock = FmsConfig::AgeClock::time; }), "");
  EXPECT_EQ(reason([](FmsConfig& c) { c.clean_at_once = 64; }), "");
  EXPECT_TRUE(reason([](FmsConfig& c) { c.clean_at_once = 65; }).starts_with("clean_at_once"));
  EXPECT_EQ(reason([](FmsConfig& c) { c.idle_cleaning = true; }), "");
}

}  // namespace
}  // namespace ftlab::tests
