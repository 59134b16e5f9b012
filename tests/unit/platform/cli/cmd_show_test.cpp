// A saved result on the console, as the run that made it printed it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::Outcome;
using test::run;
using test::run_in_child;
using testing::HasSubstr;

class Show : public test::FolderTest {
 protected:
  /// One line, and nothing on standard output.
  static std::string error(const std::string& place) {
    const Outcome outcome = run({"show", place});
    EXPECT_EQ(outcome.code, kBadInput);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
    return outcome.err;
  }
  Outcome run_study() const {
    const std::string study =
        file("study.toml", "part = \"series2plus-4mb\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = 1\n");
    return run_in_child({"run", study, "--out", (folder_ / "out").string()});
  }
};

TEST_F(Show, says_what_dies_worked_for_and_what_is_programmed_for_each_byte) {
  const std::string study = file("array.toml",
                                 "part = \"array-slc\"\nhost = \"ssd-controller\"\n[part_overrides]\nchannels = 1\n"
                                 "dies_per_channel = 1\nsegments = 64\npages_per_segment = 16\n[ftl]\nfirmware = "
                                 "\"page\"\nspare_factor = 0.4\n[workload]\nkind = \"uniform\"\noverwrites = 1\n"
                                 "request_bytes = 512\n");
  const Outcome made = run_in_child({"run", study, "--out", (folder_ / "out").string()});
  ASSERT_EQ(made.code, kOk) << made.err;
  EXPECT_THAT(made.out, HasSubstr("dies at work, mean"));
  EXPECT_THAT(made.out, HasSubstr("cause  time of dies"));
  EXPECT_THAT(made.out, HasSubstr(" in pages, "));
}

TEST_F(Show, says_when_dies_wait_for_what_the_firmware_computes) {
  const std::string study = file("array.toml",
                                 "part = \"array-slc\"\nftl.firmware = \"fms\"\nftl.spare_factor = 0.2\n"
                                 "ftl.hot_mean = \"all_pages\"\n"
                                 "workload.overwrites = 1\n[part_overrides]\nsegments = 1024\n");
  const Outcome made = run_in_child({"run", study, "--out", (folder_ / "out").string()});
  ASSERT_EQ(made.code, kOk) << made.err;
  EXPECT_THAT(made.out,
              testing::ContainsRegex("firmware computing +[0-9.]+ m?s +88[0-9.]* % of the time; most for page_rate"));
}

TEST_F(Show, advice_on_steady_state_is_one_that_the_kind_of_workload_can_follow) {
  const std::string trace = file("short.spc", "0,0,4096,w,1\n0,8,4096,w,2\n");
  const std::string study =
      file("study.toml", "part = \"array-slc\"\nftl.spare_factor = 0.2\n[part_overrides]\nsegments = 1024\n");
  const auto said = [&](std::vector<std::string> settings) {
    std::vector<std::string> words{"run", study, "--out", (folder_ / "out").string()};
    for (std::string& setting : settings) words.insert(words.end(), {"--set", std::move(setting)});
    const Outcome made = run_in_child(words);
    EXPECT_EQ(made.code, kOk) << made.err;
    return made.out;
  };
  const std::string unknown = "Not known to be in steady state: too few overwrites to tell";
  EXPECT_THAT(said({"workload.kind=trace", "workload.path=" + trace}),
              HasSubstr(unknown + "; raise workload.repeat, then workload.warm_up_overwrites.\n"));
  EXPECT_THAT(said({"workload.total_mib=1"}),
              HasSubstr(unknown + "; raise workload.warm_up_overwrites and workload.overwrites.\n"));
  EXPECT_THAT(said({"workload.total_mib=1", "workload.read_share=1"}), testing::Not(HasSubstr("steady state")));
}

