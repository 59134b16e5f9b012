// Which runs an analytic model covers, and that it is asked with what the run has.
#include "platform/measure/model_beside.h"

#include <gtest/gtest.h>

#include "platform/analytic/model.h"
#include "platform/run/runner.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr PageSpace kSpace{
    .logical_pages = 5952, .usable_pages = 6400, .pages_per_segment = 64, .page_bytes = 4096};  // S_f = 0.07

std::vector<Setting> page_study(std::vector<Setting> more) {
  std::vector<Setting> settings{{"part", "array-slc"}, {"host", "ssd-controller"}, {"ftl.firmware", "page"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::optional<ModelBeside> beside(std::vector<Setting> more, const PageSpace& space = kSpace) {
  return model_beside(parse_study("", "study", page_study(std::move(more))), space);
}

TEST(ModelBeside, policy_and_workload_say_which_model) {
  struct Case {
    const char* selection;
    const char* kind;
    const char* model;
    double value;
  };
  const Case cases[] = {{"lru", "uniform", "lru", 7.3177},
                        {"greedy", "uniform", "greedy_exact", 6.6155},
                        {"d_choices", "uniform", "d_choices", 6.8939},
                        {"lru", "hot_cold", "lru_hotcold", 9.240},
                        {"greedy", "hot_cold", "greedy_hotcold", 8.461}};
  for (const Case& c : cases) {
    const auto found = beside({{"ftl.selection", c.selection},
                               {"workload.kind", c.kind},
                               {"workload.hot_access", "0.9"},
                               {"workload.hot_data", "0.05"}});
    ASSERT_TRUE(found) << c.model;
    EXPECT_EQ(found->name, c.model);
    EXPECT_NEAR(found->value, c.value, 6e-4) << c.model;
  }
}

TEST(ModelBeside, data_that_no_class_covers_is_a_class_that_is_never_written) {
  const auto found = beside({{"ftl.selection", "lru"},
                             {"workload.kind", "classes"},
                             {"workload.class_access", "[0.9, 0.1]"},
                             {"workload.class_data", "[0.05, 0.45]"}});
  ASSERT_TRUE(found);
  const analytic::Inputs inputs{.spare_factor = 0.07, .access = {0.9, 0.1, 0}, .data = {0.05, 0.45, 0.5}};
  EXPECT_NEAR(found->value, analytic::evaluate(*analytic::find_model("lru_classes"), inputs).value, 1e-9);
}

TEST(ModelBeside, what_no_model_covers_has_none) {
  const std::vector<Setting> uncovered[] = {
      {{"ftl.selection", "windowed_greedy"}, {"workload.kind", "uniform"}},
      {{"ftl.selection", "greedy"}, {"workload.kind", "sequential"}},
      {{"ftl.selection", "greedy"}, {"workload.kind", "classes"}},
      {{"ftl.selection", "d_choices"}, {"workload.kind", "hot_cold"}},
      {{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"ftl.frontiers", "host_and_cleaning"}},
      {{"ftl.selection", "greedy"}, {"workload.kind", "hot_cold"}, {"ftl.separation", "oracle"}},
      {{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"workload.request_bytes", "16384"}},
      {{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"workload.read_share", "1"}},
      {{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"workload.read_only_share", "0.5"}},
      {{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"workload.fill", "false"}},
  };
  for (const auto& settings : uncovered) EXPECT_FALSE(beside(settings)) << settings[0].text << settings.back().key;
  const std::vector<Setting> lru{{"ftl.selection", "lru"}, {"workload.kind", "uniform"}};
  EXPECT_TRUE(beside(lru));
  // A study that leaves its page to the part may name the request all the same.
  EXPECT_TRUE(beside({{"ftl.selection", "lru"}, {"workload.kind", "uniform"}, {"workload.request_bytes", "4096"}}));
  EXPECT_FALSE(beside(lru, {.logical_pages = 5952, .usable_pages = 0, .pages_per_segment = 64})) << "not told";
}

TEST(ModelBeside, outside_the_domain_of_a_model_there_is_none) {
  EXPECT_FALSE(beside({{"ftl.selection", "greedy"}, {"workload.kind", "hot_cold"}},
                      {.logical_pages = 100, .usable_pages = 6400, .pages_per_segment = 64}));
}

TEST(ModelBeside, a_run_prints_the_model_at_the_spare_factor_that_results) {
  const auto result = run_study(parse_study("", "study",
                                            page_study({{"part_overrides.channels", "1"},
                                                        {"part_overrides.dies_per_channel", "1"},
                                                        {"part_overrides.planes", "1"},
                                                        {"part_overrides.segments", "202"},
                                                        {"part_overrides.pages_per_segment", "32"},
                                                        {"part_overrides.content", "none"},
                                                        {"part_overrides.bad_segments.initial_share", "0"},
                                                        {"ftl.spare_factor", "0.1"},
                                                        {"ftl.low_water", "12"},
                                                        {"ftl.selection", "lru"},
                                                        {"workload.kind", "uniform"},
                                                        {"workload.warm_up_overwrites", "4"},
                                                        {"workload.overwrites", "20"}})));
  const analytic::Inputs inputs{.spare_factor = 0.1};  // 190 segments: the 12 are none of T
  const double model = analytic::evaluate(*analytic::find_model("lru"), inputs).value;
  EXPECT_EQ(result["model"]["name"], "lru");
  EXPECT_NEAR(result["model"]["value"].get<double>(), model, 1e-3);
  EXPECT_NEAR(result["model"]["deviation"].get<double>(), result["write_amplification"].get<double>() / model - 1,
              1e-3);
  EXPECT_NEAR(result["model"]["deviation"].get<double>(), 0, 0.02);
}

}  // namespace
}  // namespace ftlab::platform
