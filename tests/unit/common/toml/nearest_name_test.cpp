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

TEST(NearestName, more_than_a_third_of_the_letters_is_no_slip) {
  EXPECT_EQ(nearest_name("title", {"idle"}), "");
  EXPECT_EQ(nearest_name("selecton", {"selection"}), "selection");
  EXPECT_EQ(nearest_name("sletcion", {"selection"}), "selection") << "dropped and swapped";
}

TEST(NearestName, keys_of_another_table_are_compared_by_their_last_name_too) {
  EXPECT_EQ(nearest_key("utilisation", kNames), "ftl.utilization");
  EXPECT_EQ(nearest_key("driver.utilization", kNames), "ftl.utilization");
  EXPECT_EQ(nearest_key("ftll.utilization", kNames), "ftl.utilization");
  EXPECT_EQ(nearest_key("driver.wombat", kNames), "");
}

TEST(NearestName, the_table_makes_no_key_nearer) {
  EXPECT_EQ(nearest_key("workload.title", {"workload.idle", "workload.kind"}), "");
  EXPECT_EQ(nearest_key("workload.iddle", {"workload.idle", "workload.kind"}), "workload.idle");
}

}  // namespace
}  // namespace ftlab::spec
