// A segment that refuses every further program and erase, and stays as it is: what was acknowledged holds across
// mounts, although old copies in it can no longer be voided.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <cstring>
#include <string>

#include "firmware/volume/nor/media_format.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/ftl/fms_pages.h"

namespace ftlab::tests {
namespace {

FmsConfig roomy_config() {
  FmsConfig config = small_config();
  config.logical_pages = kRoomyPages;
  return config;
}

std::vector<std::byte> read_page(Fms& fms, std::uint32_t lpn) {
  std::vector<std::byte> got(kPage);
  EXPECT_EQ(fms.read(std::uint64_t{lpn} * kPage, got, 0), FtlStatus::ok);
  return got;
}

/// A volume with all pages written; segment 1, the first one filled, refuses from now on.
struct Refusing {
  Refusing() : config(roomy_config()), flash(small_part()), session(flash, config) {
    EXPECT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
      EXPECT_EQ(session->write(lpn * kPage, page_of(1), {}, 0), FtlStatus::ok);
    flash.refuse(1);
  }
  FmsConfig config;
  EmulatedFlash flash;
  FmsSession session;
};

TEST(FmsRefusal, a_page_overwritten_and_trimmed_does_not_come_back) {
  Refusing v;
  ASSERT_EQ(v.session->write(0, page_of(2), {}, 0), FtlStatus::ok);
  ASSERT_EQ(v.session->trim(0, kPage, 0), FtlStatus::ok);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(read_page(*next, 0), page_of(0xFF));
}

TEST(FmsRefusal, of_the_fixed_segment_leaves_a_volume_that_is_formatted_again_mountable) {
  Refusing v;
  v.flash.refuse(nor::kFixedSegment);
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  ASSERT_EQ(v.session->write(3 * kPage, page_of(5), {}, 0), FtlStatus::ok);
  for (int mounts = 0; mounts < 2; ++mounts) {
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    EXPECT_EQ(read_page(*next, 3), page_of(5));
    EXPECT_EQ(read_page(*next, 0), page_of(0xFF)) << "of the volume before";
  }
}

TEST(FmsRefusal, of_the_fixed_segment_is_reported_by_a_format_of_another_layout_that_could_not_be_mounted) {
  Refusing v;
  v.flash.refuse(nor::kFixedSegment);
  FmsConfig other = v.config;
  other.logical_pages -= 1;
  FmsSession session(v.flash, other);
  EXPECT_EQ(session->format(0), FtlStatus::write_failed);
}

TEST(FmsRefusal, of_a_retired_segment_with_a_newer_volume_number_does_not_take_the_volume_away) {
  EmulatedFlash flash(small_part());
  const FmsConfig config = roomy_config();
  FmsSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
    ASSERT_EQ(session->write(lpn * kPage, page_of(1), {}, 0), FtlStatus::ok);
  // As one would look that could not be read when this volume was made.
  nor::SegmentHeader header;
  std::uint32_t victim = 0;
  for (std::uint32_t s = 1; s < session->segments() && victim == 0; ++s)
    if (session->segment(SegmentId{s}).state == SegmentState::free) victim = s;
  ASSERT_NE(victim, 0U);
  std::memcpy(static_cast<void*>(&header), flash.bytes(victim), sizeof header);
  header.erase.volume = header.erase.volume + 6;
  nor::seal(header.erase);
  header.marks.retired = nor::kCleared;
  std::memcpy(flash.bytes(victim), &header, sizeof header);
  FmsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(read_page(*next, 0), page_of(1));
}

TEST(FmsRefusal, a_page_whose_only_copy_lies_there_can_be_trimmed) {
  Refusing v;
  ASSERT_EQ(v.session->trim(0, kPage, 0), FtlStatus::ok);
  EXPECT_EQ(read_page(*v.session, 0), page_of(0xFF));
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(read_page(*next, 0), page_of(0xFF));
}

TEST(FmsRefusal, a_page_trimmed_after_a_mount_does_not_come_back_at_the_next_one) {
  Refusing v;
  ASSERT_EQ(v.session->write(0, page_of(2), {}, 0), FtlStatus::ok);
  FmsSession second(v.flash, v.config);
  ASSERT_EQ(second->mount(0), FtlStatus::ok);
  ASSERT_EQ(second->trim(0, kPage, 0), FtlStatus::ok);
  FmsSession third(v.flash, v.config);
  ASSERT_EQ(third->mount(0), FtlStatus::ok);
  EXPECT_EQ(read_page(*third, 0), page_of(0xFF));
}

TEST(FmsRefusal, a_page_moved_away_by_cleaning_and_trimmed_does_not_come_back) {
  Refusing v;
  // Others are overwritten until the segment has been drained and taken out of use.
  boost::random::mt19937 random(1);
  for (std::uint32_t i = 0; v.session->stats().bad_segments == 0; ++i) {
    ASSERT_LT(i, 5000U);
    ASSERT_EQ(v.session->write((1 + random() % 59) * kPage, page_of(2), {}, 0), FtlStatus::ok);
  }
  ASSERT_EQ(v.session->trim(0, kPage, 0), FtlStatus::ok);
  for (int i = 0; i < 3; ++i) {
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    ASSERT_EQ(read_page(*next, 0), page_of(0xFF)) << i;
    ASSERT_EQ(next->self_check(), nullptr);
    for (std::uint32_t lpn = 1; lpn < 60; ++lpn) ASSERT_EQ(next->write(lpn * kPage, page_of(3), {}, 0), FtlStatus::ok);
  }
}

TEST(FmsRefusal, of_a_segment_without_header_is_no_damage_after_a_format_or_one_that_was_taken_up_again) {
  for (const std::uint64_t interrupted : {0U, 9U, 25U}) {
    Refusing v;
    // As an erase leaves it that clears every bit first, and then fails.
    std::memset(v.flash.bytes(1), 0, small_part().geometry.segment_bytes);
    if (interrupted > 0) {
      v.flash.lose_power_at(interrupted, TornWrite::whole);
      EXPECT_NE(FmsSession(v.flash, v.config)->format(0), FtlStatus::ok);
      v.flash.power_cycle();
    }
    ASSERT_EQ(FmsSession(v.flash, v.config)->format(0), FtlStatus::ok) << interrupted;
    for (int mount = 0; mount < 2; ++mount) {
      FmsSession next(v.flash, v.config);
      ASSERT_EQ(next->mount(0), FtlStatus::ok) << interrupted;
      for (std::uint32_t lpn = mount; lpn < v.config.logical_pages; ++lpn)
        ASSERT_EQ(read_page(*next, lpn), page_of(0xFF)) << interrupted << " page " << lpn;
      ASSERT_EQ(next->write(0, page_of(3), {}, 0), FtlStatus::ok);
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
