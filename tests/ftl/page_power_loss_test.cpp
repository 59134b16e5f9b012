// What the storms over the page-mapped layer found, each by itself: formats that power loss stops, and what is left
// when nothing can be programmed any more.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/fixtures/emulated_array.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

using Session = MountSession<PagedLayer, PagedConfig>;

EmulatedNandOptions small_part() {
  EmulatedNandOptions options = small_nand();
  options.pages = 8;
  options.on_breach = OnBreach::power_off;
  return options;
}

struct PagePowerLoss : testing::Test {
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

  EmulatedNand flash{small_part()};
  PagedConfig config = config_of();
};

TEST_F(PagePowerLoss, that_stops_a_format_leaves_the_old_volume_or_a_new_one_and_never_a_part) {
  {
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    fill(*session, 1);
  }
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
  {
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    // So that the first segment is free, which the format takes for its page.
    fill(*session, 0);
    fill(*session, 1);
  }
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
  {
    Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    fill(*session, 1);
  }
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

/// Segments as power losses may leave them: none is free, and what room there is belongs to another stream than the
/// emptiest segment.
class PageWithoutReserve : public testing::Test {
 protected:
  static constexpr std::uint32_t kSegments = 12;
  static constexpr std::uint32_t kLogical = 24;

  PageWithoutReserve() {
    config_.selection = "greedy";
    config_.separation = "oracle";
    config_.logical_pages = kLogical;
    // One page of four is valid in the first segment, two or more in each of the next ones.
    for (const std::uint32_t lpn : {0U, 1U, 2U, 3U}) program(lpn, 0);
    for (std::uint32_t segment = 1; segment + 1 < kSegments; ++segment) {
      const std::uint32_t kept = 4 + 2 * (segment - 1);
      for (const std::uint32_t lpn : {1 + segment % 3, kept, kept + 1, 1 + (segment + 1) % 3}) program(lpn, 1);
    }
    program(1, 1);
  }

  void program(std::uint32_t lpn, std::uint32_t stream) {
    array_.write_buffer(0, 0, content(lpn));
    const ArrayOp op{ArrayOpKind::program, true, 0,     next_,
                     ArrayOp::kNoPage,     0,    false, volume::metadata_of(lpn, stream, next_ + 1)};
    ++next_;
    array_.submit({&op, 1});
    std::array<ArrayDone, 1> done;
    while (array_.collect(done) == 0) array_.wait(UINT64_MAX);
    ASSERT_EQ(done[0].status, ArrayStatus::ok);
  }
  static std::vector<std::byte> content(std::uint32_t lpn) {
    return std::vector<std::byte>(64, static_cast<std::byte>(lpn + 1));
  }

  EmulatedArray array_{{.segments = kSegments,
                        .pages_per_segment = 4,
                        .page_bytes = 64,
                        .dies = 1,
                        .rated_erase_cycles = 1000,
                        .buffers = 8,
                        .keeps_metadata = true},
                       1};
  VolumeConfig config_;

 private:
  std::uint32_t next_ = 0;
};

TEST_F(PageWithoutReserve, cleaning_goes_on_in_the_room_of_another_stream) {
  MountSession<PageFtl, VolumeConfig> session(array_, config_);
  ASSERT_EQ(session->config_error(), nullptr);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  for (std::uint32_t segment = 0; segment < kSegments; ++segment)
    ASSERT_NE(session->segment(SegmentId(segment)).state, SegmentState::free);
  for (std::uint32_t i = 0; i < 10 * kLogical; ++i) {
    const std::uint32_t lpn = i * 7 % kLogical;
    const WriteHint hint{.data_class = static_cast<std::uint8_t>(1 + i % 2)};
    ASSERT_EQ(session->write(std::uint64_t{lpn} * 64, content(lpn), hint, 0), FtlStatus::ok) << "write " << i;
  }
  EXPECT_EQ(session->self_check(), nullptr);
  for (std::uint32_t lpn = 0; lpn < kLogical; ++lpn) {
    std::vector<std::byte> data(64);
    EXPECT_EQ(session->read(std::uint64_t{lpn} * 64, data, 0), FtlStatus::ok);
    EXPECT_EQ(data, content(lpn)) << "page " << lpn;
  }
  EXPECT_EQ(array_.illegal(), 0U);
}

TEST(PageWornOut, takes_more_reports_of_failed_copies_than_a_few_segments_have_pages) {
  EmulatedNandOptions part = small_nand();
  part.segments = part.pages = 64;
  EmulatedNand flash(part);
  PagedConfig config;
  config.low_water = 40;
  // As full as it can be: so many copies for each page that is gained.
  config.logical_pages = 1341;
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  const std::vector<std::byte> data(flash.geometry().program_unit_bytes);
  const auto write = [&](std::uint32_t i) {
    return session->write(std::uint64_t{i % config.logical_pages} * data.size(), data, {}, 0);
  };
  std::uint32_t done = 0;
  while (done < 3 * config.logical_pages) ASSERT_EQ(write(done++ * 7), FtlStatus::ok);
  for (std::uint32_t segment = 0; segment < flash.geometry().segments; ++segment) flash.refuse(segment);
  EXPECT_EQ(write(done), FtlStatus::read_only);
  EXPECT_EQ(session->self_check(), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
