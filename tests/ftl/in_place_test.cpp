// Update in place on NOR and NAND parts and on arrays: content, counters that balance, a worn segment, a mount.
#include "firmware/ftl/in_place/in_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_array.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/in_place_layer.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPage = 512;

std::unique_ptr<EmulatedFlash> nor() {
  EmulatedFlashOptions options;
  options.geometry.segments = 6;
  options.geometry.segment_bytes = 16 * kPage;
  options.geometry.program_unit_bytes = 2;
  return std::make_unique<EmulatedFlash>(options);
}

std::unique_ptr<EmulatedNand> nand() {
  EmulatedNandOptions options;
  options.segments = 8;
  options.slc_segments_per_unit = 2;
  return std::make_unique<EmulatedNand>(options);
}

/// Two dies; a page of the volume is two of the array.
std::unique_ptr<EmulatedArray> array() {
  return std::make_unique<EmulatedArray>(
      FlashGeometry{.segments = 8, .pages_per_segment = 32, .page_bytes = kPage / 2, .dies = 2, .buffers = 5}, 1);
}

template <class Flash>
struct Volume {
  using Layer = std::conditional_t<std::is_same_v<Flash, EmulatedArray>, InPlace, InPlaceLayer>;
  explicit Volume(std::unique_ptr<Flash> part, std::uint32_t segments = 5) : flash(std::move(part)) {
    config.page_bytes = kPage;
    config.logical_segments = segments;
    start();
    EXPECT_EQ(layer->format(0), FtlStatus::ok);
    shadow.assign(layer->capacity_bytes(), std::byte{0xFF});
  }
  void start() {
    arena.assign(Layer::arena_bytes(*flash, config), std::byte{});
    layer = std::make_unique<Layer>(*flash, probe, config, arena);
  }
  FtlStatus write(std::uint64_t offset, std::size_t length, Dice& dice) {
    std::vector<std::byte> data(length);
    for (std::byte& b : data) b = static_cast<std::byte>(dice.below(256));
    const FtlStatus status = layer->write(offset, data, {}, 0);
    if (status == FtlStatus::ok)
      std::copy(data.begin(), data.end(), shadow.begin() + static_cast<std::ptrdiff_t>(offset));
    return status;
  }
  FtlStatus trim(std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t first = (offset + kPage - 1) / kPage * kPage;
    const std::uint64_t end = (offset + length) / kPage * kPage;
    std::fill(shadow.begin() + static_cast<std::ptrdiff_t>(first), shadow.begin() + static_cast<std::ptrdiff_t>(end),
              std::byte{0xFF});
    return layer->trim(offset, length, 0);
  }
  FtlStatus read_status(std::uint64_t offset) {
    std::vector<std::byte> page(kPage);
    return layer->read(offset, page, 0);
  }
  void mount() {
    start();
    ASSERT_EQ(layer->mount(0), FtlStatus::ok);
  }
  void check() {
    std::vector<std::byte> all(shadow.size());
    ASSERT_EQ(layer->read(0, all, 0), FtlStatus::ok);
    EXPECT_TRUE(all == shadow);
    std::vector<std::byte> part(100);
    ASSERT_EQ(layer->read(kPage + 7, part, 0), FtlStatus::ok);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), shadow.begin() + kPage + 7));
    EXPECT_EQ(layer->self_check(), nullptr);
  }
  /// Pages programmed since the last erase of each segment.
  [[nodiscard]] std::uint64_t standing() const {
    std::uint64_t sum = 0;
    for (std::uint32_t id = 0; id < layer->segments(); ++id) sum += layer->segment(SegmentId{id}).used_pages;
    return sum;
  }

  std::unique_ptr<Flash> flash;
  NullProbe probe;
  InPlacePages config;
  std::vector<std::byte> arena;
  std::unique_ptr<Layer> layer;
  std::vector<std::byte> shadow;
};

