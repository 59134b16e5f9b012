#include <gtest/gtest.h>

#include "common/toml/toml_file.h"

namespace ftlab::spec {
namespace {

const std::vector<std::string> kNames = {"greedy", "cost_benefit", "cat", "ftl.utilization", "run", "report"};

TEST(NearestName, one_slip_of_any_kind_is_found) {
  EXPECT_EQ(nearest_name("greddy", kNames), "greedy");   // replaced
  EXPECT_EQ(nearest_name("gredy", kNames), "greedy");    // dropped
  EXPECT_EQ(nearest_name("greeddy", kNames), "greedy");  // doubled
  EXPECT_EQ(nearest_name("rnu", kNames), "run");         // swapped
  EXPECT_EQ(nearest_name("Cost-Benefit", kNames), "cost_benefit");
}

TEST(NearestName, strangers_have_no_nearest_name) {
  EXPECT_EQ(nearest_name("wombat", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("x", kNames), "");
  EXPECT_EQ(nearest_name("x", {"q", "d"}), "");
  EXPECT_EQ(nearest_name("nope", {"name"}), "") << "half of its letters differ";
  EXPECT_EQ(nearest_name(std::string(100000, 'g'), kNames), "");
}

TEST(NearestName, last_component_is_compared_alone) {
  EXPECT_EQ(nearest_last_name("utilisation", kNames), "ftl.utilization");
  EXPECT_EQ(nearest_last_name("driver.utilization", kNames), "ftl.utilization");
  EXPECT_EQ(nearest_last_name("driver.wombat", kNames), "");
}

}  // namespace
}  // namespace ftlab::spec
