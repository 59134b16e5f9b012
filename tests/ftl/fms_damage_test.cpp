// Damage at rest on NOR: bits, entries and headers of a good volume are changed while it is not mounted. What a mount
// can know is never answered with other data, nor with erased bytes, and stays so until the page is written again.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <cstring>
#include <functional>
#include <string>

#include "firmware/volume/nor/media_format.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/repetitions.h"
#include "tests/fixtures/share.h"
#include "tests/ftl/fms_pages.h"

namespace ftlab::tests {
namespace {

FmsConfig damage_config(bool data_checksum = false) {
  FmsConfig config = small_config();
  config.logical_pages = kRoomyPages;
  config.redistribution = "fine_grained";
  config.selection = "cat";
  config.data_checksum = data_checksum;
  return config;
}

/// How the pages of a damaged volume are answered.
struct Answers {
  std::uint32_t good = 0;
  std::uint32_t reported = 0;  ///< read_failed
  std::uint32_t silent = 0;    ///< something else
};

/// A used volume and the content of each of its pages; one in ten is trimmed.
class DamagedVolume {
 public:
  explicit DamagedVolume(FmsConfig fms_config = damage_config(), std::uint32_t seed = 1)
      : config(fms_config), flash(small_part()), truth_(kRoomyPages, std::vector<std::byte>(kPage, std::byte{0xFF})) {
    FmsSession session(flash, config);
    EXPECT_EQ(session->format(0), FtlStatus::ok);
    boost::random::mt19937 random(seed);
    for (std::uint32_t i = 0; i < 400; ++i) {
      const std::uint32_t lpn = i < kRoomyPages ? i : random() % kRoomyPages;
      if (i >= kRoomyPages && random() % 10 == 0)
        trim(*session, lpn);
      else
        write(*session, lpn, i);
    }
    image_ = flash.snapshot();
  }
  void write(Fms& fms, std::uint32_t lpn, std::uint32_t content) {
    for (std::uint32_t at = 0; at < kPage; ++at) truth_[lpn][at] = static_cast<std::byte>(content * 37 + lpn + at);
    ASSERT_EQ(fms.write(lpn * kPage, truth_[lpn], {}, 0), FtlStatus::ok) << lpn;
  }
  void trim(Fms& fms, std::uint32_t lpn) {
    ASSERT_EQ(fms.trim(lpn * kPage, kPage, 0), FtlStatus::ok) << lpn;
    std::ranges::fill(truth_[lpn], std::byte{0xFF});
  }
  [[nodiscard]] bool is_trimmed(std::uint32_t lpn) const { return truth_[lpn][0] == truth_[lpn][1]; }
  Answers read_all(Fms& fms) {
    Answers answers;
    std::vector<std::byte> got(kPage);
    for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn) {
      const FtlStatus status = fms.read(lpn * kPage, got, 0);
      if (status != FtlStatus::ok)
        ++answers.reported;
      else
        ++(got == truth_[lpn] ? answers.good : answers.silent);
    }
    return answers;
  }
  /// As it was before any damage.
  void heal() { flash.restore(image_); }
  std::byte* header(std::uint32_t segment) { return flash.bytes(segment); }

  FmsConfig config;
  EmulatedFlash flash;

