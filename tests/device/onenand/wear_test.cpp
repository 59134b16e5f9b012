// Bit errors and the ECC's report of them, wear-out, factory markers.
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

std::uint16_t ecc_of(OneNandFixture& fixture, std::uint32_t sector) {
  const std::uint16_t word = fixture.read16(reg::kEccStatus1 + sector / 2 * 2);
  return static_cast<std::uint16_t>(word >> (sector % 2 * ecc::kOddShift)) & ecc::kSectorMask;
}

std::uint32_t differing_bits(const OneNandFixture::Bytes& a, const OneNandFixture::Bytes& b, std::uint32_t sector) {
  int bits = 0;
  for (std::uint32_t i = sector * 512; i < sector * 512 + 512; ++i) {
    bits += std::popcount(std::to_integer<unsigned>(a[i] ^ b[i]));
  }
  return static_cast<std::uint32_t>(bits);
}

TEST(OneNandEcc, corrected_errors_are_reported_one_hot_and_do_not_reach_the_data) {
  OneNandFixture fixture(noisy_part("0.0003"));
  std::array<int, 5> seen{};
  for (std::uint32_t page = 0; page < 128; ++page) {
    fixture.program(5, page);
    const auto errors = fixture.core.page_errors(5, page, fixture.now);
    const bool good = fixture.load(5, page);
    const auto data = fixture.data();
    bool lost = false;
    for (std::uint32_t sector = 0; sector < 8; ++sector) {
      const std::uint16_t status_bits = ecc_of(fixture, sector);
      const std::uint32_t n = errors[sector];
      lost = lost || n > 4;
      EXPECT_EQ(status_bits, n == 0 ? 0 : n > 4 ? ecc::kUncorrectable : 1U << (n - 1)) << page << " " << sector;
      if (n <= 4) {
        ++seen[n];
        EXPECT_EQ(differing_bits(data, OneNandFixture::pattern(page), sector), 0U);
      }
    }
    EXPECT_EQ(good, !lost);
  }
  for (int n = 0; n <= 4; ++n) EXPECT_GT(seen[static_cast<std::size_t>(n)], 0) << n;
}

TEST(OneNandEcc, uncorrectable_sectors_carry_their_errors) {
  OneNandFixture fixture(noisy_part("0.005"));
  fixture.program(5, 0);
  const auto errors = fixture.core.page_errors(5, 0, fixture.now);
  EXPECT_FALSE(fixture.load(5, 0));
  EXPECT_EQ(fixture.status_word(), status::kError | status::kLoad);
  const auto data = fixture.data();
  std::uint32_t flipped = 0;
  for (std::uint32_t sector = 0; sector < 8; ++sector) {
    const std::uint32_t bits = differing_bits(data, OneNandFixture::pattern(0), sector);
    EXPECT_LE(bits, errors[sector]) << "the rest is in the spare slot";
    if (errors[sector] <= 4) {
      EXPECT_EQ(bits, 0U);
    }
    flipped += bits;
  }
  EXPECT_GT(flipped, 20U);
}

TEST(OneNandEcc, switched_off_it_delivers_raw_data_and_reports_nothing) {
  OneNandFixture fixture(noisy_part("0.0003"));
  for (std::uint32_t page = 0; page < 16; ++page) fixture.program(5, page);
  fixture.ecc_off();
  std::uint32_t flipped = 0;
  for (std::uint32_t page = 0; page < 16; ++page) {
    EXPECT_TRUE(fixture.load(5, page));
    for (std::uint32_t sector = 0; sector < 8; ++sector) {
      flipped += differing_bits(fixture.data(), OneNandFixture::pattern(page), sector);
      EXPECT_EQ(ecc_of(fixture, sector), 0);
    }
  }
  EXPECT_GT(flipped, 50U);
}

TEST(OneNandEcc, same_errors_come_back_and_depend_on_the_seed) {
  OneNandFixture fixture(noisy_part("0.0003"), 1);
  OneNandFixture same(noisy_part("0.0003"), 1);
  OneNandFixture other(noisy_part("0.0003"), 2);
  for (OneNandFixture* r : {&fixture, &same, &other}) r->program(5, 0);
  EXPECT_EQ(fixture.core.page_errors(5, 0, fixture.now), fixture.core.page_errors(5, 0, fixture.now));
  EXPECT_EQ(fixture.core.page_errors(5, 0, fixture.now), same.core.page_errors(5, 0, same.now));
  EXPECT_NE(fixture.core.page_errors(5, 0, fixture.now), other.core.page_errors(5, 0, other.now));
}

