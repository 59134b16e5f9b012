// The contract of the shell: exit codes, one line on standard error, spelling help.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/files/data_files.h"
#include "platform/files/output_dir.h"
#include "platform/study/params.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::Outcome;
using test::run;
using test::run_in_child;
using testing::HasSubstr;

void expect_error(const std::vector<std::string>& words, const std::string& line) {
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.err, "ftlab: error: " + line + "\n");
  EXPECT_EQ(outcome.out, "");
}

TEST(CommandLine, version_and_help_succeed) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.code, kOk);
  EXPECT_EQ(version.out, "ftlab " FTLAB_VERSION "\n");
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.code, kOk);
  EXPECT_THAT(help.out,
              testing::AllOf(HasSubstr("Examples:"), HasSubstr("ftlab init study.toml"), HasSubstr("compare")));
  EXPECT_THAT(run({"keys", "--help"}).out, HasSubstr("only this key or table"));
}

TEST(CommandLine, misspelt_command_option_and_key_name_the_nearest) {
  expect_error({"kyes"}, "unknown command 'kyes'; did you mean 'keys'?");
  expect_error({"--versoin"}, "unknown option '--versoin'; did you mean '--version'?");
  expect_error({"init", "--forse", "x.toml"}, "unknown option '--forse'; did you mean '--force'?");
  expect_error({"compare", "a", "--al=1"}, "unknown option '--al'; did you mean '--all'?");
  expect_error({"keys", "ftl.selektion"}, "no key or table named 'ftl.selektion'; did you mean 'ftl.selection'?");
  expect_error({"keys", "selektion"}, "no key or table named 'selektion'; did you mean 'ftl.selection'?");
}

TEST(CommandLine, strangers_point_to_the_help) {
  expect_error({"wombat"}, "unknown command 'wombat'; see `ftlab --help`");
  expect_error({"keys", "--wombat"}, "unknown option '--wombat'; see `ftlab keys --help`");
  expect_error({"keys", "ftl", "extra"}, "unknown argument 'extra'; see `ftlab keys --help`");
  expect_error({"compare", "a"}, "B is required; see `ftlab compare --help`");
}

TEST(CommandLine, log_without_a_name_is_refused) {
  for (const std::string log : {"--log-ops", "--log-requests", "--log-bus"}) {
    expect_error({"run", "s.toml", log, ""}, log + ": must not be empty; name a file; see `ftlab run --help`");
  }
}

TEST(CommandLine, option_in_the_place_of_a_value_is_refused) {
  expect_error({"run", "s.toml", "--log-requests", "--log-ops", "ops.csv"},
               "--log-requests needs a value, and --log-ops behind it is an option; see `ftlab run --help`");
  expect_error({"run", "--out", "--seed", "5", "s.toml"},
               "--out needs a value, and --seed behind it is an option; see `ftlab run --help`");
  expect_error({"run", "--set", "-q", "s.toml"},
               "--set needs a value, and -q behind it is an option; see `ftlab run --help`");
  expect_error({"run", "--set", "--seed=5", "s.toml"},
               "--set needs a value, and --seed=5 behind it is an option; see `ftlab run --help`");
  expect_error({"--out", "--seed", "5"}, "--out needs a value, and --seed behind it is an option; see `ftlab --help`");
  EXPECT_THAT(run({"run", "s.toml", "--out=--seed", "--seed", "-5"}).err, HasSubstr("s.toml: no such file"));
}

TEST(CommandLine, options_of_the_main_study_before_a_command_are_refused) {
  expect_error(
      {"--out", "x", "run", "s.toml"},
      "--out stands before the command 'run', where it means the main study; put it behind: ftlab run --out ...");
  expect_error({"--seed", "3", "run", "s.toml"},
               "--seed stands before the command 'run', where it means the main study; put it behind: ftlab run --seed "
               "...");
  expect_error(
      {"--trace", "x", "keys"},
      "--trace stands before the command 'keys', where it means the main study; leave it out: `ftlab keys` has "
      "no such option");
}

