// Power lost at any time of whole runs on arrays, whose segments work or fail one after another: nothing that was
// answered is missing, to the end of their lives. FTLAB_LOSSES=N draws runs until power was lost N times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>

#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Some hundredths of the segments fail after each erase, half of them by their programs and half by their erases.
const Settings kFails{set("part_overrides.endurance.rated_cycles", "1"),
                      set("part_overrides.endurance.median_ratio", "20"),
                      set("part_overrides.endurance.spread", "1.5")};
const Settings kBytes{set("part_overrides.content", "bytes")};

/// Some segments of each die are filled as SLC.
const Settings kSlc{set("ftl.frontiers", "host_and_cleaning"), set("ftl.slc_segments", "3"),
                    set("ftl.slc_idle_s", "0.002")};

/// Capacitors hold up what is in data RAM, and nothing else keeps the earlier pages of wordlines.
const Settings kProtected{set("ftl.write_buffer", "40"), set("part_overrides.controller.open_wordlines", "lost"),
                          set("part_overrides.controller.power_loss_protection", "true")};
const Settings kOneShot{set("part_overrides.segments", "192"), set("part_overrides.pages_per_segment", "24"),
                        set("ftl.checkpoint_every", "400")};

const std::vector<Kind>& arrays() {
  static const std::vector<Kind> all{
      {"slc_checkpoints", small_array("array-slc", with(kBytes, {set("ftl.checkpoint_every", "300")})), 0.15},
      {"mlc", small_array("array-mlc", kBytes), 1},
      {"mlc_backup",
       small_array("array-mlc", with(kBytes, {set("part_overrides.controller.open_wordlines", "backup"),
                                              set("ftl.checkpoint_every", "500")})),
       1},
      {"tlc_suspending", small_array("array-tlc", with(kBytes, kSuspends)), 1},
      {"mlc_units", with(small_array("array-mlc", {}), kUnits), 1.5},
      {"fms_tlc", small_array("array-tlc", with(kBytes, {set("ftl.firmware", "fms")})), 1},
      {"mlc_slc", small_array("array-mlc", with(kBytes, kSlc)), 1},
      {"tlc_slc_units_checkpoints",
       with(with(small_array("array-tlc", {set("ftl.checkpoint_every", "300")}), kUnits), kSlc), 1.5},
      {"mlc_units_protected", with(small_array("array-mlc", kProtected), kUnits), 0.5},
      {"one_shot_protected", with(small_array("array-tlc-2021", with(kBytes, kProtected)), kOneShot), 0.5},
      {"tlc_units_checkpoints", with(small_array("array-tlc", {set("ftl.checkpoint_every", "300")}), kUnits), 1.5},
  };
  return all;
}

