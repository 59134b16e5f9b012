// Bit errors and the ECC's report of them, wear-out, factory marks.
#include <bit>

#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace ecc = regs::ecc;

/// A part whose pages have about `rate` errors a bit, whatever their type.
OneNandSpec noisy_part(const std::string& rate) {
  auto overrides = ideal();
  overrides[1] = {"errors.base", rate};
  for (const char* key : {"errors.factor_msb", "errors.factor_lsb", "errors.factor_slc"}) {
    overrides.emplace_back(key, "1");
  }
  return onenand_part("flexonenand-4gb", overrides);
}

std::uint16_t ecc_of(OneNandRig& rig, std::uint32_t sector) {
  const std::uint16_t word = rig.read16(reg::kEccStatus1 + sector / 2 * 2);
  return static_cast<std::uint16_t>(word >> (sector % 2 * ecc::kOddShift)) & ecc::kSectorMask;
}

std::uint32_t differing_bits(const OneNandRig::Bytes& a, const OneNandRig::Bytes& b, std::uint32_t sector) {
  int bits = 0;
  for (std::uint32_t i = sector * 512; i < sector * 512 + 512; ++i) {
    bits += std::popcount(std::to_integer<unsigned>(a[i] ^ b[i]));
  }
  return static_cast<std::uint32_t>(bits);
}

TEST(OneNandEcc, corrected_errors_are_reported_one_hot_and_do_not_reach_the_data) {
  OneNandRig rig(noisy_part("0.0003"));
  std::array<int, 5> seen{};
  for (std::uint32_t page = 0; page < 128; ++page) {
    rig.program(5, page);
    const auto errors = rig.core.page_errors(5, page, rig.now);
    const bool good = rig.load(5, page);
    const auto data = rig.data();
    bool lost = false;
    for (std::uint32_t sector = 0; sector < 8; ++sector) {
      const std::uint16_t status_bits = ecc_of(rig, sector);
      const std::uint32_t n = errors[sector];
      lost = lost || n > 4;
      EXPECT_EQ(status_bits, n == 0 ? 0 : n > 4 ? ecc::kUncorrectable : 1U << (n - 1)) << page << " " << sector;
      if (n <= 4) {
        ++seen[n];
        EXPECT_EQ(differing_bits(data, OneNandRig::pattern(page), sector), 0U);
      }
    }
    EXPECT_EQ(good, !lost);
  }
  for (int n = 0; n <= 4; ++n) EXPECT_GT(seen[static_cast<std::size_t>(n)], 0) << n;
}

TEST(OneNandEcc, uncorrectable_sectors_carry_their_errors) {
  OneNandRig rig(noisy_part("0.005"));
  rig.program(5, 0);
  const auto errors = rig.core.page_errors(5, 0, rig.now);
  EXPECT_FALSE(rig.load(5, 0));
  EXPECT_EQ(rig.status_word(), status::kError | status::kLoad);
  const auto data = rig.data();
  std::uint32_t flipped = 0;
  for (std::uint32_t sector = 0; sector < 8; ++sector) {
    const std::uint32_t bits = differing_bits(data, OneNandRig::pattern(0), sector);
    EXPECT_LE(bits, errors[sector]) << "the rest is in the spare slot";
    if (errors[sector] <= 4) {
      EXPECT_EQ(bits, 0U);
    }
    flipped += bits;
  }
  EXPECT_GT(flipped, 20U);
}

TEST(OneNandEcc, switched_off_it_delivers_raw_data_and_reports_nothing) {
  OneNandRig rig(noisy_part("0.0003"));
  for (std::uint32_t page = 0; page < 16; ++page) rig.program(5, page);
  rig.ecc_off();
  std::uint32_t flipped = 0;
  for (std::uint32_t page = 0; page < 16; ++page) {
    EXPECT_TRUE(rig.load(5, page));
    for (std::uint32_t sector = 0; sector < 8; ++sector) {
      flipped += differing_bits(rig.data(), OneNandRig::pattern(page), sector);
      EXPECT_EQ(ecc_of(rig, sector), 0);
    }
  }
  EXPECT_GT(flipped, 50U);
}