TEST(OneNandErrors, rate_grows_with_cycles_time_reads_and_page_type) {
  OneNandFixture fixture(onenand_part());
  fixture.core.set_erase_count(5, 5000);
  for (std::uint32_t page = 0; page < 10; ++page) fixture.program(5, page);
  const Ticks now = fixture.now;
  const Ticks year{std::int64_t{365} * 86400 * 10'000'000'000};
  const double lsb = fixture.core.bit_error_rate(5, 2, now);
  const double msb = fixture.core.bit_error_rate(5, 4, now);
  const double single = fixture.core.bit_error_rate(5, 6, now);  // LSB, partner 12 not programmed
  EXPECT_NEAR(msb / lsb, 3, 1e-6);
  EXPECT_LT(single, lsb / 20);
  EXPECT_GT(fixture.core.bit_error_rate(5, 2, now + year), lsb * 3);
  for (int i = 0; i < 1000; ++i) fixture.load(5, 9);
  EXPECT_NEAR(fixture.core.bit_error_rate(5, 2, now) - lsb, 0.5 * 2e-10 * 1.5, 1e-14);
  // The formula of the part file, at 5000 cycles.
  EXPECT_NEAR(lsb, 0.5 * (1e-8 + 1e-6 * 0.329877), 1e-12);
}

TEST(OneNandWear, times_drift_with_cycles_and_stop_at_the_cap) {
  OneNandFixture fixture;
  const auto erase_time = [&](std::uint32_t cycles) {
    fixture.core.set_erase_count(7, cycles);
    fixture.select(7, 0);
    fixture.give(command::kErase);
    const Ticks time = fixture.core.next_status_change(fixture.now) - fixture.now;
    fixture.wait();
    return time;
  };
  EXPECT_EQ(erase_time(0), ticks_from_ns(500'000));
  EXPECT_EQ(erase_time(5000), ticks_from_ns(750'000));
  fixture.core.set_erase_count(7, 5000);
  fixture.select(7, 0);
  fixture.give(command::kProgram);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now) - fixture.now, ticks_from_ns(240'000 * 0.94));
}

TEST(OneNandWear, worn_segment_fails_in_erase_or_program_and_stays_bad) {
  OneNandFixture fixture;
  const std::uint32_t rated = fixture.core.spec().endurance.rated_mlc;
  int in_erase = 0;
  int in_program = 0;
  for (std::uint32_t segment = 1; segment <= 40; ++segment) {
    EXPECT_EQ(fixture.core.endurance_limit(segment), rated);
    fixture.core.set_erase_count(segment, rated - 1);
    EXPECT_TRUE(fixture.erase(segment)) << "the last promised cycle";
    EXPECT_FALSE(fixture.core.is_bad(segment));
    if (!fixture.program(segment, 0)) {
      ++in_program;
      EXPECT_EQ(fixture.status_word(), status::kError | status::kProgram);
      EXPECT_FALSE(fixture.load(segment, 0)) << "what was programmed is garbage";
    } else {
      EXPECT_FALSE(fixture.erase(segment));
      EXPECT_EQ(fixture.status_word(), status::kError | status::kErase);
      ++in_erase;
    }
    EXPECT_TRUE(fixture.core.is_bad(segment));
    EXPECT_FALSE(fixture.core.is_factory_bad(segment));
    EXPECT_FALSE(fixture.erase(segment));
  }
  EXPECT_GT(in_erase, 5);
  EXPECT_GT(in_program, 5);
}

TEST(OneNandWear, failing_msb_program_damages_the_paired_page) {
  OneNandFixture fixture;
  std::uint32_t segment = 0;
  do {
    ++segment;
    fixture.core.set_erase_count(segment, 0);
    for (std::uint32_t page = 0; page < 4; ++page) ASSERT_TRUE(fixture.program(segment, page));
    fixture.core.set_erase_count(segment, fixture.core.spec().endurance.rated_mlc);
  } while (fixture.program(segment, 4));
  EXPECT_FALSE(fixture.load(segment, 0));
  EXPECT_TRUE(fixture.load(segment, 0, command::kLsbRecoveryRead));
  EXPECT_TRUE(fixture.load(segment, 1));
}

TEST(OneNandWear, limits_are_spread_above_the_rating_but_for_the_weak_few) {
  OneNandFixture fixture(onenand_part());
  std::uint32_t below = 0;
  double sum = 0;
  for (std::uint32_t segment = 0; segment < 1024; ++segment) {
    const std::uint32_t limit = fixture.core.endurance_limit(segment);
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

TEST(OneNandBadSegments, factory_markers_stand_in_pages_0_and_1_within_the_reserve) {
  std::uint32_t total = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    OneNandFixture fixture(onenand_part(), seed);
    std::uint32_t bad = 0;
    for (std::uint32_t segment = 0; segment < 1024; ++segment) {
      if (!fixture.core.is_factory_bad(segment)) continue;
      ++bad;
      EXPECT_NE(segment, 0U);
      for (std::uint32_t page : {0U, 1U}) {
        EXPECT_TRUE(fixture.load(segment, page));
        EXPECT_NE(fixture.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark);
      }
      EXPECT_FALSE(fixture.erase(segment));
      EXPECT_TRUE(fixture.load(segment, 0));
      EXPECT_NE(fixture.read16(regs::area::kDataSpare), regs::spare_slot::kGoodMark)
          << "an erase does not wipe the mark";
      EXPECT_FALSE(fixture.program(segment, 5));
    }
    EXPECT_LE(bad, 26U);
    total += bad;
  }
  EXPECT_GT(total, 5U);
}

TEST(RenewedOneNand, is_as_constructed) {
  OneNandFixture fixture(onenand_part(), 3);
  const OneNandFixture fresh(onenand_part(), 3);
  ASSERT_TRUE(fixture.erase(5));
  ASSERT_TRUE(fixture.program(5, 0));
  fixture.core.renew();
  EXPECT_EQ(fixture.core.erase_count(5), 0U);
  EXPECT_FALSE(fixture.core.is_programmed(5, 0));
  EXPECT_TRUE(fixture.core.locked(5));
  EXPECT_EQ(fixture.core.boundary(0), fresh.core.boundary(0));
  for (std::uint32_t segment = 0; segment < fixture.core.spec().segments(); ++segment) {
    EXPECT_EQ(fixture.core.is_factory_bad(segment), fresh.core.is_factory_bad(segment));
    EXPECT_EQ(fixture.core.is_programmed(segment, 0), fresh.core.is_factory_bad(segment)) << "markers alone";
    EXPECT_EQ(fixture.core.endurance_limit(segment), fresh.core.endurance_limit(segment));
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
