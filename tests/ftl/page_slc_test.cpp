// Segments that the host's pages fill as SLC: which pages are programmed, how many segments at a time, and what empties
// them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "firmware/volume/lists/lsb_places.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

struct PageSlc : testing::Test {
  using Session = MountSession<PagedLayer, PagedConfig>;

  PageSlc() {
    config.logical_pages = 150;
    config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
    config.slc_segments = 3;
    config.slc_idle_ns = 1'000'000;
  }

  void begin() {
    session.emplace(flash, config);
    ASSERT_EQ((*session)->format(0), FtlStatus::ok);
  }
  void mount() {
    session.emplace(flash, config);
    ASSERT_EQ((*session)->mount(0), FtlStatus::ok);
  }
  void write(std::uint32_t lpn) {
    const std::vector<std::byte> data(page_bytes(), static_cast<std::byte>(lpn * 7 + 1));
    ASSERT_EQ((*session)->write(std::uint64_t{lpn} * data.size(), data, {}, 0), FtlStatus::ok);
  }
  void write_pages(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t lpn = first; lpn < end; ++lpn) write(lpn);
  }
  void expect_pages(std::uint32_t end) {
    std::vector<std::byte> data(page_bytes());
    for (std::uint32_t lpn = 0; lpn < end; ++lpn) {
      ASSERT_EQ((*session)->read(std::uint64_t{lpn} * data.size(), data, 0), FtlStatus::ok);
      ASSERT_EQ(data, std::vector<std::byte>(page_bytes(), static_cast<std::byte>(lpn * 7 + 1))) << "page " << lpn;
    }
  }
  void rest(std::uint64_t ns) {
    for (std::uint32_t steps = 0; (*session)->idle(0, ns) == 0; ++steps)
      ASSERT_LT(steps, 1000U) << "idle work without end";
  }
  [[nodiscard]] std::uint32_t page_bytes() const { return flash.geometry().program_unit_bytes; }
  [[nodiscard]] volume::LsbPlaces places() {
    geometry = geometry_of(flash, config);
    return volume::LsbPlaces(geometry);
  }
  [[nodiscard]] bool is_programmed(std::uint32_t segment, std::uint32_t page) {
    return flash.at_rest(segment).state[page] == EmulatedNand::PageState::whole;
  }
  /// Segments of which pages are programmed and no MSB page is.
  [[nodiscard]] std::uint32_t filled_as_slc() {
    const volume::LsbPlaces lsb = places();
    std::uint32_t found = 0;
    for (std::uint32_t segment = geometry.unused_per_die; segment < geometry.segments; ++segment) {
      bool others = false;
      for (std::uint32_t page = 0; page < geometry.pages_per_segment; ++page)
        others = others || (!lsb.has(page) && is_programmed(segment, page));
      found += is_programmed(segment, lsb.last()) && !others ? 1 : 0;
    }
    return found;
  }
  [[nodiscard]] const volume::SlcCounts& counts() { return (*session)->slc_counts(); }

  EmulatedNand flash{small_nand()};
  PagedConfig config;
  FlashGeometry geometry;
  std::optional<Session> session;
};

TEST_F(PageSlc, pages_of_the_host_fill_lsb_pages_of_so_many_segments_and_then_all_pages) {
  begin();
  const std::uint32_t in_one = places().pages();
  write_pages(0, 3 * in_one);
  EXPECT_EQ(filled_as_slc(), 3U);
  write_pages(3 * in_one, 3 * in_one + 16);
  EXPECT_EQ(filled_as_slc(), 3U);
  EXPECT_EQ(counts().pages_to_slc, 3 * in_one);
  EXPECT_EQ(counts().pages_to_mlc, 16U);
  expect_pages(3 * in_one + 16);
  EXPECT_EQ((*session)->self_check(), nullptr);
}

TEST_F(PageSlc, a_long_pause_moves_them_to_segments_whose_pages_are_all_used) {
  begin();
  const std::uint32_t in_one = places().pages();
  write_pages(0, 3 * in_one);
  rest(config.slc_idle_ns - 1);
  EXPECT_EQ(counts().pages_moved, 0U);
  rest(config.slc_idle_ns);
  EXPECT_EQ(counts().pages_moved, 3 * in_one);
  expect_pages(3 * in_one);
  write_pages(0, in_one);
  EXPECT_EQ(counts().pages_to_slc, 4 * in_one);
}

