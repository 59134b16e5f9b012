// What drivers of the time do and rely on: partition access with ECC on, one core reset for both dies, segment numbers
// over both dies, the unique identifier, bad-block markers.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint32_t kPerDie = 1024;
constexpr std::uint16_t kAllUncorrectable = regs::ecc::kUncorrectableMask;

std::array<std::uint16_t, 4> ecc_status(OneNandFixture& fixture) {
  return {fixture.read16(reg::kEccStatus1), fixture.read16(reg::kEccStatus2), fixture.read16(reg::kEccStatus3),
          fixture.read16(reg::kEccStatus4)};
}

OneNandFixture::Bytes page_with_word(std::uint16_t word) {
  OneNandFixture::Bytes page(regs::kPageBytes, std::byte{0xFF});
  page[0] = static_cast<std::byte>(word & 0xFF);
  page[1] = static_cast<std::byte>(word >> 8);
  return page;
}

TEST(OneNandPartitionWithEcc, load_brings_the_word_and_says_that_it_has_no_code) {
  OneNandFixture fixture;
  ASSERT_TRUE(fixture.run(command::kPartitionAccess));
  EXPECT_FALSE(fixture.load(0, 0)) << "written with ECC off at the factory";
  EXPECT_EQ(fixture.read16(regs::area::kDataRam), regs::partition::kFactory);
  EXPECT_EQ(ecc_status(fixture)[0], kAllUncorrectable);
  fixture.ecc_off();
  EXPECT_TRUE(fixture.load(0, 0));
  EXPECT_EQ(fixture.read16(regs::area::kDataRam), regs::partition::kFactory);
  EXPECT_EQ(ecc_status(fixture)[0], 0);
}

TEST(OneNandPartitionWithEcc, block_is_erased_with_ecc_on_and_programmed_with_ecc_off) {
  OneNandFixture fixture;
  ASSERT_TRUE(fixture.run(command::kPartitionAccess));
  EXPECT_TRUE(fixture.erase(0)) << "an erase has no ECC";
  EXPECT_TRUE(fixture.load(0, 0)) << "blank pages are clean";
  EXPECT_EQ(fixture.read16(regs::area::kDataRam), 0xFFFF);
  fixture.ecc_off();
  EXPECT_TRUE(fixture.program(0, 0, page_with_word(0xFC00 | 20)));
  EXPECT_TRUE(fixture.run(command::kPartitionUpdate));
  EXPECT_TRUE(fixture.run(command::kCoreReset));
  EXPECT_EQ(fixture.core.boundary(0), 20U);
}

TEST(OneNandPartitionWithEcc, boundary_is_set_without_ever_switching_ecc_off) {
  for (const std::uint16_t word : {0xFC00 | 20, 0xC000 | 20}) {
    OneNandFixture fixture;
    ASSERT_TRUE(fixture.run(command::kPartitionAccess));
    EXPECT_TRUE(fixture.erase(0));
    EXPECT_TRUE(fixture.program(0, 0, page_with_word(word)));
    EXPECT_TRUE(fixture.load(0, 0)) << "this one has its code";
    EXPECT_EQ(fixture.read16(regs::area::kDataRam), word);
    EXPECT_EQ(ecc_status(fixture), (std::array<std::uint16_t, 4>{}));
    EXPECT_TRUE(fixture.run(command::kPartitionUpdate));
    EXPECT_TRUE(fixture.run(command::kCoreReset));
    EXPECT_EQ(fixture.core.boundary(0), 20U);
    EXPECT_TRUE(fixture.core.is_slc(20));
    EXPECT_FALSE(fixture.core.is_slc(21));
  }
}

class OneNandTwoDies : public ::testing::Test {
 protected:
  void enter_on_both(std::uint16_t access) {
    for (std::uint32_t die = 0; die < 2; ++die) {
      fixture.select(die * kPerDie, 0);
      ASSERT_TRUE(fixture.run(access));
    }
  }
  void expect_array_on_both() {
    for (std::uint32_t die = 0; die < 2; ++die) {
      EXPECT_TRUE(fixture.load(die * kPerDie + 5, 0)) << die;
      EXPECT_EQ(fixture.data(), OneNandFixture::pattern(die)) << die;
    }
  }
  void SetUp() override {
    for (std::uint32_t die = 0; die < 2; ++die) {
      ASSERT_TRUE(fixture.program(die * kPerDie + 5, 0, OneNandFixture::pattern(die)));
    }
  }
  OneNandFixture fixture{onenand_part("flexonenand-8gb-ddp", ideal())};
};

TEST_F(OneNandTwoDies, one_core_reset_ends_partition_and_otp_access_on_both) {
  for (const std::uint16_t access : {command::kPartitionAccess, command::kOtpAccess}) {
    for (const std::uint32_t selected : {0U, kPerDie}) {
      enter_on_both(access);
      fixture.select(selected, 0);
      EXPECT_TRUE(fixture.run(command::kCoreReset));
      EXPECT_EQ(fixture.int_word() & interrupt::kReset, interrupt::kReset);
      expect_array_on_both();
    }
  }
}

