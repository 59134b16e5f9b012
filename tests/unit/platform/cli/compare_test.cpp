// Two results side by side: what differs, by which factor, and what is missing.
#include "platform/cli/compare.h"

#include <gmock/gmock.h>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;
using testing::HasSubstr;

constexpr const char* kA = R"({"schema": "ftlab-result", "version": 1, "seed": 1,
  "config": {"ftl": {"selection": "greedy", "page_bytes": 4096}, "workload": {"class_data": [0.1, 0.9]}},
  "flash": {"erases": 8000, "reads": 0}, "time": {"simulated_s": 100.0, "by_cause_s": {"clean": 50.0}},
  "energy": {"total_j": 2.0}, "wear": {"erase_counts": [1, 2, 3]}, "run": {"wall_s": 1.0}})";
constexpr const char* kB = R"({"schema": "ftlab-result", "version": 1, "seed": 1,
  "config": {"ftl": {"selection": "cat", "page_bytes": 4096}, "workload": {"class_data": [0.2, 0.8]}},
  "flash": {"erases": 4000, "reads": 7}, "time": {"simulated_s": 100.0, "by_cause_s": {"clean": 25.0}},
  "latency": {"write": {"p99_s": 0.5}}, "wear": {"erase_counts": [1, 1, 1]}, "run": {"wall_s": 9.0}})";

class Compare : public test::FolderTest {
 protected:
  static const Difference* find(const std::vector<Difference>& rows, const std::string& key) {
    for (const Difference& row : rows) {
      if (row.key == key) return &row;
    }
    return nullptr;
  }
};

TEST_F(Compare, results_have_unit_and_ratio) {
  const Comparison c = compare_results(nlohmann::ordered_json::parse(kA), nlohmann::ordered_json::parse(kB));
  const Difference* erases = find(c.results, "flash.erases");
  ASSERT_NE(erases, nullptr);
  EXPECT_EQ(erases->a, "8,000");
  EXPECT_EQ(erases->b, "4,000");
  EXPECT_EQ(erases->ratio, "0.5");
  EXPECT_FALSE(erases->same);
  EXPECT_EQ(find(c.results, "time.by_cause_s.clean")->b, "25.0 s") << "the table's unit holds for its members";
  EXPECT_EQ(find(c.results, "energy.total_j")->a, "2.00 J");
  EXPECT_TRUE(find(c.results, "time.simulated_s")->same);
  EXPECT_EQ(find(c.results, "flash.reads")->ratio, "") << "nothing is a multiple of zero";
  EXPECT_EQ(find(c.results, "time.simulated_s")->ratio, "1");
}

TEST_F(Compare, a_ratio_has_no_unit_whatever_its_name_ends_in) {
  auto a = nlohmann::ordered_json::parse(kA);
  a["write_amplification_bytes"] = 1.5;
  const Comparison c = compare_results(a, nlohmann::ordered_json::parse(kB));
  EXPECT_EQ(find(c.results, "write_amplification_bytes")->a, "1.5");
}

TEST_F(Compare, what_one_result_lacks_is_said) {
  const Comparison c = compare_results(nlohmann::ordered_json::parse(kA), nlohmann::ordered_json::parse(kB));
  EXPECT_EQ(find(c.results, "energy.total_j")->b, "-");
  EXPECT_EQ(find(c.results, "latency.write.p99_s")->a, "-");
  EXPECT_EQ(find(c.results, "latency.write.p99_s")->ratio, "");
}

TEST_F(Compare, long_lists_are_shown_from_where_they_differ) {
  auto a = nlohmann::ordered_json::parse(kA);
  auto b = nlohmann::ordered_json::parse(kB);
  for (int i = 0; i < 100; ++i) {
    a["config"]["power"]["loss_at_s"].push_back(i);
    b["config"]["power"]["loss_at_s"].push_back(i == 90 ? 1000 : i);
  }
  const Comparison c = compare_results(a, b);
  const Difference* losses = find(c.config, "power.loss_at_s");
  ASSERT_NE(losses, nullptr);
  EXPECT_EQ(losses->a, "[..., 90,91,92, ...] of 100");
  EXPECT_EQ(losses->b, "[..., 1000,91,92, ...] of 100");
}

TEST_F(Compare, run_section_and_lists_of_results_are_left_out) {
  const Comparison c = compare_results(nlohmann::ordered_json::parse(kA), nlohmann::ordered_json::parse(kB));
  for (const Difference& row : c.results) {
    EXPECT_EQ(row.key.rfind("run.", 0), std::string::npos) << row.key;
    EXPECT_NE(row.key, "wear.erase_counts");
  }
}

TEST_F(Compare, only_differing_configuration_is_shown) {
  const Comparison c = compare_results(nlohmann::ordered_json::parse(kA), nlohmann::ordered_json::parse(kB));
  ASSERT_EQ(c.config.size(), 2U);
  EXPECT_EQ(c.config[0].key, "ftl.selection");
  EXPECT_EQ(c.config[0].b, "cat");
  EXPECT_EQ(c.config[1].key, "workload.class_data");
}

