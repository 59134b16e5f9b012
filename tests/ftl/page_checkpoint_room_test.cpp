// Checkpoints of a volume that is as full as it may be, on several dies: the first die keeps room for the next one, so
// that a mount reads what was written since the last, and no more; on one die it costs data nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/checking_host.h"
#include "tests/fixtures/emulated_array.h"
#include "tests/powerloss/dice.h"

namespace ftlab::tests {
namespace {

struct Shape {
  std::uint32_t dies;
  std::uint32_t page_bytes;
};

class PageCheckpointRoom : public testing::TestWithParam<Shape> {
 protected:
  static constexpr std::uint32_t kSegments = 24;  ///< of a die
  static constexpr std::uint32_t kPages = 16;     ///< of a segment
  static constexpr std::uint32_t kBetween = 40;

  PageCheckpointRoom()
      : array_({.segments = kSegments * GetParam().dies,
                .pages_per_segment = kPages,
                .page_bytes = GetParam().page_bytes,
                .dies = GetParam().dies,
                .rated_erase_cycles = 100'000,
                .buffers = 64,
                .keeps_metadata = true},
               1),
        host_(GetParam().page_bytes) {
    config_.selection = "greedy";
    config_.checkpoint_every = kBetween / 4;
    config_.logical_pages = static_cast<std::uint32_t>(volume::max_logical_pages(config_, array_.geometry()));
  }

  void boot() {
    arena_.assign(PageFtl::arena_bytes(array_, config_), std::byte{});
    ftl_ = std::make_unique<PageFtl>(array_, probe_, config_, arena_);
    ASSERT_EQ(ftl_->config_error(), nullptr);
  }
  void write(std::uint32_t page) {
    ftl_->submit(host_.write(page), host_);
    while (host_.in_flight() > 16) ftl_->poll(host_, UINT64_MAX);
  }
  void finish() {
    while (host_.in_flight() > 0) ftl_->poll(host_, UINT64_MAX);
  }

  EmulatedArray array_;
  NullProbe probe_;
  VolumeConfig config_;
  std::vector<std::byte> arena_;
  std::unique_ptr<PageFtl> ftl_;
  CheckingHost host_;
};

TEST_P(PageCheckpointRoom, is_there_for_each_on_a_full_volume) {
  boot();
  ASSERT_EQ(ftl_->format(0), FtlStatus::ok);
  for (std::uint32_t page = 0; page < config_.logical_pages; ++page) write(page);
  finish();
  Dice random(5);
  std::uint64_t most = 0;
  std::uint64_t all = 0;
  constexpr std::uint32_t kMounts = 60;
  for (std::uint32_t mount = 0; mount < kMounts; ++mount) {
    for (std::uint32_t i = 0; i < kBetween; ++i) write(random.below(config_.logical_pages));
    finish();
    boot();
    const std::uint64_t before = array_.reads();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    most = std::max(most, array_.reads() - before);
    all += array_.reads() - before;
  }
  // One page of each segment, what was written since, and the copies that this has cost.
  EXPECT_LE(all / kMounts, 2 * kSegments * GetParam().dies + kBetween);
  EXPECT_LT(most, kSegments * GetParam().dies * kPages * 2 / 3) << "a mount read every page";
  host_.check(*ftl_, config_.logical_pages);
}

TEST_P(PageCheckpointRoom, one_comes_due_over_several_mounts) {
  config_.checkpoint_every = 2 * kBetween + kBetween / 2;
  config_.logical_pages /= 2;
  boot();
  ASSERT_EQ(ftl_->format(0), FtlStatus::ok);
  for (std::uint32_t page = 0; page < config_.logical_pages; ++page) write(page);
  Dice random(5);
  for (std::uint32_t mount = 0; mount < 20; ++mount) {
    for (std::uint32_t i = 0; i < kBetween; ++i) write(random.below(config_.logical_pages));
    finish();
    boot();
    const std::uint64_t before = array_.reads();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    ASSERT_LT(array_.reads() - before, kSegments * GetParam().dies * kPages * 2 / 3) << "mount " << mount;
  }
  host_.check(*ftl_, config_.logical_pages);
}

class PageCheckpointLent : public PageCheckpointRoom {
 protected:
  /// Pages that cleaning moves while a volume of that size is written three times over.
  std::uint64_t copies(std::uint32_t checkpoint_every) {
    config_.checkpoint_every = checkpoint_every;
    boot();
    EXPECT_EQ(ftl_->format(0), FtlStatus::ok);
    Dice random(5);
    for (std::uint32_t page = 0; page < config_.logical_pages; ++page) write(page);
    for (std::uint32_t i = 0; i < 2 * config_.logical_pages; ++i) write(random.below(config_.logical_pages));
    finish();
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
