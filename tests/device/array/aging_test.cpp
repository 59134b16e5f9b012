// Retention and read disturb, and reads that say that the data should be written elsewhere.
#include "hw/array/aging/error_model.h"
#include "tests/device/array/array_fixture.h"

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
    const array::ErrorModel model(array_part({{"errors.factor_lsb", "1"},
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

}  // namespace
}  // namespace ftlab::hw::testing
