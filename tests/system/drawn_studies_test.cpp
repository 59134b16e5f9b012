// Studies of arrays drawn at random over what controllers, parts and whole drives can do: one that is accepted runs,
// and every sum holds; one that is refused is so in one line that names a key. FTLAB_DRAWS=N draws so many, from
// FTLAB_FIRST_DRAW on.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "common/input_error.h"
#include "tests/system/csv_rows.h"
#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

struct Choice {
  const char* key;
  unsigned percent;                 ///< of the studies that give it
  std::vector<const char*> values;  ///< "1; KEY=2": with another one
};

/// What a study has whatever is drawn.
const Settings kSmall{set("part_overrides.channels", "2"),
                      set("part_overrides.dies_per_channel", "2"),
                      set("part_overrides.segments", "256"),
                      set("part_overrides.pages_per_segment", "24"),
                      set("part_overrides.page_bytes", "16384"),
                      set("ftl.firmware", "page"),
                      set("ftl.spare_factor", "0.4"),
                      set("workload.total_mib", "2"),
                      set("platform.self_check_every", "60")};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all{
      {"part",
       100,
       {"array-slc", "array-mlc", "array-tlc", "array-tlc-72l", "array-tlc-2021", "array-qlc", "ssd-tlc-8x4",
        "ssd-zn540-class"}},
      {"part_overrides.content", 70, {"tag", "bytes", "bytes", "bytes"}},
      {"part_overrides.planes_at_once",
       50,
       {"1", "1; part_overrides.planes=1", "2; part_overrides.planes=2", "4; part_overrides.planes=4", "3"}},
      {"part_overrides.one_shot_pages", 10, {"1", "2"}},
      {"part_overrides.controller.buffer_slots", 60, {"64", "200", "512"}},
      {"part_overrides.controller.power_loss_protection", 40, {"true", "false"}},
      {"part_overrides.controller.open_wordlines", 20, {"capacitors", "backup"}},
      {"part_overrides.timing.read_cache", 30, {"3 us", "11 us"}},
      {"part_overrides.timing.read_part", 20, {"20 us", "40 us"}},
      {"part_overrides.timing.read_planes", 20, {"90 us"}},
      {"part_overrides.timing.suspend_program_left", 25, {"50 us", "400 us"}},
      {"part_overrides.timing.suspend_erase_left", 25, {"200 us", "3 ms"}},
      {"part_overrides.timing.read_distribution", 15, {"exponential", "constant"}},
      {"part_overrides.power.ram", 10, {"0.5"}},
      {"part_overrides.endurance.rated_cycles", 10, {"3"}},
      {"driver.suspend_programs", 40, {"true"}},
      {"driver.suspend_erases", 40, {"true"}},
      {"driver.overtaking_reads", 30, {"0", "1", "100"}},
      {"driver.gather", 20, {"1", "4"}},
      {"ftl.firmware", 15, {"fms", "page"}},
      {"ftl.page_bytes", 70, {"4096", "8192", "16384"}},
      {"ftl.write_buffer", 50, {"0", "1", "13", "48", "190"}},
      {"ftl.write_buffer_idle_s", 30, {"0", "0.0005", "0.1"}},
      {"ftl.checkpoint_every", 25, {"200", "500"}},
      {"ftl.frontiers", 25, {"host_and_cleaning"}},
      {"ftl.die_choice", 15, {"in_turn"}},
      {"ftl.slc_segments", 10, {"2"}},
      {"age.cycles", 25, {"10", "1000", "5000"}},
      {"age.days", 25, {"3", "90", "400"}},
      {"age.reads", 20, {"100", "20000"}},
      {"age.temperature_c", 10, {"25", "40", "55"}},
      {"workload.kind", 60, {"uniform", "hot_cold"}},
      {"workload.read_share", 80, {"0", "0.3", "0.7"}},
      {"workload.request_bytes", 70, {"512", "3000", "4096", "16384", "50000"}},
      {"workload.queue_depth", 80, {"1", "4", "32", "100"}},
      {"workload.warm_up_overwrites", 40, {"0.1", "0.5"}},
      {"workload.idle_every", 20, {"40"}},
      {"workload.idle_s", 20, {"0.001", "0.2"}},
      {"workload.arrival", 15, {"poisson"}},
      {"workload.mean_interarrival_s", 15, {"0.00005", "0.001"}},
      {"platform.timing", 30, {"event", "loose"}},
      {"power.loss_at_s", 35, {"[0.001]", "[0.004, 0.0041, 0.03]", "[0]"}},
      {"power.loss_at_request", 35, {"[1]", "[20, 21, 60]", "[100]"}},
      {"power.loss_at_operation", 20, {"[3, 30]", "[100, 400]"}},
      {"power.loss_at_program", 20, {"[2]", "[7, 8]"}},
      {"power.loss_share", 15, {"0", "0.5", "1"}},
      {"platform.latency_parts", 50, {"true"}},
      {"platform.sample_s", 50, {"0.002", "0.03"}},
  };
  return all;
}

Settings draw(unsigned seed) {
  std::mt19937 random(seed);
  Settings drawn = kSmall;
  drawn.push_back(set("seed", std::to_string(seed)));
  for (const Choice& choice : choices()) {
    if (random() % 100 >= choice.percent) continue;
    const std::string value = choice.values[random() % choice.values.size()];
    const std::size_t other = value.find("; ");
    drawn.push_back(set(choice.key, value.substr(0, other)));
    if (other == std::string::npos) continue;
    const std::size_t equals = value.find('=', other);
    drawn.push_back(set(value.substr(other + 2, equals - other - 2), value.substr(equals + 1)));
  }
  return drawn;
}

