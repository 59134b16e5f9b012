// Values with units: every key that has a unit takes it in each spelling, and what is no such value is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/toml/written_number.h"
#include "platform/study/params.h"
#include "tests/unit/platform/study/refusal.h"

namespace ftlab::platform {
namespace {

Study with(const std::string& key, const std::string& text) {
  const std::vector<Setting> settings = {{key, text}};
  return parse_study("", "s.toml", settings);
}

/// Values that other keys do not refuse: ends of the range may be at odds with defaults.
std::vector<double> values_of(const Param& param) {
  const double fallback = param.fallback.empty() ? 0.15 : std::strtod(param.fallback.c_str(), nullptr);
  std::vector<double> values = {fallback};
  if (param.key == "ftl.page_bytes") return {4096, 16384};
  if (fallback * 2 <= param.max && param.key != "ftl.low_water") values.push_back(fallback * 2);
  return values;
}

double number_at(const Param& param, const Study& study) {
  if (!param.read) return 1 - study.ftl.utilization;  // ftl.spare_factor
  const ParamValue value = param.read(study);
  return std::holds_alternative<double>(value) ? std::get<double>(value)
                                               : static_cast<double>(std::get<std::uint64_t>(value));
}

TEST(WrittenUnits, every_key_with_a_unit_takes_it_in_each_spelling) {
  std::size_t tried = 0;
  for (const Param& param : params()) {
    const std::string_view unit = written_unit(param);
    if (unit.empty() || param.type == ParamType::number_list) continue;
    for (const std::string& spelling : spec::spellings_of(unit)) {
      const double one = *spec::value_in(unit, {1, spelling});
      for (const double value : values_of(param)) {
        const char* between = tried++ % 2 == 0 ? "" : " ";
        const std::string text = fmt::format("\"{}{}{}\"", value / one, between, spelling);
        const double found = number_at(param, with(param.key, text));
        EXPECT_NEAR(found, value, 1e-9 * std::abs(value)) << param.key << " = " << text;
        if (param.type == ParamType::integer) {
          EXPECT_EQ(found, value) << param.key << " = " << text;
        }
      }
    }
    if (param.bare.empty()) continue;
    const std::string text = "\"" + written_example(param) + "\"";
    EXPECT_EQ(number_at(param, with(param.bare, text)), number_at(param, with(param.key, text))) << param.bare;
  }
  EXPECT_GT(tried, 200U);
}

TEST(WrittenUnits, numbers_of_a_list_take_units_one_by_one) {
  const Study study = with("power.loss_at_s", "[\"5 ms\", 0.25, \"2min\"]");
  EXPECT_THAT(study.power.loss_at_s, testing::ElementsAre(0.005, 0.25, 120));
  EXPECT_THAT(refusal_of("power.loss_at_s = [\"5 MiB\"]"), testing::HasSubstr("power.loss_at_s"));
}

TEST(WrittenUnits, every_number_with_a_unit_has_an_example_that_it_takes) {
  for (const Param& param : params()) {
    if (!param.unit.empty()) {
      EXPECT_EQ(written_unit(param), param.unit) << param.key;
    }
    if (written_unit(param).empty() || param.type == ParamType::number_list || param.key == "ftl.low_water") continue;
    EXPECT_NO_THROW((void)with(param.key, "\"" + written_example(param) + "\"")) << param.key;
  }
  EXPECT_EQ(written_example(*find_param("workload.request_bytes")), "4KiB");
  EXPECT_EQ(written_example(*find_param("flexfs.lifetime_s")), "1095days");
  EXPECT_EQ(written_example(*find_param("seed")), "");
}

TEST(WrittenUnits, names_without_units_are_names_of_nothing_else) {
  std::set<std::string> seen;
  for (const Param& param : params()) seen.insert(param.key);
  std::size_t names = 0;
  for (const Param& param : params()) {
    if (param.bare.empty()) continue;
    EXPECT_TRUE(seen.insert(param.bare).second) << param.bare;
    ++names;
  }
  EXPECT_GT(names, 12U);
  EXPECT_EQ(find_param("workload.total_mib")->bare, "workload.total");
}

TEST(WrittenUnits, file_and_setting_take_them_and_the_resolved_values_stay) {
  const Study written = parse_study(
      "[ftl]\nspare_factor = \"15 %\"\n[workload]\ntotal = \"2GiB\"\nrequest_bytes = \"16KiB\"\nclass_access = "
      "[\"60 %\", 0.4]\nwrite_scale = \"50 %\"\n",
      "s.toml");
  const Study plain = parse_study(
      "[ftl]\nspare_factor = 0.15\n[workload]\ntotal_mib = 2048\nrequest_bytes = 16384\nclass_access = [0.6, "
      "0.4]\nwrite_scale = 0.5\n",
      "s.toml");
  EXPECT_EQ(resolved_config(written), resolved_config(plain));
  EXPECT_EQ(with("workload.total_mib", "2GiB").generator.total_bytes, std::uint64_t{2} << 30U);
  EXPECT_EQ(with("ftl.spare_factor", "15%").ftl.utilization, 0.85);
  const std::vector<Setting> last = {{"workload.total", "1MiB"}};
  EXPECT_EQ(parse_study("[workload]\ntotal = \"2MiB\"\n", "s.toml", last).generator.total_bytes, 1048576U);
}

TEST(WrittenUnits, wrong_values_are_refused_with_the_fix) {
  EXPECT_EQ(refusal_of("[workload]\nrequest_bytes = \"5 ms\"\n"),
            "s.toml:2: workload.request_bytes: wants bytes, not '5 ms'; give for example \"4KiB\"; units are B, bytes, "
            "KiB, MiB, GiB");
  EXPECT_EQ(
      refusal_of("[workload]\nrequest_bytes = \"0.1KiB\"\n"),
      "s.toml:2: workload.request_bytes: '0.1KiB' is 102.4 bytes; give a whole number of bytes, such as 102 or 103");
  EXPECT_EQ(refusal_of("[workload]\nrequest_bytes = \"1GiB\"\n"),
            "s.toml:2: workload.request_bytes: '1GiB' is 1073741824 bytes, out of range; give bytes from 1 to 4194304");
  EXPECT_EQ(refusal_of("[workload]\nrequest_bytes = \"lots\"\n"),
            "s.toml:2: workload.request_bytes: must be an integer, or one with unit such as \"4KiB\", not a string "
            "('lots')");
  EXPECT_EQ(refusal_of("[ftl]\nspare_factor = \"150 %\"\n"),
            "s.toml:2: ftl.spare_factor: '150 %' is 1.5, out of range; give a share from 0.01 to 0.99");
  EXPECT_EQ(refusal_of("[ftl]\nlow_water = \"3 pages\"\n"),
            "s.toml:2: ftl.low_water: wants segments, not '3 pages'; give for example \"3 segments\"");
  EXPECT_EQ(refusal_of("[workload]\ntotal = 2\n"),
            "s.toml:2: workload.total: wants a number with unit, such as \"192MiB\"; a plain number of MiB is "
            "workload.total_mib");
  EXPECT_EQ(refusal_of("[workload]\ntotal = \"2MiB\"\ntotal_mib = 2\n"),
            "s.toml:2: workload.total: is workload.total_mib by another name; keep one of the two");
  EXPECT_EQ(refusal_of("seed = \"5 %\"\n"), "s.toml:1: seed: must be an integer, not a string ('5 %')");
}

}  // namespace
}  // namespace ftlab::platform
