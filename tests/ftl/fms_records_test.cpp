// NOR volumes with page checksums, and records that are intact although no FMS has written them.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "firmware/volume/nor/record_check.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/ftl/fms_pages.h"

namespace ftlab::tests {
namespace {

FmsConfig config_with(bool data_checksum) {
  FmsConfig config = small_config();
  config.logical_pages = kRoomyPages;
  config.data_checksum = data_checksum;
  return config;
}

void write_each(Fms& fms) {
  for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn)
    ASSERT_EQ(fms.write(lpn * kPage, page_of(lpn + 1), {}, 0), FtlStatus::ok);
}

/// Where a page with the content of `lpn` begins.
std::byte* data_of(EmulatedFlash& flash, std::uint32_t lpn) {
  const std::vector<std::byte> content = page_of(lpn + 1);
  for (std::uint32_t segment = 1; segment < 13; ++segment)
    for (std::uint32_t at = 0; at < 4096; at += kPage)
      if (std::memcmp(flash.bytes(segment) + at, content.data(), kPage) == 0) return flash.bytes(segment) + at;
  return nullptr;
}

class ByteProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work kind, std::uint32_t n) override {
    if (kind == Work::checksum_byte) bytes += n;
  }
  std::uint64_t bytes = 0;

 private:
  Cause cause_ = Cause::host;
};

TEST(FmsDataChecksum, a_flipped_data_bit_is_read_failed_whole_in_part_and_under_a_partial_write) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config_with(true));
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  write_each(*session);
  *(data_of(flash, 5) + 100) ^= std::byte{4};
  std::vector<std::byte> got(kPage);
  for (int mount = 0; mount < 2; ++mount) {
    EXPECT_EQ(session->read(5 * kPage, got, 0), FtlStatus::read_failed);
    EXPECT_EQ(session->read(5 * kPage + 200, std::span(got).first(10), 0), FtlStatus::read_failed);
    EXPECT_EQ(session->write(5 * kPage, std::span(got).first(10), {}, 0), FtlStatus::read_failed);
    ASSERT_EQ(session->read(6 * kPage, got, 0), FtlStatus::ok);
    EXPECT_EQ(got, page_of(7));
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
  }
  ASSERT_EQ(session->write(5 * kPage, page_of(9), {}, 0), FtlStatus::ok);
  ASSERT_EQ(session->read(5 * kPage, got, 0), FtlStatus::ok);
  EXPECT_EQ(got, page_of(9));
}

TEST(FmsDataChecksum, cleaning_does_not_make_a_flipped_bit_valid_data) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config_with(true));
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  write_each(*session);
  *(data_of(flash, 5) + 100) ^= std::byte{4};
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const std::uint32_t lpn = 6 + i * 7 % (kRoomyPages - 6);
    ASSERT_EQ(session->write(lpn * kPage, page_of(lpn + 1), {}, 0), FtlStatus::ok) << i;
  }
  std::vector<std::byte> got(kPage);
  EXPECT_EQ(session->read(5 * kPage, got, 0), FtlStatus::read_failed);
  for (std::uint32_t lpn = 0; lpn < kRoomyPages; ++lpn) {
    if (lpn == 5) continue;
    ASSERT_EQ(session->read(lpn * kPage, got, 0), FtlStatus::ok) << lpn;
    ASSERT_EQ(got, page_of(lpn + 1)) << lpn;
  }
}

TEST(FmsDataChecksum, without_it_a_flipped_data_bit_is_data) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config_with(false));
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  write_each(*session);
  *(data_of(flash, 5) + 100) ^= std::byte{4};
  std::vector<std::byte> got(kPage);
  EXPECT_EQ(session->read(5 * kPage, got, 0), FtlStatus::ok);
}

