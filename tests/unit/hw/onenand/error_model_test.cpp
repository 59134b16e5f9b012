// Raw bit errors: how many, where, and that they only ever grow.
#include "hw/onenand/aging/error_model.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "common/toml/toml_file.h"
#include "hw/onenand/array/buffer_ram.h"

namespace ftlab::hw {
namespace {

OneNandSpec calibrated_part(const std::string& base, const std::string& retention = "7889400") {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
  file.set("errors.retention_time", retention, "test");
  file.set("bad_segments.reserve", "0", "test");
  file.set("errors.base", base, "test");
  return load_onenand_spec(file);
}

/// Segment 5 with pages 0 to `last` programmed at time zero, all zeros.
struct Cells {
  explicit Cells(const OneNandSpec& part_spec, std::uint32_t last = 127)
      : spec(part_spec), cells(spec, 1, true), model(spec, 1) {
    const PageBytes blank{};
    for (std::uint32_t page = 0; page <= last; ++page) {
      const bool fast = flexonenand::paired::is_lsb(page);
      cells.store(5, page, page_flag::kProgrammed | page_flag::kParity | (fast ? page_flag::kFast : 0), Ticks::zero(),
                  blank.main, blank.spare);
    }
  }
  [[nodiscard]] int total(std::uint32_t page, Ticks now) const {
    int sum = 0;
    for (const int n : model.errors(cells, 5, page, false, false, now).bits) sum += n;
    return sum;
  }
  OneNandSpec spec;
  CellArray cells;
  ErrorModel model;
};

TEST(BitErrors, mean_number_is_rate_times_bits) {
  const Cells cells(calibrated_part("0.001"));
  double expected = 0;
  int seen = 0;
  for (std::uint32_t page = 0; page < 128; ++page) {
    expected += cells.model.rate(cells.cells.at(5), page, false, Ticks::zero()) * ErrorModel::kSectorBits * 8;
    seen += cells.total(page, Ticks::zero());
  }
  EXPECT_NEAR(seen, expected, 4 * std::sqrt(expected));
}

TEST(BitErrors, fresh_page_has_none) {
  const Cells cells(calibrated_part("1e-8"));
  for (std::uint32_t page = 0; page < 128; ++page) EXPECT_EQ(cells.total(page, Ticks::zero()), 0) << page;
}

TEST(BitErrors, grow_with_retention_and_never_heal) {
  Cells cells(calibrated_part("1e-5"));
  cells.cells.at(5).cycles = 10'000;
  cells.model.refresh(cells.cells.at(5));
  constexpr Ticks kMonth{30LL * 86'400 * 10'000'000'000};
  int last_sum = 0;
  for (int month = 0; month < 240; month += 24) {
    int sum = 0;
    for (std::uint32_t page = 0; page < 128; ++page) sum += cells.total(page, kMonth * month);
    EXPECT_GE(sum, last_sum);
    last_sum = sum;
  }
  EXPECT_GT(last_sum, 100);
}

TEST(BitErrors, do_not_grow_with_time_where_data_keep) {
  Cells cells(calibrated_part("1e-5", "0"));
  cells.cells.at(5).cycles = 10'000;
  cells.model.refresh(cells.cells.at(5));
  constexpr Ticks kYear{365LL * 86'400 * 10'000'000'000};
  const Segment& segment = cells.cells.at(5);
  EXPECT_GT(cells.model.rate(segment, 0, false, Ticks::zero()), 0);
  EXPECT_EQ(cells.model.rate(segment, 0, false, kYear), cells.model.rate(segment, 0, false, Ticks::zero()));
}

TEST(BitErrors, at_rated_life_with_a_year_of_retention_ecc_still_holds) {
  Cells cells(calibrated_part("1e-8"));
  cells.cells.at(5).cycles = 10'000;
  cells.model.refresh(cells.cells.at(5));
  constexpr Ticks kYear{365LL * 86'400 * 10'000'000'000};
  for (std::uint32_t page = 0; page < 128; ++page) {
    EXPECT_FALSE(cells.model.errors(cells.cells, 5, page, false, false, kYear).uncorrectable()) << page;
  }
}

TEST(BitErrors, flipped_bits_are_those_counted_in_each_sector) {
  const Cells cells(calibrated_part("0.005"));
  PageBytes page{};
  const PageErrors errors = cells.model.errors(cells.cells, 5, 3, false, false, Ticks::zero());
  cells.model.flip(cells.cells, 5, 3, errors, 0xFF, page.main, page.spare);
  for (std::uint32_t sector = 0; sector < 8; ++sector) {
    int bits = 0;
    for (std::uint32_t i = 0; i < 512; ++i)
      bits += std::popcount(std::to_integer<unsigned>(page.main[sector * 512 + i]));
    for (std::uint32_t i = 0; i < 16; ++i)
      bits += std::popcount(std::to_integer<unsigned>(page.spare[sector * 16 + i]));
    // Two errors at one place cancel: rare, and always an even number missing.
    EXPECT_LE(bits, errors.bits[sector]);
    EXPECT_EQ((errors.bits[sector] - bits) % 2, 0);
    EXPECT_GE(bits, errors.bits[sector] - 4);
  }
}

TEST(BitErrors, only_named_sectors_are_touched) {
  const Cells cells(calibrated_part("0.005"));
  PageBytes page{};
  const PageErrors errors = cells.model.errors(cells.cells, 5, 3, false, false, Ticks::zero());
  cells.model.flip(cells.cells, 5, 3, errors, 0x04, page.main, page.spare);
  for (std::uint32_t i = 0; i < 4096; ++i) {
    if (i / 512 == 2) continue;
    ASSERT_EQ(page.main[i], std::byte{0}) << i;
  }
}

TEST(BitErrors, status_is_one_hot) {
  PageErrors errors;
  errors.bits = {0, 1, 2, 3, 4, 5, 100, PageErrors::kLost};
  errors.any = true;
  const std::array<std::uint16_t, 8> expected{0, 1, 2, 4, 8, 16, 16, 16};
  for (std::uint32_t sector = 0; sector < 8; ++sector) EXPECT_EQ(errors.status_of(sector), expected[sector]);
  EXPECT_TRUE(errors.uncorrectable());
  errors.bits = {0, 1, 2, 3, 4, 0, 0, 0};
  EXPECT_FALSE(errors.uncorrectable());
}

TEST(BitErrors, blank_page_has_none) {
  const Cells cells(calibrated_part("0.005"), 3);
  EXPECT_EQ(cells.total(50, Ticks::zero()), 0);
}

}  // namespace
}  // namespace ftlab::hw
