// What the storms over the page-mapped layer found, each by itself: formats that power loss stops, and what is left
// when nothing can be programmed any more.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

using Session = MountSession<PagedLayer, PagedConfig>;

EmulatedNandOptions small_part(std::uint32_t pages = 8) {
  EmulatedNandOptions options = small_nand();
  options.pages = pages;
  options.on_breach = OnBreach::power_off;
  return options;
}

struct PagePowerLoss : testing::Test {
  explicit PagePowerLoss(std::uint32_t pages_per_segment = 8) : flash(small_part(pages_per_segment)) {}
  static PagedConfig config_of() {
    PagedConfig config;
    config.logical_pages = 40;
    return config;
  }
  [[nodiscard]] std::vector<std::byte> content(std::uint32_t page, std::uint8_t version) const {
    return std::vector<std::byte>(flash.geometry().program_unit_bytes, static_cast<std::byte>(page * 5 + version));
  }
  FtlStatus write(Ftl& ftl, std::uint32_t page, std::uint8_t version) const {
    const auto data = content(page, version);
    return ftl.write(std::uint64_t{page} * data.size(), data, {}, 0);
  }
  void fill(Ftl& ftl, std::uint8_t version) const {
    for (std::uint32_t page = 0; page < config.logical_pages; ++page)
      ASSERT_EQ(write(ftl, page, version), FtlStatus::ok);
  }
  /// A volume that was filled so often, the last time with version 1.
  void use(std::uint32_t fills) {
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (; fills > 0; --fills) fill(*session, fills == 1 ? 1 : 0);
  }
  [[nodiscard]] std::vector<std::byte> read(Ftl& ftl, std::uint32_t page) const {
    std::vector<std::byte> data(flash.geometry().program_unit_bytes);
    EXPECT_EQ(ftl.read(std::uint64_t{page} * data.size(), data, 0), FtlStatus::ok);
    return data;
  }
  [[nodiscard]] std::uint32_t pages_that_hold(Ftl& ftl, std::uint8_t version) const {
    std::uint32_t found = 0;
    for (std::uint32_t page = 0; page < config.logical_pages; ++page)
      found += read(ftl, page) == content(page, version) ? 1 : 0;
    return found;
  }
  [[nodiscard]] std::uint32_t blank_pages(Ftl& ftl) const {
    const std::vector<std::byte> blank(flash.geometry().program_unit_bytes, std::byte{0xFF});
    std::uint32_t found = 0;
    for (std::uint32_t page = 0; page < config.logical_pages; ++page) found += read(ftl, page) == blank ? 1 : 0;
    return found;
  }
  void refuse_everything() {
    for (std::uint32_t segment = 0; segment < flash.geometry().segments; ++segment) flash.refuse(segment);
  }

  EmulatedNand flash;
  PagedConfig config = config_of();
};

TEST_F(PagePowerLoss, that_stops_a_format_leaves_the_old_volume_or_a_new_one_and_never_a_part) {
  use(1);
  const EmulatedNand::Image used = flash.snapshot();
  bool completed = false;
  for (std::uint64_t change = 1; !completed; ++change) {
    for (const TornWrite torn : {TornWrite::none, TornWrite::half, TornWrite::whole}) {
      flash.reset(used);
      {
        Session session(flash, config);
        flash.lose_power_at(change, torn, change);
        (void)session->format(0);
        completed = flash.powered();
      }
      flash.power_cycle();
      Session session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      const std::uint32_t old = pages_that_hold(*session, 1);
      ASSERT_TRUE(old == config.logical_pages || blank_pages(*session) == config.logical_pages)
          << "power lost at change " << change << ": " << old << " pages are old";
    }
  }
}

TEST(PageFormat, of_a_volume_at_work_takes_none_of_its_reports_for_its_own) {
  std::uint32_t failed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EmulatedNandOptions options = small_part();
    options.faults.seed = seed;
    options.faults.program_failures = 600;
    EmulatedNand flash(options);
    PagedConfig config;
    config.logical_pages = 40;
    config.part.refresh.reads = 6;
    Session session(flash, config);
    std::vector<std::byte> data(flash.geometry().program_unit_bytes, std::byte{7});
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    // A segment that is read often moves behind the host's request, and nobody asks for the copies that fail.
    const std::uint32_t before = flash.failed_segments();
    for (std::uint32_t page = 0; flash.failed_segments() == before; ++page) {
      const std::uint64_t offset = page % config.logical_pages * data.size();
      ASSERT_EQ(session->write(offset, data, {}, 0), FtlStatus::ok);
      for (int i = 0; i < 8 && flash.failed_segments() == before; ++i)
        ASSERT_EQ(session->read(offset, data, 0), FtlStatus::ok);
    }
    failed += flash.failed_segments() - before;
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint32_t page = 0; page < config.logical_pages; ++page)
      EXPECT_EQ(session->write(page * data.size(), data, {}, 0), FtlStatus::ok) << "seed " << seed;
    EXPECT_EQ(session->self_check(), nullptr);
  }
  EXPECT_GE(failed, 40U);
}