TEST(OneNandEcc, page_written_without_code_cannot_be_checked) {
  OneNandRig rig;
  rig.ecc_off();
  ASSERT_TRUE(rig.program(5, 0));
  EXPECT_TRUE(rig.load(5, 0));
  rig.ecc_on();
  EXPECT_FALSE(rig.load(5, 0));
  EXPECT_EQ(rig.read16(reg::kEccStatus1), ecc::kUncorrectableMask);
}

TEST(OneNandEcc, same_errors_come_back_and_depend_on_the_seed) {
  OneNandRig rig(noisy_part("0.0003"), 1);
  OneNandRig same(noisy_part("0.0003"), 1);
  OneNandRig other(noisy_part("0.0003"), 2);
  for (OneNandRig* r : {&rig, &same, &other}) r->program(5, 0);
  EXPECT_EQ(rig.core.page_errors(5, 0, rig.now), rig.core.page_errors(5, 0, rig.now));
  EXPECT_EQ(rig.core.page_errors(5, 0, rig.now), same.core.page_errors(5, 0, same.now));
  EXPECT_NE(rig.core.page_errors(5, 0, rig.now), other.core.page_errors(5, 0, other.now));
}

TEST(OneNandErrors, rate_grows_with_cycles_time_reads_and_page_type) {
  OneNandRig rig(onenand_part());
  rig.core.set_erase_count(5, 5000);
  for (std::uint32_t page = 0; page < 10; ++page) rig.program(5, page);
  const Ticks now = rig.now;
  const Ticks year{std::int64_t{365} * 86400 * 10'000'000'000};
  const double lsb = rig.core.bit_error_rate(5, 2, now);
  const double msb = rig.core.bit_error_rate(5, 4, now);
  const double single = rig.core.bit_error_rate(5, 6, now);  // LSB, partner 12 not programmed
  EXPECT_NEAR(msb / lsb, 3, 1e-6);
  EXPECT_LT(single, lsb / 20);
  EXPECT_GT(rig.core.bit_error_rate(5, 2, now + year), lsb * 3);
  for (int i = 0; i < 1000; ++i) rig.load(5, 9);
  EXPECT_NEAR(rig.core.bit_error_rate(5, 2, now) - lsb, 0.5 * 2e-10 * 1.5, 1e-14);
  // The formula of the part file, at 5000 cycles.
  EXPECT_NEAR(lsb, 0.5 * (1e-8 + 1e-6 * 0.329877), 1e-12);
}

TEST(OneNandWear, times_drift_with_cycles_and_stop_at_the_cap) {
  OneNandRig rig;
  const auto erase_time = [&](std::uint32_t cycles) {
    rig.core.set_erase_count(7, cycles);
    rig.select(7, 0);
    rig.give(command::kErase);
    const Ticks time = rig.core.next_status_change(rig.now) - rig.now;
    rig.wait();
    return time;
  };
  EXPECT_EQ(erase_time(0), ticks_from_ns(500'000));
  EXPECT_EQ(erase_time(5000), ticks_from_ns(750'000));
  rig.core.set_erase_count(7, 5000);
  rig.select(7, 0);
  rig.give(command::kProgram);
  EXPECT_EQ(rig.core.next_status_change(rig.now) - rig.now, ticks_from_ns(240'000 * 0.94));
}

TEST(OneNandWear, worn_segment_fails_in_erase_or_program_and_stays_bad) {
  OneNandRig rig;
  const std::uint32_t rated = rig.core.spec().endurance.rated_mlc;
  int in_erase = 0;
  int in_program = 0;
  for (std::uint32_t segment = 1; segment <= 40; ++segment) {
    EXPECT_EQ(rig.core.endurance_limit(segment), rated);
    rig.core.set_erase_count(segment, rated - 1);
    EXPECT_TRUE(rig.erase(segment)) << "the last promised cycle";
    EXPECT_FALSE(rig.core.is_bad(segment));
    if (!rig.program(segment, 0)) {
      ++in_program;
      EXPECT_EQ(rig.status_word(), status::kError | status::kProgram);
      EXPECT_FALSE(rig.load(segment, 0)) << "what was programmed is garbage";
    } else {
      EXPECT_FALSE(rig.erase(segment));
      EXPECT_EQ(rig.status_word(), status::kError | status::kErase);
      ++in_erase;
    }
    EXPECT_TRUE(rig.core.is_bad(segment));
    EXPECT_FALSE(rig.core.is_factory_bad(segment));
    EXPECT_FALSE(rig.erase(segment));
  }
  EXPECT_GT(in_erase, 5);
  EXPECT_GT(in_program, 5);
}

TEST(OneNandWear, failing_msb_program_damages_the_paired_page) {
  OneNandRig rig;
  std::uint32_t segment = 0;
  do {
    ++segment;
    rig.core.set_erase_count(segment, 0);
    for (std::uint32_t page = 0; page < 4; ++page) ASSERT_TRUE(rig.program(segment, page));
    rig.core.set_erase_count(segment, rig.core.spec().endurance.rated_mlc);
  } while (rig.program(segment, 4));
  EXPECT_FALSE(rig.load(segment, 0));
  EXPECT_TRUE(rig.load(segment, 0, command::kLsbRecoveryRead));
  EXPECT_TRUE(rig.load(segment, 1));
}

TEST(OneNandWear, limits_are_spread_above_the_rating_but_for_the_weak_few) {
  OneNandRig rig(onenand_part());
  std::uint32_t below = 0;
  double sum = 0;
  for (std::uint32_t segment = 0; segment < 1024; ++segment) {
    const std::uint32_t limit = rig.core.endurance_limit(segment);
    if (segment == 0) {
      EXPECT_GE(limit, 50'000U) << "SLC rating";
    } else {
      below += limit < 10'000 ? 1 : 0;
      sum += limit;
    }
  }
  EXPECT_LE(below, 26U);
  EXPECT_NEAR(sum / 1023, 10'000 + 20'000 * 1.083, 1'500);
}

TEST(OneNandBadSegments, factory_marks_stand_in_pages_0_and_1_within_the_reserve) {
  std::uint32_t total = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    OneNandRig rig(onenand_part(), seed);
    std::uint32_t bad = 0;
    for (std::uint32_t segment = 0; segment < 1024; ++segment) {
      if (!rig.core.is_factory_bad(segment)) continue;
      ++bad;
      EXPECT_NE(segment, 0U);
      for (std::uint32_t page : {0U, 1U}) {
        EXPECT_TRUE(rig.load(segment, page));
        EXPECT_NE(rig.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark);
      }
      EXPECT_FALSE(rig.erase(segment));
      EXPECT_TRUE(rig.load(segment, 0));
      EXPECT_NE(rig.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark) << "an erase does not wipe the mark";
      EXPECT_FALSE(rig.program(segment, 5));
    }
    EXPECT_LE(bad, 26U);
    total += bad;
  }
  EXPECT_GT(total, 5U);
}

TEST(OneNandBadSegments, good_segments_show_no_mark) {
  OneNandRig rig(onenand_part());
  std::uint32_t segment = 1;
  while (rig.core.is_factory_bad(segment)) ++segment;
  EXPECT_TRUE(rig.load(segment, 0));
  EXPECT_EQ(rig.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark);
}

TEST(RenewedOneNand, is_as_constructed) {
  OneNandRig rig(onenand_part(), 3);
  const OneNandRig fresh(onenand_part(), 3);
  ASSERT_TRUE(rig.erase(5));
  ASSERT_TRUE(rig.program(5, 0));
  rig.core.renew();
  EXPECT_EQ(rig.core.erase_count(5), 0U);
  EXPECT_FALSE(rig.core.is_programmed(5, 0));
  EXPECT_TRUE(rig.core.locked(5));
  EXPECT_EQ(rig.core.boundary(0), fresh.core.boundary(0));
  for (std::uint32_t segment = 0; segment < rig.core.spec().segments(); ++segment) {
    EXPECT_EQ(rig.core.is_factory_bad(segment), fresh.core.is_factory_bad(segment));
    EXPECT_EQ(rig.core.is_programmed(segment, 0), fresh.core.is_factory_bad(segment)) << "markers alone";
    EXPECT_EQ(rig.core.endurance_limit(segment), fresh.core.endurance_limit(segment));
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