TEST(CommandLine, empty_names_are_refused) {
  expect_error({"run", ""}, "STUDY: must not be empty; name a study file (`ftlab init` writes one)");
  expect_error({"run", "--out", "", "s.toml"}, "--out: must not be empty; name a folder for the results");
  expect_error({"compare", "", ""}, "the name of a result must not be empty; give a result.json or its folder");
}

TEST(CommandLine, keys_lists_every_parameter_with_help) {
  const Outcome outcome = run({"keys"});
  EXPECT_EQ(outcome.code, kOk);
  for (const Param& p : params()) EXPECT_THAT(outcome.out, HasSubstr("\n" + p.key + " ")) << p.key;
  EXPECT_THAT(outcome.out, HasSubstr("\npart_overrides.* "));
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "colours only on a terminal";
}

TEST(CommandLine, keys_of_one_table_or_one_key) {
  const std::string driver = run({"keys", "driver"}).out;
  EXPECT_THAT(driver, HasSubstr("driver.suspend"));
  EXPECT_EQ(driver.find("ftl."), std::string::npos);
  const std::string one = run({"keys", "workload.hot_data"}).out;
  EXPECT_THAT(one, HasSubstr("With a unit: workload.hot_data = \"15 %\""));
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 5);
  EXPECT_THAT(run({"keys", "workload.total"}).out, HasSubstr("\nworkload.total_mib ")) << "the name without its unit";
}

TEST(CommandLine, word_that_is_no_key_finds_what_mentions_it) {
  const std::string keys = run({"keys", "BATTERY"}).out;
  for (const char* key : {"power.battery_wh", "power.system_w", "power.write_mib_per_hour"})
    EXPECT_THAT(keys, HasSubstr(std::string("\n") + key + " "));
  EXPECT_EQ(keys.find("\nftl."), std::string::npos);
  EXPECT_THAT(run({"figures", "p99"}).out, HasSubstr("latency."));
  EXPECT_THAT(run({"policies", "Wear"}).out,
              testing::AllOf(HasSubstr("ftl.wear_leveling"), testing::Not(HasSubstr("ftl.trigger"))));
  EXPECT_THAT(run({"workloads", "msr"}).out,
              testing::AllOf(HasSubstr("workload.format"), testing::Not(HasSubstr("hot_cold"))));
  expect_error({"policies", "wombat"}, "nothing mentions 'wombat'; `ftlab policies` lists all");
  expect_error({"figures", "wombat"}, "no figure named 'wombat'; `ftlab figures` lists all");
}

TEST(CommandLine, hosts_are_listed_and_shown_with_their_sources) {
  EXPECT_THAT(run({"hosts"}).out, testing::AllOf(HasSubstr("pentium-133"), HasSubstr("486dx-33")));
  const Outcome one = run({"hosts", "pentium-133"});
  EXPECT_EQ(one.code, kOk);
  EXPECT_THAT(one.out, testing::AllOf(HasSubstr("work.page_rate"), HasSubstr("fitted"), HasSubstr("source")));
  expect_error({"hosts", "pentium-13"}, "no host named 'pentium-13'; did you mean 'pentium-133'?");
}

TEST(CommandLine, a_group_of_commands_alone_shows_its_help) {
  const Outcome outcome = run({"trace"});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("Usage: ftlab trace "), HasSubstr("ftlab trace COMMAND --help"),
                                          testing::Not(HasSubstr("ftlab init"))));
  EXPECT_EQ(outcome.out, run({"trace", "--help"}).out);
}

class CommandLineFiles : public test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    file("data/parts/card.toml",
         "name = \"card\"\ntitle = \"A card\"\n[timing.5V]\nerase = { value = 0.6, unit = \"s\", source = \"sheet\" }\n"
         "program = { value = 6, unit = \"us\", source = \"guess\", estimate = true }\n"
         "[steps]\nsource = \"measured\"\ncycles = [0, 500]\n");
    ::setenv("FTLAB_DATA_DIR", (folder_ / "data").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("FTLAB_DATA_DIR");
    FolderTest::TearDown();
  }
};

