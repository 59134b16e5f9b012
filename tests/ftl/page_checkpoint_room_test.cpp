// Checkpoints of a volume that is as full as it may be, on several dies: the first die keeps room for the next one, so
// that a mount reads what was written since the last, and no more; on one die it costs data nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fixtures/array_volume.h"
#include "tests/fixtures/dice.h"

namespace ftlab::tests {
namespace {

struct Shape {
  std::uint32_t dies;
  std::uint32_t page_bytes;
};

class PageCheckpointRoom : public ArrayVolume, public testing::WithParamInterface<Shape> {
 protected:
  static constexpr std::uint32_t kSegments = 24;  ///< of a die
  static constexpr std::uint32_t kPages = 16;     ///< of a segment
  static constexpr std::uint32_t kBetween = 40;
  static constexpr std::uint32_t kDepth = 16;

  PageCheckpointRoom() {
    make({.segments = kSegments * GetParam().dies,
          .pages_per_segment = kPages,
          .page_bytes = GetParam().page_bytes,
          .dies = GetParam().dies,
          .rated_erase_cycles = 100'000,
          .buffers = 64,
          .keeps_metadata = true});
    config_.checkpoint_every = kBetween / 4;
    fill_share(1);
  }

  /// A volume with every page written.
  void begin_full() {
    begin_volume();
    for (std::uint32_t page = 0; page < config_.logical_pages; ++page) write(page, kDepth);
    drain();
  }
  void write_some(std::uint32_t pages) {
    for (std::uint32_t i = 0; i < pages; ++i) write(random_.below(config_.logical_pages), kDepth);
    drain();
  }
  /// What a mount reads.
  std::uint64_t reads_of_mount() {
    const std::uint64_t before = array_->reads();
    mount();
    return array_->reads() - before;
  }

  Dice random_{5};
};

TEST_P(PageCheckpointRoom, is_there_for_each_on_a_full_volume) {
  begin_full();
  std::uint64_t most = 0;
  std::uint64_t all = 0;
  constexpr std::uint32_t kMounts = 60;
  for (std::uint32_t mount = 0; mount < kMounts; ++mount) {
    write_some(kBetween);
    const std::uint64_t reads = reads_of_mount();
    most = std::max(most, reads);
    all += reads;
  }
  // One page of each segment, what was written since, and the copies that this has cost.
  EXPECT_LE(all / kMounts, 2 * kSegments * GetParam().dies + kBetween);
  EXPECT_LT(most, kSegments * GetParam().dies * kPages * 2 / 3) << "a mount read every page";
  expect_all_right();
}

TEST_P(PageCheckpointRoom, one_comes_due_over_several_mounts) {
  config_.checkpoint_every = 2 * kBetween + kBetween / 2;
  config_.logical_pages /= 2;
  begin_full();
  for (std::uint32_t mount = 0; mount < 20; ++mount) {
    write_some(kBetween);
    ASSERT_LT(reads_of_mount(), kSegments * GetParam().dies * kPages * 2 / 3) << "mount " << mount;
  }
  expect_all_right();
}

class PageCheckpointLent : public PageCheckpointRoom {
 protected:
  /// Pages that cleaning moves while a volume of that size is written three times over.
  std::uint64_t copies(std::uint32_t checkpoint_every) {
    config_.checkpoint_every = checkpoint_every;
    random_ = Dice(5);
    begin_full();
    write_some(2 * config_.logical_pages);
    return ftl_->stats().pages_copied;
  }
};

TEST_P(PageCheckpointLent, data_of_a_single_die_may_lie_there_until_one_is_due) {
  const std::uint64_t without = copies(0);
  EXPECT_GT(without, 0U);
  EXPECT_EQ(copies(1'000'000), without);
}

INSTANTIATE_TEST_SUITE_P(OneDie, PageCheckpointLent, testing::Values(Shape{1, 4096}),
                         [](const auto& shape) { return "bytes" + std::to_string(shape.param.page_bytes); });

INSTANTIATE_TEST_SUITE_P(All, PageCheckpointRoom,
                         testing::Values(Shape{1, 4096}, Shape{2, 4096}, Shape{4, 4096}, Shape{4, 512}),
                         [](const auto& shape) {
                           return "dies" + std::to_string(shape.param.dies) + "_bytes" +
                                  std::to_string(shape.param.page_bytes);
                         });

}  // namespace
}  // namespace ftlab::tests
