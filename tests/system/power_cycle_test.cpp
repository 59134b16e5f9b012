// Power lost at any time of whole runs: nothing that was answered is lost, and every balance holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "platform/machine/ledger.h"
#include "tests/fixtures/repetitions.h"
#include "tests/system/csv_rows.h"
#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Losses at random times and requests, some of them close to each other, and so are requests of many sizes.
Settings draw(const Kind& kind, unsigned seed) {
  std::mt19937 random(seed);
  const auto one_of = [&random](std::vector<const char*> values) { return values[random() % values.size()]; };
  std::set<std::uint64_t> us;
  for (unsigned n = 1 + random() % 5; n > 0; --n) {
    us.insert(static_cast<std::uint64_t>(kind.seconds * 1e6 * (random() % 10'000) / 10'000));
    if (random() % 3 == 0) us.insert(*us.rbegin() + random() % 40'000);
  }
  std::string at_s = "[";
  for (const std::uint64_t at : us)
    at_s += (at_s.size() > 1 ? "," : "") + std::to_string(static_cast<double>(at) / 1e6);
  std::string at_request = "[";
  for (unsigned n = random() % 3, at = 1; n > 0; --n)
    at_request += (at_request.size() > 1 ? "," : "") + std::to_string(at += 1 + random() % 200);
  return with(
      kind.settings,
      {set("power.loss_at_s", at_s + "]"), set("power.loss_at_request", at_request + "]"),
       set("seed", std::to_string(seed)), set("workload.read_share", one_of({"0", "0.3"})),
       set("workload.kind", one_of({"uniform", "hot_cold"})), set("workload.queue_depth", one_of({"1", "2", "16"})),
       set("workload.request_bytes", one_of({"512", "3000", "4096", "6000", "16384"})),
       set("platform.timing", one_of({"loose", "event"})), set("platform.self_check_every", "40"),
       set("platform.sample_s", std::to_string(kind.seconds / 9))});
}

void expect_cycles(const ordered_json& run) {
  const ordered_json& power = run["power_cycles"];
  const auto losses = power["losses"].get<std::size_t>();
  const auto at = power["at_s"].get<std::vector<double>>();
  const auto mounts = power["mount_s"].get<std::vector<double>>();
  ASSERT_EQ(at.size(), losses);
  ASSERT_EQ(mounts.size(), losses);
  EXPECT_LE(power["losses"], power["planned"]);
  EXPECT_TRUE(std::ranges::is_sorted(at));
  EXPECT_TRUE(std::ranges::is_sorted(power["requests"].get<std::vector<double>>()));
  std::size_t interrupted = 0;
  for (std::size_t i = 0; i + 1 < losses; ++i) {
    EXPECT_LE(at[i] + mounts[i], at[i + 1] + 1e-9);
    interrupted += at[i] + mounts[i] > at[i + 1] - 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(power["mounts"].get<std::size_t>() + interrupted, losses);
  double sum = 0;
  for (const double s : mounts) sum += s;
  // A mount may finish a cleaning that was interrupted, which is booked as that.
  EXPECT_LE(number_at(run, "/time/by_cause_s/mount"), sum + 1e-9);
  if (run.contains("dies")) {
    // It waits for the copies of what a controller has kept of interrupted wordlines.
    const double moved = number_at(run, "/time/by_cause_s/refresh") + number_at(run, "/time/by_cause_s/clean");
    // What the firmware was in the middle of when capacitors took over keeps its cause.
    const double held = power.contains("hold_up_s") ? sum_of(power["hold_up_s"]) : 0;
    EXPECT_GE(number_at(run, "/time/by_cause_s/mount") + moved, sum - held - 1e-9);
  }
  double joules = 0;
  for (const auto& j : power["mount_j"]) joules += j.get<double>();
  // What a mount leaves queued may be interrupted after it.
  EXPECT_NEAR(number_at(run, "/energy/by_cause_j/mount"), joules, 1e-3 * joules + 1e-12);
  int mounted = 0;
  for (const auto& well : power["mounted"]) mounted += well.get<int>();
  EXPECT_EQ(mounted, power["mounts"].get<int>());
  if (power["mounts"] == 0) return;
  EXPECT_GT(number_at(run, "/energy/by_cause_j/mount"), 0);
  if (run.contains("dies")) {
    EXPECT_GT(number_at(run, "/dies/time_by_cause_s/mount"), 0);
  }
}

TEST(PowerCycle, at_any_time_nothing_answered_is_lost_and_all_sums_balance) {
  std::vector<Settings> studies;
  std::vector<std::string> names;
  constexpr unsigned kSeeds = std::max<unsigned>(tests::repetitions(5), 2);
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    for (const Kind& kind : kinds()) {
      studies.push_back(draw(kind, seed));
      names.push_back(kind.name + std::string(" ") + std::to_string(seed));
    }
  }
  const auto runs = run_all(studies);
  std::map<std::string, std::uint64_t> mounts;
  std::uint64_t sent_again = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(names[i] + runs[i]["power_cycles"].dump());
    const Kind& kind = kinds()[i % kinds().size()];
    if (kind.verified) {
      EXPECT_EQ(runs[i]["host"]["wrong_reads"], 0);
    }
    EXPECT_EQ(runs[i]["host"]["failed_requests"], 0);
    EXPECT_EQ(runs[i]["host"]["ended_early"], false);
    EXPECT_EQ(runs[i]["host"]["requests"], runs[i]["host"]["reads"].get<std::uint64_t>() +
                                               runs[i]["host"]["writes"].get<std::uint64_t>() +
                                               runs[i]["host"]["trims"].get<std::uint64_t>());
    expect_balances(runs[i]);
    expect_cycles(runs[i]);
    mounts[kind.name] += runs[i]["power_cycles"]["mounts"].get<std::uint64_t>();
    for (const ordered_json& n : runs[i]["power_cycles"]["in_flight"]) sent_again += n.get<std::uint64_t>();
  }
  for (const Kind& kind : kinds()) EXPECT_GE(mounts[kind.name], kSeeds * 6 / 5) << kind.name;
  EXPECT_GT(sent_again, 60 * kSeeds);
}

TEST(PowerCycle, is_the_same_in_both_timing_styles) {
  std::vector<Settings> studies;
  for (const Kind& kind : kinds()) {
    const auto at = [&kind](double share) { return std::to_string(share * kind.seconds); };
    studies.push_back(
        with(kind.settings, {set("workload.queue_depth", "8"), set("workload.read_share", "0.2"),
                             set("power.loss_at_s", "[" + at(0.001) + "," + at(0.3) + "," + at(0.301) + "]")}));
  }
  for (const ordered_json& run : run_in_both_styles(studies)) EXPECT_EQ(run["power_cycles"]["losses"], 3);
}

class PowerCycleLogs : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const std::string* file : {&files_.ops, &files_.requests}) std::remove(file->c_str());
  }
  std::string path_ = ::testing::TempDir() + "ftlab_power_" + std::to_string(::getpid());
  LogFiles files_{path_ + ".ops", path_ + ".requests", ""};
};