TEST_F(CommandLineFiles, parts_come_from_the_data_folder) {
  EXPECT_THAT(run({"parts"}).out,
              testing::AllOf(testing::StartsWith("name "), HasSubstr("\ncard "), HasSubstr("\nseries2plus-24mb ")));
  EXPECT_THAT(run({"parts", "card"}).out,
              testing::AllOf(HasSubstr("timing.5V.erase      0.6  s               sheet\n"),
                             HasSubstr("timing.5V.program      6  us    estimate  guess\n")));
  EXPECT_THAT(run({"parts", "card"}).out, HasSubstr("\nsteps.cycles  0 500   measured\n"));
  EXPECT_THAT(run({"parts", "card", "--csv"}).out, HasSubstr("\nsteps.cycles,0 500,,,measured\r\n"));
  expect_error({"parts", "crad"}, "no part named 'crad'; did you mean 'card'?");
  const std::string study = file("study.toml", "part = \"card\"\n");
  expect_error({"parts", study},
               study + ": holds no number with unit and source, as the parts do that `ftlab parts` lists");
}

TEST_F(CommandLineFiles, broken_file_in_the_data_folder_is_listed_with_its_fault_among_the_others) {
  const std::string path = file("data/parts/broken.toml", "title = \n");
  const Outcome outcome = run({"parts"});
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::AllOf(HasSubstr("\ncard "), HasSubstr("cannot be used: " + path + ":1: not valid")));
}

TEST_F(CommandLineFiles, other_file_in_place_of_a_study_is_refused_with_what_takes_it) {
  const std::string sweep = file("s.toml", "study = \"a.toml\"\n[axes]\n\"ftl.selection\" = [\"cat\"]\n");
  expect_error({"run", sweep}, sweep + ": is a sweep, and no study; run it with `ftlab sweep " + sweep + "`");
  const std::string search = file("o.toml", "objectives.x = \"min\"\naxes.\"ftl.selection\" = [\"cat\"]\n");
  expect_error({"run", search}, search + ": is a search, and no study; run it with `ftlab optimize " + search + "`");
  const std::string part = file("part.toml", "name = \"x\"\nfamily = \"array\"\n");
  expect_error({"run", part}, part + ": is a part, and no study; name it in a study: part = \"" + part + "\"");
  const std::string host = file("host.toml", "name = \"x\"\n[work]\n");
  expect_error({"inputs", host}, host + ": is a host, and no study; name it in a study: host = \"" + host + "\"");
}