nlohmann::ordered_json with_part(const char* part) {
  nlohmann::ordered_json result = nlohmann::ordered_json::parse(kA);
  result["config"]["part_overrides"] = {{"erase", 1}};
  result["config"]["documents"] = {{"part", nlohmann::ordered_json::parse(part)}};
  return result;
}

TEST_F(Compare, parts_of_one_family_are_compared_number_by_number) {
  const auto a = with_part(R"({"family": "f", "erase": {"value": 0.6, "unit": "s", "source": "x"}})");
  auto b = with_part(R"({"family": "f", "erase": {"value": 0.8, "unit": "s", "source": "y"}})");
  b["config"]["part_overrides"]["erase"] = 2;
  const Comparison c = compare_results(a, b);
  ASSERT_EQ(c.config.size(), 1U);
  EXPECT_EQ(c.config[0].key, "part.erase");
  EXPECT_EQ(c.config[0].a, "0.6 s");
  EXPECT_EQ(c.config[0].b, "0.8 s");
}

TEST_F(Compare, where_a_number_comes_from_is_no_difference) {
  const auto a = with_part(R"({"family": "f", "erase": {"value": 0.6, "unit": "s", "source": "x"}})");
  const auto b = with_part(R"({"family": "f", "erase": {"value": 0.6, "unit": "s", "source": "y", "estimate": true}})");
  EXPECT_TRUE(compare_results(a, b).config.empty());
}

TEST_F(Compare, parts_of_two_families_differ_by_their_names_alone) {
  auto a = with_part(R"({"family": "f", "erase": 1})");
  auto b = with_part(R"({"family": "g", "program": 2})");
  a["config"]["part"] = "one";
  b["config"]["part"] = "two";
  const Comparison c = compare_results(a, b);
  ASSERT_EQ(c.config.size(), 1U);
  EXPECT_EQ(c.config[0].key, "part");
}

TEST_F(Compare, same_configuration_of_two_versions_says_so) {
  const auto result = [&](const std::string& name, int erases, const char* version) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(kA);
    json["flash"]["erases"] = erases;
    json["run"]["ftlab_version"] = version;
    return file(name, json.dump());
  };
  EXPECT_THAT(run({"compare", result("1.json", 1, "0.1"), result("2.json", 2, "0.2")}).out,
              HasSubstr("Same configuration; the results are of ftlab 0.1 and ftlab 0.2.\n"));
}

TEST_F(Compare, command_takes_files_and_folders) {
  const std::string a = file("a/result.json", kA);
  file("b/result.json", kB);
  const auto outcome = run({"compare", a, (folder_ / "b").string()});
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::AllOf(HasSubstr("flash.erases"), HasSubstr("0.5"), HasSubstr("1 result is missing in"),
                             HasSubstr("1 result is the same in both")));
  EXPECT_EQ(outcome.out.find("simulated_s"), std::string::npos);
  EXPECT_THAT(run({"compare", "--all", a, a}).out,
              testing::AllOf(HasSubstr("Same configuration."), HasSubstr("simulated_s")));
}

TEST_F(Compare, without_a_difference_there_is_no_table) {
  const std::string a = file("a.json", kA);
  EXPECT_THAT(run({"compare", a, a}).out,
              testing::MatchesRegex(
                  "Same configuration\\.\n\n[0-9]+ results are the same in both \\(--all shows them\\)\\.\n"));
}

TEST_F(Compare, unusable_file_is_refused_in_one_line) {
  const std::string good = file("a.json", kA);
  const std::string cut = file("cut.json", std::string(kA).substr(0, 60));
  const std::string other = file("other.json", "{\"schema\": \"something\"}");
  const std::string list = file("list.json", "[1]");
  const auto error = [&](const std::string& path) { return run({"compare", good, path}); };
  EXPECT_EQ(error(folder_ / "none.json").err, "ftlab: error: " + (folder_ / "none.json").string() +
                                                  ": no such file; give a result.json or a folder that holds one\n");
  EXPECT_THAT(error(cut).err,
              testing::MatchesRegex("ftlab: error: .*cut.json: not valid JSON at byte [0-9]+; is the file "
                                    "complete\\?\n"));
  EXPECT_THAT(error(other).err, HasSubstr("other.json: not a result of ftlab (\"schema\" is not \"ftlab-result\")\n"));
  EXPECT_THAT(error(list).err, HasSubstr("list.json: not a result of ftlab"));
  for (const std::string& path : {cut, other, list}) EXPECT_EQ(error(path).code, kBadInput);
}

TEST_F(Compare, another_version_is_refused_with_file_and_version) {
  const std::string good = file("a.json", kA);
  std::string newer = kA;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 2");
  const std::string path = file("new.json", newer);
  EXPECT_EQ(
      run({"compare", good, path}).err,
      "ftlab: error: " + path +
          ": has version 2 of ftlab-result, and this ftlab reads version 1; make it anew with `ftlab run`, or use "
          "the ftlab that wrote it\n");
  const std::string none = file("none.json", R"({"schema": "ftlab-result"})");
  EXPECT_THAT(run({"compare", none, good}).err, HasSubstr("none.json: has version (none) of ftlab-result"));
  EXPECT_EQ(run({"compare", good, path}).code, kBadInput);
}

}  // namespace
}  // namespace ftlab::platform::cli
