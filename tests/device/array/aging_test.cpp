// Retention and read disturb, and reads that say that the data should be written elsewhere.
#include <cmath>

#include "hw/array/aging/error_model.h"
#include "tests/device/array/array_fixture.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw::testing {
namespace {

/// Corrected bits of a read of the first page, the mean of so many; an uncorrectable one counts as none.
double mean_bits(ArrayFixture& fixture, int reads) {
  double bits = 0;
  for (int i = 0; i < reads; ++i) {
    fixture.submit(make(Op::read, 0));
    bits += fixture.wait().corrected_bits;
  }
  return bits / reads;
}

TEST(ArrayAging, data_of_a_worn_segment_lose_with_the_time_since_they_were_programmed) {
  ArrayFixture fixture(
      array_part({{"errors.factor_lsb", "1"}, {"errors.wear", "1e-4"}, {"errors.retention_time", "1"}}));
  fixture.core.set_erase_count(0, 900);
  fixture.run(make(Op::program, 0));
  const double fresh = mean_bits(fixture, 300);
  fixture.now += us(2e6);
  const double old = mean_bits(fixture, 300);
  EXPECT_NEAR(fresh, 2048 * 8 * 1e-4 * 0.845, 0.3);
  EXPECT_NEAR(old, 3 * 2048 * 8 * 1e-4 * 0.845, 0.6) << "two retention times later";
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0));
  EXPECT_NEAR(mean_bits(fixture, 300), fresh, 0.4) << "programmed anew";
}

TEST(ArrayAging, rate_of_worn_cells_is_that_of_wear_cycles_or_of_the_rated_ones) {
  const auto rate = [](const char* wear_cycles) {
    array::ErrorModel model(array_part({{"errors.factor_lsb", "1"},
                                        {"errors.wear", "1e-4"},
                                        {"errors.wear_cycles", wear_cycles},
                                        {"errors.wear_exponent", "1"}}),
                            1);
    return model.rate(0, 1000, {});
  };
  EXPECT_DOUBLE_EQ(rate("0"), 1e-4) << "at the 1,000 rated cycles";
  EXPECT_DOUBLE_EQ(rate("1000"), 1e-4);
  EXPECT_DOUBLE_EQ(rate("500"), 2e-4);
}

TEST(ArrayAging, copies_are_as_fresh_as_their_program) {
  ArrayFixture fixture(
      array_part({{"errors.factor_lsb", "1"}, {"errors.wear", "1e-4"}, {"errors.retention_time", "1"}}));
  fixture.core.set_erase_count(0, 900);
  fixture.core.set_erase_count(1, 900);
  fixture.run(make(Op::program, fixture.page(1, 0)));
  fixture.now += us(9e6);
  fixture.submit(make(Op::copy, fixture.page(1, 0), 0));
  fixture.wait();
  EXPECT_LT(mean_bits(fixture, 300), 2);
}

TEST(ArrayAging, reads_of_a_segment_disturb_it_until_it_is_erased) {
  ArrayFixture fixture(array_part({{"errors.factor_lsb", "1"}, {"errors.disturb", "2e-4"}}));
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::program, 1));
  EXPECT_LT(mean_bits(fixture, 20), 0.3);
  for (int i = 0; i < 2000; ++i) {
    fixture.submit(make(Op::read, 1));
    fixture.wait();
  }
  EXPECT_NEAR(mean_bits(fixture, 100), 2048 * 8 * 4e-4, 1.5) << "by reads of its neighbour";
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0));
  EXPECT_LT(mean_bits(fixture, 20), 0.3);
}

TEST(ArrayAging, a_read_with_nearly_too_many_wrong_bits_in_a_codeword_says_so) {
  ArrayFixture fixture(array_part({{"errors.factor_lsb", "1"}, {"errors.base", "0.0005"}, {"errors.move_bits", "5"}}));
  fixture.run(make(Op::program, 0));
  int told = 0;
  for (int i = 0; i < 300; ++i) {
    fixture.submit(make(Op::read, 0));
    const Completion c = fixture.wait();
    told += c.must_move;
    // Of two codewords.
    if (c.must_move != 0) {
      EXPECT_GE(c.corrected_bits, 5);
    } else {
      EXPECT_LT(c.corrected_bits, 9);
    }
  }
  EXPECT_GT(told, 50);
  EXPECT_LT(told, 250);
}

