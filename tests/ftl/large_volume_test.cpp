// Volumes that the checkpoints of small parts cannot hold: page table in the checkpoint, which spans segments, and
// summaries that span pages. What a mount reads does not grow with what is written.
#include <gtest/gtest.h>

#include <vector>

#include "firmware/ftl/pagemap/pagemap.h"
#include "firmware/volume/nand/checkpoint.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/host_script.h"
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

/// Small, and yet its summaries span pages and its checkpoints segments.
EmulatedNandOptions spanning_part() {
  EmulatedNandOptions part;
  part.segments = 64;
  part.pages = 64;
  return part;
}

PageMapConfig spanning_config(const FlashGeometry& geometry) {
  PageMapConfig config;
  config.page_bytes = geometry.program_unit_bytes;
  config.logical_pages = 1;
  config.logical_pages = pagemap::max_logical_pages(config, geometry) * 9 / 10;
  return config;
}

TEST(LargeVolume, keeps_what_was_acknowledged_when_segments_fail_those_of_checkpoints_included) {
  std::uint32_t checkpoints_failed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    EmulatedNandOptions part = spanning_part();
    part.marks_on_failed = seed % 2 == 0;
    EmulatedNand flash(part);
    PageMapConfig config = spanning_config(flash.geometry());
    config.logical_pages = config.logical_pages / 2;
    const std::uint64_t capacity = std::uint64_t{config.logical_pages} * config.page_bytes;
    Oracle oracle(capacity, config.page_bytes, kTrimsNeedFlush);
    HostScript host(seed, capacity, config.page_bytes);
    {
      Session session(flash, config);
      ASSERT_EQ(session->format(0), FtlStatus::ok);
    }
    for (std::uint64_t loss = 0; loss < 6; ++loss) {
      const std::uint64_t luck = seed * 2654435761U + loss * 40503U;
      const std::string id = "seed " + std::to_string(seed) + " loss " + std::to_string(loss);
      Session session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok) << id;
      ASSERT_EQ(session->self_check(), nullptr) << id;
      ASSERT_EQ(oracle.check_mounted(*session), "") << id;
      std::vector<std::uint32_t> fixed;
      for (std::uint32_t s = 0; s < session->segments(); ++s)
        if (session->segment(SegmentId{s}).state == SegmentState::fixed) fixed.push_back(s);
      const std::uint32_t one = fixed[luck / 13 % fixed.size()];
      if (loss % 2 == 0 && !flash.has_failed(one)) flash.fail_at(1 + luck / 7 % 9, one);
      if (loss % 2 != 0) flash.fail_at(1 + luck / 7 % 3000);
      flash.lose_power_at(2000 + luck / 11 % 4000, static_cast<TornWrite>(luck / 3 % 5), luck);
      for (int step = 0; step < 20'000 && flash.powered(); ++step) {
        const FtlStatus status = host.step(*session, oracle);
        ASSERT_TRUE(status == FtlStatus::ok || !flash.powered()) << id << " step " << step;
      }
      checkpoints_failed += flash.has_failed(one) ? 1U : 0U;
      flash.fail_at(0);
      flash.power_cycle();
    }
  }
  EXPECT_GT(checkpoints_failed, 50U);
}

TEST(LargeVolume, keeps_what_was_acknowledged_through_power_losses_at_any_change) {
  std::uint64_t sessions = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EmulatedNand flash(spanning_part());
    ASSERT_TRUE(nand::Checkpoints::by_table(SlotGeometry(flash.geometry(), 512, true)));
    ASSERT_GT(nand::PageIo::summary_pages(512, 64), 1U);
    ASSERT_GT(nand::Checkpoints::segments_of(SlotGeometry(flash.geometry(), 512, true)), 2U);
    const PageMapConfig config = spanning_config(flash.geometry());
    const std::uint64_t capacity = std::uint64_t{config.logical_pages} * config.page_bytes;
    Oracle oracle(capacity, config.page_bytes, kTrimsNeedFlush);
    HostScript host(seed, capacity, config.page_bytes);
    {
      Session session(flash, config);
      ASSERT_EQ(session->config_error(), nullptr) << session->config_error();
      ASSERT_EQ(session->format(0), FtlStatus::ok);
    }
    for (std::uint64_t loss = 0; loss < 14; ++loss, ++sessions) {
      const std::uint64_t luck = seed * 2654435761U + loss * 40503U;
      // Every third session mounts, and loses power soon.
      const std::uint64_t changes = loss % 3 == 2 ? 1 + luck / 7 % 120 : 1 + luck / 7 % 6000;
      const std::string id = "seed " + std::to_string(seed) + " loss " + std::to_string(loss);
      flash.lose_power_at(changes, static_cast<TornWrite>(luck / 3 % 5), luck);
      {
        Session session(flash, config);
        const FtlStatus mounted = session->mount(0);
        if (flash.powered()) {
          ASSERT_EQ(mounted, FtlStatus::ok) << id;
          ASSERT_EQ(session->self_check(), nullptr) << id;
          ASSERT_EQ(oracle.check_mounted(*session), "") << id;
          for (int step = 0; step < 20'000 && flash.powered(); ++step) {
            const FtlStatus status = host.step(*session, oracle);
            ASSERT_TRUE(status == FtlStatus::ok || !flash.powered()) << id << " step " << step;
          }
        }
      }
      flash.power_cycle();
    }
    Session session(flash, config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok) << seed;
    ASSERT_EQ(oracle.check_mounted(*session), "") << seed;
  }
  RecordProperty("sessions", static_cast<int>(sessions));
}

}  // namespace
}  // namespace ftlab::tests
