// The generated JSON Schema against a validator that knows nothing of ftlab: it takes what a run writes, and nothing
// else.
#include "platform/measure/result_schema.h"

#include <gtest/gtest.h>

#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "platform/measure/figures.h"
#include "platform/run/runner.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

bool accepts(const ordered_json& document) {
  const nlohmann::json schema_text = nlohmann::json::parse(result_schema().dump());
  const nlohmann::json plain = nlohmann::json::parse(document.dump());
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text), schema);
  valijson::Validator validator;
  return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(plain), nullptr);
}

ordered_json small_run() {
  const std::vector<Setting> settings{{"part", "series2plus-4mb"}, {"workload.total_mib", "0.5"}};
  return run_study(parse_study("", "study", settings));
}

TEST(ResultSchema, takes_what_a_run_writes_and_refuses_what_it_does_not_know) {
  const ordered_json result = small_run();
  EXPECT_TRUE(accepts(result));
  ordered_json other = result;
  other["flash"]["erases"] = "many";
  EXPECT_FALSE(accepts(other)) << "a count is a whole number";
  other = result;
  other["flash"].erase("erases");
  EXPECT_FALSE(accepts(other)) << "every figure is there";
  other = result;
  other["flash"]["erasures"] = 1;
  EXPECT_FALSE(accepts(other)) << "no figure without a row";
  other = result;
  other["config"]["ftl"]["selection"] = "gready";
  EXPECT_FALSE(accepts(other)) << "a name is one of its table";
}

TEST(ResultSchema, takes_a_run_that_a_model_covers_and_one_that_lost_power) {
  const std::vector<Setting> settings{{"part", "array-slc"},
                                      {"host", "ssd-controller"},
                                      {"part_overrides.channels", "1"},
                                      {"part_overrides.dies_per_channel", "1"},
                                      {"part_overrides.segments", "64"},
                                      {"ftl.firmware", "page"},
                                      {"ftl.spare_factor", "0.4"},
                                      {"ftl.selection", "lru"},
                                      {"workload.kind", "uniform"},
                                      {"workload.total_mib", "1"},
                                      {"power.loss_at_request", "[20]"}};
  const ordered_json result = run_study(parse_study("", "study", settings));
  EXPECT_TRUE(result.contains("model"));
  EXPECT_TRUE(result.contains("power_cycles"));
  EXPECT_TRUE(accepts(result));
}

TEST(Figures, every_figure_has_a_place_of_its_own_and_a_sentence) {
  std::set<std::string> seen;
  for (const Figure& figure : figures()) {
    EXPECT_TRUE(seen.insert(figure.path).second) << figure.path;
    EXPECT_FALSE(figure.help.empty()) << figure.path;
    EXPECT_FALSE(figure.help.ends_with('.')) << figure.path;
    EXPECT_EQ(find_figure(figure.path), &figure);
  }
  EXPECT_EQ(find_figure("time.by_cause_s.host")->unit, "s") << "the unit of a table holds for its members";
  EXPECT_EQ(find_figure("flash.erasures"), nullptr);
}

TEST(Figures, flows_are_differences_and_states_stay) {
  FtlStats before;
  before.erases = 10;
  before.bad_segments = 2;
  FtlStats after;
  after.erases = 14;
  after.bad_segments = 3;
  const FtlStats phase = between(kFtlCounters, before, after);
  EXPECT_EQ(phase.erases, 4U);
  EXPECT_EQ(phase.bad_segments, 3U);
}

}  // namespace
}  // namespace ftlab::platform
