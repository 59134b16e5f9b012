// What a result says about the workload.
#include "platform/measure/workload_facts.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

std::string measured(const std::string& workload) {
  return workload_facts(parse_study("[workload]\n" + workload, "s.toml")).at("measured");
}

TEST(WorkloadFacts, measured_phase_leaves_out_what_comes_before_it) {
  EXPECT_EQ(measured("fill = false\n"), "the workload");
  EXPECT_EQ(measured(""), "the workload, after the device was filled with its initial data");
  EXPECT_EQ(measured("warm_up_overwrites = 2.5\n"),
            "the workload without its warm-up (what it writes first, 2.5 times the logical size), after the device was "
            "filled with its initial data");
  EXPECT_EQ(measured("fill = false\nwarm_up_overwrites = 1\n"),
            "the workload without its warm-up (what it writes first, 1 times the logical size)");
}

}  // namespace
}  // namespace ftlab::platform
