// Bit error rates of the shipped sets of coefficients, and temperature.
#include "hw/array/spec/power_law.h"

#include <gtest/gtest.h>

#include "common/toml/toml_file.h"
#include "hw/array/spec/power_law_keys.h"

namespace ftlab::hw {
namespace {

ArrayErrors errors_of(const std::string& part) {
  const auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + part + ".toml");
  ArrayErrors errors;
  read_power_law(file, errors);
  return errors;
}

double rate(const std::string& part, double cycles, double days, double reads) {
  const ErrorPowerLaw law = errors_of(part).power_law;
  return law.rate(law.after(cycles), days, reads);
}

TEST(PowerLaw, of_72_layer_tlc_is_the_sum_of_its_terms) {
  const auto tlc = [](double c, double t, double r) { return rate("array-tlc-72l", c, t, r); };
  EXPECT_NEAR(tlc(0, 0, 0), 1.480000e-3, 5e-10);
  EXPECT_NEAR(tlc(1000, 0, 0), 2.030890e-3, 5e-10);
  EXPECT_NEAR(tlc(1000, 1000, 0), 8.916773e-3, 5e-10);
  EXPECT_NEAR(tlc(1000, 0, 100), 2.126765e-3, 5e-10);
  EXPECT_NEAR(tlc(3000, 2000, 500), 2.055420e-2, 5e-8);
  EXPECT_EQ(tlc(0, 1000, 0), tlc(0, 0, 0)) << "cells that never wore lose nothing";
}

TEST(PowerLaw, of_2y_nm_mlc_turns_up_after_a_month) {
  const auto mlc = [](double t) { return rate("array-mlc-2ynm", 3000, t, 0); };
  EXPECT_NEAR(mlc(0), 1.13e-4, 5e-7);
  EXPECT_NEAR(mlc(30), 1.34e-4, 5e-7);
  EXPECT_NEAR(mlc(90), 9.3e-4, 5e-6);
}

TEST(PowerLaw, temperature_speeds_retention_up_by_its_activation_energy) {
  const ArrayErrors errors = errors_of("array-tlc-72l");
  const auto faster = [&errors](double c) { return arrhenius(errors.activation_ev, errors.reference_c, c); };
  EXPECT_DOUBLE_EQ(faster(25), 1);
  EXPECT_NEAR(faster(40), 7.8, 0.05);
  EXPECT_NEAR(faster(55), 50.1, 0.2);
  EXPECT_DOUBLE_EQ(arrhenius(0, 25, 55), 1) << "no energy, no difference";
  EXPECT_LT(faster(0), 0.03);
}

}  // namespace
}  // namespace ftlab::hw
