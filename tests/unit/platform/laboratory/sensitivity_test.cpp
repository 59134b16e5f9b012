#include "platform/laboratory/reproduce/sensitivity.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Two quantities of one row: "cost" is what the key "cost" says times the seed, "fixed" is 7 whatever happens.
class SensitivityTest : public ::testing::Test {
 protected:
  ordered_json run(const std::vector<UnpublishedParameter>& values) {
    return sensitivity_of(context_, frame_, values, [this](ExperimentContext& context, const auto& changes) {
      std::vector<ordered_json> tables;
      for (const Change& change : changes) {
        double cost = 10;
        for (const Setting& setting : change.settings) {
          if (setting.key == "cost") cost = std::atof(setting.text.c_str());
        }
        std::vector<double> costs;
        for (const std::uint64_t seed : context.seeds) costs.push_back(cost * static_cast<double>(seed));
        simulated_ += context.seeds.size();
        tables.push_back(
            ordered_json::array({make_row(frame_, {"only"},
                                          {make_cell("cost", std::nullopt, summarize(costs), std::nullopt),
                                           make_cell("fixed", std::nullopt, summarize({7}), std::nullopt)})}));
      }
      return tables;
    });
  }

  static UnpublishedParameter value(const std::string& key, const std::vector<std::string>& to) {
    UnpublishedParameter found{key, "10", {}};
    for (const std::string& text : to) found.variants.push_back({text, {{key, text}}});
    return found;
  }

  RunBank bank_{ProcessPoolOptions{}};
  Tolerances tolerances_;
  ExperimentContext context_{bank_, tolerances_, {1, 3}, {}};
  ExperimentFrame frame_{"test", "", "", "", {{"row", "Row"}}, {{"cost", "Cost", "", 1}, {"fixed", "Fixed", "", 1}}};
  std::size_t simulated_ = 0;
};

TEST_F(SensitivityTest, figures_that_move_are_reported_with_both_sides) {
  const ordered_json found = run({value("cost", {"8", "12"})});
  ASSERT_EQ(found["effects"].size(), 1U) << "fixed does not move";
  const ordered_json& effect = found["effects"][0];
  EXPECT_EQ(effect["name"], "cost");
  EXPECT_EQ(effect["used"], "10");
  EXPECT_EQ(effect["keys"]["row"], "only");
  EXPECT_EQ(effect["quantity"], "cost");
  EXPECT_DOUBLE_EQ(effect["ours"].get<double>(), 20) << "mean of the seeds 1 and 3";
  EXPECT_EQ(effect["variants"],
            ordered_json::parse(R"([{"value": "8", "ours": 16.0}, {"value": "12", "ours": 24.0}])"));
  EXPECT_TRUE(found["without_effect"].empty());
}

TEST_F(SensitivityTest, what_moves_nothing_at_the_digits_shown_runs_with_one_seed_alone) {
  const ordered_json found = run({value("cost", {"10.01"}), value("other", {"8", "12"})});
  EXPECT_TRUE(found["effects"].empty());
  EXPECT_EQ(found["without_effect"], ordered_json::parse(R"(["cost", "other"])"));
  EXPECT_EQ(simulated_, 4 * 1 + 1 * 2) << "base and three variants; then the base with both seeds";
}

TEST_F(SensitivityTest, one_side_that_moves_brings_the_other) {
  const ordered_json found = run({value("cost", {"10", "12"})});
  ASSERT_EQ(found["effects"].size(), 1U);
  EXPECT_EQ(found["effects"][0]["variants"].size(), 2U);
}

TEST_F(SensitivityTest, more_values_than_are_simulated_together_keep_their_order) {
  std::vector<UnpublishedParameter> values;
  for (int i = 0; i < 30; ++i) values.push_back(value("cost", {std::to_string(20 + i), std::to_string(60 + i)}));
  const ordered_json found = run(values);
  ASSERT_EQ(found["effects"].size(), values.size());
  for (int i = 0; i < 30; ++i) {
    EXPECT_DOUBLE_EQ(found["effects"][static_cast<std::size_t>(i)]["variants"][1]["ours"].get<double>(),
                     2.0 * (60 + i));
  }
}

TEST_F(SensitivityTest, a_context_that_does_not_vary_simulates_nothing) {
  context_.vary = false;
  EXPECT_TRUE(run({value("cost", {"8"})}).is_null());
  EXPECT_EQ(simulated_, 0U);
}

TEST_F(SensitivityTest, all_quantities_but_those_named_are_dropped_from_a_row) {
  ordered_json row = make_row(frame_, {"only"},
                              {make_cell("cost", std::nullopt, summarize({1}), std::nullopt),
                               make_cell("fixed", std::nullopt, summarize({7}), std::nullopt)});
  keep_quantities(row, {"fixed", "absent"});
  ASSERT_EQ(row["cells"].size(), 1U);
  EXPECT_EQ(row["cells"][0]["quantity"], "fixed");
  EXPECT_EQ(row["keys"]["row"], "only");
}

}  // namespace
}  // namespace ftlab::platform