TEST_F(OneNandTwoDies, core_reset_for_each_die_ends_its_access) {
  enter_on_both(command::kPartitionAccess);
  for (const std::uint32_t die : {1U, 0U}) {
    fixture.select(die * kPerDie, 0);
    EXPECT_TRUE(fixture.run(command::kCoreReset));
  }
  expect_array_on_both();
}

TEST_F(OneNandTwoDies, access_is_entered_on_the_addressed_die_alone) {
  fixture.select(kPerDie, 0);
  ASSERT_TRUE(fixture.run(command::kPartitionAccess));
  EXPECT_TRUE(fixture.load(5, 0));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(0));
  fixture.load(kPerDie + 5, 0);
  EXPECT_EQ(fixture.read16(regs::area::kDataRam), regs::partition::kFactory);
}

TEST_F(OneNandTwoDies, core_reset_ends_work_on_the_addressed_die_alone) {
  fixture.select(kPerDie + 5, 0);
  fixture.give(command::kErase);
  fixture.select(0, 0);
  EXPECT_TRUE(fixture.run(command::kCoreReset));
  fixture.select(kPerDie + 5, 0);
  EXPECT_EQ(fixture.status_word(), status::kOnGo | status::kErase);
  fixture.wait();
  EXPECT_FALSE(fixture.failed());
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kErase);
  EXPECT_FALSE(fixture.core.is_programmed(kPerDie + 5, 0));
  EXPECT_TRUE(fixture.program(kPerDie + 5, 0)) << "no noise of a half-done erase";
}

TEST_F(OneNandTwoDies, lock_commands_take_segment_numbers_over_both_dies) {
  fixture.select(kPerDie + 7, 0);
  fixture.write16(reg::kStartBlock, kPerDie + 7);
  EXPECT_TRUE(fixture.run(command::kLock));
  for (std::uint32_t segment = 0; segment < 2 * kPerDie; ++segment) {
    EXPECT_EQ(fixture.core.locked(segment), segment == kPerDie + 7) << segment;
  }
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), regs::protect::kLocked);
  EXPECT_EQ(fixture.read16(reg::kStartBlock), kPerDie + 7) << "the register keeps what was written";
  EXPECT_FALSE(fixture.erase(kPerDie + 7));
  fixture.write16(reg::kStartBlock, kPerDie + 7);
  EXPECT_TRUE(fixture.run(command::kUnlock));
  EXPECT_TRUE(fixture.erase(kPerDie + 7));
}

TEST_F(OneNandTwoDies, every_segment_is_locked_and_unlocked_by_its_number_over_both_dies) {
  for (std::uint32_t segment = 0; segment < 2 * kPerDie; ++segment) {
    fixture.select(segment, 0);
    fixture.write16(reg::kStartBlock, static_cast<std::uint16_t>(segment));
    EXPECT_TRUE(fixture.run(command::kLock));
    EXPECT_EQ(fixture.read16(reg::kWriteProtect), regs::protect::kLocked) << segment;
    EXPECT_TRUE(fixture.run(command::kUnlock));
    EXPECT_EQ(fixture.read16(reg::kWriteProtect), regs::protect::kUnlocked) << segment;
  }
}

TEST_F(OneNandTwoDies, array_address_takes_segment_numbers_over_both_dies) {
  fixture.select(kPerDie + 5, 0);
  fixture.write16(reg::kStartAddress1, static_cast<std::uint16_t>(regs::start_address::kDie | (kPerDie + 5)));
  EXPECT_TRUE(fixture.run(command::kLoad));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(1));
}

TEST(OneNandRefusedLoad, leaves_no_ecc_status_of_an_earlier_one) {
  OneNandFixture fixture;
  fixture.ecc_off();
  ASSERT_TRUE(fixture.program(0, 0));
  fixture.ecc_on();
  const auto leave_status = [&] {
    EXPECT_FALSE(fixture.load(0, 0)) << "written without a code";
    EXPECT_EQ(ecc_status(fixture)[3], kAllUncorrectable);
  };
  const auto expect_none = [&] {
    EXPECT_EQ(fixture.status_word(), status::kError | status::kLoad);
    EXPECT_EQ(ecc_status(fixture), (std::array<std::uint16_t, 4>{}));
  };
  leave_status();
  EXPECT_FALSE(fixture.load(0, 64)) << "behind the last page of an SLC segment";
  expect_none();
  leave_status();
  EXPECT_FALSE(fixture.load(0, 1, command::kSuperload)) << "asynchronous";
  expect_none();
  leave_status();
  fixture.select(0, 0);
  fixture.write16(reg::kStartBuffer, 0x0801);
  EXPECT_FALSE(fixture.run(command::kLsbRecoveryRead));
  expect_none();
}

