// Every scheme with every option: all invariants after every request, all content after every remount.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::tests {
namespace {

std::string exercise(const FlexFsConfig& config, std::uint64_t seed, EmulatedNandOptions part = small_nand(),
                     int rounds = 4, int requests = 300, ClockPort* clock = nullptr) {
  EmulatedNand flash(part);
  FlexFsSession first(flash, config, nullptr, clock);
  if (first->config_error() != nullptr) return first->config_error();
  if (first->format(0) != FtlStatus::ok) return "format failed";
  Oracle oracle(first->capacity_bytes(), part.page_bytes, kPartsAndTrimsNeedFlush);
  FlexHost host(seed, first->capacity_bytes(), part.page_bytes);
  std::uint64_t erases = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string id = ", round " + std::to_string(round);
    FlexFsSession session(flash, config, nullptr, clock);
    if (session->mount(host.now_ns()) != FtlStatus::ok) return "mount failed" + id;
    if (const char* broken = session->self_check()) return std::string(broken) + " after mount" + id;
    if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return "after mount: " + wrong + id;
    for (int i = 0; i < requests; ++i) {
      if (const FtlStatus s = host.step(*session, oracle); s != FtlStatus::ok)
        return "request " + std::to_string(i) + " answered " + std::to_string(static_cast<int>(s)) + id;
      if (const char* broken = session->self_check())
        return std::string(broken) + ", request " + std::to_string(i) + id;
    }
    if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return "before power-off: " + wrong + id;
    if (session->flush(host.now_ns()) != FtlStatus::ok) return "flush failed" + id;
    oracle.acknowledge_flush();
    erases += session->stats().erases;
    flash.power_cycle();
  }
  return erases == 0 ? "the script does not clean" : "";
}

TEST(FlexFsProperty, holds_for_every_scheme_with_and_without_wear_management) {
  for (const auto& scheme : flexfs::schemes()) {
    for (const bool managed : {true, false}) {
      FlexFsConfig config = small_flexfs(scheme.name);
      config.wear_management = managed;
      EXPECT_EQ(exercise(config, 11), "") << scheme.name << " wear management " << managed;
    }
  }
}

TEST(FlexFsProperty, holds_for_every_choice_of_victims_and_free_segments) {
  for (const auto& victim : flexfs::migration_victims()) {
    for (const auto& choice : flexfs::free_choices()) {
      FlexFsConfig config = small_flexfs("la");
      config.migration_victim = victim.name;
      config.free_choice = choice.name;
      EXPECT_EQ(exercise(config, 12), "") << victim.name << " " << choice.name;
    }
  }
}

TEST(FlexFsProperty, holds_at_the_highest_utilisation_that_is_allowed) {
  for (const auto& scheme : flexfs::schemes()) {
    FlexFsConfig config = small_flexfs(scheme.name);
    config.logical_pages = flexfs::max_logical_pages(config, EmulatedNand(small_nand()).geometry());
    EXPECT_EQ(exercise(config, 13), "") << scheme.name;
  }
}

TEST(FlexFsProperty, holds_with_paced_migration) {
  StepClock clock;
  FlexFsConfig config = small_flexfs("baseline");
  config.compulsory_paced = true;
  EXPECT_EQ(exercise(config, 14, small_nand(), 4, 300, &clock), "");
}

TEST(FlexFsProperty, holds_with_a_budget_of_energy) {
  FlexFsConfig config = small_flexfs("la");
  config.energy = {.slc_program_nj = 10'000, .mlc_program_nj = 40'000, .read_nj = 5'000, .erase_nj = 60'000};
  config.energy_budget_uj_per_mib = 100'000;
  EXPECT_EQ(exercise(config, 15), "");
}

TEST(FlexFsProperty, holds_on_a_partition_of_a_part_with_two_units) {
  EmulatedNandOptions part = small_nand();
  part.segments = 48;
  part.parallel_units = 2;
  FlexFsConfig config = small_flexfs("da");
  config.data_segments = 20;
  config.logical_pages = 180;
  EXPECT_EQ(exercise(config, 16, part), "");
}

TEST(FlexFsProperty, holds_with_wear_leveling_of_cold_data) {
  for (const char* scheme : {"la", "slc_only", "mlc_only"}) {
    FlexFsConfig config = small_flexfs(scheme);
    config.level_gap = 2;
    EXPECT_EQ(exercise(config, 18), "") << scheme;
  }
}

TEST(FlexFsProperty, holds_with_early_cleaning) {
  FlexFsConfig config = small_flexfs("bm");
  config.cleaning_free = 6;
  config.compulsory_free = 8;
  EXPECT_EQ(exercise(config, 17), "");
}

}  // namespace
}  // namespace ftlab::tests
