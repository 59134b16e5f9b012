// A study file becomes a Study, or one line that says which key to mend.
#include "platform/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "firmware/driver/series2plus/config.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/volume_config.h"
#include "hw/series2plus/spec/choices.h"
#include "platform/study/params.h"
#include "platform/study/without_effect.h"
#include "tests/fixtures/error_text.h"
#include "tests/unit/platform/study/refusal.h"

namespace ftlab::platform {
namespace {

using test::error_text;

Study parse(std::string_view text, std::vector<Setting> settings = {}) { return parse_study(text, "s.toml", settings); }

TEST(Study, empty_file_is_the_default_study) {
  const Study s = parse("");
  EXPECT_EQ(s.part, "series2plus-24mb");
  EXPECT_EQ(s.host, "pentium-133");
  EXPECT_EQ(s.seed, 1U);
  EXPECT_EQ(s.configs.get<hw::CardChoices>().voltage, hw::Voltage::v5);
  EXPECT_EQ(s.ftl.page_bytes, 4096U);
  EXPECT_EQ(s.ftl.utilization, 0.9);
  EXPECT_EQ(s.ftl.selection, "cat");
  EXPECT_EQ(s.configs.get<FmsConfig>().redistribution, "fine_grained");
  EXPECT_EQ(s.configs.get<FmsConfig>().age_clock, FmsConfig::AgeClock::writes);
  EXPECT_EQ(s.driver.wait, DriverWaiting::host);
  EXPECT_EQ(s.platform.timing, TimingStyle::loose);
  EXPECT_TRUE(s.platform.store_content);
  EXPECT_EQ(s.workload.kind, "hot_cold");
  EXPECT_EQ(s.generator.total_bytes, 192 * kMiB);
  EXPECT_EQ(s.trace.format, "auto");
  EXPECT_EQ(s.trace.repeat, 1U);
}

TEST(Study, keys_without_effect_are_named_with_what_they_count_with) {
  EXPECT_THAT(parse("[workload]\nkind = \"uniform\"\nhot_access = 0.8\n").notes,
              testing::ElementsAre("s.toml:3: workload.hot_access: has no effect in this study; it counts with "
                                   "workload.kind = \"hot_cold\""));
  EXPECT_THAT(parse("[flexfs]\nwait_s = 2\n", {{"ftl.swap_spread", "8"}}).notes,
              testing::ElementsAre("--set: ftl.swap_spread: has no effect in this study; it counts with "
                                   "ftl.firmware = \"fms\" and ftl.wear_leveling = \"swap\"",
                                   "s.toml:2: flexfs.wait_s: has no effect in this study; it counts with "
                                   "ftl.firmware = \"flexfs\""));
  EXPECT_THAT(
      parse("[ftl]\nselection = \"greedy\"\nredistribution = \"sequential\"\nage_exponent = 0.5\n").notes,
      testing::ElementsAre("s.toml:4: ftl.age_exponent: has no effect in this study; it counts with "
                           "ftl.firmware = \"fms\" or \"page\" and ftl.selection = \"cost_benefit\" or \"cat\", or "
                           "ftl.redistribution = \"times_sort\" or \"fine_grained\""));
  EXPECT_THAT(parse("[age]\ntemperature_c = 40\n").notes,
              testing::ElementsAre("s.toml:2: age.temperature_c: has no effect in this study; it counts with "
                                   "age.days = N"));
  EXPECT_THAT(parse("[age]\ndays = 1\ntemperature_c = 40\n").notes, testing::IsEmpty());
}

TEST(Study, ties_have_no_effect_where_a_pool_choice_asks_lists) {
  const char* const pools =
      "[ftl]\nselection = \"greedy\"\nseparation = \"oracle\"\npool_choice = \"cat_log2\"\nties = \"least_erased\"\n";
  EXPECT_THAT(parse(pools).notes,
              testing::ElementsAre(testing::AllOf(
                  testing::StartsWith("s.toml:5: ftl.ties: has no effect in this study; it counts with "),
                  testing::HasSubstr(" and ftl.pool_choice = \"together\", or ftl.separation = \"none\""))));
  EXPECT_THAT(parse(pools, {{"ftl.pool_choice", "together"}}).notes, testing::IsEmpty());
  EXPECT_THAT(parse("[ftl]\nselection = \"greedy\"\nties = \"least_erased\"\n").notes, testing::IsEmpty());
}

TEST(Study, a_share_of_operations_in_which_no_power_is_lost_has_no_effect) {
  EXPECT_THAT(parse("[power]\nloss_at_s = [1]\nloss_share = 0.25\n").notes,
              testing::ElementsAre("s.toml:3: power.loss_share: has no effect in this study; it counts with "
                                   "power.loss_at_operation = [N, ...], or power.loss_at_program = [N, ...], or "
                                   "power.loss_at_erase = [N, ...], or power.loss_at_read = [N, ...]"));
  EXPECT_THAT(parse("[power]\nloss_at_erase = [7]\nloss_share = 0.25\n").notes, testing::IsEmpty());
}

TEST(Study, a_key_that_policies_share_counts_with_any_of_them) {
  for (const char* choices : {"selection = \"greedy\"\nredistribution = \"fine_grained\"",
                              "selection = \"cat\"\nredistribution = \"sequential\""}) {
    EXPECT_THAT(parse(std::string("[ftl]\n") + choices + "\nage_exponent = 0.5\nties = \"least_erased\"\n").notes,
                testing::IsEmpty());
  }
}

TEST(Study, keys_at_their_defaults_and_keys_with_effect_are_not_named) {
  EXPECT_THAT(parse(study_template()).notes, testing::IsEmpty());
  EXPECT_THAT(parse("[ftl]\nwear_leveling = \"swap\"\nswap_spread = 8\n[workload]\nhot_access = 0.8\n").notes,
              testing::IsEmpty());
}

TEST(Study, a_key_that_counts_with_a_number_above_0_says_so) {
  EXPECT_THAT(parse("part = \"array-tlc\"\nftl.page_bytes = 16384\nftl.write_buffer_idle_s = 2\n").notes,
              testing::Contains(testing::HasSubstr("and ftl.write_buffer = N")));
}

TEST(Study, every_condition_is_of_a_key) {
  std::size_t conditions = 0;
  for (const Param& param : params()) {
    std::vector<Condition> all = param.counts_with;
    for (const Condition& condition : param.counts_with)
      all.insert(all.end(), condition.others.begin(), condition.others.end());
    for (const Condition& condition : all) {
      const Param* other = find_param(condition.key);
      ASSERT_NE(other, nullptr) << param.key << " counts with " << condition.key;
      ++conditions;
      if (other->type == ParamType::boolean || other->type == ParamType::number_list) continue;
      const bool number = other->type == ParamType::number || other->type == ParamType::integer;
      if (number && condition.values == "N") continue;
      std::istringstream values(condition.values);
      for (std::string value; std::getline(values, value, '|');) {
        EXPECT_THAT(other->choices, testing::Contains(value)) << param.key << " counts with " << condition.key;
      }
    }
  }
  EXPECT_GT(conditions, 45U);
}

TEST(Study, every_table_of_the_file_is_read) {
  const Study s = parse(
      "part = \"x\"\nseed = 7\nvoltage = \"3.3V\"\n[ftl]\nselection = \"greedy\"\nread_only = \"mixed\"\nerase = "
      "\"overlap\"\n"
      "idle_cleaning = true\n[driver]\nwait = \"poll\"\nprogram = \"word\"\nsuspend = true\n[platform]\ntiming = "
      "\"event\"\n"
      "quantum_us = 10\n[workload]\nkind = \"uniform\"\nread_share = 0.25\narrival = \"poisson\"\nmean_interarrival_s "
      "= 0.5\n"
      "[power]\nbattery_wh = 12.5\n");
  EXPECT_EQ(s.part, "x");
  EXPECT_EQ(s.seed, 7U);
  EXPECT_EQ(s.configs.get<hw::CardChoices>().voltage, hw::Voltage::v3_3);
  EXPECT_EQ(s.ftl.selection, "greedy");
  EXPECT_EQ(s.configs.get<FmsConfig>().read_only_placement, "mixed");
  EXPECT_EQ(s.ftl.erase, Erasing::overlap);
  EXPECT_TRUE(s.configs.get<FmsConfig>().idle_cleaning);
  EXPECT_EQ(s.driver.wait, DriverWaiting::poll);
  EXPECT_EQ(s.configs.get<Series2PlusDriverConfig>().program_method, ProgramMethod::word);
  EXPECT_TRUE(s.configs.get<Series2PlusDriverConfig>().suspend_erase);
  EXPECT_EQ(s.platform.timing, TimingStyle::event);
  EXPECT_EQ(s.platform.quantum_us, 10);
  EXPECT_EQ(s.arrival.kind, workloads::Arrival::poisson);
  EXPECT_EQ(s.arrival.mean_interarrival_s, 0.5);
  EXPECT_EQ(s.power.battery_wh, 12.5);
}

TEST(Study, unknown_key_is_reported_before_anything_else_with_the_nearest_name) {
  EXPECT_EQ(refusal_of("[ftl]\npage_bytes = 1\nutilisation = 0.9\n"),
            "s.toml:3: ftl.utilisation: unknown key; did you mean 'ftl.utilization'?");
  EXPECT_EQ(refusal_of("selection = \"cat\"\n"), "s.toml:1: selection: unknown key; did you mean 'ftl.selection'?");
  EXPECT_EQ(refusal_of("[wombat]\nx = 1\n"), "s.toml:2: wombat.x: unknown key; `ftlab keys` lists all");
  EXPECT_EQ(refusal_of("[worklod]\ntotal_mib = 1\n"),
            "s.toml:2: worklod.total_mib: unknown key; did you mean 'workload.total_mib'?");
  // Not 'workload.action', which is only spelt alike.
  EXPECT_EQ(refusal_of("[workload]\nselection = \"cat\"\n"),
            "s.toml:2: workload.selection: unknown key; did you mean 'ftl.selection'?");
  EXPECT_EQ(refusal_of("[ftl]\nvoltage = \"5V\"\n"),
            "s.toml:2: ftl.voltage: unknown key; 'voltage' stands above all tables");
}

TEST(Study, choices_that_the_papers_leave_open_are_keys) {
  const Study s = parse(
      "[ftl]\nties = \"least_erased\"\nhot_mean = \"victim_pages\"\nage_exponent = 0.55\n[workload]\nhot_place = "
      "\"contiguous\"\n");
  EXPECT_EQ(s.configs.get<FmsConfig>().shared.ties, fms::Ties::least_erased);
  EXPECT_EQ(s.configs.get<FmsConfig>().shared.age_exponent, 550'000U);
  EXPECT_EQ(s.generator.hot_place, workloads::HotPlace::contiguous);
  for (const char* key : {"ftl.ties", "ftl.hot_mean", "ftl.age_exponent", "workload.hot_place"}) {
    ASSERT_NE(find_param(key), nullptr) << key;
    EXPECT_TRUE(find_param(key)->unpublished) << key;
    EXPECT_FALSE(is_default(*find_param(key), s)) << key;
  }
  EXPECT_EQ(refusal_of("[ftl]\nage_exponent = 0\n"),
            "s.toml:2: ftl.age_exponent: 0 is out of range; give a number from 0.05 to 1");
  EXPECT_EQ(refusal_of("[ftl]\nties = \"random\"\n"),
            "s.toml:2: ftl.ties: 'random' is not one of lowest_index | highest_index | least_erased");
}

TEST(Study, keys_answer_to_the_names_that_they_had) {
  const Study page = parse("[ftl]\nfirmware = \"page\"\nfree_segments = 7\n");
  EXPECT_EQ(page.configs.get<VolumeConfig>().low_water, 7U);
  EXPECT_THAT(page.notes, testing::ElementsAre("s.toml:3: ftl.free_segments: is called ftl.low_water now"));
  const Study fms = parse("[ftl]\nselection = \"d_choices\"\n", {{"ftl.draws", "3"}});
  EXPECT_EQ(std::get<std::uint64_t>(find_param("ftl.candidates")->read(fms)), 3U);
  EXPECT_THAT(fms.notes, testing::ElementsAre("--set: ftl.draws: is called ftl.candidates now"));
  EXPECT_EQ(refusal_of("[ftl]\ncandidates = 3\nchoices = 4\n"),
            "s.toml:3: ftl.choices: is ftl.candidates by its former name; keep one of the two");
  EXPECT_EQ(refusal_of("[ftl]\nchoices = 1001\n"),
            "s.toml:2: ftl.candidates: 1001 is out of range; give an integer from 1 to 1000");
}

TEST(Study, a_firmware_answers_to_the_name_that_it_had) {
  constexpr const char* kCalledPage =
      "ftl.firmware: 'pagemap' is called page now; unless given it had host = \"pentium-133\", ftl.frontiers = "
      "\"host_and_cleaning\", ftl.low_water = 3";
  const Study inside = parse("[ftl]\nfirmware = \"pagemap\"\n[pagemap]\nlow_water = 4\ndata_checksum = true\n");
  EXPECT_EQ(inside.ftl.firmware, "page");
  EXPECT_EQ(inside.configs.get<VolumeConfig>().low_water, 4U);
  EXPECT_TRUE(inside.ftl.data_checksum);
  EXPECT_THAT(inside.notes,
              testing::UnorderedElementsAre(std::string("s.toml:2: ") + kCalledPage,
                                            "s.toml:4: pagemap.low_water: is called ftl.low_water now",
                                            "s.toml:5: pagemap.data_checksum: is called ftl.data_checksum now"));
  const Study from_outside = parse("", {{"ftl.firmware", "pagemap"}});
  EXPECT_EQ(from_outside.ftl.firmware, "page");
  EXPECT_THAT(from_outside.notes, testing::ElementsAre(std::string("--set: ") + kCalledPage));
  EXPECT_EQ(refusal_of("[pagemap]\nlow_water = 4\n[ftl]\nfirmware = \"pagemap\"\nlow_water = 3\n"),
            "s.toml:2: pagemap.low_water: is ftl.low_water by its former name; keep one of the two");
}

TEST(Study, firmwares_that_share_a_key_have_defaults_and_ranges_of_their_own) {
  const Param& low_water = *find_param("ftl.low_water");
  const auto unless_given = [&](const Study& study) {
    EXPECT_TRUE(is_default(low_water, study)) << study.ftl.firmware;
    return std::get<std::uint64_t>(low_water.read(study));
  };
  EXPECT_EQ(unless_given(parse("ftl.firmware = \"fms\"\n")), 3U);
  EXPECT_EQ(unless_given(parse("ftl.firmware = \"page\"\n")), 0U);
  EXPECT_FALSE(is_default(low_water, parse("ftl = { firmware = \"page\", low_water = 3 }\n")));
  EXPECT_EQ(
      refusal_of("ftl.low_water = 0\n"),
      "s.toml:1: ftl.low_water: 0 is out of the range of ftl.firmware = \"fms\"; give an integer from 1 to 1000000");
  EXPECT_THAT(
      parse("ftl = { firmware = \"flexfs\", low_water = 4 }\n").notes,
      testing::ElementsAre("s.toml:1: ftl.low_water: has no effect in this study; it counts with ftl.firmware = "
                           "\"fms\" or \"page\""));
}

TEST(Study, wrong_type_and_range_name_the_key) {
  EXPECT_EQ(refusal_of("[ftl]\nutilization = \"high\"\n"),
            "s.toml:2: ftl.utilization: must be a number, or one with unit such as \"15 %\", not a string ('high')");
  EXPECT_EQ(refusal_of("[ftl]\nutilization = 1.5\n"),
            "s.toml:2: ftl.utilization: 1.5 is out of range; give a number from 0.01 to 0.99");
  EXPECT_EQ(refusal_of("seed = -1\n"),
            "s.toml:1: seed: -1 is out of range; give an integer from 0 to 9000000000000000");
  EXPECT_EQ(refusal_of("part = 5\n"), "s.toml:1: part: must be a string in quotes, not an integer (5)");
  EXPECT_EQ(refusal_of("part = \"\"\n"), "s.toml:1: part: must not be empty");
  EXPECT_EQ(refusal_of("ftl = 3\n"), "s.toml:1: ftl: is a table, and no value; give keys of it, such as ftl.age_clock");
}

TEST(Study, unknown_choice_lists_the_choices_and_the_nearest_one) {
  EXPECT_EQ(refusal_of("[ftl]\nselection = \"greddy\"\n"),
            "s.toml:2: ftl.selection: 'greddy' is not one of greedy | cost_benefit | cat | fifo | linux_pcmcia | "
            "windowed_greedy | d_choices | "
            "random | partition_fifo | lru; did you mean 'greedy'?");
  EXPECT_EQ(refusal_of("voltage = \"12V\"\n"), "s.toml:1: voltage: '12V' is not one of 5V | 3.3V");
  EXPECT_EQ(refusal_of("[workload]\naction = \"X\"\n"),
            "s.toml:2: workload.action: 'X' is not one of Q | G | I | D | C");
  EXPECT_EQ(refusal_of("[driver]\nwait = \"tomorrow\"\n"),
            "s.toml:2: driver.wait: 'tomorrow' is not one of host | poll | interrupt");
}

TEST(Study, spare_factor_is_another_way_to_say_utilization) {
  EXPECT_DOUBLE_EQ(parse("[ftl]\nspare_factor = 0.2\n").ftl.utilization, 0.8);
  EXPECT_EQ(refusal_of("[ftl]\nutilization = 0.8\nspare_factor = 0.2\n"),
            "s.toml:3: ftl.spare_factor: given together with ftl.utilization; keep one of the two");
  EXPECT_EQ(refusal_of("[ftl]\nutilization = 0.8\n", {{"ftl.spare_factor", "0.2"}}),
            "--set: ftl.spare_factor: given together with ftl.utilization; keep one of the two");
}

TEST(Study, keys_know_their_place) {
  const Study s = parse("[flexfs]\npartition_mib = 3\n", {{"flexfs.cleaning_free", "4"}});
  EXPECT_EQ(s.where_of("flexfs.partition_mib"), "s.toml:2: flexfs.partition_mib: ");
  EXPECT_EQ(s.where_of("flexfs.cleaning_free"), "--set: flexfs.cleaning_free: ");
  EXPECT_EQ(s.where_of("flexfs.scheme"), "s.toml:1: flexfs.scheme: ") << "its table";
  EXPECT_EQ(s.where_of("ftl.page_bytes"), "s.toml: ftl.page_bytes: ");
}

TEST(Study, broken_syntax_missing_file_and_directory_are_one_line) {
  EXPECT_THAT(refusal_of("[ftl\n"), testing::StartsWith("s.toml:1: not valid TOML"));
  EXPECT_EQ(error_text([] { (void)load_study("/nonexistent/s.toml"); }), "/nonexistent/s.toml: no such file");
  EXPECT_EQ(error_text([] { (void)load_study("/tmp"); }), "/tmp: is a directory, not a TOML file");
}

TEST(Study, settings_override_and_errors_name_their_origin) {
  const Study s =
      parse("seed = 3\n[ftl]\nselection = \"greedy\"\n", {{"ftl.selection", "cat"}, {"seed", "9", "--seed"}});
  EXPECT_EQ(s.ftl.selection, "cat");
  EXPECT_EQ(s.seed, 9U);
  EXPECT_EQ(refusal_of("", {{"ftl.selction", "cat"}}),
            "--set: ftl.selction: unknown key; did you mean 'ftl.selection'?");
  EXPECT_EQ(refusal_of("", {{"ftl.selection", "cet"}}),
            "--set: ftl.selection: 'cet' is not one of greedy | cost_benefit | cat | fifo | linux_pcmcia | "
            "windowed_greedy | d_choices | "
            "random | partition_fifo | lru; did you mean 'cat'?");
  EXPECT_EQ(refusal_of("", {{"seed", "many", "--seed"}}), "--seed: seed: must be an integer, not a string ('many')");
}

TEST(Study, setting_without_equals_sign_is_refused) {
  EXPECT_EQ(parse_setting("a.b=c=d").key, "a.b");
  EXPECT_EQ(parse_setting("a.b=c=d").text, "c=d");
  EXPECT_EQ(error_text([] { (void)parse_setting("ftl.selection"); }),
            "--set: 'ftl.selection' is not KEY=VALUE; write for example --set ftl.selection=cat");
}

TEST(Study, paths_of_the_file_are_relative_to_the_file_and_those_of_the_command_line_are_not) {
  const std::string trace = "[workload]\nkind = \"trace\"\npath = \"../traces/a.srt\"\n";
  EXPECT_EQ(parse_study(trace, "studies/s.toml").workload.path, "traces/a.srt");
  EXPECT_EQ(parse_study("part = \"parts/x.toml\"\n", "studies/s.toml").part, "studies/parts/x.toml");
  EXPECT_EQ(parse_study("part = \"series2plus-4mb\"\n", "studies/s.toml").part, "series2plus-4mb");
  const std::vector<Setting> settings = {{"workload.path", "b.srt"}};
  EXPECT_EQ(parse_study(trace, "studies/s.toml", settings).workload.path, "b.srt");
}

TEST(Study, overrides_of_parts_and_hosts_are_kept_with_their_origin) {
  const Study s = parse("[part_overrides]\nsegment_kib = 64\n[part_overrides.timing.5V]\nerase = \"0.8 s\"\n",
                        {{"host_overrides.work.page_copy", "2 ms"}});
  ASSERT_EQ(s.part_overrides.size(), 2U);
  EXPECT_EQ(s.part_overrides[0].key, "segment_kib");
  EXPECT_EQ(s.part_overrides[0].text, "64");
  EXPECT_EQ(s.part_overrides[0].origin, "s.toml:2: part_overrides");
  EXPECT_EQ(s.part_overrides[1].key, "timing.5V.erase");
  ASSERT_EQ(s.host_overrides.size(), 1U);
  EXPECT_EQ(s.host_overrides[0].key, "work.page_copy");
  EXPECT_EQ(s.host_overrides[0].origin, "--set: host_overrides");
}

TEST(Study, scenario_keeps_its_times_and_writes_no_initial_data_unless_asked) {
  const std::string scenario = "[workload]\nkind = \"scenario\"\nscenario = \"flexfs-busy\"\n";
  EXPECT_EQ(parse(scenario).arrival.kind, workloads::Arrival::trace);
  EXPECT_FALSE(parse(scenario).workload.fill);
  const Study asked = parse(scenario + "arrival = \"closed\"\nfill = true\n");
  EXPECT_EQ(asked.arrival.kind, workloads::Arrival::closed_loop);
  EXPECT_TRUE(asked.workload.fill);
  const Study s = parse(scenario + "arrival = \"trace\"\n[scenario_overrides.bursts]\nperiod = \"12 s\"\n");
  EXPECT_EQ(s.workload.scenario, "flexfs-busy");
  ASSERT_EQ(s.scenario_overrides.size(), 1U);
  EXPECT_EQ(s.scenario_overrides[0].key, "bursts.period");
}

TEST(Study, resolved_configuration_has_every_key_with_its_unit_as_it_is) {
  const auto config = resolved_config(parse("[part_overrides]\nsegment_kib = 64\n[ftl]\nspare_factor = 0.25\n"));
  EXPECT_EQ(config["part"], "series2plus-24mb");
  EXPECT_EQ(config["voltage"], "5V");
  EXPECT_EQ(config["part_overrides"]["segment_kib"], 64);
  EXPECT_EQ(config["ftl"]["utilization"], 0.75);
  EXPECT_FALSE(config["ftl"].contains("spare_factor"));
  EXPECT_EQ(config["ftl"]["page_bytes"], 4096);
  EXPECT_EQ(config["driver"]["suspend"], false);
  EXPECT_EQ(config["workload"]["kind"], "hot_cold");
  EXPECT_FALSE(config["workload"].contains("path"));
  EXPECT_EQ(config.begin().key(), "part");
}

TEST(Study, same_study_gives_the_same_configuration_text) {
  const std::string text = "seed = 4\n[workload]\nkind = \"uniform\"\n";
  EXPECT_EQ(resolved_config(parse(text)).dump(2), resolved_config(parse(text)).dump(2));
}

TEST(Study, the_layer_of_arrays_has_defaults_of_its_own) {
  const Study page = parse_study("part = \"array-slc\"\n[ftl]\nfirmware = \"page\"\n", "s.toml");
  EXPECT_EQ(page.host, "ssd-controller");
  EXPECT_EQ(page.ftl.selection, "greedy");
  EXPECT_EQ(page.ftl.page_bytes, 0U);
  EXPECT_EQ(page.generator.request_bytes, 0U);
  const Study given = parse_study(
      "part = \"array-slc\"\nhost = \"omap2420-400\"\n[ftl]\nfirmware = \"page\"\nselection = \"lru\"\n", "s.toml");
  EXPECT_EQ(given.host, "omap2420-400");
  EXPECT_EQ(given.ftl.selection, "lru");
}

}  // namespace
}  // namespace ftlab::platform
