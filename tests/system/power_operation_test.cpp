// Power lost in the midst of operations that a study counts: in the very one that was asked for, as far into it as was
// asked for, and nothing that was answered is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "tests/system/csv_rows.h"
#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using testing::Each;
using testing::HasSubstr;

/// "[1, 2, ..., n]".
std::string first(int n) {
  std::string list = "[";
  for (int i = 1; i <= n; ++i) list += (i > 1 ? ", " : "") + std::to_string(i);
  return list + "]";
}

bool on_card(const Kind& kind) { return std::string(kind.name).ends_with("_card"); }

std::vector<int> numbers(const ordered_json& run, const char* list) {
  return run["power_cycles"][list].get<std::vector<int>>();
}

TEST(PowerOperation, of_the_first_programs_and_erases_each_is_torn_and_nothing_answered_is_lost) {
  std::vector<Settings> studies;
  for (const Kind& kind : kinds()) {
    studies.push_back(with(
        kind.settings,
        {set("power.loss_at_program", first(12)), set("power.loss_at_erase", first(3)), set("power.loss_share", "0.7"),
         set("workload.queue_depth", "4"), set("workload.read_share", "0.3"), set("platform.self_check_every", "40")}));
  }
  const auto runs = run_all(studies);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(kinds()[i].name + runs[i]["power_cycles"].dump());
    const ordered_json& run = runs[i];
    if (kinds()[i].verified) {
      EXPECT_EQ(run["host"]["wrong_reads"], 0);
    }
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    EXPECT_EQ(run["host"]["ended_early"], false);
    expect_balances(run);
    EXPECT_EQ(run["power_cycles"]["planned"], 15);
    EXPECT_EQ(run["power_cycles"]["losses"], 15);
    // Each is torn by the loss that was planned in it, or by one in an operation of another die before.
    const std::vector<int> programs = numbers(run, "torn_programs");
    const std::vector<int> erases = numbers(run, "torn_erases");
    // With capacitors those that the firmware waits for end.
    if (run["power_cycles"].contains("hold_up_s")) continue;
    EXPECT_GE(std::accumulate(programs.begin(), programs.end(), 0), 12);
    EXPECT_GE(std::accumulate(erases.begin(), erases.end(), 0), 3);
  }
}

TEST(PowerOperation, in_each_of_the_first_operations_is_lost_again_while_it_mounts) {
  std::vector<Settings> studies;
  for (const Kind& kind : kinds()) studies.push_back(with(kind.settings, {set("power.loss_at_operation", first(40))}));
  const auto runs = run_all(studies);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(kinds()[i].name + runs[i]["power_cycles"].dump());
    EXPECT_EQ(runs[i]["power_cycles"]["losses"], 40);
    EXPECT_EQ(runs[i]["host"]["failed_requests"], 0);
    if (kinds()[i].verified) {
      EXPECT_EQ(runs[i]["host"]["wrong_reads"], 0);
    }
    // Mounts of NAND parts read, and are lost while they do.
    if (!on_card(kinds()[i])) {
      EXPECT_LT(runs[i]["power_cycles"]["mounts"], 40);
    }
    expect_balances(runs[i]);
  }
}

TEST(PowerOperation, is_the_same_in_both_timing_styles) {
  std::vector<Settings> studies;
  for (const char* name : {"page_card", "page_onenand", "array_suspending", "array_units"}) {
    studies.push_back(with(kind_of(name).settings,
                           {set("workload.queue_depth", "8"), set("workload.read_share", "0.2"),
                            set("power.loss_at_operation", "[3, 30, 31]"), set("power.loss_at_program", "[100]"),
                            set("power.loss_at_erase", "[5]"), set("workload.total_mib", "2")}));
  }
  for (const ordered_json& run : run_in_both_styles(studies)) EXPECT_GE(run["power_cycles"]["losses"], 4);
}

