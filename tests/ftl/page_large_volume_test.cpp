// The page-mapped layer on a part of 64 GiB: what a mount reads follows the checkpoint and what was written since, and
// not how full the part is.
#include <gtest/gtest.h>

#include <vector>

#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"
#include "tests/fixtures/sparse_nand.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPages = 512;
constexpr std::uint32_t kPageBytes = 16384;
constexpr std::uint32_t kEvery = 20'000;
using LargeSession = MountSession<PagedLayer, PagedConfig>;

std::uint32_t word_of_page(std::uint32_t lpn, std::uint32_t version) { return lpn * 2654435761U + version; }

FtlStatus write(LargeSession& ftl, std::uint32_t lpn, std::uint32_t version) {
  const std::vector<std::uint32_t> page(kPageBytes / 4, word_of_page(lpn, version));
  return ftl->write(std::uint64_t{lpn} * kPageBytes, std::as_bytes(std::span(page)), {}, 0);
}

std::uint32_t word_at(LargeSession& ftl, std::uint32_t lpn) {
  std::uint32_t word = 0;
  EXPECT_EQ(ftl->read(std::uint64_t{lpn} * kPageBytes, std::as_writable_bytes(std::span(&word, 1)), 0), FtlStatus::ok);
  return word;
}

TEST(PageLargeVolume, of_64_gib_mounts_with_reads_of_the_checkpoint_and_of_what_was_written_since) {
  SparseNand flash(8192, kPages, kPageBytes);
  PagedConfig config;
  config.checkpoint_every = kEvery;
  config.logical_pages = 8192U * kPages / 100 * 85;
  ASSERT_GT(std::uint64_t{config.logical_pages} * kPageBytes, std::uint64_t{54} << 30U);

  std::uint32_t written = 0;
  std::vector<std::uint64_t> reads;
  ASSERT_EQ(LargeSession(flash, config)->format(0), FtlStatus::ok);
  for (const std::uint32_t until : {config.logical_pages / 64, config.logical_pages / 32, config.logical_pages / 16}) {
    const std::uint64_t before = flash.reads();
    LargeSession session(flash, config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    reads.push_back(flash.reads() - before);
    ASSERT_EQ(session->self_check(), nullptr);
    for (; written < until; ++written) ASSERT_EQ(write(session, written, 1), FtlStatus::ok) << written;
    ASSERT_EQ(session->trim(std::uint64_t{until - 1} * kPageBytes, kPageBytes, 0), FtlStatus::ok);
    ASSERT_EQ(session->flush(0), FtlStatus::ok);
  }
  const std::uint64_t before = flash.reads();
  LargeSession last(flash, config);
  ASSERT_EQ(last->mount(0), FtlStatus::ok);
  reads.push_back(flash.reads() - before);
  EXPECT_EQ(last->self_check(), nullptr);
  EXPECT_EQ(word_at(last, written - 1), 0xFFFFFFFFU) << "trimmed";
  for (std::uint32_t lpn = 1; lpn < config.logical_pages / 64 - 1; lpn += 997)
    EXPECT_EQ(word_at(last, lpn), word_of_page(lpn, 1)) << lpn;
  // The checkpoint, a page of each segment at most, and what was written since.
  for (std::size_t i = 1; i < reads.size(); ++i) EXPECT_LT(reads[i], kEvery + flash.geometry().segments) << i;
  EXPECT_GT(reads[0], 10 * reads[1]) << "the format leaves no checkpoint";
}

}  // namespace
}  // namespace ftlab::tests
