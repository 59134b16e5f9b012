// Data that should move although it can still be read: in idle time, or at once where it would not wait for that.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "firmware/driver/paged/page_tag.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

struct PageRefresh : testing::Test {
  using Session = MountSession<PagedLayer, PagedConfig>;
  struct Place {
    std::uint32_t segment = 0;
    std::uint32_t page = 0;
    bool operator==(const Place&) const = default;
  };

  PageRefresh() { config.logical_pages = 150; }

  void begin() {
    session.emplace(flash, config);
    ASSERT_EQ((*session)->format(0), FtlStatus::ok);
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) write(lpn);
  }
  void mount() {
    session.emplace(flash, config);
    ASSERT_EQ((*session)->mount(0), FtlStatus::ok);
  }
  [[nodiscard]] std::vector<std::byte> content(std::uint32_t lpn) const {
    return std::vector<std::byte>(flash.geometry().program_unit_bytes, static_cast<std::byte>(lpn * 7 + 1));
  }
  void write(std::uint32_t lpn) {
    const auto data = content(lpn);
    ASSERT_EQ((*session)->write(std::uint64_t{lpn} * data.size(), data, {}, 0), FtlStatus::ok);
  }
  void read(std::uint32_t lpn) {
    std::vector<std::byte> data(flash.geometry().program_unit_bytes);
    ASSERT_EQ((*session)->read(std::uint64_t{lpn} * data.size(), data, 0), FtlStatus::ok);
    ASSERT_EQ(data, content(lpn)) << "page " << lpn;
  }
  void read_all() {
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) read(lpn);
  }
  void rest() {
    for (std::uint32_t steps = 0; (*session)->idle(0, 1000) == 0; ++steps)
      ASSERT_LT(steps, 1000U) << "idle work without end";
  }
  /// Of its newest version.
  [[nodiscard]] Place place_of(std::uint32_t lpn) {
    Place found;
    std::uint64_t newest = 0;
    for (std::uint32_t segment = 0; segment < flash.geometry().segments; ++segment) {
      const EmulatedNand::Segment& s = flash.at_rest(segment);
      for (std::uint32_t page = 0; page < s.state.size(); ++page) {
        const auto tag = paged::decode(std::span(s.spare).subspan(page * flash.geometry().spare_bytes));
        if (!tag.intact || volume::lpn_of(tag.metadata) != lpn || volume::sequence_of(tag.metadata) < newest) continue;
        newest = volume::sequence_of(tag.metadata);
        found = {segment, page};
      }
    }
    return found;
  }
  void wear(std::uint32_t lpn, std::uint8_t bits) {
    const Place at = place_of(lpn);
    flash.wear_page(at.segment, at.page, bits);
  }
  [[nodiscard]] std::uint64_t refreshes() { return (*session)->stats().refreshes; }

  EmulatedNand flash{small_nand()};
  PagedConfig config;
  std::optional<Session> session;
};

TEST_F(PageRefresh, of_pages_with_as_many_wrong_bits_as_the_limit_is_done_in_idle_time) {
  begin();
  const Place before = place_of(3);
  wear(3, 3);
  read(3);
  EXPECT_EQ(refreshes(), 0U);
  EXPECT_EQ(place_of(3), before);
  rest();
  EXPECT_EQ(refreshes(), 1U);
  EXPECT_NE(place_of(3).segment, before.segment);
  read_all();
  mount();
  read_all();
}

TEST_F(PageRefresh, of_pages_below_the_limit_is_not_done) {
  begin();
  wear(3, 2);
  read(3);
  rest();
  EXPECT_EQ(refreshes(), 0U);
}

TEST_F(PageRefresh, of_pages_that_may_not_be_read_again_waits_for_no_idle_time) {
  begin();
  const Place before = place_of(3);
  wear(3, 4);
  read(3);
  EXPECT_EQ(refreshes(), 1U);
  write(100);  // so that the copies end
  EXPECT_NE(place_of(3).segment, before.segment);
}

TEST_F(PageRefresh, of_a_segment_that_was_read_often_comes_before_the_reads_spoil_it) {
  config.part.refresh.reads = 50;
  begin();
  for (int i = 0; i < 49; ++i) read(3);
  rest();
  EXPECT_EQ(refreshes(), 0U);
  read(3);
  rest();
  EXPECT_EQ(refreshes(), 1U);
  // Without idle time it is done after twice as many.
  for (int i = 0; i < 99; ++i) read(60);
  EXPECT_EQ(refreshes(), 1U);
  read(60);
  EXPECT_EQ(refreshes(), 2U);
  // Counted from the erase on.
  for (int i = 0; i < 49; ++i) read(3);
  rest();
  EXPECT_EQ(refreshes(), 2U);
}

TEST_F(PageRefresh, of_a_segment_that_is_being_filled_waits_until_it_is_full) {
  begin();
  const std::uint32_t last = config.logical_pages - 1;
  ASSERT_EQ((*session)->segment(SegmentId{place_of(last).segment}).state, SegmentState::open);
  wear(last, 4);
  read(last);
  rest();
  EXPECT_EQ(refreshes(), 0U);
  for (std::uint32_t lpn = 0; lpn < 16; ++lpn) write(lpn);
  rest();
  EXPECT_EQ(refreshes(), 1U);
  read_all();
}

TEST_F(PageRefresh, is_wanted_after_a_mount_that_meets_such_pages) {
  begin();
  wear(3, 3);
  mount();
  rest();
  EXPECT_EQ(refreshes(), 1U);
  read_all();
}

TEST_F(PageRefresh, counts_the_reads_that_a_checkpoint_has) {
  config.part.refresh.reads = 100;
  config.checkpoint_every = 10;
  config.logical_pages = 100;
  begin();
  for (int i = 0; i < 60; ++i) read(3);
  for (std::uint32_t i = 0; i < config.checkpoint_every; ++i) write(90);
  mount();
  // And as many as a power loss may have taken.
  const int left = 40 - static_cast<int>(unrecorded_reads(config.part.refresh.reads));
  for (int i = 1; i < left; ++i) read(3);
  rest();
  EXPECT_EQ(refreshes(), 0U);
  read(3);
  rest();
  EXPECT_EQ(refreshes(), 1U);
}

TEST_F(PageRefresh, comes_in_time_however_short_the_sessions_are) {
  config.part.refresh.reads = 640;
  config.checkpoint_every = 100'000;
  config.logical_pages = 100;
  begin();
  std::uint32_t reads = 0;
  for (; refreshes() == 0 && reads < 2000; ++reads) {
    // Two reads a session: one more than a mount counts as unseen.
    read(3);
    read(3);
    ++reads;
    rest();
    if (refreshes() == 0) mount();
  }
  EXPECT_LE(reads, config.part.refresh.reads);
}

TEST_F(PageRefresh, comes_after_half_the_reads_where_no_checkpoint_has_those_before_a_mount) {
  config.part.refresh.reads = 100;
  begin();
  mount();
  for (int i = 0; i < 30; ++i) read(3);
  rest();
  EXPECT_EQ(refreshes(), 0U);
  for (int i = 0; i < 20; ++i) read(3);
  rest();
  EXPECT_EQ(refreshes(), 1U);
}

}  // namespace
}  // namespace ftlab::tests
