// Volumes that the checkpoints of small parts cannot hold: page table in the checkpoint, which spans segments, and
// summaries that span pages. What a mount reads does not grow with what is written.
#include <gtest/gtest.h>

#include <vector>

#include "firmware/ftl/pagemap/pagemap.h"
#include "firmware/volume/nand/checkpoint.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/sparse_nand.h"

namespace ftlab::tests {
namespace {

using Session = MountSession<PageMap, PageMapConfig>;

PageMapConfig large_config(const SparseNand& flash, std::uint32_t percent) {
  PageMapConfig config;
  config.page_bytes = flash.geometry().program_unit_bytes;
  config.logical_pages = 1;
  config.logical_pages =
      static_cast<std::uint32_t>(std::uint64_t{pagemap::max_logical_pages(config, flash.geometry())} * percent / 100);
  return config;
}

std::uint32_t word_of_page(std::uint32_t lpn, std::uint32_t version) { return lpn * 2654435761U + version; }

FtlStatus write(PageMap& ftl, std::uint32_t lpn, std::uint32_t version) {
  std::vector<std::byte> page(ftl.page_bytes());
  const std::uint32_t word = word_of_page(lpn, version);
  for (std::size_t i = 0; i < 4; ++i) page[i] = static_cast<std::byte>(word >> (i * 8));
  return ftl.write(std::uint64_t{lpn} * page.size(), page, {}, 0);
}

std::uint32_t first_word(PageMap& ftl, std::uint32_t lpn) {
  std::byte bytes[4];
  EXPECT_EQ(ftl.read(std::uint64_t{lpn} * ftl.page_bytes(), bytes, 0), FtlStatus::ok) << lpn;
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return word;
}

std::uint64_t pages_in_open_segments(const PageMap& ftl) {
  std::uint64_t pages = 0;
  for (std::uint32_t id = 0; id < ftl.segments(); ++id)
    if (ftl.segment(SegmentId{id}).state == SegmentState::open) pages += ftl.segment(SegmentId{id}).used_pages;
  return pages;
}

TEST(LargeVolume, of_64_gib_mounts_with_reads_of_checkpoint_and_open_segments_alone) {
  constexpr std::uint32_t kPages = 512;
  SparseNand flash(8192, kPages, 16384);
  ASSERT_EQ(std::uint64_t{flash.geometry().segments} * flash.geometry().segment_bytes, std::uint64_t{64} << 30U);
  constexpr std::uint32_t kRewritten = 5 * kPages;
  const PageMapConfig config = large_config(flash, 85);
  ASSERT_GT(std::uint64_t{config.logical_pages} * config.page_bytes, std::uint64_t{50} << 30U);
  const std::uint32_t checkpoint_pages = config.logical_pages / (16384 / 4) + 16;
  ASSERT_GT(checkpoint_pages, kPages) << "a checkpoint spans segments";

  std::uint32_t written = 0;
  std::vector<std::uint64_t> reads;
  std::vector<std::uint64_t> open_pages;
  {
    Session first(flash, config);
    ASSERT_EQ(first->config_error(), nullptr) << first->config_error();
    ASSERT_EQ(first->format(0), FtlStatus::ok);
  }
  for (const std::uint32_t until : {config.logical_pages / 16, config.logical_pages / 8}) {
    const std::uint64_t before = flash.reads();
    Session session(flash, config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    reads.push_back(flash.reads() - before);
    ASSERT_EQ(session->self_check(), nullptr);
    for (; written < until; ++written) ASSERT_EQ(write(*session, written, 1), FtlStatus::ok) << written;
    // A trim makes the flush write a checkpoint; a few segments are taken into use behind it.
    ASSERT_EQ(session->trim(std::uint64_t{until - 1} * config.page_bytes, config.page_bytes, 0), FtlStatus::ok);
    ASSERT_EQ(session->flush(0), FtlStatus::ok);
    for (std::uint32_t lpn = 1; lpn < kRewritten; ++lpn) ASSERT_EQ(write(*session, lpn, until), FtlStatus::ok) << lpn;
    open_pages.push_back(pages_in_open_segments(*session));
  }
  const std::uint64_t before = flash.reads();
  Session last(flash, config);
  ASSERT_EQ(last->mount(0), FtlStatus::ok);
  reads.push_back(flash.reads() - before);
  EXPECT_EQ(last->self_check(), nullptr);
  const std::uint32_t newest = config.logical_pages / 8;
  EXPECT_EQ(first_word(*last, newest - 1), 0xFFFFFFFFU) << "trimmed";
  for (std::uint32_t lpn = 1; lpn < config.logical_pages / 16 - 1; lpn += 997)
    EXPECT_EQ(first_word(*last, lpn), word_of_page(lpn, lpn < kRewritten ? newest : 1)) << lpn;
  RecordProperty("reads_of_a_mount_a_sixteenth_full", static_cast<int>(reads[1]));
  RecordProperty("reads_of_a_mount_an_eighth_full", static_cast<int>(reads[2]));
  // Twice as full, the same reads: the checkpoint, the log, summaries of segments taken into use since, and each page
  // of a segment being filled twice.
  const std::uint64_t beside[] = {reads[1] - 2 * open_pages[0], reads[2] - 2 * open_pages[1]};
  EXPECT_LE(beside[1], beside[0] + 16);
  EXPECT_LE(beside[1], checkpoint_pages + 9 * 8 + 64);
  EXPECT_GE(beside[1], checkpoint_pages - 32);
}

}  // namespace
}  // namespace ftlab::tests