std::string text_of(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings) text += " --set " + setting.key + "='" + setting.text + "'";
  return text;
}

void expect_one_line(const std::string& refusal) {
  EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
  // Where it comes from, of a part with its line, and the key.
  EXPECT_TRUE(refusal.starts_with("test: ") || refusal.find(".toml:") != std::string::npos) << refusal;
  const std::size_t where = refusal.find(": ");
  ASSERT_NE(where, std::string::npos) << refusal;
  EXPECT_NE(refusal.find(": ", where + 2), std::string::npos) << refusal;
}

void expect_parts_add_up(const ordered_json& run) {
  for (const char* kind : {"read", "write"}) {
    const ordered_json& latency = run["latency"][kind];
    if (!latency.contains("parts_s")) continue;
    const double mean = latency["mean_s"];
    EXPECT_NEAR(sum_of(latency["parts_s"]), mean, 1e-9 * mean + 1e-15) << kind;
    for (const auto& [part, s] : latency["parts_s"].items()) EXPECT_GE(s.get<double>(), 0) << kind << " " << part;
  }
}

void expect_counts(const ordered_json& run) {
  const ordered_json& host = run["host"];
  const auto of = [&host](const char* key) { return host[key].get<std::uint64_t>(); };
  EXPECT_EQ(of("requests"), of("reads") + of("writes") + of("trims") + of("flushes"));
  // A mount takes a page whose metadata nobody can read for one that was never written.
  const ordered_json& age = run["config"]["age"];
  const bool spoiled = age["days"] != 0 || age["reads"] != 0 || age["cycles"] != 0;
  if (!host["wrong_reads"].is_null() && !(spoiled && run.contains("power_cycles"))) {
    EXPECT_EQ(host["wrong_reads"], 0);
  }
  EXPECT_GE(number_at(run, "/flash/programs"), 0);
  if (!host["ended_early"].get<bool>() && number_at(run, "/flash/unreadable_reads") == 0) {
    EXPECT_EQ(host["failed_requests"], 0);
  }
  if (!run.contains("power_cycles")) return;
  const ordered_json& power = run["power_cycles"];
  for (const auto& [key, list] : power.items()) {
    if (!list.is_array()) continue;
    EXPECT_EQ(list.size(), power["losses"].get<std::size_t>()) << key;
    for (const auto& value : list) EXPECT_GE(value.get<double>(), 0) << key;
  }
  if (power.contains("saved_bytes")) {
    EXPECT_EQ(sum_of(power["lost_bytes"]), 0);
  }
}

/// Of a unit over all samples: it works no longer than there is time, and all together as long as the run says.
void expect_samples(const ordered_json& run) {
  if (!run.contains("timeline")) return;
  const ordered_json& timeline = run["timeline"];
  const auto times = timeline["time_s"].get<std::vector<double>>();
  const std::pair<const char*, ordered_json::json_pointer> columns[] = {
      {"dies_utilization", ordered_json::json_pointer("/dies/utilization")},
      {"channels_utilization", ordered_json::json_pointer("/channels/utilization")},
      {"link_to_device_utilization", ordered_json::json_pointer("/link/to_device_utilization")},
      {"link_to_host_utilization", ordered_json::json_pointer("/link/to_host_utilization")}};
  for (const auto& [column, total] : columns) {
    if (!timeline.contains(column)) continue;
    const auto shares = timeline[column].get<std::vector<double>>();
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_GE(shares[i], 0) << column << " " << i;
      EXPECT_LE(shares[i], 1 + 1e-9) << column << " " << i;
      if (i > 0) sum += shares[i] * (times[i] - times[i - 1]);
    }
    const double all = run.at(total).get<double>() * run["time"]["simulated_s"].get<double>();
    const double rounding = 1e-9 * (1 + all);
    // What the warm-up has left to do when measuring begins is in samples alone; before a loss nothing is under way.
    EXPECT_GE(sum, all - rounding) << column;
    if (run.contains("power_cycles")) {
      EXPECT_LE(sum, all + rounding) << column;
    }
  }
}

unsigned draws() {
  const char* text = std::getenv("FTLAB_DRAWS");
  return text == nullptr ? 20 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

TEST(DrawnStudies, run_with_every_sum_right_or_are_refused_in_a_line) {
  unsigned ran = 0;
  unsigned lost = 0;
  // Where a long campaign goes on.
  const char* first = std::getenv("FTLAB_FIRST_DRAW");
  const auto from = first == nullptr ? 1U : static_cast<unsigned>(std::strtoul(first, nullptr, 10));
  for (unsigned seed = from; seed < from + draws(); ++seed) {
    const Settings settings = draw(seed);
    SCOPED_TRACE(std::to_string(seed) + text_of(settings));
    try {
      const ordered_json run = run_one_study(settings);
      ++ran;
      lost += run.contains("power_cycles") ? run["power_cycles"]["losses"].get<unsigned>() : 0;
      expect_counts(run);
      expect_samples(run);
      expect_parts_add_up(run);
      expect_balances(run);
    } catch (const InputError& refusal) {
      expect_one_line(refusal.what());
    } catch (const std::exception& failure) {
      ADD_FAILURE() << failure.what();
    }
  }
  std::printf("%u of %u ran, with %u losses of power\n", ran, draws(), lost);
  EXPECT_GE(ran, draws() / 4);
  EXPECT_GE(lost, ran / 4);
}

}  // namespace
}  // namespace ftlab::platform