TEST(FmsDataChecksum, each_byte_of_a_page_is_counted_once_a_write_and_once_a_read_however_short) {
  EmulatedFlash flash(small_part());
  ByteProbe probe;
  FmsSession session(flash, config_with(true), &probe);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  ASSERT_EQ(session->write(0, page_of(1), {}, 0), FtlStatus::ok);
  EXPECT_EQ(std::exchange(probe.bytes, 0U), kPage);
  std::vector<std::byte> got(kPage);
  ASSERT_EQ(session->read(0, got, 0), FtlStatus::ok);
  EXPECT_EQ(std::exchange(probe.bytes, 0U), kPage);
  ASSERT_EQ(session->read(17, std::span(got).first(1), 0), FtlStatus::ok);
  EXPECT_EQ(std::exchange(probe.bytes, 0U), kPage);
  ASSERT_EQ(session->read(kPage, got, 0), FtlStatus::ok);
  EXPECT_EQ(probe.bytes, 0U) << "a page that was never written";
}

TEST(FmsDataChecksum, is_part_of_the_layout) {
  for (const bool first : {false, true}) {
    EmulatedFlash flash(small_part());
    FmsSession session(flash, config_with(first));
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    write_each(*session);
    EXPECT_EQ(FmsSession(flash, config_with(!first))->mount(0), FtlStatus::bad_config);
    std::fill_n(flash.bytes(nor::kFixedSegment), 4096, std::byte{0});
    EXPECT_EQ(FmsSession(flash, config_with(!first))->mount(0), FtlStatus::bad_config);
    EXPECT_EQ(FmsSession(flash, config_with(first))->mount(0), FtlStatus::ok);
  }
}

TEST(FmsFormatVersion, an_older_one_is_refused) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config_with(false));
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  nor::Superblock summary;
  std::memcpy(&summary, flash.bytes(nor::kFixedSegment), sizeof summary);
  summary.version = 1;
  nor::seal(summary);
  std::memcpy(flash.bytes(nor::kFixedSegment), &summary, sizeof summary);
  EXPECT_EQ(FmsSession(flash, config_with(false))->mount(0), FtlStatus::bad_config);
}

/// Changes the newest entry of page 5 and seals it, mounts, works, mounts again; what the page answers after the first
/// mount.
FtlStatus craft_entry(const std::function<void(nor::CheckedEntry&)>& change, std::vector<std::byte>& got) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config_with(false));
  EXPECT_EQ(session->format(0), FtlStatus::ok);
  write_each(*session);
  const std::uint32_t volume = 1;
  for (std::uint32_t segment = 1; segment < 13; ++segment) {
    for (std::uint32_t slot = 0; slot < 13; ++slot) {
      std::byte* const at = flash.bytes(segment) + nor::kEntriesOffset + 32 * slot;
      nor::CheckedEntry entry;
      std::memcpy(static_cast<void*>(&entry), at, 32);
      if (!nor::intact(entry, volume) || entry.lpn != 5) continue;
      change(entry);
      nor::seal(entry, volume);
      std::memcpy(at, &entry, 32);
    }
  }
  FmsSession second(flash, config_with(false));
  EXPECT_EQ(second->mount(0), FtlStatus::ok);
  const char* broken = second->self_check();
  EXPECT_EQ(broken, nullptr) << broken;
  if (second->write(7 * kPage, page_of(77), {}, 0) == FtlStatus::ok) {
    EXPECT_EQ(second->write(7 * kPage, page_of(78), {}, 0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < 500; ++i)
      EXPECT_EQ(second->write((8 + i * 7 % 40) * kPage, page_of(i), {}, 0), FtlStatus::ok);
    broken = second->self_check();
    EXPECT_EQ(broken, nullptr) << broken;
    FmsSession third(flash, config_with(false));
    EXPECT_EQ(third->mount(0), FtlStatus::ok);
    got.resize(kPage);
    EXPECT_EQ(third->read(7 * kPage, got, 0), FtlStatus::ok);
    EXPECT_EQ(got, page_of(78)) << "an acknowledged write";
  }
  got.assign(kPage, std::byte{0});
  const FtlStatus status = second->read(5 * kPage, got, 0);
  (void)second->write(5 * kPage, page_of(99), {}, 0);
  broken = second->self_check();
  EXPECT_EQ(broken, nullptr) << broken;
  return status;
}

TEST(FmsCraftedRecords, an_entry_without_updates_counts_as_written_once) {
  std::vector<std::byte> got;
  EXPECT_EQ(craft_entry([](auto& entry) { entry.updates = 0; }, got), FtlStatus::ok);
  EXPECT_EQ(got, page_of(6));
}