/// What each operation reports of itself knows nothing of how sums are undone.
TEST_F(PowerCycleLogs, causes_have_of_an_interrupted_array_what_its_operations_tell) {
  for (const char* kind : {"array_bytes", "array_suspending", "array_tags", "array_units", "array_units_suspending",
                           "array_units_protected"}) {
    SCOPED_TRACE(kind);
    const Settings settings =
        with(kind_of(kind).settings, {set("power.loss_at_s", "[0, 0.03, 0.0301, 0.4]"),
                                      set("power.loss_at_request", "[300]"), set("workload.queue_depth", "16"),
                                      set("workload.read_share", "0.3"), set("workload.warm_up_overwrites", "1.5")});
    const ordered_json plain = run_one_study(settings);
    const ordered_json run = run_one_study(settings, files_);
    EXPECT_EQ(without_run(run), without_run(plain)) << "a log changes no figure";
    std::map<std::string, double> joules;
    std::map<std::string, double> busy;
    std::size_t mounts = 0;
    for (const CsvRow& row : csv_rows(files_.ops)) {
      const std::string& phase = row.at("phase");
      if (phase != "measure" && phase != "mount") continue;
      mounts += phase == "mount" ? 1 : 0;
      joules[row.at("cause")] += number(row, "energy_j");
      busy[row.at("kind")] += number(row, "busy_s");
    }
    EXPECT_GT(mounts, 0U);
    for (const auto& [cause, j] : run["energy"]["by_cause_j"].items())
      EXPECT_NEAR(joules[cause], j.get<double>(), 1e-9) << cause;
    for (const auto& [name, s] : run["time"]["device_busy_s"].items()) {
      if (name == "register_access" || name == "buffer_load") continue;
      EXPECT_NEAR(busy[name], s.get<double>(), 1e-8) << name;
    }
    const std::vector<CsvRow> requests = csv_rows(files_.requests);
    EXPECT_EQ(requests.size(), run["host"]["requests"]);
  }
}