TEST_F(CommandLineFiles, broken_part_file_is_one_line) {
  const std::string path = file("broken.toml", "title = \n");
  const Outcome outcome = run({"parts", path});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, testing::StartsWith("ftlab: error: " + path + ":1: not valid TOML"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
}

TEST_F(CommandLineFiles, init_writes_a_study_that_means_the_defaults) {
  const std::string path = (folder_ / "study.toml").string();
  EXPECT_EQ(run({"init", path}).code, kOk);
  EXPECT_EQ(resolved_config(load_study(path)), resolved_config(parse_study("", path)));
  EXPECT_EQ(run({"init", "-"}).out, study_template());
}

TEST_F(CommandLineFiles, init_does_not_replace_a_file_unless_asked_to) {
  const std::string path = file("mine.toml", "seed = 5\n");
  expect_error({"init", path}, path + ": exists already; give another name, or --force to replace it");
  EXPECT_EQ(load_study(path).seed, 5U);
  EXPECT_EQ(run({"init", "--force", path}).code, kOk);
  EXPECT_EQ(load_study(path).seed, 1U);
}

TEST_F(CommandLineFiles, logs_must_not_replace_what_the_run_reads_or_writes) {
  const std::string study = file("study.toml", "seed = 5\n");
  const std::string trace = file("trace.csv", "0,7,4096,w,0\n");
  const std::string out = (folder_ / "out").string();
  for (const std::string log : {"--log-ops", "--log-requests", "--log-bus"}) {
    const auto refused = [&log](const std::string& path, const std::string& what) {
      return log + " " + path + ": is " + what + " of this run; choose another FILE";
    };
    expect_error({"run", study, "--out", out, log, study}, refused(study, "the study"));
    const std::string detour = (folder_ / "data" / ".." / "study.toml").string();
    expect_error({"run", study, "--out", out, log, detour}, refused(detour, "the study"));
    expect_error({"run", study, "--out", out, log, out + "/result.json"},
                 refused(out + "/result.json", "the result.json"));
    expect_error(
        {"run", study, "--set", "workload.kind=trace", "--set", "workload.path=" + trace, "--out", out, log, trace},
        refused(trace, "the trace"));
  }
  EXPECT_EQ(load_study(study).seed, 5U);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CommandLineFiles, logs_must_not_replace_each_other) {
  const std::string study = file("study.toml", "seed = 5\n");
  const std::string log = (folder_ / "log.csv").string();
  const std::string detour = (folder_ / "data" / ".." / "log.csv").string();
  const auto refused = [&](const std::string& first, const std::string& second, const std::string& message) {
    expect_error({"run", study, "--out", (folder_ / "out").string(), first, log, second, detour}, message);
  };
  refused("--log-ops", "--log-requests",
          "--log-requests " + detour + ": is the operation log of this run; choose another FILE");
  refused("--log-ops", "--log-bus", "--log-bus " + detour + ": is the operation log of this run; choose another FILE");
  refused("--log-bus", "--log-requests", "--log-bus " + log + ": is the request log of this run; choose another FILE");
}

TEST_F(CommandLineFiles, a_span_of_logs_behind_the_end_is_noted) {
  const std::string study = file("study.toml", "part = \"series2plus-4mb\"\nworkload.total_mib = 0.1\n");
  const auto said = [&](const std::string& from) {
    const test::Outcome made = test::run_in_child({"run", study, "--out", (folder_ / "out").string(), "--log-requests",
                                                   (folder_ / "log.csv").string(), "--log-from", from});
    EXPECT_EQ(made.code, kOk);
    return made.err;
  };
  EXPECT_EQ(said("0.01"), "");
  EXPECT_THAT(said("1000"), testing::MatchesRegex("ftlab: note: --log-from 1000: the measured phase ended at [0-9.]+ "
                                                  "s, so the logs are empty\n"));
}

TEST_F(CommandLineFiles, a_span_of_logs_wants_a_log_and_seconds_in_order) {
  const std::string study = file("study.toml", "seed = 5\n");
  const std::string log = (folder_ / "log.csv").string();
  expect_error(
      {"run", study, "--log-from", "1"},
      "--log-from, --log-to: there is no log; give --log-ops, --log-requests, --log-bus or --log-instructions");
  expect_error({"run", study, "--log-ops", log, "--log-from", "2", "--log-to", "1"},
               "--log-from 2 --log-to 1: must be a span of seconds from 0 on");
  expect_error({"run", study, "--log-ops", log, "--log-from", "nan"},
               "--log-from nan --log-to inf: must be a span of seconds from 0 on");
}

/// A small card whose segments bear a few erasures only; `mib` are written to it.
class CommandLineRun : public test::FolderTest {
 protected:
  Outcome run_wearing(int mib) {
    const std::string study =
        file("study.toml",
             "part = \"series2plus-4mb\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = " + std::to_string(mib) +
                 "\n[part_overrides.endurance]\nrated_cycles = 3\nmedian_ratio = 1.3333333333333333\n");
    return run_in_child({"run", study, "--out", (folder_ / "out").string()});
  }
};

TEST_F(CommandLineRun, whole_workload_ends_with_status_0) {
  const Outcome outcome = run_wearing(1);
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("ENDED EARLY")));
}

TEST_F(CommandLineRun, end_of_the_device_before_the_workload_has_a_status_of_its_own_and_results) {
  const Outcome outcome = run_wearing(100);
  EXPECT_EQ(outcome.code, kEndedEarly) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("THE RUN ENDED EARLY"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "result.json"));
}

