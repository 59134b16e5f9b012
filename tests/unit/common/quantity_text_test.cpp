// The samples that the report package is held to as well.
#include "common/quantity_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace ftlab {
namespace {

TEST(QuantityText, samples_read_as_in_the_report) {
  const std::map<std::string, std::string (*)(double)> texts{{"time", duration_text}, {"energy", energy_text},
                                                             {"size", size_text},     {"rate", rate_text},
                                                             {"count", count_text},   {"share", percent_text}};
  std::ifstream in(FTLAB_SAMPLES);
  const auto samples = nlohmann::json::parse(in);
  ASSERT_GT(samples.size(), 50U);
  for (const auto& sample : samples) {
    EXPECT_EQ(texts.at(sample.at("kind"))(sample.at("value")), sample.at("text").get<std::string>()) << sample;
  }
}

TEST(QuantityText, numbers_beyond_reading_have_an_exponent) {
  EXPECT_EQ(significant_text(0.000012345), "1.23e-05");
  EXPECT_EQ(significant_text(0.0123), "0.0123");
  EXPECT_EQ(significant_text(-5.5), "-5.50");
}

}  // namespace
}  // namespace ftlab
