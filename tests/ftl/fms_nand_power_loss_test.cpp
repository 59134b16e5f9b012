// The FMS on NAND: power is lost at every change of a script, in several ways, and again during the recovery. Every
// acknowledged write is there afterwards, and every trim that was flushed.
#include <gtest/gtest.h>

#include "tests/fixtures/fms_nand_fixture.h"
#include "tests/fixtures/fms_power_loss.h"
#include "tests/fixtures/policy_params.h"

namespace ftlab::tests {
namespace {

struct Nand {
  using Flash = EmulatedNand;
  static EmulatedNand make() { return EmulatedNand(small_nand()); }
  static Oracle oracle(const Ftl& ftl) { return nand_oracle(ftl); }
};

using PowerLosses = FmsPowerLosses<Nand>;

/// Segments of seven data pages: each slot that a mount leaves out matters.
struct NandOfSmallSegments {
  using Flash = EmulatedNand;
  static EmulatedNand make() {
    EmulatedNandOptions part;
    part.pages = 8;
    return EmulatedNand(part);
  }
  static Oracle oracle(const Ftl& ftl) { return nand_oracle(ftl); }
};

TEST(FmsNandPowerLoss, at_every_change_loses_nothing_acknowledged) {
  const PowerLosses losses(nand_config());
  losses.everywhere(losses.start_after(21, 250), 60);
}

TEST(FmsNandPowerLoss, at_every_change_with_one_active_segment_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  config.selection = "greedy";
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  const PowerLosses losses(config);
  losses.everywhere(losses.start_after(22, 250), 60);
}

TEST(FmsNandPowerLoss, at_every_change_with_swaps_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  config.wear_leveling = "swap";
  config.params.set("swap_from", 2);
  config.params.set("swap_spread", 2);
  const PowerLosses losses(config);
  losses.everywhere(losses.start_after(24, 250), 60);
}

TEST(FmsNandPowerLoss, at_the_start_of_any_program_with_swaps_no_page_is_programmed_a_second_time) {
  FmsConfig config = nand_config();
  config.wear_leveling = "swap";
  config.params.set("swap_from", 2);
  config.params.set("swap_spread", 2);
  for (std::uint64_t seed = 31; seed <= 33; ++seed) {
    const PowerLosses::Start start = PowerLosses(config).start_after(seed, 250);
    for (std::uint64_t loss = 1; loss <= 250; ++loss) {
      EmulatedNand flash(small_nand());
      flash.restore(start.image);
      Oracle oracle = start.oracle;
      HostScript host = start.host;
      for (int n = 0; n < 2; ++n) {
        FmsSession session(flash, config);
        ASSERT_EQ(session->mount(0), FtlStatus::ok) << seed << " loss " << loss;
        ASSERT_EQ(oracle.check_mounted(*session), "") << seed << " loss " << loss;
        if (n == 0) flash.lose_power_at(loss, TornWrite::none);
        // Until each segment that the power loss left partly filled has been filled and sealed.
        run_requests(session, host, oracle, 250);
        ASSERT_EQ(flash.powered(), n == 1) << seed << " loss " << loss;
        flash.power_cycle();
      }
    }
  }
}

TEST(FmsNandPowerLoss, again_during_recovery_loses_nothing_acknowledged) {
  const PowerLosses losses(nand_config());
  const PowerLosses::Start start = losses.start_after(25, 250);
  for (const std::uint64_t second : {1U, 2U, 5U}) losses.everywhere(start, 45, second);
}

TEST(FmsNandPowerLoss, session_after_session_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) PowerLosses(config).session_after_session(seed, 100);
  config.redistribution = "sequential";
  config.selection = "greedy";
  config.low_water = config.high_water = 1;
  for (std::uint64_t seed = 5; seed <= 8; ++seed) PowerLosses(config).session_after_session(seed, 100);
}

TEST(FmsNandPowerLoss, session_after_session_with_one_segment_in_reserve_never_ends_read_only) {
  FmsConfig config = nand_config();
  config.low_water = config.high_water = 1;
  for (const auto& selection : fms::selections()) {
    config.selection = selection.name;
    config.redistribution = "sequential";
    join_partitions(config);
    config.logical_pages = fms::max_logical_pages(config, NandOfSmallSegments::make().geometry());
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      FmsPowerLosses<NandOfSmallSegments>(config).session_after_session(seed, 150);
      ASSERT_FALSE(HasFailure()) << selection.name << " seed " << seed;
    }
  }
}

TEST(FmsNandPowerLoss, while_formatting_gives_the_old_volume_or_none) {
  const PowerLosses losses(nand_config());
  losses.while_formatting(losses.start_after(27, 150));
}

TEST(FmsNandPowerLoss, does_not_bring_back_what_was_trimmed_and_flushed) {
  for (std::uint64_t loss = 1; loss < 120; ++loss) {
    NandVolume v;
    ASSERT_EQ(v.session->format(0), FtlStatus::ok);
    for (int i = 0; i < 250; ++i) ASSERT_EQ(v.host.step(*v.session, v.oracle), FtlStatus::ok);
    const std::uint64_t half = v.session->capacity_bytes() / 2;
    v.oracle.begin_trim(0, half);
    ASSERT_EQ(v.session->trim(0, half, 0), FtlStatus::ok);
    v.oracle.acknowledge();
    ASSERT_EQ(v.session->flush(0), FtlStatus::ok);
    v.oracle.acknowledge_flush();
    v.flash.lose_power_at(loss, kTornWrites[loss % 5], loss);
    run_requests(v.session, v.host, v.oracle, 200);
    ASSERT_FALSE(v.flash.powered());
    v.flash.power_cycle();
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    ASSERT_EQ(v.oracle.check_mounted(*next), "") << "loss " << loss;
  }
}

}  // namespace
}  // namespace ftlab::tests
