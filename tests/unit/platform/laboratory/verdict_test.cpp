#include "platform/laboratory/reproduce/verdict.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

TEST(Statistics, sample_standard_deviation_and_interval_match_the_textbook) {
  const Sample sample = summarize({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(sample.mean, 5);
  EXPECT_NEAR(sample.stddev, 2.13809, 1e-5);
  EXPECT_NEAR(sample.standard_error, 0.755929, 1e-6);
  EXPECT_NEAR(half_width_95(sample), 2.364624 * 0.755929, 1e-5) << "t of 7 degrees of freedom";
}

TEST(Statistics, one_value_has_no_spread) {
  const Sample sample = summarize({3});
  EXPECT_EQ(sample.standard_error, 0);
  EXPECT_EQ(half_width_95(sample), 0);
}

TEST(Verdict, a_cell_passes_up_to_tolerance_plus_two_standard_errors) {
  const Tolerance one_percent{true, 0.01};
  EXPECT_EQ(make_cell("e", 100, summarize({100.9}), one_percent)["verdict"], "pass");
  EXPECT_EQ(make_cell("e", 100, summarize({101.5}), one_percent)["verdict"], "fail");
  const Sample noisy = summarize({100.5, 102.5});  // mean 101.5, standard error 1
  const ordered_json cell = make_cell("e", 100, noisy, one_percent);
  EXPECT_EQ(cell["verdict"], "pass");
  EXPECT_NEAR(cell["allowed"].get<double>(), 0.03, 1e-12);
  EXPECT_NEAR(cell["deviation"].get<double>(), 0.015, 1e-12);
}

TEST(Verdict, a_published_zero_is_compared_absolutely) {
  const ordered_json cell = make_cell("copies", 0, summarize({0}), Tolerance{false, 1});
  EXPECT_EQ(cell["deviation_kind"], "absolute");
  EXPECT_EQ(cell["verdict"], "pass");
  EXPECT_EQ(make_cell("copies", 0, summarize({2}), Tolerance{false, 1})["verdict"], "fail");
}

TEST(Verdict, without_tolerance_or_paper_value_a_cell_is_reported) {
  EXPECT_EQ(make_cell("t", 5, summarize({9}), std::nullopt)["verdict"], "reported");
  EXPECT_EQ(make_cell("t", std::nullopt, summarize({9}), Tolerance{true, 0.1})["verdict"], "reported");
}

TEST(Verdict, one_failed_cell_fails_the_experiment) {
  const auto rows = [](const char* a, const char* b) {
    return ordered_json::array({{{"cells", ordered_json::array({{{"verdict", a}}, {{"verdict", b}}})}}});
  };
  EXPECT_EQ(overall_verdict(rows("pass", "fail")), "fail");
  EXPECT_EQ(overall_verdict(rows("pass", "reported")), "pass");
  EXPECT_EQ(overall_verdict(rows("reported", "reported")), "reported");
}

TEST(Tolerances, the_first_table_that_states_one_counts) {
  const Tolerances tolerances;
  const auto cat = tolerances.find({"fms-table4.cat.pentium-133", "fms-table4.cat"}, "erasures");
  ASSERT_TRUE(cat.has_value());
  EXPECT_TRUE(cat->relative);
  EXPECT_DOUBLE_EQ(cat->value, 0.04);
  EXPECT_FALSE(tolerances.find({"fms-table4.host.486dx-33"}, "throughput").has_value());
}

}  // namespace
}  // namespace ftlab::platform