TEST_F(CommandLineRun, logs_are_complete_when_the_run_is_done_and_named) {
  const std::string study = file("study.toml", "part = \"series2plus-4mb\"\n[workload]\ntotal_mib = 1\n");
  const std::string log = (folder_ / "log").string();
  const Outcome outcome = run_in_child({"run", study, "--out", (folder_ / "out").string(), "--log-ops", log + "1",
                                        "--log-requests", log + "2.gz", "--log-bus", log + "3"});
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nOperations: " + log + "1\nRequests: " + log + "2.gz\nBus: " + log + "3\n"));
  for (const char* name : {"1", "2.gz", "3"}) EXPECT_GT(std::filesystem::file_size(log + name), 100U) << name;
}

TEST_F(CommandLineRun, log_on_a_full_disk_is_one_line) {
  const std::string study = file("study.toml", "part = \"series2plus-4mb\"\n[workload]\ntotal_mib = 1\n");
  for (const std::string log : {"--log-ops", "--log-requests", "--log-bus"}) {
    const Outcome outcome = run_in_child({"run", study, "--out", (folder_ / "out").string(), log, "/dev/full"});
    EXPECT_EQ(outcome.code, kBadInput);
    EXPECT_THAT(outcome.err,
                testing::StartsWith("ftlab: error: /dev/full: cannot be written: No space left on device"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  }
}

TEST_F(CommandLineRun, result_of_another_study_is_replaced_only_when_asked_to) {
  ASSERT_EQ(run_wearing(1).code, kOk);
  ASSERT_EQ(run_wearing(1).code, kOk) << "its own result";
  const std::string other =
      file("other.toml", "part = \"series2plus-4mb\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = 1\n");
  const std::string out = (folder_ / "out").string();
  expect_error({"run", other, "--out", out}, out + "/result.json: is the result of another study, " +
                                                 (folder_ / "study.toml").string() +
                                                 "; choose another folder with --out, or replace it with --force");
  EXPECT_EQ(run_in_child({"run", other, "--out", out, "--force"}).code, kOk);
}

TEST_F(CommandLineRun, result_is_repeated_byte_for_byte_without_its_study_and_part) {
  const auto content = [&](const std::string& name) {
    std::ifstream in(folder_ / name / "result.json");
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    return text.substr(0, text.find("\n  \"run\": {"));
  };
  const std::string part = (folder_ / "own.toml").string();
  std::filesystem::copy_file(data_file("parts", "series2plus-4mb", {}, ""), part);
  const std::string study =
      file("study.toml", "part = \"own.toml\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = 1\n");
  const auto out = [&](const char* name) { return (folder_ / name).string(); };
  ASSERT_EQ(run_in_child({"run", study, "--out", out("first")}).code, kOk);
  std::filesystem::remove(study);
  std::filesystem::remove(part);
  const Outcome outcome = run_in_child({"run", out("first") + "/result.json", "--out", out("again")});
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  EXPECT_FALSE(content("first").empty());
  EXPECT_EQ(content("first"), content("again"));
  EXPECT_THAT(run({"compare", out("first"), out("again")}).out, HasSubstr("Same configuration.\n"));
}

TEST_F(CommandLineRun, folder_of_a_result_is_answered_with_the_result_in_it) {
  const std::string folder = std::filesystem::path(file("out/result.json", "{}")).parent_path().string();
  expect_error({"run", folder}, folder + ": is a directory; give the result in it, " + folder + "/result.json");
}

TEST_F(CommandLineRun, runs_at_the_same_time_get_folders_of_their_own_unless_they_are_named) {
  const std::string out = (folder_ / "out").string();
  OutputDir busy(out);
  ASSERT_TRUE(busy.claim());
  EXPECT_EQ(run_wearing(1).err,
            "ftlab: error: --out " + out + ": another run is writing there; choose another folder\n");
}

TEST_F(CommandLineRun, help_tells_the_exit_statuses) {
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("Exit status: 0"));
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr(std::to_string(kEndedEarly) + " results are written"));
}

TEST_F(CommandLineFiles, init_into_a_missing_folder_is_one_line) {
  const std::string path = (folder_ / "no" / "study.toml").string();
  expect_error({"init", path}, path + ": cannot be written: No such file or directory; give the path of another FILE");
}

}  // namespace
}  // namespace ftlab::platform::cli