/// Of 72-layer TLC, all page types alike.
ArrayOverrides power_law(const ArrayOverrides& more = {}) {
  const auto part = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/array-tlc-72l.toml");
  ArrayOverrides all{{"errors.factor_lsb", "1"}, {"errors.factor_msb", "1"}, {"endurance.rated_cycles", "5000"}};
  for (const auto& [key, text] : part.texts("errors")) all.emplace_back("errors." + key, text);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(ArrayAging, power_law_has_rates_by_cycles_days_and_reads_of_each_page) {
  const ArraySpec spec = array_part(power_law());
  array::ErrorModel model(spec, 1);
  EXPECT_NEAR(model.rate(0, 0, {}), 1.48e-3, 1e-9);
  EXPECT_NEAR(model.rate(0, 1000, {.age = std::chrono::hours{24'000}}), 8.916773e-3, 1e-9);
  EXPECT_NEAR(model.rate(0, 1000, {.age = std::chrono::hours{12'000}, .stored_days = 500}), 8.916773e-3, 1e-9);
  EXPECT_NEAR(model.rate(0, 1000, {.reads = 100 * spec.pages_per_segment}), 2.126765e-3, 1e-9);
  EXPECT_NEAR(model.rate(0, 1256, {}), 1.48e-3 + 3.9e-10 * std::pow(1256, 2.05), 1e-9) << "remembered beside 1,000";
  const double read = model.rate(0, 1000, {.reads = 100 * spec.pages_per_segment});
  EXPECT_GT(model.rate(0, 1000, {.reads = 100 * spec.pages_per_segment + 256}), read) << "remembered beside the former";
  EXPECT_EQ(array::ErrorModel(array_part(power_law({{"errors.factor_msb", "2"}})), 1).rate(1, 0, {}), 2 * 1.48e-3);
}

TEST(ArrayAging, reads_of_worn_cells_meet_the_errors_of_the_power_law) {
  ArrayFixture fixture(array_part(
      power_law({{"errors.correctable_bits", "200"}, {"errors.move_bits", "0"}, {"errors.power_law.gamma", "0"}})));
  fixture.core.set_erase_count(0, 3000);
  fixture.run(make(Op::program, 0));
  const double bits = 2048 * 8;
  EXPECT_NEAR(mean_bits(fixture, 400), bits * 6.72e-3, 2);
  fixture.now += std::chrono::hours{24 * 90};
  EXPECT_NEAR(mean_bits(fixture, 400), bits * 8.91e-3, 2);
}

TEST(ArrayAging, data_that_were_stored_before_are_older_than_what_is_written_after) {
  ArrayFixture fixture(array_part(power_law({{"errors.correctable_bits", "300"}, {"errors.move_bits", "0"}})));
  for (const std::uint32_t segment : {0, 1}) fixture.core.set_erase_count(segment, 3000);
  fixture.run(make(Op::program, 0));
  const double bits = 2048 * 8;
  fixture.core.store_data(fixture.now, 365, 500);
  const double read = 3.73e-9 * std::pow(3000, 0.33) * std::pow(500, 1.71);
  EXPECT_NEAR(mean_bits(fixture, 60), bits * (1.14e-2 + read), 6);
  fixture.power_cycle();
  EXPECT_NEAR(mean_bits(fixture, 60), bits * (1.14e-2 + read), 8) << "cells do not care for power";
  fixture.run(make(Op::program, fixture.page(1, 0)));
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0));
  EXPECT_NEAR(mean_bits(fixture, 50), bits * 6.72e-3, 4) << "erased: neither old nor read";
}

/// Completions of copies and reads, of which some report, and the sums of all; `cycles` before.
std::vector<Completion> copied(bool together, std::uint32_t cycles, OperationTotal& loads, OperationTotal& programs) {
  ArrayFixture fixture(array_part(power_law({{"content", "tag"}, {"errors.move_bits", "30"}})),
                       {.seed = 3, .loses_power = !together});
  for (const std::uint32_t segment : {0, 1, 2}) fixture.core.set_erase_count(segment, cycles);
  for (std::uint32_t i = 0; i < 5; ++i) fixture.run(make(Op::program, fixture.page(1, i), array::kNoPage, i));
  fixture.core.store_data(fixture.now, 2, 3);
  fixture.now += std::chrono::hours{24};
  std::vector<Descriptor> burst;
  for (std::uint32_t i = 0; i < 6; ++i) {
    burst.push_back(make(Op::copy, fixture.page(1, 5 - i), fixture.page(0, i)));
    burst.back().report = i % 2;
  }
  burst.push_back(make(Op::read, fixture.page(1, 2)));
  for (std::uint32_t i = 0; i < 6; ++i) burst.push_back(make(Op::read, fixture.page(0, i)));
  fixture.submit(burst);
  std::vector<Completion> all;
  for (Completion c = fixture.wait(); c.op != Op::none; c = fixture.wait()) all.push_back(c);
  fixture.now += std::chrono::hours{240};
  fixture.submit(make(Op::read, fixture.page(0, 0)));
  all.push_back(fixture.wait());
  loads = fixture.total(DeviceOpKind::load);
  programs = fixture.total(DeviceOpKind::buffer_program);
  return all;
}

TEST(ArrayAging, copies_taken_together_are_as_those_one_by_one) {
  for (const std::uint32_t cycles : {0U, 800U, 3000U}) {
    OperationTotal loads[2];
    OperationTotal programs[2];
    const std::vector<Completion> together = copied(true, cycles, loads[0], programs[0]);
    EXPECT_EQ(together, copied(false, cycles, loads[1], programs[1])) << cycles;
    const bool lost = cycles == 3000;  // ECC of this part is not made for that
    EXPECT_EQ(together.size(), lost ? 5U + 7 + 1 : 3U + 7 + 1) << "what is lost says so";
    EXPECT_EQ(loads[0].corrected, loads[1].corrected);
    EXPECT_EQ(loads[0].corrected, lost ? 0U : 5U + 7 + 1) << "all but that of the page that was never programmed";
    EXPECT_EQ(loads[0].busy, loads[1].busy);
    EXPECT_EQ(loads[0].energy, loads[1].energy);
    EXPECT_EQ(programs[0].busy, programs[1].busy);
  }
}

TEST(ArrayAging, segments_differ_by_a_factor_of_their_own_around_the_mean) {
  const ArraySpec spec = array_part(power_law({{"segments", "8192"}, {"variation.errors", "0.3"}}));
  array::ErrorModel model(spec, 1);
  double sum = 0;
  double squares = 0;
  for (std::uint32_t segment = 0; segment < spec.segments; ++segment) {
    const double factor = model.mean_bits(0, {segment, 0}, 0, {}) / (1.48e-3 * spec.page_bytes * 8);
    sum += factor;
    squares += factor * factor;
  }
  EXPECT_NEAR(sum / spec.segments, 1, 0.01);
  EXPECT_NEAR(squares / spec.segments, std::exp(0.3 * 0.3), 0.02);
}

TEST(ArrayAging, layers_differ_by_a_factor_that_all_segments_share) {
  const ArraySpec spec =
      array_part(power_law({{"pages_per_segment", "3072"}, {"layers", "512"}, {"variation.layers", "0.3"}}));
  array::ErrorModel model(spec, 1);
  EXPECT_EQ(spec.wordlines(), 3072U / spec.bits_per_cell);
  const auto factor = [&](std::uint32_t segment, std::uint32_t page) {
    return model.mean_bits(0, {segment, page}, 0, {}) / (1.48e-3 * spec.page_bytes * 8);
  };
  const std::uint32_t of_a_layer = 3072 / 512;
  double sum = 0;
  double squares = 0;
  for (std::uint32_t page = 0; page < spec.pages_per_segment; ++page) {
    EXPECT_EQ(factor(0, page), factor(3, page));
    EXPECT_EQ(factor(0, page), factor(0, page / of_a_layer * of_a_layer)) << page;
    EXPECT_LE(factor(0, page) * 1.48e-3 * spec.page_bytes * 8, model.most_mean_bits(0, 0, 0, {}));
    sum += factor(0, page);
    squares += factor(0, page) * factor(0, page);
  }
  EXPECT_NE(factor(0, 0), factor(0, of_a_layer));
  EXPECT_NEAR(sum / 3072, 1, 0.05);
  EXPECT_NEAR(squares / 3072, std::exp(0.3 * 0.3), 0.1);
}

TEST(ArrayAging, rates_of_both_models_at_once_are_refused) {
  const auto refusal = [](const ArrayOverrides& more) {
    return test::error_text([&] { array_part(power_law(more)); }, "");
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({{"errors.wear", "1e-4"}}).find("errors.wear: is of errors.model = \"parametric\""),
            std::string::npos);
  EXPECT_NE(refusal({{"errors.model", "linear"}}).find("'linear' is none of parametric, power_law"), std::string::npos);
  EXPECT_NE(test::error_text(
                [&] {
                  array_part({{"errors.model", "power_law"}});
                },
                "")
                .find("nine coefficients"),
            std::string::npos);
  EXPECT_EQ(refusal({{"errors.model", "parametric"}, {"errors.wear", "1e-4"}}), "") << "coefficients may wait";
}

}  // namespace
}  // namespace ftlab::hw::testing
