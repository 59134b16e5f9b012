// A die on which power loss has left no place for a copy: neither a free segment nor room in an open one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

class PageRoom : public ArrayVolume {
 protected:
  static constexpr std::uint32_t kPageBytes = 64;
  static constexpr std::uint32_t kPages = 8;  ///< of a segment
  static constexpr std::uint32_t kSegmentsOfDie = 6;
  static constexpr std::uint32_t kLogicalPages = 38;

  PageRoom() {
    make({.segments = 2 * kSegmentsOfDie,
          .pages_per_segment = kPages,
          .page_bytes = kPageBytes,
          .dies = 2,
          .rated_erase_cycles = 1000,
          .buffers = 16},
         7);
    config_.logical_pages = kLogicalPages;
    begin_volume();
  }
  static std::array<std::byte, kPageBytes> content(std::uint32_t lpn) {
    std::array<std::byte, kPageBytes> data;
    data.fill(static_cast<std::byte>(lpn + 1));
    return data;
  }
  /// As a session before has left it.
  void program(std::uint32_t ppn, std::uint32_t lpn, std::uint64_t sequence, FlashStatus status = FlashStatus::ok) {
    array_->write_buffer(0, 0, content(lpn));
    const FlashOp op{FlashOpKind::program, true, 0,     ppn,
                     FlashOp::kNoPage,     0,    false, volume::metadata_of(lpn, 0, sequence)};
    ASSERT_EQ(run_to_end(*array_, op).status, status);
  }
  void expect_content(std::uint32_t pages) {
    for (std::uint32_t lpn = 0; lpn < pages; ++lpn) {
      std::array<std::byte, kPageBytes> data{};
      ASSERT_EQ(ftl_->read(std::uint64_t{lpn} * kPageBytes, data, 0), FtlStatus::ok) << lpn;
      EXPECT_EQ(data, content(lpn)) << lpn;
    }
  }
};

TEST_F(PageRoom, on_a_die_without_any_is_made_by_the_others) {
  // The first die is full; all pages of its first segment but one were copied to the last one.
  std::uint32_t ppn = 0;
  for (std::uint32_t lpn = 0; ppn < (kSegmentsOfDie - 1) * kPages; ++ppn, ++lpn)
    program(ppn, lpn % kLogicalPages, ppn + 1);
  for (std::uint32_t lpn = 3; ppn < kSegmentsOfDie * kPages; ++ppn, ++lpn) program(ppn, lpn, ppn + 1);
  mount();
  EXPECT_EQ(ftl_->segment(SegmentId{0}).valid_pages, 0U);
  expect_content(kLogicalPages);
  for (std::uint32_t i = 0; i < 10 * kLogicalPages; ++i)
    ASSERT_EQ(ftl_->write(std::uint64_t{i % 5} * kPageBytes, content(i % 5), {}, 0), FtlStatus::ok);
  expect_sound();
}

TEST_F(PageRoom, for_pages_that_a_mount_moves_is_not_where_an_old_version_has_to_be_moved) {
  // Of both wordlines the controller has kept the first page. That of the first segment is the newest version of page
  // 6; it goes to where the older one was, in a segment whose erase fails.
  program(kPages, 6, 1);
  std::ranges::fill(array_->bytes_of(kPages), std::byte{0xEE});
  array_->fail_next(1);
  program(kPages + 1, 20, 2, FlashStatus::program_failed);
  for (std::uint32_t lpn = 0; lpn < kPages - 1; ++lpn) program(lpn, lpn, lpn + 3);
  array_->fail_next(1);
  program(kPages - 1, 21, kPages + 2, FlashStatus::program_failed);
  array_->fail_next_erase();
  mount();
  expect_content(kPages - 1);
}

using PageMount = ArrayVolume;

TEST_F(PageMount, keeps_every_die_busy) {
  constexpr std::uint32_t kDies = 8;
  make({.segments = 24 * kDies,
        .pages_per_segment = 16,
        .page_bytes = 64,
        .dies = kDies,
        .rated_erase_cycles = 1000,
        .buffers = 32},
       3);
  fill_share(1);
  begin_volume();
  const std::vector<std::byte> all(ftl_->capacity_bytes(), std::byte{7});
  ASSERT_EQ(ftl_->write(0, all, {}, 0), FtlStatus::ok);
  array_->forget_busy_dies();
  ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
  EXPECT_GT(array_->mean_busy_dies(), .8 * kDies);
}

TEST_F(PageMount, cleans_first_of_all_what_it_could_not_move_itself) {
  constexpr std::uint32_t kKept = 80;
  make({.segments = 3 * kKept, .pages_per_segment = 4, .page_bytes = 64, .rated_erase_cycles = 1000, .buffers = 16}, 7);
  array_->set_wordlines(4, true);
  config_.logical_pages = 3 * kKept;
  begin_volume();
  // Of each of many segments the last program fails, and the controller has kept the three before.
  for (std::uint32_t ppn = 0; ppn < 4 * kKept; ++ppn) {
    if (ppn % 4 == 3) array_->fail_next(1);
    const FlashOp op{FlashOpKind::program, true, 0,     ppn,
                     FlashOp::kNoPage,     0,    false, volume::metadata_of(ppn / 4 * 3 + ppn % 4 % 3, 0, ppn + 1)};
    (void)run_to_end(*array_, op);
  }
  ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
  EXPECT_EQ(ftl_->stats().refreshes, 0U);
  while (ftl_->idle(0, 1000) != kNoIdleWork) {
  }
  EXPECT_GE(ftl_->stats().pages_copied, 3 * kKept) << "all of them lie elsewhere now";
  expect_sound();
}

}  // namespace
}  // namespace ftlab::tests