TEST(FmsCraftedRecords, an_entry_with_the_most_updates_stays_at_them) {
  std::vector<std::byte> got;
  EXPECT_EQ(craft_entry([](auto& entry) { entry.updates = 0xFFFFFFFF; }, got), FtlStatus::ok);
  EXPECT_EQ(got, page_of(6));
}

TEST(FmsCraftedRecords, entries_that_no_fms_writes_are_damage) {
  std::vector<std::byte> got;
  for (const std::uint64_t number : {std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_EQ(craft_entry([&](auto& entry) { entry.sequence = number; }, got), FtlStatus::read_failed);
    EXPECT_EQ(craft_entry([&](auto& entry) { entry.stamp = number; }, got), FtlStatus::read_failed);
  }
  EXPECT_EQ(craft_entry([](auto& entry) { entry.sequence = 0; }, got), FtlStatus::read_failed);
  EXPECT_EQ(craft_entry([](auto& entry) { entry.lpn = kRoomyPages; }, got), FtlStatus::read_failed);
}

TEST(FmsCraftedRecords, a_stamp_from_the_far_future_harms_nothing) {
  std::vector<std::byte> got;
  EXPECT_EQ(craft_entry([](auto& entry) { entry.stamp = nor::kNumberLimit - 1; }, got), FtlStatus::ok);
  EXPECT_EQ(got, page_of(6));
}

TEST(FmsCraftedRecords, a_volume_whose_sequence_numbers_run_out_is_read_only) {
  std::vector<std::byte> got;
  EXPECT_EQ(craft_entry([](auto& entry) { entry.sequence = nor::kNumberLimit - 1; }, got), FtlStatus::ok);
  EXPECT_EQ(got, page_of(6));
}

TEST(FmsCraftedRecords, of_two_copies_with_one_sequence_number_one_counts) {
  std::vector<std::byte> got;
  EXPECT_EQ(craft_entry([](auto& entry) { entry.lpn = 6; }, got), FtlStatus::ok);
  EXPECT_EQ(got, page_of(0xFF));
}

TEST(FmsCraftedRecords, log_entries_of_no_data_segment_are_passed_over) {
  for (const std::uint32_t segment : {0U, 13U, 0xFFFFFFFFU}) {
    for (const std::uint16_t stream : {0, 1, 2, 3, 0xFFFF}) {
      for (const std::uint32_t count : {5U, 0x80000000U, 0xFFFFFFFFU}) {
        EmulatedFlash flash(small_part());
        FmsSession session(flash, config_with(false));
        ASSERT_EQ(session->format(0), FtlStatus::ok);
        write_each(*session);
        std::uint32_t at = nor::log_offset(13);
        while (flash.bytes(nor::kFixedSegment)[at] != std::byte{0xFF} ||
               flash.bytes(nor::kFixedSegment)[at + 15] != std::byte{0xFF})
          at += 16;
        nor::LogEntry entry;
        entry.stream = stream;
        entry.segment = segment;
        entry.erase_count = count;
        nor::seal(entry);
        std::memcpy(flash.bytes(nor::kFixedSegment) + at, &entry, sizeof entry);
        FmsSession next(flash, config_with(false));
        ASSERT_EQ(next->mount(0), FtlStatus::ok);
        ASSERT_EQ(next->self_check(), nullptr);
        for (std::uint32_t s = 0; s < 13; ++s)
          ASSERT_EQ(next->segment(SegmentId{s}).erase_count, session->segment(SegmentId{s}).erase_count);
        write_each(*next);
      }
    }
  }
}

TEST(FmsRecords, of_another_volume_are_not_put_right_into_this_one_however_alike_the_numbers_are) {
  for (std::uint32_t volume = 1; volume < 64; ++volume) {
    nor::CheckedEntry entry;
    entry.lpn = 5;
    entry.updates = 1;
    entry.stamp = 7;
    entry.sequence = 9;
    nor::seal(entry, volume);
    for (std::uint32_t other = 1; other < 64; ++other) {
      nor::CheckedEntry read = entry;
      EXPECT_EQ(nor::readable(nor::examine(read, other, kRoomyPages)), other == volume) << volume << " as " << other;
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
