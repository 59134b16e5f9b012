// Checkpoints with the page table: what becomes of them when the segments that they begin in fail, and what they keep
// of segments that no mount reads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "firmware/ftl/pagemap/pagemap.h"
#include "firmware/volume/nand/checkpoint.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/powerloss/random_host.h"

namespace ftlab::tests {
namespace {

using Session = MountSession<PageMap, PageMapConfig>;

/// Checkpoints that end in the segment in which they begin, so that the log begins there, too.
EmulatedNandOptions large_part(FailureTrace trace = FailureTrace::half) {
  EmulatedNandOptions part;
  part.segments = 44;
  part.pages = 24;
  part.faults.trace = trace;
  return part;
}

PageMapConfig config_for(const EmulatedNand& flash, std::uint32_t logical_pages) {
  PageMapConfig config;
  config.page_bytes = flash.geometry().program_unit_bytes;
  config.logical_pages = logical_pages != 0 ? logical_pages : pagemap::max_logical_pages(config, flash.geometry()) / 2;
  return config;
}

/// A formatted volume, a host, and what the host knows.
struct TableVolume {
  /// `logical_pages` 0: half of what the part can hold.
  explicit TableVolume(const EmulatedNandOptions& part, std::uint32_t logical_pages = 0)
      : flash(part),
        config(config_for(flash, logical_pages)),
        oracle(config.logical_pages, config.page_bytes, kTrimsNeedFlush),
        host(7) {
    EXPECT_TRUE(nand::Checkpoints::by_table(slotted()));
    Session session(flash, config);
    EXPECT_EQ(session->format(0), FtlStatus::ok);
    EXPECT_EQ(work(*session, 600), FtlStatus::ok);
  }
  /// The first answer that is not ok, if any.
  FtlStatus work(PageMap& layer, int requests) {
    for (int i = 0; i < requests; ++i)
      if (const FtlStatus status = host.step(layer, oracle); status != FtlStatus::ok) return status;
    return FtlStatus::ok;
  }
  /// Writes a checkpoint.
  FtlStatus checkpoint(PageMap& layer) {
    oracle.begin_trim(0, 1);
    if (const FtlStatus status = layer.trim(0, config.page_bytes, 0); status != FtlStatus::ok) return status;
    oracle.acknowledge();
    const FtlStatus status = layer.flush(0);
    if (status == FtlStatus::ok) oracle.acknowledge_flush();
    return status;
  }
  [[nodiscard]] SlotGeometry slotted() const { return {flash.geometry(), config.page_bytes, true}; }
  /// Where the two groups begin as long as no segment was replaced.
  [[nodiscard]] std::vector<std::uint32_t> beginnings() const {
    return {0, nand::Checkpoints::segments_of(slotted()) / 2};
  }
  [[nodiscard]] std::string mounted() {
    flash.power_cycle();
    Session session(flash, config);
    if (session->mount(0) != FtlStatus::ok) return "not mounted";
    if (const char* broken = session->self_check()) return broken;
    return oracle.check_mounted(*session);
  }

  EmulatedNand flash;
  PageMapConfig config;
  PageOracle oracle;
  RandomHost host;
};

TEST(TableCheckpoint, data_that_should_move_moves_though_no_mount_reads_it) {
  TableVolume volume(large_part());
  std::uint32_t worn = 0;
  {
    Session session(volume.flash, volume.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    while (worn + 1 < session->segments() && (session->segment(SegmentId{worn}).state != SegmentState::sealed ||
                                              session->segment(SegmentId{worn}).valid_pages == 0))
      ++worn;
    for (std::uint32_t page = 0; page < 24; ++page) volume.flash.wear_page(worn, page, 3);
    ASSERT_EQ(volume.oracle.check_live(*session), "");
    ASSERT_EQ(volume.checkpoint(*session), FtlStatus::ok);
  }
  const std::uint32_t erases = volume.flash.erase_count(worn);
  Session session(volume.flash, volume.config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  while (session->idle(0, 0) != kNoIdleWork) {
  }
  EXPECT_GT(volume.flash.erase_count(worn), erases);
  EXPECT_EQ(volume.oracle.check_live(*session), "");
}

TEST(TableCheckpoint, goes_elsewhere_when_the_segments_fail_that_it_begins_in) {
  TableVolume volume(large_part());
  for (const std::uint32_t segment : volume.beginnings()) volume.flash.refuse(segment);
  {
    Session session(volume.flash, volume.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    ASSERT_EQ(volume.work(*session, 600), FtlStatus::ok);
    ASSERT_EQ(volume.checkpoint(*session), FtlStatus::ok);
  }
  EXPECT_EQ(volume.mounted(), "");
}

TEST(TableCheckpoint, is_not_replaced_by_an_old_one_in_segments_that_fail_and_take_no_mark) {
  std::uint32_t replaced = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    TableVolume volume(large_part(FailureTrace::nothing), 40);
    // What a mark that is refused leaves of the content is chance.
    volume.flash.lose_power_at(0, TornWrite::none, seed);
    for (const std::uint32_t segment : volume.beginnings()) volume.flash.refuse(segment);
    {
      Session session(volume.flash, volume.config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok) << seed;
      const FtlStatus status = volume.work(*session, 300);
      ASSERT_TRUE(status == FtlStatus::ok || status == FtlStatus::read_only) << seed;
      replaced += status == FtlStatus::ok ? 1U : 0U;
    }
    ASSERT_EQ(volume.mounted(), "") << seed;
  }
  EXPECT_GT(replaced, 50U) << "most can be decommissioned all the same";
}

TEST(TableCheckpoint, survives_power_loss_at_any_change_of_the_one_after_a_segment_was_replaced) {
  TableVolume replaced(large_part());
  replaced.flash.refuse(replaced.beginnings()[0]);
  {
    Session session(replaced.flash, replaced.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    ASSERT_EQ(replaced.checkpoint(*session), FtlStatus::ok);
    ASSERT_EQ(replaced.checkpoint(*session), FtlStatus::ok);
    // Some segments in the log.
    ASSERT_EQ(replaced.work(*session, 60), FtlStatus::ok);
  }
  const auto image = replaced.flash.snapshot();
  const PageOracle truth = replaced.oracle;
  std::uint32_t losses = 0;
  for (const TornWrite torn : kTornWrites) {
    for (std::uint64_t change = 1;; ++change, ++losses) {
      const std::string id = "torn " + std::to_string(static_cast<int>(torn)) + " change " + std::to_string(change);
      replaced.flash.reset(image);
      replaced.oracle = truth;
      replaced.flash.lose_power_at(change, torn, change);
      {
        Session session(replaced.flash, replaced.config);
        const FtlStatus mounted = session->mount(0);
        if (replaced.flash.powered()) {
          ASSERT_EQ(mounted, FtlStatus::ok) << id;
          ASSERT_EQ(replaced.oracle.check_mounted(*session), "") << id;
          (void)replaced.checkpoint(*session);
        }
      }
      if (replaced.flash.powered()) break;
      ASSERT_EQ(replaced.mounted(), "") << id;
    }
  }
  EXPECT_GT(losses, 100U);
}

}  // namespace
}  // namespace ftlab::tests
