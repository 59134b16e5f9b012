// A die on which power loss has left no place for a copy: neither a free segment nor room in an open one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/emulated_array.h"

namespace ftlab::tests {
namespace {

struct PageRoom : testing::Test {
  static constexpr std::uint32_t kPageBytes = 64;
  static constexpr std::uint32_t kPages = 8;  ///< of a segment
  static constexpr std::uint32_t kSegmentsOfDie = 6;
  static constexpr std::uint32_t kLogicalPages = 38;

  PageRoom() {
    config.logical_pages = kLogicalPages;
    boot();
    EXPECT_EQ(ftl->format(0), FtlStatus::ok);
  }
  void boot() {
    memory.assign(PageFtl::arena_bytes(array, config), std::byte{});
    ftl = std::make_unique<PageFtl>(array, probe, config, memory);
    ASSERT_EQ(ftl->config_error(), nullptr);
  }
  static std::array<std::byte, kPageBytes> content(std::uint32_t lpn) {
    std::array<std::byte, kPageBytes> data;
    data.fill(static_cast<std::byte>(lpn + 1));
    return data;
  }
  /// As a session before has left it.
  void program(std::uint32_t ppn, std::uint32_t lpn, std::uint64_t sequence, FlashStatus status = FlashStatus::ok) {
    array.write_buffer(0, 0, content(lpn));
    const FlashOp op{FlashOpKind::program, true, 0,     ppn,
                     FlashOp::kNoPage,     0,    false, volume::metadata_of(lpn, 0, sequence)};
    array.submit({&op, 1});
    FlashDone done;
    while (array.collect({&done, 1}) == 0) array.wait(UINT64_MAX);
    ASSERT_EQ(done.status, status);
  }

  EmulatedArray array{{.segments = 2 * kSegmentsOfDie,
                       .pages_per_segment = kPages,
                       .page_bytes = kPageBytes,
                       .dies = 2,
                       .rated_erase_cycles = 1000,
                       .buffers = 16},
                      7};
  NullProbe probe;
  VolumeConfig config;
  std::vector<std::byte> memory;
  std::unique_ptr<PageFtl> ftl;
};

TEST_F(PageRoom, on_a_die_without_any_is_made_by_the_others) {
  // The first die is full; all pages of its first segment but one were copied to the last one.
  std::uint32_t ppn = 0;
  for (std::uint32_t lpn = 0; ppn < (kSegmentsOfDie - 1) * kPages; ++ppn, ++lpn)
    program(ppn, lpn % kLogicalPages, ppn + 1);
  for (std::uint32_t lpn = 3; ppn < kSegmentsOfDie * kPages; ++ppn, ++lpn) program(ppn, lpn, ppn + 1);
  boot();
  ASSERT_EQ(ftl->mount(0), FtlStatus::ok);
  EXPECT_EQ(ftl->segment(SegmentId{0}).valid_pages, 0U);
  for (std::uint32_t lpn = 0; lpn < kLogicalPages; ++lpn) {
    std::array<std::byte, kPageBytes> data{};
    ASSERT_EQ(ftl->read(std::uint64_t{lpn} * kPageBytes, data, 0), FtlStatus::ok);
    EXPECT_EQ(data, content(lpn)) << lpn;
  }
  for (std::uint32_t i = 0; i < 10 * kLogicalPages; ++i)
    ASSERT_EQ(ftl->write(std::uint64_t{i % 5} * kPageBytes, content(i % 5), {}, 0), FtlStatus::ok);
  EXPECT_EQ(ftl->self_check(), nullptr);
}

TEST_F(PageRoom, for_pages_that_a_mount_moves_is_not_where_an_old_version_has_to_be_moved) {
  // Of both wordlines the controller has kept the first page. That of the first segment is the newest version of page
  // 6; it goes to where the older one was, in a segment whose erase fails.
  program(kPages, 6, 1);
  std::ranges::fill(array.bytes_of(kPages), std::byte{0xEE});
  array.fail_next(1);
  program(kPages + 1, 20, 2, FlashStatus::program_failed);
  for (std::uint32_t lpn = 0; lpn < kPages - 1; ++lpn) program(lpn, lpn, lpn + 3);
  array.fail_next(1);
  program(kPages - 1, 21, kPages + 2, FlashStatus::program_failed);
  array.fail_next_erase();
  boot();
  ASSERT_EQ(ftl->mount(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < kPages - 1; ++lpn) {
    std::array<std::byte, kPageBytes> data{};
    ASSERT_EQ(ftl->read(std::uint64_t{lpn} * kPageBytes, data, 0), FtlStatus::ok) << lpn;
    EXPECT_EQ(data, content(lpn)) << lpn;
  }
  EXPECT_EQ(ftl->self_check(), nullptr);
}

TEST(PageMount, keeps_every_die_busy) {
  constexpr std::uint32_t kDies = 8;
  EmulatedArray array({.segments = 24 * kDies,
                       .pages_per_segment = 16,
                       .page_bytes = 64,
                       .dies = kDies,
                       .rated_erase_cycles = 1000,
                       .buffers = 32},
                      3);
  VolumeConfig config;
  config.logical_pages = static_cast<std::uint32_t>(volume::max_logical_pages(config, array.geometry()));
  NullProbe probe;
  std::vector<std::byte> memory(PageFtl::arena_bytes(array, config));
  PageFtl ftl(array, probe, config, memory);
  ASSERT_EQ(ftl.config_error(), nullptr);
  ASSERT_EQ(ftl.format(0), FtlStatus::ok);
  const std::vector<std::byte> all(std::size_t{config.logical_pages} * 64, std::byte{7});
  ASSERT_EQ(ftl.write(0, all, {}, 0), FtlStatus::ok);
  array.forget_busy_dies();
  ASSERT_EQ(ftl.mount(0), FtlStatus::ok);
  EXPECT_GT(array.mean_busy_dies(), .8 * kDies);
}

TEST(PageMount, cleans_first_of_all_what_it_could_not_move_itself) {
  constexpr std::uint32_t kKept = 80;
  EmulatedArray array(
      {.segments = 3 * kKept, .pages_per_segment = 4, .page_bytes = 64, .rated_erase_cycles = 1000, .buffers = 16}, 7);
  array.set_wordlines(4, true);
  VolumeConfig config;
  config.logical_pages = 3 * kKept;
  NullProbe probe;
  std::vector<std::byte> memory(PageFtl::arena_bytes(array, config));
  PageFtl ftl(array, probe, config, memory);
  ASSERT_EQ(ftl.config_error(), nullptr);
  ASSERT_EQ(ftl.format(0), FtlStatus::ok);
  // Of each of many segments the last program fails, and the controller has kept the three before.
  for (std::uint32_t ppn = 0; ppn < 4 * kKept; ++ppn) {
    if (ppn % 4 == 3) array.fail_next(1);
    const FlashOp op{FlashOpKind::program, true, 0,     ppn,
                     FlashOp::kNoPage,     0,    false, volume::metadata_of(ppn / 4 * 3 + ppn % 4 % 3, 0, ppn + 1)};
    array.submit({&op, 1});
    FlashDone done;
    while (array.collect({&done, 1}) == 0) array.wait(UINT64_MAX);
  }
  ASSERT_EQ(ftl.mount(0), FtlStatus::ok);
  EXPECT_EQ(ftl.stats().refreshes, 0U);
  while (ftl.idle(0, 1000) != kNoIdleWork) {
  }
  EXPECT_GE(ftl.stats().pages_copied, 3 * kKept) << "all of them lie elsewhere now";
  EXPECT_EQ(ftl.self_check(), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