 private:
  std::vector<std::vector<std::byte>> truth_;
  EmulatedFlash::Image image_;
};

/// Where the entries end.
std::uint32_t header_bytes(const DamagedVolume& v) {
  return nor::kEntriesOffset +
         nor::entry_bytes(v.config.data_checksum) * usable_slots(v.flash.geometry(), kPage, v.config.data_checksum);
}

TEST(FmsDamage, one_flipped_bit_in_any_header_changes_nothing) {
  for (const bool checksum : {false, true}) {
    DamagedVolume v(damage_config(checksum));
    for (std::uint32_t segment = 1; segment < 13; ++segment) {
      for (std::uint32_t bit = segment % 7; bit < 8 * header_bytes(v); bit += kEachIsDear ? 63 : 7) {
        v.heal();
        v.header(segment)[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        for (int mount = 0; mount < 2; ++mount) {
          FmsSession session(v.flash, v.config);
          ASSERT_EQ(session->mount(0), FtlStatus::ok) << "segment " << segment << " bit " << bit;
          ASSERT_EQ(session->self_check(), nullptr) << "segment " << segment << " bit " << bit;
          ASSERT_EQ(v.read_all(*session).good, kRoomyPages) << "segment " << segment << " bit " << bit;
        }
      }
    }
  }
}

TEST(FmsDamage, a_mark_found_half_cleared_is_cleared_for_good_because_its_cells_may_read_differently_later) {
  DamagedVolume v;
  std::uint32_t marks = 0;
  for (std::uint32_t segment = 1; segment < 13; ++segment) {
    for (std::uint32_t slot = 0; slot < usable_slots(v.flash.geometry(), kPage); ++slot) {
      v.heal();
      std::byte* const entry = v.header(segment) + nor::kEntriesOffset + slot * sizeof(nor::PageEntry);
      std::uint16_t valid = 0;
      std::memcpy(&valid, entry + offsetof(nor::PageEntry, valid), sizeof valid);
      if (valid != nor::kCleared) continue;
      ++marks;
      valid = 0xFCFF;
      std::memcpy(entry + offsetof(nor::PageEntry, valid), &valid, sizeof valid);
      FmsSession session(v.flash, v.config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      ASSERT_EQ(v.read_all(*session).good, kRoomyPages);
      std::memcpy(&valid, v.header(segment) + (entry - v.header(segment)) + offsetof(nor::PageEntry, valid),
                  sizeof valid);
      ASSERT_EQ(valid, nor::kCleared) << "segment " << segment << " slot " << slot;
    }
  }
  EXPECT_GT(marks, 20U);
}

TEST(FmsDamage, a_page_with_a_flipped_bit_stays_unreadable_when_cleaning_moves_it_and_blocks_no_full_volume) {
  FmsConfig config = damage_config(true);
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  EmulatedFlash flash(small_part());
  config.logical_pages = fms::max_logical_pages(config, flash.geometry());
  const std::vector<std::byte> data(kPage, std::byte{3});
  {
    FmsSession session(flash, config);
    ASSERT_STREQ(session->config_error(), nullptr);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
      ASSERT_EQ(session->write(lpn * kPage, data, {}, 0), FtlStatus::ok);
  }
  // The first page lies in the first slot of some segment.
  const std::uint32_t slots = usable_slots(flash.geometry(), kPage, true);
  for (std::uint32_t s = 1; s < 13; ++s) flash.bytes(s)[4096 - slots * kPage] ^= std::byte{1};
  FmsSession session(flash, config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  std::vector<std::byte> got(kPage);
  std::vector<std::uint32_t> damaged;
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
    if (session->read(lpn * kPage, got, 0) == FtlStatus::read_failed) damaged.push_back(lpn);
  ASSERT_GT(damaged.size(), 5U);
  boost::random::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t lpn = random() % config.logical_pages;
    if (std::ranges::find(damaged, lpn) != damaged.end()) continue;
    ASSERT_EQ(session->write(lpn * kPage, data, {}, 0), FtlStatus::ok) << i;
  }
  FmsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) {
    const bool lost = std::ranges::find(damaged, lpn) != damaged.end();
    EXPECT_EQ(next->read(lpn * kPage, got, 0), lost ? FtlStatus::read_failed : FtlStatus::ok) << lpn;
  }
  ASSERT_EQ(next->write(damaged[0] * kPage, data, {}, 0), FtlStatus::ok);
  EXPECT_EQ(next->read(damaged[0] * kPage, got, 0), FtlStatus::ok);
}

TEST(FmsDamage, one_flipped_bit_in_the_fixed_segment_changes_nothing) {
  DamagedVolume v;
  for (std::uint32_t bit = 0; bit < 8U * 512; bit += kEachIsDear ? 5 : 1) {
    v.heal();
    v.header(nor::kFixedSegment)[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    FmsSession session(v.flash, v.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok) << "bit " << bit;
    ASSERT_EQ(session->self_check(), nullptr) << "bit " << bit;
    ASSERT_EQ(v.read_all(*session).good, kRoomyPages) << "bit " << bit;
  }
}

TEST(FmsDamage, a_volume_with_a_flipped_bit_is_worked_with_and_the_segment_is_renewed) {
  Share share;
  for (std::uint32_t segment = 1; segment < 13; ++segment) {
    for (const std::uint32_t byte : {4U, 25U, 33U, 41U, 50U, 58U, 64U, 69U, 74U, 85U, 100U, 125U}) {
      if (!share.takes_next()) continue;
      DamagedVolume v;
      v.header(segment)[byte] ^= std::byte{0x10};
      FmsSession session(v.flash, v.config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      for (std::uint32_t i = 0; i < 200; ++i) v.write(*session, i * 7 % kRoomyPages, 1000 + i);
      ASSERT_EQ(session->self_check(), nullptr);
      for (int mount = 0; mount < 2; ++mount) {
        FmsSession next(v.flash, v.config);
        ASSERT_EQ(next->mount(0), FtlStatus::ok);
        ASSERT_EQ(v.read_all(*next).good, kRoomyPages) << "segment " << segment << " byte " << byte;
      }
    }
  }
}

/// Damages [from, to) of each segment in turn, mounts, and adds up what is answered.
Answers damage_each(DamagedVolume& v, std::uint32_t from, std::uint32_t to,
                    const std::function<std::byte(std::byte)>& change) {
  Answers sum;
  for (std::uint32_t segment = 1; segment < 13; ++segment) {
    v.heal();
    for (std::uint32_t at = from; at < to; ++at) v.header(segment)[at] = change(v.header(segment)[at]);
    for (int mount = 0; mount < 2; ++mount) {
      FmsSession session(v.flash, v.config);
      EXPECT_EQ(session->mount(0), FtlStatus::ok) << "segment " << segment;
      EXPECT_EQ(session->self_check(), nullptr) << "segment " << segment;
      const Answers answers = v.read_all(*session);
      EXPECT_EQ(answers.silent, 0U) << "segment " << segment << " bytes " << from << " to " << to << " mount " << mount;
      sum.good += answers.good;
      sum.reported += answers.reported;
      sum.silent += answers.silent;
    }
  }
  return sum;
}

std::byte to_zero(std::byte) { return std::byte{0}; }

TEST(FmsDamage, a_header_turned_to_zeros_or_noise_is_reported_and_not_answered_with_erased_bytes) {
  DamagedVolume v;
  boost::random::mt19937 random(3);
  const auto noise = [&](std::byte) { return static_cast<std::byte>(random()); };
  EXPECT_GT(damage_each(v, 0, header_bytes(v), to_zero).reported, 0U);
  EXPECT_GT(damage_each(v, 0, header_bytes(v), noise).reported, 0U);
  EXPECT_GT(damage_each(v, 0, 4096, to_zero).reported, 0U);
  EXPECT_GT(damage_each(v, 0, 4096, noise).reported, 0U);
}

TEST(FmsDamage, a_header_that_is_lost_but_for_its_entries_is_made_anew_from_them) {
  DamagedVolume v;
  boost::random::mt19937 random(4);
  const auto noise = [&](std::byte) { return static_cast<std::byte>(random()); };
  const std::uint32_t records = nor::kEntriesOffset;
  for (const auto& [from, to] : {std::pair<std::uint32_t, std::uint32_t>{0, 48}, {48, 72}, {0, 72}, {0, records}}) {
    EXPECT_EQ(damage_each(v, from, to, to_zero).reported, 0U) << from;
    EXPECT_EQ(damage_each(v, from, to, noise).reported, 0U) << from;
    EXPECT_EQ(damage_each(v, from, to, [](std::byte) { return std::byte{0xFF}; }).reported, 0U) << from;
  }
}

TEST(FmsDamage, an_entry_that_is_lost_is_reported) {
  DamagedVolume v;
  boost::random::mt19937 random(5);
  const auto noise = [&](std::byte) { return static_cast<std::byte>(random()); };
  for (std::uint32_t slot = 0; slot < usable_slots(v.flash.geometry(), kPage); ++slot) {
    const std::uint32_t at = nor::kEntriesOffset + 32 * slot;
    (void)damage_each(v, at, at + 32, to_zero);
    (void)damage_each(v, at, at + 32, noise);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(FmsDamage, lost_pages_stay_lost_through_cleaning_and_mounts_until_they_are_written_or_trimmed) {
  DamagedVolume v;
  std::uint32_t victim = 1;
  {  // a sealed segment with pages
    FmsSession session(v.flash, v.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    while (session->segment(SegmentId{victim}).state != SegmentState::sealed ||
           session->segment(SegmentId{victim}).valid_pages < 3)
      ++victim;
  }
  std::fill_n(v.header(victim), header_bytes(v), std::byte{0});
  std::vector<std::uint32_t> lost;
  std::vector<std::byte> got(kPage);
  FmsSession session(v.flash, v.config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn)
    if (session->read(lpn * kPage, got, 0) == FtlStatus::read_failed) lost.push_back(lpn);
  ASSERT_GE(lost.size(), 3U);
  EXPECT_EQ(session->write(lost[0] * kPage, std::span(got).first(1), {}, 0), FtlStatus::read_failed)
      << "a part of a lost page was written";
  const auto is_lost = [&](std::uint32_t lpn) { return std::ranges::find(lost, lpn) != lost.end(); };
  for (std::uint32_t i = 0; i < 1000; ++i)
    if (!is_lost(i * 7 % kRoomyPages)) v.write(*session, i * 7 % kRoomyPages, i);
  ASSERT_GT(session->stats().erases, 20U);
  FmsSession second(v.flash, v.config);
  ASSERT_EQ(second->mount(0), FtlStatus::ok);
  for (const std::uint32_t lpn : lost) EXPECT_EQ(second->read(lpn * kPage, got, 0), FtlStatus::read_failed);
  v.write(*second, lost[0], 7);
  v.trim(*second, lost[1]);
  const std::uint32_t other = lost[0] == 0 ? 1 : 0;
  v.trim(*second, other);
  FmsSession third(v.flash, v.config);
  ASSERT_EQ(third->mount(0), FtlStatus::ok);
  EXPECT_EQ(v.read_all(*third).reported, lost.size() - 2) << "written or trimmed, a page is lost no more";
  EXPECT_EQ(v.read_all(*third).silent, 0U);
  // Once no page is lost the segment is used again.
  for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn) v.write(*third, lpn, lpn);
  for (std::uint32_t i = 0; i < 2000; ++i) v.write(*third, i * 11 % kRoomyPages, i);
  EXPECT_GT(third->segment(SegmentId{victim}).erase_count, second->segment(SegmentId{victim}).erase_count);
  EXPECT_EQ(v.read_all(*third).good, kRoomyPages);
}

TEST(FmsDamage, a_summary_without_any_header_is_damage_and_not_a_new_volume) {
  for (const int fill : {0x00, 0xFF}) {
    DamagedVolume v;
    for (std::uint32_t segment = 1; segment < 13; ++segment)
      std::fill_n(v.header(segment), header_bytes(v), static_cast<std::byte>(fill));
    FmsSession session(v.flash, v.config);
    EXPECT_EQ(session->mount(0), FtlStatus::read_failed);
    EXPECT_EQ(session->format(0), FtlStatus::ok);
  }
}

TEST(FmsDamage, a_free_segment_is_blank_before_it_is_used) {
  DamagedVolume v;
  FmsSession before(v.flash, v.config);
  ASSERT_EQ(before->mount(0), FtlStatus::ok);
  for (std::uint32_t segment = 1; segment < 13; ++segment)
    if (before->segment(SegmentId{segment}).state == SegmentState::free) v.header(segment)[4000] &= std::byte{0xEF};
  FmsSession session(v.flash, v.config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  // The emulated part stops the process when a cleared bit is to be set.
  for (std::uint32_t i = 0; i < 300; ++i) v.write(*session, i % kRoomyPages, i);
  EXPECT_EQ(v.read_all(*session).good, kRoomyPages);
}

TEST(FmsDamage, bad_segments_of_an_older_volume_stay_out_although_the_fixed_segment_is_lost) {
  FmsConfig config = damage_config();
  EmulatedFlash flash(small_part());
  const std::vector<std::byte> old_page(kPage, std::byte{1});
  const std::vector<std::byte> new_page(kPage, std::byte{2});
  FmsSession first(flash, config);
  ASSERT_EQ(first->format(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn)
    ASSERT_EQ(first->write(lpn * kPage, old_page, {}, 0), FtlStatus::ok);
  flash.fail_at(1, 1);  // the first segment filled: its pages stay in it until cleaning moves them
  ASSERT_EQ(first->write(0, old_page, {}, 0), FtlStatus::ok);
  for (const int fill : {0xFF, 0x00}) {
    std::fill_n(flash.bytes(nor::kFixedSegment), 4096, static_cast<std::byte>(fill));
    FmsSession second(flash, config);
    ASSERT_EQ(second->format(0), FtlStatus::ok);
    ASSERT_EQ(second->write(0, new_page, {}, 0), FtlStatus::ok);
    std::fill_n(flash.bytes(nor::kFixedSegment), 4096, static_cast<std::byte>(fill));
    FmsSession third(flash, config);
    ASSERT_EQ(third->mount(0), FtlStatus::ok);
    EXPECT_EQ(third->stats().bad_segments, 1U);
    std::vector<std::byte> got(kPage);
    ASSERT_EQ(third->read(0, got, 0), FtlStatus::ok);
    EXPECT_EQ(got, new_page);
    ASSERT_EQ(third->read(kPage, got, 0), FtlStatus::ok);
    EXPECT_EQ(got[0], std::byte{0xFF}) << "a page of the older volume";
  }
}

}  // namespace
}  // namespace ftlab::tests
