// Volumes whose program units hold several pages and that bad segments leave too small: what cleaning brings there is
// what its padding takes, so that it has to end with a refusal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "tests/fixtures/array_volume.h"
#include "tests/fixtures/dice.h"

namespace ftlab::tests {
namespace {

/// Ends a test whose cleaning does not.
class CleaningLimit final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work kind, std::uint32_t n) override {
    if (kind != Work::segment_clean || (cleanings_ += n) < 100'000) return;
    ADD_FAILURE() << "cleaning brings no room, and goes on";
    std::abort();
  }

 private:
  Cause cause_ = Cause::host;
  std::uint64_t cleanings_ = 0;
};

struct Way {
  std::string_view name;
  std::string_view selection;
  std::string_view separation;
  VolumeConfig::DieChoice die_choice;
  std::uint32_t bad_segments;  ///< of a die: more than what is held back for the open ones
};

class PagePaddingRoom : public ArrayVolume, public testing::WithParamInterface<Way> {};

TEST_P(PagePaddingRoom, cleaning_that_padding_eats_up_ends_with_a_refusal) {
  constexpr std::uint32_t kPerDie = 24;  // of a die
  make({.segments = 2 * kPerDie,
        .pages_per_segment = 16,
        .page_bytes = 256,
        .pages_at_once = 4,
        .dies = 2,
        .rated_erase_cycles = 100'000,
        .buffers = 64,
        .keeps_metadata = true});
  config_.selection = GetParam().selection;
  config_.separation = GetParam().separation;
  config_.die_choice = GetParam().die_choice;
  fill_share(1);
  for (std::uint32_t i = 0; i < GetParam().bad_segments; ++i) {
    array_->mark_bad(i);
    array_->mark_bad(kPerDie + i);
  }
  CleaningLimit limit;
  begin_volume(limit);
  Dice random(3);
  for (std::uint32_t i = 0; i < 20 * config_.logical_pages && host_->first_failure() == FtlStatus::ok; ++i) {
    // What is overwritten between leaves invalid pages everywhere.
    const std::uint32_t filled = std::min(i / 2 + 1, config_.logical_pages);
    write(i % 2 == 0 && i / 2 < config_.logical_pages ? i / 2 : random.below(filled), 8);
  }
  expect_all_right();
  EXPECT_EQ(host_->first_failure(), FtlStatus::read_only);
}

TEST(PagePaddingBound, no_more_pages_are_offered_than_hold_data_whatever_padding_and_checkpoints_take) {
  for (std::uint32_t segments = 4; segments < 40; ++segments) {
    for (const std::uint32_t pages : {16U, 32U, 64U}) {
      for (const std::uint32_t at_once : {1U, 2U, 4U, 8U}) {
        FlashGeometry geometry;
        geometry.segments = segments;
        geometry.pages_per_segment = pages;
        geometry.page_bytes = 64;
        geometry.pages_at_once = at_once;
        geometry.buffers = 32;
        VolumeConfig config;
        config.checkpoint_every = 10;
        EXPECT_LT(volume::max_logical_pages(config, geometry), std::uint64_t{segments} * pages)
            << segments << " segments of " << pages << ", program units of " << at_once;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PagePaddingRoom,
                         testing::Values(Way{"greedy", "greedy", "none", VolumeConfig::DieChoice::least_busy, 8},
                                         Way{"in_turn", "greedy", "none", VolumeConfig::DieChoice::in_turn, 8},
                                         Way{"lru", "lru", "none", VolumeConfig::DieChoice::least_busy, 8},
                                         Way{"d_choices", "d_choices", "none", VolumeConfig::DieChoice::in_turn, 8},
                                         Way{"sepbit", "greedy", "sepbit", VolumeConfig::DieChoice::least_busy, 13}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace ftlab::tests