TEST_F(PowerCycleLogs, of_an_interrupted_array_operations_that_never_began_are_neither_counted_nor_logged) {
  for (const char* firmware : {"page", "fms"}) {
    SCOPED_TRACE(firmware);
    std::string losses = "[";
    for (int at = 20; at < 700; at += 20) losses += (at > 20 ? "," : "") + std::to_string(at);
    const ordered_json run = run_one_study(
        small_array("array-tlc", {set("ftl.firmware", firmware), set("power.loss_at_request", losses + "]"),
                                  set("workload.queue_depth", "32"), set("workload.warm_up_overwrites", "0")}),
        files_);
    ASSERT_EQ(run["power_cycles"]["losses"], 34);
    std::map<std::string, std::uint64_t> rows;
    for (const CsvRow& row : csv_rows(files_.ops)) {
      if (row.at("phase") == "measure" || row.at("phase") == "mount") ++rows[row.at("kind")];
    }
    EXPECT_EQ(rows["buffer_program"], run["flash"]["programs"]);
    EXPECT_EQ(rows["erase"], number_at(run, "/flash/erases") + number_at(run, "/firmware/log_erases"));
  }
}

TEST_F(PowerCycleLogs, a_request_that_is_sent_again_is_one_whose_time_holds_the_mount) {
  const ordered_json run =
      run_one_study(small_study({{"power.loss_at_s", "[5]"}, {"workload.total_mib", "1"}}), files_);
  ASSERT_EQ(run["power_cycles"]["in_flight"], ordered_json::parse("[1]"));
  double longest = 0;
  for (const CsvRow& row : csv_rows(files_.requests)) {
    double causes = 0;
    for (std::uint32_t c = 0; c < kCauses; ++c)
      causes += number(row, std::string(name_of(static_cast<Cause>(c))) + "_s");
    EXPECT_NEAR(causes, number(row, "end_s") - number(row, "begin_s"), 1e-9);
    longest = std::max(longest, number(row, "mount_s"));
  }
  EXPECT_NEAR(longest, number_at(run, "/time/by_cause_s/mount"), 1e-9);
  EXPECT_GT(longest, 0);
}

TEST(PowerCycle, pages_of_requests_that_are_sent_again_count_once) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    if (std::string_view(kind.name).find("units") != std::string_view::npos) continue;  // parts of pages
    std::string at = "[";
    for (int i = 1; i < 20; ++i) at += (i > 1 ? "," : "") + std::to_string(0.021 * i * kind.seconds);
    const ordered_json run =
        run_one_study(with(kind.settings, {set("power.loss_at_s", at + "]"), set("workload.queue_depth", "16"),
                                           set("power.loss_at_request", "[20, 40, 41, 60, 80, 100, 120, 140]"),
                                           set("workload.read_share", "0.3"), set("workload.arrival", "closed")}));
    ASSERT_GT(sum_of(run["power_cycles"]["in_flight"]), 0);
    EXPECT_EQ(run["host"]["pages_written"], run["host"]["writes"]);
    EXPECT_EQ(run["host"]["pages_read"], run["host"]["reads"]);
  }
}

TEST(PowerCycle, takes_nothing_that_a_warm_up_left_in_data_ram) {
  const Settings warm{set("workload.request_bytes", "4096"), set("workload.warm_up_overwrites", "0.04"),
                      set("workload.read_share", "0.8"), set("ftl.write_buffer", "63"),
                      set("power.loss_at_request", "[1]")};
  const Settings one_shot = small_array(
      "array-tlc-2021", with(kUnits, {set("part_overrides.planes", "4"), set("part_overrides.planes_at_once", "4"),
                                      set("ftl.spare_factor", "0.7")}));
  const ordered_json run = run_one_study(with(one_shot, warm));
  EXPECT_GT(run["host"]["pages_read"], 500);
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
}

TEST(PowerCycle, comes_at_the_very_time_and_right_after_the_request) {
  const auto runs = run_all({small_study({{"power.loss_at_s", "[9, 3]"}, {"power.loss_at_request", "[77]"}}),
                             small_study({{"power.loss_at_s", "[1e7]"}, {"power.loss_at_request", "[1536]"}})});
  const ordered_json& power = runs[0]["power_cycles"];
  EXPECT_EQ(power["planned"], 3);
  const auto requests = power["requests"].get<std::vector<std::uint64_t>>();
  EXPECT_EQ(std::ranges::count(requests, 77U), 1);
  const auto at = power["at_s"].get<std::vector<double>>();
  for (const double s : {3.0, 9.0}) {
    // The longest burst on the bus that may be under way: a page.
    EXPECT_EQ(std::ranges::count_if(at, [&](double t) { return t >= s && t < s + 2e-3; }), 1) << s;
  }
  EXPECT_EQ(runs[1]["power_cycles"]["losses"], 1) << "after the last request, but not beyond the run";
  EXPECT_EQ(runs[1]["power_cycles"]["in_flight"], ordered_json::parse("[0]"));
}

}  // namespace
}  // namespace ftlab::platform