TEST(OneNandUniqueId, page_holds_eight_copies_with_complement_and_a_signature) {
  namespace otp = regs::otp;
  OneNandFixture fixture(onenand_part("flexonenand-8gb-ddp", ideal()));
  std::array<OneNandFixture::Bytes, 2> ids;
  for (std::uint32_t die = 0; die < 2; ++die) {
    fixture.select(die * kPerDie, 0);
    ASSERT_TRUE(fixture.run(command::kOtpAccess));
    fixture.ecc_off();
    ASSERT_TRUE(fixture.load(die * kPerDie, otp::kUniqueIdPage));
    const auto main = fixture.data();
    const auto spare = fixture.spare();
    ids[die].assign(main.begin(), main.begin() + otp::kUniqueIdBytes);
    for (std::uint32_t i = 0; i < otp::kUniqueIdBytes; ++i) {
      for (std::uint32_t copy = 0; copy < otp::kUniqueIdCopies; ++copy) {
        EXPECT_EQ(main[64 * copy + i], ids[die][i]) << copy << " " << i;
        EXPECT_EQ(main[64 * copy + 32 + i], ~ids[die][i]) << copy << " " << i;
      }
    }
    for (std::uint32_t i = 512; i < regs::kPageBytes; ++i) EXPECT_EQ(main[i], std::byte{0xFF}) << i;
    for (std::uint32_t i = 0; i < regs::kSpareBytes; ++i) {
      const std::byte signature{static_cast<unsigned char>(i % 4 < 2 ? 0x55 : 0xAA)};
      EXPECT_EQ(spare[i], i < 16 ? signature : std::byte{0xFF}) << i;
    }
    fixture.ecc_on();
    EXPECT_TRUE(fixture.load(die * kPerDie, otp::kUniqueIdPage)) << "no matter whether ECC is on";
    EXPECT_EQ(fixture.data(), main);
    ASSERT_TRUE(fixture.run(command::kCoreReset));
  }
  EXPECT_NE(ids[0], ids[1]) << "each die has its own";
}

TEST(OneNandMarkers, scan_finds_every_good_and_every_bad_segment_of_both_dies) {
  Overrides some_bad = ideal();
  some_bad[0] = {"bad_segments.reserve", "26"};
  some_bad.emplace_back("bad_segments.initial_share", "0.02");
  OneNandFixture fixture(onenand_part("flexonenand-8gb-ddp", some_bad));
  // As a driver starts: boundaries of both dies, then one core reset.
  for (std::uint32_t die = 0; die < 2; ++die) {
    fixture.select(die * kPerDie, 0);
    ASSERT_TRUE(fixture.run(command::kPartitionAccess));
    fixture.load(die * kPerDie, 0);
    EXPECT_EQ(fixture.read16(regs::area::kDataRam), regs::partition::kFactory);
  }
  ASSERT_TRUE(fixture.run(command::kCoreReset));
  std::array<std::uint32_t, 2> bad{};
  for (std::uint32_t segment = 0; segment < 2 * kPerDie; ++segment) {
    for (const std::uint32_t page : {0U, 1U}) {
      EXPECT_TRUE(fixture.load(segment, page));
      const bool marked = fixture.read16(regs::area::kDataSpare) != regs::spare_slot::kGoodMark;
      EXPECT_EQ(marked, fixture.core.is_factory_bad(segment)) << segment << " page " << page;
      bad[segment / kPerDie] += marked ? 1 : 0;
    }
  }
  EXPECT_GT(bad[0], 0U);
  EXPECT_GT(bad[1], 0U);
}

TEST(OneNandMarkers, marker_over_a_written_page_is_refused_and_taken_after_an_erase) {
  OneNandFixture fixture;
  ASSERT_TRUE(fixture.program(5, 0, OneNandFixture::pattern(1)));
  ASSERT_TRUE(fixture.program(5, 1));
  const auto mark_page_0 = [&] {
    OneNandFixture::Bytes spare(regs::kSpareBytes, std::byte{0xFF});
    spare[0] = spare[1] = std::byte{0};
    fixture.select(5, 0);
    fixture.fill(OneNandFixture::Bytes(regs::kPageBytes, std::byte{0xFF}), spare);
    return fixture.run(command::kProgram);
  };
  EXPECT_FALSE(mark_page_0()) << "one program a page, pages ascending";
  EXPECT_EQ(fixture.status_word(), status::kError | status::kProgram);
  EXPECT_TRUE(fixture.load(5, 0));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(1));
  EXPECT_EQ(fixture.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark);
  ASSERT_TRUE(fixture.erase(5));
  EXPECT_TRUE(mark_page_0());
  EXPECT_TRUE(fixture.load(5, 0));
  EXPECT_EQ(fixture.read16(regs::area::kDataSpare), 0);
}

}  // namespace
}  // namespace ftlab::hw::testing