TEST_F(PagePowerLoss, before_the_first_write_after_such_a_format_brings_no_old_page_back) {
  // So that the first segment is free, which the format takes for its page.
  use(2);
  const EmulatedNand::Image used = flash.snapshot();
  for (std::uint64_t change = 3; change < 8; ++change) {
    // The format stops when little was erased, and the first writes stop, too.
    flash.reset(used);
    Session session(flash, config);
    flash.lose_power_at(change, TornWrite::none);
    (void)session->format(0);
    flash.power_cycle();
    for (std::uint64_t write_change = 1; write_change < 4; ++write_change) {
      Session next(flash, config);
      ASSERT_EQ(next->mount(0), FtlStatus::ok);
      flash.lose_power_at(write_change, TornWrite::half);
      (void)write(*next, 0, 2);
      flash.power_cycle();
      Session last(flash, config);
      ASSERT_EQ(last->mount(0), FtlStatus::ok);
      EXPECT_EQ(pages_that_hold(*last, 1), 0U) << "format stopped at change " << change;
    }
  }
}

TEST_F(PagePowerLoss, after_a_second_format_leaves_nothing_of_the_first_in_a_segment_that_was_not_erased) {
  use(1);
  flash.power_cycle();
  for (std::uint32_t segment = 0; segment < flash.geometry().segments; segment += 3) flash.refuse(segment);
  {
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    ASSERT_EQ(write(*session, 0, 2), FtlStatus::ok);
  }
  flash.power_cycle();
  Session session(flash, config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  EXPECT_EQ(read(*session, 0), content(0, 2));
  EXPECT_EQ(blank_pages(*session), config.logical_pages - 1);
}

TEST_F(PagePowerLoss, of_a_format_that_follows_one_that_was_stopped_brings_no_old_page_back) {
  use(2);
  const EmulatedNand::Image used = flash.snapshot();
  for (std::uint64_t change = 1; change <= 4; ++change) {
    for (const TornWrite torn : kTornWrites) {
      flash.reset(used);
      {
        Session session(flash, config);
        flash.lose_power_at(3, TornWrite::none);
        (void)session->format(0);
      }
      flash.power_cycle();
      {
        Session session(flash, config);
        flash.lose_power_at(change, torn, change);
        (void)session->format(0);
        ASSERT_FALSE(flash.powered());
      }
      flash.power_cycle();
      Session session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      EXPECT_EQ(blank_pages(*session), config.logical_pages) << "the second format stopped at change " << change;
    }
  }
}

/// A part without a free segment, so that a format has no place for the page that says so but one in use.
class PageFormatWithoutRoom : public PagePowerLoss {
 protected:
  explicit PageFormatWithoutRoom(std::uint32_t pages_per_segment = 8)
      : PagePowerLoss(pages_per_segment), blank_(flash.snapshot()) {}
  /// After so many fills the segments that hold no page are bad.
  void use_up(std::uint32_t fills) {
    flash.reset(blank_);
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < fills; ++i) fill(*session, 1);
    for (std::uint32_t segment = 0; segment < flash.geometry().segments; ++segment) {
      const SegmentInfo info = session->segment(SegmentId(segment));
      const bool unused = info.state == SegmentState::free || info.state == SegmentState::sealed;
      if (unused && info.valid_pages == 0) flash.mark_initial_bad(segment);
    }
    used_up_ = flash.snapshot();
  }
  /// Whether the format stops at that change, which is reported where one of the tests below fails.
  bool stop_format(std::uint64_t change, TornWrite torn) {
    where_ = "change " + std::to_string(change) + " torn " + std::to_string(static_cast<int>(torn));
    flash.reset(used_up_);
    {
      Session session(flash, config);
      flash.lose_power_at(change, torn, change);
      (void)session->format(0);
    }
    const bool stopped = !flash.powered();
    flash.power_cycle();
    return stopped;
  }
  /// Whatever change it stops at, the volume that is left can be mounted, written and formatted again.
  void expect_no_broken_promise() {
    std::uint64_t change = 1;
    for (bool stopped = true; stopped; ++change) {
      for (const TornWrite torn : kTornWrites) {
        stopped = stop_format(change, torn);
        {
          Session session(flash, config);
          ASSERT_EQ(session->mount(0), FtlStatus::ok) << where_;
          (void)write(*session, 0, 2);
          ASSERT_EQ(flash.breach(), nullptr) << where_ << ": " << flash.breach();
          ASSERT_EQ(session->format(0), FtlStatus::ok) << where_;
        }
        ASSERT_EQ(flash.breach(), nullptr) << where_ << ": " << flash.breach();
        Session session(flash, config);
        ASSERT_EQ(session->mount(0), FtlStatus::ok) << where_;
        ASSERT_EQ(blank_pages(*session), config.logical_pages) << where_;
      }
    }
    EXPECT_GT(change, 4U);
  }
  /// From that change on, or the old volume is whole.
  void expect_no_part(std::uint64_t from) {
    for (std::uint64_t change = from; stop_format(change, TornWrite::tail); ++change) {
      Session session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      const std::uint32_t old = pages_that_hold(*session, 1);
      EXPECT_TRUE(old == config.logical_pages || blank_pages(*session) == config.logical_pages) << where_;
    }
  }

 private:
  EmulatedNand::Image blank_;
  EmulatedNand::Image used_up_;
  std::string where_;
};

