// Times at the device driver interface as a command gives them. A simulation in this process is the only one, so that
// commands run in processes of their own.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "platform/machine/driver_timing.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::run_in_child;
using testing::HasSubstr;

const std::vector<std::string> kTable1 = {
    "driver", "--set", "part=flexonenand-4gb", "--set", "part_profile=flexfs-calibrated", "--set", "host=omap2420-400"};

Outcome driver(const std::vector<std::string>& more) {
  std::vector<std::string> words = kTable1;
  words.insert(words.end(), more.begin(), more.end());
  return run_in_child(words);
}

TEST(Driver, json_holds_the_times_that_were_measured) {
  const Outcome outcome = driver({"--json"});
  ASSERT_EQ(outcome.code, kOk) << outcome.err;
  const std::vector<Setting> settings{
      {"part", "flexonenand-4gb"}, {"part_profile", "flexfs-calibrated"}, {"host", "omap2420-400"}};
  const DriverTimes times = measure_driver(parse_study("", "test", settings));
  const auto all = [](const OperationTimes& t) {
    return Json{{"read", t.read_us}, {"write", t.write_us}, {"erase", t.erase_us}};
  };
  const Json expected{
      {"schema", "ftlab-driver"},
      {"version", 1},
      {"driver", {{"slc", all(times.slc)}, {"mlc_lsb", all(times.mlc_lsb)}, {"mlc_both", all(times.mlc_both)}}}};
  EXPECT_EQ(Json::parse(outcome.out), expected) << "to the last digit";
}

TEST(Driver, without_a_study_the_part_has_slc_and_mlc) {
  const Outcome outcome = run_in_child({"driver"});
  ASSERT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("flexonenand-4gb on omap2420-400, mean times in us"));
}

TEST(Driver, table_and_csv_have_a_row_for_each_operation) {
  const Json slc = Json::parse(driver({"--json"}).out).at("driver").at("slc");
  const std::string table = driver({}).out;
  EXPECT_THAT(table, testing::StartsWith("flexonenand-4gb on omap2420-400, mean times in us\n\n"
                                         "operation    SLC  MLC LSB pages  MLC both\n"));
  for (const char* operation : {"\nread ", "\nwrite ", "\nerase "}) EXPECT_THAT(table, HasSubstr(operation));
  const std::string csv = driver({"--csv"}).out;
  EXPECT_THAT(csv, testing::StartsWith("operation,SLC,MLC LSB pages,MLC both\r\nread," + slc.at("read").dump() + ","));
}

TEST(Driver, times_follow_the_settings) {
  const Json before = Json::parse(driver({"--json"}).out).at("driver");
  const Json after =
      Json::parse(driver({"--json", "--set", "part_overrides.timing.erase_slc=\"1 ms\""}).out).at("driver");
  EXPECT_NEAR(after.at("slc").at("erase").get<double>() - before.at("slc").at("erase").get<double>(), 1000 - 845, 1);
  EXPECT_EQ(after.at("mlc_both"), before.at("mlc_both"));
}

TEST(Driver, part_without_paired_pages_is_refused) {
  const Outcome outcome = run_in_child({"driver", "--set", "part=series2plus-4mb"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.err,
            "ftlab: error: --set: part: SLC and MLC are compared on parts that have both; use a Flex-OneNAND\n");
  EXPECT_EQ(outcome.out, "");
}

TEST(Driver, a_simulated_core_is_refused) {
  const Outcome outcome = test::run({"driver", "--set", "platform.processor=arm"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("platform.processor: the driver that is timed runs on the host"));
}

TEST(Driver, help_ends_with_examples) {
  EXPECT_THAT(test::run({"driver", "--help"}).out, HasSubstr("Examples:\n  ftlab driver"));
}

}  // namespace
}  // namespace ftlab::platform::cli