TEST(InPlace, keeps_what_it_was_given_on_an_array) {
  Volume volume(array());
  Dice dice(7);
  for (int i = 0; i < 300; ++i) {
    const std::size_t length = 1 + dice.below(dice.below(8) == 0 ? 20 * kPage : kPage);
    const std::uint64_t offset = dice.below(static_cast<std::uint32_t>(volume.shadow.size() - length));
    ASSERT_EQ(volume.write(offset, length, dice), FtlStatus::ok);
    if (i % 16 == 0) volume.check();
    if (i % 64 == 63) volume.mount();
  }
  volume.check();
  EXPECT_EQ(volume.flash->illegal(), 0U);
}

TEST(InPlace, a_change_rewrites_the_whole_segment_and_a_first_write_does_not) {
  Volume volume(nor());
  Dice dice(1);
  for (std::uint32_t page = 0; page < 16; ++page) ASSERT_EQ(volume.write(page * kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, 0U);
  ASSERT_EQ(volume.write(3 * kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, 1U);
  EXPECT_EQ(volume.layer->stats().cleanings, 1U);
  EXPECT_EQ(volume.layer->stats().pages_copied, 15U);
  EXPECT_EQ(volume.layer->stats().pages_written, 17U);
  EXPECT_EQ(volume.standing(), 16U);
}

TEST(InPlace, a_part_with_pages_takes_them_in_order_alone) {
  Volume volume(nand());
  const std::uint32_t pages = volume.flash->geometry().segment_bytes / kPage;
  Dice dice(1);
  ASSERT_EQ(volume.write(0, kPage, dice), FtlStatus::ok);
  ASSERT_EQ(volume.write(kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, 0U);
  // Two blank pages before it have to be programmed, so the segment is written anew.
  ASSERT_EQ(volume.write(4 * kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, 1U);
  EXPECT_EQ(volume.layer->stats().pages_copied, 4U);
  EXPECT_EQ(volume.standing(), 5U);
  EXPECT_LT(5U, pages);
  volume.check();
}

TEST(InPlace, a_worn_segment_takes_no_more_and_the_others_do) {
  Volume volume(nor());
  Dice dice(1);
  ASSERT_EQ(volume.write(0, kPage, dice), FtlStatus::ok);
  ASSERT_EQ(volume.write(kPage, kPage, dice), FtlStatus::ok);
  volume.flash->refuse(0);
  EXPECT_EQ(volume.write(0, kPage, dice), FtlStatus::read_only);
  EXPECT_EQ(volume.layer->stats().bad_segments, 1U);
  EXPECT_EQ(volume.layer->segment(SegmentId{0}).state, SegmentState::bad);
  EXPECT_EQ(volume.write(5 * kPage, kPage, dice), FtlStatus::read_only) << "a blank page of it";
  EXPECT_EQ(volume.layer->trim(0, kPage, 0), FtlStatus::read_only);
  EXPECT_EQ(volume.read_status(kPage), FtlStatus::read_failed) << "nobody knows what the erase has left";
  EXPECT_EQ(volume.write(16 * kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->self_check(), nullptr);
}

TEST(InPlace, a_program_that_fails_loses_what_was_not_yet_back) {
  Volume volume(nor());
  Dice dice(1);
  for (std::uint32_t page = 0; page < 4; ++page) ASSERT_EQ(volume.write(page * kPage, kPage, dice), FtlStatus::ok);
  volume.flash->fail_at(4);  // behind the erase and pages 0 and 1
  EXPECT_EQ(volume.write(0, kPage, dice), FtlStatus::read_only);
  EXPECT_EQ(volume.read_status(kPage), FtlStatus::ok);
  EXPECT_EQ(volume.read_status(2 * kPage), FtlStatus::read_failed);
  EXPECT_EQ(volume.read_status(3 * kPage), FtlStatus::read_failed);
  EXPECT_EQ(volume.write(5 * kPage, kPage, dice), FtlStatus::read_only) << "a segment that failed takes nothing";
  const std::uint64_t erases = volume.layer->stats().erases;
  EXPECT_EQ(volume.write(0, kPage, dice), FtlStatus::read_only);
  EXPECT_EQ(volume.layer->stats().erases, erases) << "nor is it erased, which would lose page 1";
}

TEST(InPlace, a_first_write_that_fails_loses_its_own_page_alone) {
  Volume volume(nand());
  Dice dice(1);
  ASSERT_EQ(volume.write(0, kPage, dice), FtlStatus::ok);
  volume.flash->fail_at(1);
  EXPECT_EQ(volume.write(kPage, kPage, dice), FtlStatus::read_only);
  EXPECT_EQ(volume.read_status(0), FtlStatus::ok);
  EXPECT_EQ(volume.read_status(kPage), FtlStatus::read_failed);
}

TEST(InPlace, what_a_failed_segment_lost_is_known_until_the_next_mount) {
  Volume volume(nand());
  Dice dice(1);
  for (std::uint32_t page = 0; page < 4; ++page) ASSERT_EQ(volume.write(page * kPage, kPage, dice), FtlStatus::ok);
  volume.flash->fail_at(3);  // behind the erase and page 0
  EXPECT_EQ(volume.write(0, kPage, dice), FtlStatus::read_only);
  EXPECT_EQ(volume.read_status(3 * kPage), FtlStatus::read_failed);
  volume.mount();
  EXPECT_EQ(volume.read_status(0), FtlStatus::ok);
  std::vector<std::byte> page(kPage);
  EXPECT_EQ(volume.layer->read(3 * kPage, page, 0), FtlStatus::ok) << "nothing there says that it is gone";
  EXPECT_EQ(page, std::vector<std::byte>(kPage, std::byte{0xFF}));
}

TEST(InPlace, a_page_that_is_lost_stays_so_until_it_is_written_whole_or_trimmed) {
  Volume volume(nand());
  Dice dice(1);
  for (std::uint32_t page = 0; page < 6; ++page) ASSERT_EQ(volume.write(page * kPage, kPage, dice), FtlStatus::ok);
  const std::uint32_t first = 2;  // behind the segments of LSB pages
  volume.flash->lose_page(first, 1);
  volume.flash->lose_page(first, 2);
  ASSERT_EQ(volume.write(4 * kPage, kPage, dice), FtlStatus::ok) << "a neighbour";
  for (int mounts = 0; mounts < 2; ++mounts) {
    EXPECT_EQ(volume.read_status(kPage), FtlStatus::read_failed);
    EXPECT_EQ(volume.read_status(2 * kPage), FtlStatus::read_failed);
    EXPECT_EQ(volume.write(kPage + 8, 8, dice), FtlStatus::read_failed) << "nobody knows the rest";
    EXPECT_EQ(volume.write(kPage / 2, kPage, dice), FtlStatus::read_failed) << "nor behind the end";
    EXPECT_EQ(volume.write(2 * kPage + 8, kPage, dice), FtlStatus::read_failed) << "nor before the beginning";
    volume.mount();
  }
  ASSERT_EQ(volume.write(kPage, kPage, dice), FtlStatus::ok);
  ASSERT_EQ(volume.trim(2 * kPage, kPage), FtlStatus::ok);
  volume.check();
  volume.mount();
  volume.check();
}

TEST(InPlace, trimmed_pages_are_erased_and_where_nothing_is_nothing_is_done) {
  Volume volume(array());
  Dice dice(1);
  ASSERT_EQ(volume.write(0, 20 * kPage, dice), FtlStatus::ok);
  ASSERT_EQ(volume.trim(2 * kPage + 1, 3 * kPage), FtlStatus::ok) << "pages 3 and 4 whole";
  volume.check();
  ASSERT_EQ(volume.trim(14 * kPage, 4 * kPage), FtlStatus::ok) << "of two segments";
  volume.check();
  const std::uint64_t erases = volume.layer->stats().erases;
  ASSERT_EQ(volume.trim(30 * kPage, 4 * kPage), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, erases);
  volume.mount();
  volume.check();
}

TEST(InPlace, nor_holds_pages_alone_and_takes_them_in_any_order) {
  Volume volume(nor(), 6);
  EXPECT_EQ(volume.layer->capacity_bytes(), 6U * 16 * kPage) << "all of the part";
  Dice dice(1);
  for (const std::uint32_t page : {9U, 3U, 15U, 0U}) ASSERT_EQ(volume.write(page * kPage, kPage, dice), FtlStatus::ok);
  EXPECT_EQ(volume.layer->stats().erases, 0U);
  EXPECT_EQ(volume.flash->programs(), 4U) << "each page is one program, and nothing is kept beside it";
  EXPECT_TRUE(std::equal(volume.shadow.begin(), volume.shadow.begin() + 16 * kPage, volume.flash->bytes(0)));
  volume.mount();
  volume.check();
}

TEST(InPlace, a_page_of_ones_that_metadata_name_was_written) {
  Volume volume(array());
  const std::vector<std::byte> ones(kPage, std::byte{0xFF});
  ASSERT_EQ(volume.layer->write(0, ones, {}, 0), FtlStatus::ok);
  volume.mount();
  EXPECT_EQ(volume.standing(), 1U);
  volume.check();
}

TEST(InPlace, a_format_passes_over_a_segment_that_it_can_mark) {
  EmulatedNandOptions options;
  options.segments = 8;
  options.slc_segments_per_unit = 2;
  options.marks_on_failed = true;
  Volume volume(std::make_unique<EmulatedNand>(options));
  volume.flash->refuse(3);
  ASSERT_EQ(volume.layer->format(0), FtlStatus::ok);
  EXPECT_TRUE(volume.flash->is_bad(3));
  EXPECT_EQ(volume.layer->stats().bad_segments, 1U);
  Dice dice(1);
  ASSERT_EQ(volume.write(0, volume.shadow.size(), dice), FtlStatus::ok);
  volume.mount();
  volume.check();
  volume.flash->refuse(4);
  EXPECT_EQ(volume.layer->format(0), FtlStatus::no_space) << "four are left";
}

template <class Flash>
void says_what_cannot_be_marked(std::unique_ptr<Flash> part) {
  Volume<Flash> volume(std::move(part));
  volume.flash->refuse(3);
  EXPECT_EQ(volume.layer->format(0), FtlStatus::write_failed);
  EXPECT_EQ(volume.read_status(0), FtlStatus::not_formatted);
}

TEST(InPlace, a_format_says_what_cannot_be_marked_on_nor) { says_what_cannot_be_marked(nor()); }
TEST(InPlace, a_format_says_what_cannot_be_marked_on_nand) { says_what_cannot_be_marked(nand()); }

TEST(InPlace, refuses_what_cannot_work) {
  const FlashGeometry geometry = geometry_of(*nor(), InPlacePages{{.page_bytes = kPage}});
  EXPECT_EQ(in_place::check({.page_bytes = kPage, .logical_segments = 6}, geometry), nullptr);
  EXPECT_STREQ(in_place::check({.page_bytes = kPage, .logical_segments = 7}, geometry),
               "there are fewer segments than the data needs; lower ftl.utilization");
  EXPECT_STREQ(in_place::check({.page_bytes = kPage, .logical_segments = 0}, geometry),
               "no segment is left for data; raise ftl.utilization");
  EXPECT_STREQ(in_place::check({.page_bytes = 3 * kPage, .logical_segments = 1}, geometry),
               "the page does not divide the segment; use a smaller ftl.page_bytes");
  EXPECT_STREQ(in_place::check({.page_bytes = 256, .logical_segments = 1}, geometry_of(*nand(), InPlacePages{})),
               "the page is smaller than what the part programs at once; use a larger ftl.page_bytes");
  NullProbe probe;
  const auto part = array();
  InPlace layer(*part, probe, {.page_bytes = kPage, .logical_segments = 9}, {});
  EXPECT_EQ(layer.format(0), FtlStatus::bad_config);
  EXPECT_EQ(layer.flush(0), FtlStatus::bad_config);
}

}  // namespace
}  // namespace ftlab::tests