TEST_F(Show, says_what_the_run_said_for_the_folder_and_for_the_file) {
  const Outcome made = run_study();
  ASSERT_EQ(made.code, kOk) << made.err;
  const Outcome shown = run({"show", (folder_ / "out").string()});
  EXPECT_EQ(shown.code, kOk) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("write amplification"));
  EXPECT_THAT(shown.out, testing::Not(HasSubstr("dies")));
  EXPECT_EQ(shown.out, made.out.substr(0, made.out.find("\nResults: ")));
  EXPECT_EQ(run({"show", (folder_ / "out" / "result.json").string()}).out, shown.out);
}

TEST_F(Show, a_run_that_a_model_covers_has_a_row_for_it) {
  const std::string study = file("study.toml",
                                 "part = \"array-slc\"\nhost = \"ssd-controller\"\n[part_overrides]\nchannels = 1\n"
                                 "dies_per_channel = 1\nsegments = 64\n"
                                 "[ftl]\nfirmware = \"page\"\nselection = \"lru\"\nspare_factor = 0.4\n"
                                 "[workload]\nkind = \"uniform\"\ntotal_mib = 1\n");
  const Outcome made = run_in_child({"run", study, "--out", (folder_ / "out").string()});
  ASSERT_EQ(made.code, kOk) << made.err;
  EXPECT_THAT(made.out, testing::ContainsRegex("\nanalytic model +lru +write amplification 1\\.[0-9]+; the run is"));
  EXPECT_THAT(run_study().out, testing::Not(HasSubstr("analytic model")));
}

TEST_F(Show, a_run_whose_requests_queue_has_their_wait_and_their_number) {
  const std::string study = file("study.toml",
                                 "part = \"series2plus-4mb\"\n[ftl]\nfirmware = \"in_place\"\nutilization = 0.3\n"
                                 "[workload]\ntotal_mib = 0.25\nqueue_depth = 8\n");
  const std::string out = (folder_ / "out").string();
  const Outcome made = run_in_child({"run", study, "--out", out});
  ASSERT_EQ(made.code, kOk) << made.err;
  EXPECT_THAT(made.out, testing::ContainsRegex("\n  waiting in the queue +[0-9.]+ m?s +8[0-9]\\.[0-9] % of it"));
  EXPECT_THAT(made.out, testing::ContainsRegex("\nmean queue depth +7\\.[0-9]+ +at most 1 in flight"));
  EXPECT_THAT(run_study().out, testing::Not(testing::AnyOf(HasSubstr("waiting in the"), HasSubstr("queue depth"))));
}

TEST_F(Show, a_result_from_before_the_wait_was_known_is_shown_without_it) {
  ASSERT_EQ(run_study().code, kOk);
  const std::filesystem::path place = folder_ / "out" / "result.json";
  const std::string now = run({"show", place.string()}).out;
  auto old = nlohmann::ordered_json::parse(std::ifstream(place));
  old["host"].erase("mean_depth");
  for (const char* kind : {"write", "read"}) old["latency"][kind].erase("wait_mean_s");
  std::ofstream(place) << old.dump();
  EXPECT_EQ(run({"show", place.string()}).out, now);
}

TEST_F(Show, forms_for_programs_are_those_of_the_run) {
  const std::string study =
      file("study.toml", "part = \"series2plus-4mb\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = 1\n");
  const std::string out = (folder_ / "out").string();
  const Outcome json = run_in_child({"run", study, "--out", out, "--json"});
  ASSERT_EQ(json.code, kOk) << json.err;
  EXPECT_EQ(nlohmann::ordered_json::parse(json.out),
            nlohmann::ordered_json::parse(std::ifstream(out + "/result.json")));
  EXPECT_EQ(run({"show", out, "--json"}).out, json.out);
  const std::string csv = run({"show", out, "--csv"}).out;
  EXPECT_THAT(csv, testing::StartsWith("figure,value,unit\r\n"));
  EXPECT_THAT(csv, testing::ContainsRegex("\nflash.erases,[0-9]+,segments\r"));
  EXPECT_THAT(csv, testing::ContainsRegex("\ntime.by_cause_s.host,[0-9.]+,s\r"));
  EXPECT_EQ(run_in_child({"run", study, "--out", out, "--csv"}).out, csv);
  EXPECT_EQ(run_in_child({"run", study, "--out", out, "-q"}).out, "");
  const std::string compared = run({"compare", out, out, "--csv", "--all"}).out;
  EXPECT_THAT(compared, testing::StartsWith("part,key,a,b,ratio\r\n"));
  EXPECT_THAT(compared, HasSubstr("\nresult,flash.erases,"));
}