TEST_F(PageFormatWithoutRoom, programs_nothing_where_power_loss_stopped_an_erase) {
  // The segment that was filled last is another one each time.
  for (std::uint32_t fills = 1; fills <= 9; ++fills) {
    use_up(fills);
    expect_no_broken_promise();
    // The erase of a segment that holds pages, and the page there.
    expect_no_part(3);
  }
}

TEST_F(PageFormatWithoutRoom, gives_a_checkpoint_up_rather_than_pages) {
  config.checkpoint_every = 15;
  use_up(1);
  expect_no_broken_promise();
  expect_no_part(1);
}

/// The LSB pages of a segment do not all come first.
class PageFormatWithoutRoomButInSlc : public PageFormatWithoutRoom {
 protected:
  PageFormatWithoutRoomButInSlc() : PageFormatWithoutRoom(16) {
    config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
    config.slc_segments = 4;
    // Of eight that a segment takes so.
    config.logical_pages = 8 + 5;
  }
};

TEST_F(PageFormatWithoutRoomButInSlc, programs_no_page_twice) {
  use_up(1);
  expect_no_broken_promise();
}

TEST_F(PagePowerLoss, and_a_write_that_nothing_takes_leave_the_version_before) {
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  fill(*session, 1);
  refuse_everything();
  EXPECT_EQ(write(*session, 3, 2), FtlStatus::read_only);
  EXPECT_EQ(pages_that_hold(*session, 1), config.logical_pages);
  EXPECT_EQ(session->flush(0), FtlStatus::read_only) << "a program that failed may have left the version refused";
  EXPECT_EQ(session->trim(0, flash.geometry().program_unit_bytes, 0), FtlStatus::read_only);
  EXPECT_EQ(session->self_check(), nullptr);
  flash.power_cycle();
  Session next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(pages_that_hold(*next, 1), config.logical_pages);
  EXPECT_EQ(write(*next, 3, 2), FtlStatus::read_only) << "no mount forgets that the part is worn";
}

TEST_F(PagePowerLoss, undoes_a_trim_that_nothing_took_and_that_no_flush_said_to_be_durable) {
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  fill(*session, 1);
  refuse_everything();
  EXPECT_EQ(session->trim(0, flash.geometry().program_unit_bytes, 0), FtlStatus::read_only);
  EXPECT_EQ(blank_pages(*session), 1U) << "the segment of its version may be free";
  EXPECT_EQ(session->flush(0), FtlStatus::read_only);
  flash.power_cycle();
  Session next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(pages_that_hold(*next, 1), config.logical_pages);
  EXPECT_EQ(next->flush(0), FtlStatus::ok);
}

}  // namespace
}  // namespace ftlab::tests