/// Reads among the writes, so that what was answered is looked at. `length`: of the run, in MiB of writes.
Settings draw_losses(const Kind& kind, unsigned seed, unsigned length) {
  std::mt19937 random(seed);
  const auto one_of = [&random](std::vector<const char*> values) { return values[random() % values.size()]; };
  std::set<std::uint64_t> us;
  for (unsigned n = (10 + random() % 16) * length / 4; n > 0; --n)
    us.insert(static_cast<std::uint64_t>(kind.seconds * length / 4 * 1e6 * (random() % 10'000) / 10'000));
  std::string at_s;
  for (const std::uint64_t at : us) at_s += (at_s.empty() ? "" : ",") + std::to_string(static_cast<double>(at) / 1e6);
  std::string at_request;
  for (unsigned n = random() % 4, at = 1; n > 0; --n)
    at_request += (at_request.empty() ? "" : ",") + std::to_string(at += 1 + random() % 300);
  return with(kind.settings,
              {set("power.loss_at_s", "[" + at_s + "]"), set("power.loss_at_request", "[" + at_request + "]"),
               set("seed", std::to_string(seed)), set("workload.read_share", one_of({"0.4", "0.7"})),
               set("workload.kind", one_of({"uniform", "hot_cold"})),
               set("workload.queue_depth", one_of({"8", "16", "32", "64"})),
               set("workload.request_bytes", one_of({"3000", "4096", "16384"})), set("ftl.spare_factor", "0.35"),
               set("workload.total_mib", std::to_string(length)), set("platform.self_check_every", "100")});
}

/// MiB until most arrays of failing segments are worn out, and as many as make the start of a run cheap.
constexpr unsigned kLife = 4;
constexpr unsigned kLong = 24;

struct FaultTotals {
  std::uint64_t runs = 0;
  std::uint64_t losses = 0;
  std::uint64_t sent_again = 0;
  std::uint64_t failed_programs = 0;
  std::uint64_t failed_erases = 0;
  std::uint64_t kept_pages = 0;
  std::uint64_t pages_to_slc = 0;
  std::uint64_t worn_out = 0;
};

void check_run(const ordered_json& run, FaultTotals& totals) {
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  // Worn out, it still has what was answered; only writes are refused.
  const bool worn = run["host"]["ended_early"].get<bool>();
  if (worn) {
    EXPECT_NE(run["host"]["end_reason"].get<std::string>().find("read-only"), std::string::npos)
        << run["host"]["end_reason"];
  } else {
    EXPECT_EQ(run["host"]["failed_requests"], 0);
  }
  expect_balances(run);
  ++totals.runs;
  totals.losses += run["power_cycles"]["losses"].get<std::uint64_t>();
  for (const ordered_json& n : run["power_cycles"]["in_flight"]) totals.sent_again += n.get<std::uint64_t>();
  totals.failed_programs += run["flash"]["failed_programs"].get<std::uint64_t>();
  totals.failed_erases += run["flash"]["failed_erases"].get<std::uint64_t>();
  totals.kept_pages += run["flash"]["corrected_reads"].get<std::uint64_t>();
  const ordered_json::json_pointer pages_to_slc("/firmware/figures/pages_to_slc");
  totals.pages_to_slc += run.contains(pages_to_slc) ? run[pages_to_slc].get<std::uint64_t>() : 0;
  totals.worn_out += worn ? 1 : 0;
}

std::uint64_t wanted_losses() {
  const char* text = std::getenv("FTLAB_LOSSES");
  return text == nullptr ? 60 : std::strtoull(text, nullptr, 10);
}

FaultTotals run_until_lost(bool fails) {
  FaultTotals totals;
  for (unsigned seed = 1; totals.losses < wanted_losses(); ++seed) {
    std::vector<Settings> studies;
    for (const Kind& kind : arrays())
      studies.push_back(fails ? with(draw_losses(kind, seed, kLife), kFails) : draw_losses(kind, seed, kLong));
    const auto runs = run_all(studies);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      SCOPED_TRACE(arrays()[i].name + std::string(" ") + std::to_string(seed) + runs[i]["power_cycles"].dump());
      check_run(runs[i], totals);
    }
  }
  std::printf("%llu losses of %llu runs\n", static_cast<unsigned long long>(totals.losses),
              static_cast<unsigned long long>(totals.runs));
  EXPECT_GT(totals.sent_again, totals.losses);
  EXPECT_GT(totals.kept_pages, totals.runs);
  EXPECT_GT(totals.pages_to_slc, totals.losses);
  return totals;
}

TEST(PowerFaults, at_any_time_nothing_answered_is_lost) {
  const FaultTotals totals = run_until_lost(false);
  EXPECT_EQ(totals.worn_out, 0U);
}

TEST(PowerFaults, at_any_time_nothing_answered_is_lost_while_segments_fail) {
  const FaultTotals totals = run_until_lost(true);
  EXPECT_GT(totals.failed_programs, totals.losses);
  EXPECT_GT(totals.failed_erases, totals.runs);
  EXPECT_LE(totals.worn_out, totals.runs / 2);
}

/// The same of a controller that keeps nothing: what a drive of such dies would lose.
TEST(PowerFaults, without_what_the_controller_keeps_of_wordlines_answered_writes_are_missing) {
  std::vector<Settings> studies;
  for (unsigned seed = 1; seed <= 6; ++seed)
    studies.push_back(with(with(draw_losses(arrays()[1], seed, kLife), kFails),
                           {set("part_overrides.controller.open_wordlines", "lost")}));
  std::uint64_t missing = 0;
  for (const ordered_json& run : run_all(studies))
    missing += run["host"]["wrong_reads"].get<std::uint64_t>() + run["host"]["failed_requests"].get<std::uint64_t>();
  EXPECT_GT(missing, 0U);
}

}  // namespace
}  // namespace ftlab::platform