TEST_F(PageSlc, a_mount_goes_on_where_they_were_left) {
  for (const std::uint32_t checkpoint_every : {0U, 5U}) {
    config.checkpoint_every = checkpoint_every;
    begin();
    const std::uint32_t in_one = places().pages();
    write_pages(0, in_one + 3);
    flash.power_cycle();
    mount();
    ASSERT_EQ((*session)->self_check(), nullptr);
    expect_pages(in_one + 3);
    // The first place that is blank counts as one whose program left no trace.
    write_pages(in_one + 3, 2 * in_one);
    EXPECT_EQ(counts().pages_to_slc, in_one - 3) << "checkpoint every " << checkpoint_every;
    write_pages(2 * in_one, 3 * in_one + 16);
    EXPECT_EQ(filled_as_slc(), 3U);
    expect_pages(3 * in_one + 16);
  }
}

TEST_F(PageSlc, a_volume_that_has_some_is_mounted_without_them_too) {
  begin();
  const std::uint32_t in_one = places().pages();
  write_pages(0, in_one + 3);
  flash.power_cycle();
  config.slc_segments = 0;
  mount();
  EXPECT_EQ((*session)->self_check(), nullptr);
  expect_pages(in_one + 3);
  for (int round = 0; round < 3; ++round) write_pages(0, config.logical_pages);
  expect_pages(config.logical_pages);
  EXPECT_EQ(counts().pages_to_slc, 0U);
}

TEST_F(PageSlc, one_of_their_pages_that_cannot_be_read_is_named_by_the_lsb_page_behind_it) {
  const volume::LsbPlaces lsb = places();
  const std::uint32_t in_one = lsb.pages();
  for (std::uint32_t nth = 0; nth + 1 < in_one; ++nth) {
    SCOPED_TRACE(nth);
    begin();
    // Of a page that was written twice, each time to a segment of its own.
    write_pages(0, in_one);
    write_pages(0, in_one);
    std::uint32_t newest = flash.geometry().segments;
    for (std::uint32_t id = 0; id < flash.geometry().segments; ++id)
      if ((*session)->segment(SegmentId{id}).valid_pages == in_one) newest = id;
    ASSERT_LT(newest, flash.geometry().segments);
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < nth; ++i) place = lsb.from(place + 1);
    flash.lose_page(newest, place);
    for (int mounts = 0; mounts < 2; ++mounts) {
      flash.power_cycle();
      mount();
      EXPECT_EQ((*session)->self_check(), nullptr);
      std::vector<std::byte> data(page_bytes());
      EXPECT_EQ((*session)->read(std::uint64_t{nth} * data.size(), data, 0), FtlStatus::read_failed)
          << "the version before stands in for it";
      // Its segment is emptied.
      rest(config.slc_idle_ns);
      EXPECT_EQ((*session)->read(std::uint64_t{nth} * data.size(), data, 0), FtlStatus::read_failed);
    }
  }
}

TEST_F(PageSlc, the_pages_that_they_leave_out_count_as_spare_space) {
  const std::uint64_t without = [&] {
    PagedConfig none = config;
    none.slc_segments = 0;
    return volume::max_logical_pages(none, geometry_of(flash, none));
  }();
  // As many more as power losses may bring back.
  const std::uint64_t left_out =
      (3 + volume::reserve_of(config)) * std::uint64_t{geometry_of(flash, config).pages_per_segment - places().pages()};
  // Records of trims are fewer, too.
  EXPECT_GE(volume::max_logical_pages(config, geometry_of(flash, config)), without - left_out);
  EXPECT_LE(volume::max_logical_pages(config, geometry_of(flash, config)), without - left_out + 1);
}

TEST_F(PageSlc, goes_with_copies_in_segments_of_their_own_alone) {
  const auto refused = [&](const PagedConfig& c) { return volume::check(c, geometry_of(flash, c)); };
  EXPECT_EQ(refused(config), nullptr);
  PagedConfig one = config;
  one.frontiers = VolumeConfig::Frontiers::one;
  EXPECT_STREQ(refused(one),
               "ftl.slc_segments needs copies in segments of their own: set ftl.frontiers = \"host_and_cleaning\"");
  PagedConfig separated = config;
  separated.separation = "recency";
  EXPECT_STREQ(refused(separated),
               "ftl.slc_segments fills segments of one class of pages as SLC, all that the host writes: set "
               "ftl.separation = \"none\"");
}

}  // namespace
}  // namespace ftlab::tests