class PowerOperationLog : public ::testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { std::remove(files_.ops.c_str()); }

  std::vector<CsvRow> rows(const char* kind) const {
    std::vector<CsvRow> all;
    for (const CsvRow& row : csv_rows(files_.ops)) {
      const bool counts = row.at("phase") == "measure" || row.at("phase") == "mount";
      if (counts && row.at("kind").ends_with(kind)) all.push_back(row);
    }
    std::ranges::stable_sort(all, {}, [](const CsvRow& row) { return number(row, "start_s"); });
    return all;
  }

  LogFiles files_{::testing::TempDir() + "ftlab_power_operation_" + std::to_string(::getpid()) + ".ops", "", ""};
};
INSTANTIATE_TEST_SUITE_P(Parts, PowerOperationLog,
                         ::testing::Values("page_card", "page_onenand", "array_bytes", "array_units"));

TEST_P(PowerOperationLog, the_operation_of_that_number_is_broken_off_after_that_share_of_its_time) {
  for (const auto& [key, kind, n] :
       {std::tuple{"power.loss_at_program", "_program", 120}, std::tuple{"power.loss_at_erase", "erase", 3}}) {
    SCOPED_TRACE(key);
    const Settings plain =
        with(kind_of(GetParam()).settings, {set("workload.queue_depth", "4"), set("workload.total_mib", "2")});
    // Clang 14 captures no structured binding by reference.
    const auto lost = [&plain, key = key, n = n](const char* share) {
      return with(plain, {set(key, "[" + std::to_string(n) + "]"), set("power.loss_share", share)});
    };
    (void)run_one_study(with(plain, {set("power.loss_at_s", "[1e7]")}), files_);
    const std::vector<CsvRow> whole = rows(kind);
    // So short a run erases nothing of a part that has room.
    if (whole.empty()) continue;
    const ordered_json run = run_one_study(lost("0.25"), files_);
    if (n > 100) {
      EXPECT_EQ(without_run(run), without_run(run_one_study(lost("0.25")))) << "a log changes no figure";
    }
    const std::vector<CsvRow> torn = rows(kind);
    ASSERT_GT(torn.size(), static_cast<std::size_t>(n));
    const auto at = static_cast<std::size_t>(n) - 1;
    for (std::size_t i = 0; i < at; ++i)
      ASSERT_EQ(torn[i].at("address"), whole[i].at("address")) << "before it nothing differs";
    EXPECT_EQ(torn[at].at("address"), whole[at].at("address"));
    EXPECT_EQ(torn[at].at("failed"), "1");
    EXPECT_NEAR(number(torn[at], "busy_s"), 0.25 * number(whole[at], "busy_s"), 0.01 * number(whole[at], "busy_s"));
    EXPECT_THAT(numbers(run, kind[0] == 'e' ? "torn_erases" : "torn_programs"), Each(testing::Ge(1)));
    const ordered_json ended = run_one_study(lost("1"), files_);
    EXPECT_EQ(rows(kind)[at].at("failed"), "0") << "it has ended, and nobody knows";
    EXPECT_NEAR(number_at(ended, "/power_cycles/at_s/0") - number_at(run, "/power_cycles/at_s/0"),
                0.75 * number(whole[at], "busy_s"), 50e-6)
        << "a page may be on the bus";
  }
}

TEST(PowerOperation, what_cannot_work_is_refused) {
  EXPECT_THAT(refusal(small_study({{"power.loss_at_read", "[3]"}})), HasSubstr("loss_at_read: reads of a card are"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_erase", "[1.5]"}})), HasSubstr("whole numbers of erases"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_program", "[7, 7]"}})), HasSubstr("holds 7 twice"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_operation", "[0]"}})), HasSubstr("power.loss_at_operation"));
  EXPECT_THAT(
      refusal(small_array("array-tlc", {set("part_overrides.content", "\"none\""), set("power.loss_at_read", "[1]")})),
      HasSubstr("power.loss_at_read"));
}

}  // namespace
}  // namespace ftlab::platform
