// FlexFS on a NAND part, for the kit.
#pragma once

#include <algorithm>
#include <string>

#include "firmware/ftl/flexfs/decide/victims.h"
#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/layers/page.h"

namespace ftlab::tests {

/// With a clock, so that migration may be paced.
class ClockedFlexFsSession {
 public:
  ClockedFlexFsSession(PartPort& flash, const FlexFsOnPart& config) : session_(flash, config, nullptr, &clock_) {}
  FlexFsLayer& operator*() { return *session_; }
  FlexFsLayer* operator->() { return &*session_; }

 private:
  StepClock clock_;
  MountSession<FlexFsLayer, FlexFsOnPart> session_;
};

struct FlexFsOnNand {
  static constexpr const char* kName = "flexfs";
  using Flash = EmulatedNand;
  using Config = FlexFsOnPart;
  using Session = ClockedFlexFsSession;
  static constexpr OracleRules kRules{.parts_need_flush = true};
  static constexpr Overlap overlap(const Flash&) { return Overlap::of_a_page; }
  static constexpr bool kMountMovesRecovered = true;

  static constexpr const auto& kDamages = kPageNandDamages;

  struct Setup {
    EmulatedNandOptions part;
    DrawnNand drawn;
    FlexFsOnPart config;
    std::string_view scheme;
  };

  static const char* check(const Setup& s) {
    EmulatedNand flash(s.part);
    if (const char* reason = PagedFlash::check(flash, part_of(flash.geometry(), FlexFsOnPart{}))) return reason;
    return flexfs::check(s.config, flexfs_geometry(flash));
  }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.drawn = draw_nand(dice);
    // Checkpoints, and notes of segments that are resumed, take some.
    s.drawn.part.segments += 4 * s.drawn.part.parallel_units;
    s.part = s.drawn.part;
    s.scheme = dice.one_of(flexfs::schemes()).name;
    FlexFsOnPart& c = s.config;
    flexfs::apply_scheme(s.scheme, c);
    if (dice.chance(300)) c.refresh.reads = dice.between(5, 200);
    c.checkpoint_every = dice.chance(500) ? dice.between(1, 60) : 0;
    c.wear_management = dice.chance(700);
    for (bool* technique : {&c.slc_region, &c.mlc_region, &c.background_migration, &c.dynamic_allocation,
                            &c.locality_aware, &c.background_cleaning})
      if (dice.chance(60)) *technique = !*technique;
    c.compulsory_paced = dice.chance(300);
    c.trigger_ns = dice.chance(300) ? 0 : std::uint64_t{dice.between(1, 100)} * 1'000'000;
    c.recent_weight = dice.between(1, dice.chance(100) ? 100 : 4);
    c.erase_ns = dice.between(0, 2'000'000);
    c.erase_cycles = dice.chance(300) ? dice.between(1, 100'000) : 0;
    c.compulsory_free = dice.between(3, dice.chance(200) ? 16 : 8);
    c.cleaning_free = dice.between(3, dice.chance(200) ? 16 : 8);
    c.wait_ns = dice.chance(300) ? 0 : 1'000'000'000;
    c.cleaning_idle_free = dice.below(20);
    c.cleaning_idle_invalid = dice.between(1, 8);
    c.level_gap = dice.chance(300) ? dice.between(1, 4) : 0;
    c.migration_victim = dice.one_of(flexfs::migration_victims()).name;
    c.free_choice = dice.one_of(flexfs::free_choices()).name;
    c.idle_beyond_wait = dice.chance(500);
    if (dice.chance(200)) {
      c.energy_budget_uj_per_mib = dice.between(1, 1'000'000);
      c.energy = {.slc_program_nj = 10'000, .mlc_program_nj = 30'000, .read_nj = 1000, .erase_nj = 50'000};
    }
    c.window_pages = dice.between(8, 80);
    c.hot_files = dice.between(1, 6);
    c.cold_files = dice.between(1, 10);
    c.forget_after_pages = dice.below(300);
    c.extent_pages = dice.between(1, 16);
    c.lifetime_ns = 1'000'000'000'000;
    c.wear_window_ns = 10'000'000'000;
    const std::uint32_t all = flexfs::data_segments(c, flexfs_geometry(s.part));
    if (dice.chance(250) && all > 7) c.data_segments = dice.between(6, all);
    c.logical_pages = draw_logical_pages(dice, max_pages(s, 0), fullest);
    return s;
  }

  static void prepare(EmulatedNand& flash, const Setup& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return max_pages(s, failed + 2) < s.config.logical_pages;
  }
  static std::uint32_t segments_of_checkpoint(const Setup& s) {
    const FlashGeometry g = flexfs_geometry(s.part);
    const VolumeConfig volume = volume::with_own_pages(flexfs::volume_of(s.config, g), g);
    return volume::CheckpointLayout{volume.logical_pages, g.segments, g.page_bytes, g.pages_per_segment, false, true}
        .segments_needed();
  }

  static bool has_data_checksum(const Setup&) { return false; }

  static std::string describe(const Setup& s) {
    using std::to_string;
    const FlexFsOnPart& c = s.config;
    std::string techniques;
    for (const bool on : {c.slc_region, c.mlc_region, c.background_migration, c.dynamic_allocation, c.locality_aware,
                          c.background_cleaning})
      techniques += on ? '1' : '0';
    return std::string(s.scheme) + " techniques " + techniques + " pages " + to_string(c.logical_pages) +
           " of segments " + to_string(c.data_segments) + " free " + to_string(c.compulsory_free) + "," +
           to_string(c.cleaning_free) + " idle " + to_string(c.cleaning_idle_free) + "," +
           to_string(c.cleaning_idle_invalid) + " level " + to_string(c.level_gap) + " " +
           std::string(c.migration_victim) + "/" + std::string(c.free_choice) + " checkpoint " +
           to_string(c.checkpoint_every) + " refresh " + to_string(c.refresh.reads) + ", " + tests::describe(s.drawn);
  }

 private:
  /// Bad segments cost pages only where no good one outside the partition makes up for them.
  static std::uint32_t max_pages(const Setup& s, std::uint32_t failed) {
    return flexfs::max_logical_pages(s.config, flexfs_geometry(s.part), s.drawn.bad_segments + failed);
  }
};

}  // namespace ftlab::tests