TEST_F(Show, spread_over_several_seeds_stands_below_the_figures) {
  ASSERT_EQ(run_study().code, kOk);
  const std::filesystem::path path = folder_ / "out" / "result.json";
  auto result = nlohmann::ordered_json::parse(std::ifstream(path));
  result["ensemble"] = {
      {"seeds", {1, 2}},
      {"ended_early", 1},
      {"figures", {{"flash.erases", {{"mean", 10.5}, {"stddev", 1.0}, {"low", 9.5}, {"high", 11.5}}}}},
      {"warnings", {"1 of 2 runs ended early"}}};
  std::ofstream(path) << result.dump();
  EXPECT_THAT(run({"show", path.string()}).out,
              testing::AllOf(testing::ContainsRegex("\nover the seeds +mean +95 % interval\n"),
                             testing::ContainsRegex("\nflash.erases +10.5 +9.5 .. 11.5\n"),
                             testing::EndsWith("Warning: 1 of 2 runs ended early.\n")));
}

TEST_F(Show, missing_result_is_named) {
  EXPECT_EQ(error((folder_ / "none").string()), "ftlab: error: " + (folder_ / "none").string() +
                                                    ": no such file; give a result.json or a folder that holds one\n");
  EXPECT_EQ(error(folder_.string()), "ftlab: error: " + (folder_ / "result.json").string() +
                                         ": no such file; give a result.json or a folder that holds one\n");
  EXPECT_THAT(error(""), HasSubstr("must not be empty"));
}

TEST_F(Show, what_is_no_result_is_refused) {
  std::filesystem::create_directories(folder_ / "d" / "result.json");
  EXPECT_EQ(error((folder_ / "d").string()), "ftlab: error: " + (folder_ / "d" / "result.json").string() +
                                                 ": is a directory; give a result.json or a folder that holds one\n");
  EXPECT_THAT(error(file("a.json", "{\"schema\"")), HasSubstr("a.json: not valid JSON at byte "));
  EXPECT_THAT(error(file("b.json", "{\"schema\": \"ftlab-driver\", \"version\": 1}")),
              HasSubstr("b.json: not a result of ftlab"));
  EXPECT_THAT(error(file("c.json", "")), HasSubstr("c.json: not valid JSON at byte 1; is the file complete?"));
  const std::string study = file("study.toml", "seed = 1\n");
  EXPECT_EQ(error(study),
            "ftlab: error: " + study +
                ": is no result of ftlab, which is JSON; give a result.json or a folder that holds one\n");
}

TEST_F(Show, number_that_no_double_holds_is_refused) {
  const std::string path = file("a.json", "{\"schema\": \"ftlab-result\", \"version\": 1, \"seed\": 1e999}");
  EXPECT_EQ(error(path), "ftlab: error: " + path +
                             ": holds a number that is too large (number overflow parsing '1e999'); make it anew with "
                             "`ftlab run`\n");
  EXPECT_EQ(run({"compare", path, path}).code, kBadInput);
}

TEST_F(Show, result_with_parts_missing_is_refused_with_what_is_missing) {
  const std::string path = file("part.json", "{\"schema\": \"ftlab-result\", \"version\": 1}");
  EXPECT_THAT(error(path),
              testing::AllOf(testing::StartsWith("ftlab: error: " + path + ": is no whole result of this ftlab: key '"),
                             testing::EndsWith("' not found; make it anew with `ftlab run`\n")));
}

TEST_F(Show, help_ends_with_examples) {
  EXPECT_THAT(run({"show", "--help"}).out, HasSubstr("Examples:\n  ftlab show"));
}

}  // namespace
}  // namespace ftlab::platform::cli
