// Every combination of cleaning policies over the drivers and the parts' own cores: power is lost at a drawn bus access
// and inside a drawn erase, at any moment since the access before, at times again while the next session mounts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/fixtures/fms_combinations.h"
#include "tests/fixtures/machines.h"
#include "tests/fixtures/sessions.h"
#include "tests/fixtures/share.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kPage = KnownPages::kPage;

/// A card of segments half as large as the part's, so that few writes make it clean.
struct Card {
  using Machine = CardMachine;
  static constexpr const char* kName = "nor_card";
  static constexpr std::uint32_t kAccesses = 20000;
  static constexpr Ticks kErase = std::chrono::milliseconds{1};  ///< less than an erase, more than anything before it
  static constexpr std::uint32_t kSegmentBytes = 65536;

  static tests::FmsVolume config() {
    tests::FmsVolume config = tests::EmulatedNor::config();
    config.page_bytes = kPage;
    config.logical_pages = 200;
    tests::level_early(config, 1, 1);
    return config;
  }
  static Card for_config(tests::FmsVolume& config) {
    (void)tests::make_room(config);
    return {};
  }
  [[nodiscard]] static tests::EmulatedFlash make() {
    tests::EmulatedFlashOptions part;
    part.geometry = {.segments = 32, .segment_bytes = kSegmentBytes, .program_unit_bytes = 2, .rated_erase_cycles = 1};
    part.store_content = false;
    return tests::EmulatedFlash(part);
  }
  [[nodiscard]] static CardMachine machine(unsigned seed) {
    auto file = part_file("series2plus-4mb");
    hw::CardSpec part = hw::load_card_spec(file, hw::Voltage::v5);
    part.segment_bytes = kSegmentBytes;
    return {part, seed, {}};
  }
};

struct FlexOneNand {
  using Machine = OneNandMachine;
  static constexpr const char* kName = "flex_onenand";
  static constexpr std::uint32_t kAccesses = 4000;
  static constexpr Ticks kErase = std::chrono::microseconds{100};

  static tests::FmsVolume config() {
    tests::FmsVolume config = tests::EmulatedNandMedium::config();
    config.page_bytes = kPage;
    config.logical_pages = 800;
    tests::level_early(config, 1, 1);
    return config;
  }
  static FlexOneNand for_config(tests::FmsVolume& config) { return {tests::make_room(config) > 0 ? 32U : 16U}; }
  [[nodiscard]] tests::EmulatedNand make() const {
    tests::EmulatedNandOptions part;
    part.segments = segments;
    part.pages = 128;
    part.page_bytes = kPage;
    part.store_content = false;
    return tests::EmulatedNand(part);
  }
  [[nodiscard]] OneNandMachine machine(unsigned seed) const {
    auto file = part_file("flexonenand-4gb");
    hw::OneNandSpec part = hw::load_onenand_spec(file, "flexfs-calibrated");
    part.segments_per_die = segments;
    part.bad_segments = {.reserve = 1, .initial_share = 0, .weak_share = 0};
    return {part, seed};
  }

  std::uint32_t segments = 16;
};

/// Hands everything on to a driver, and says when an erase is about to start.
class ErasesSeen final : public PartPort {
 public:
  explicit ErasesSeen(PartPort& flash) : flash_(flash) {}
  [[nodiscard]] const PartGeometry& geometry() const override { return flash_.geometry(); }
  [[nodiscard]] const PartCapabilities& capabilities() const override { return flash_.capabilities(); }
  std::size_t submit(std::span<const PartOp> ops) override {
    const bool erases = std::ranges::any_of(ops, [](const PartOp& op) { return op.kind == PartOpKind::erase; });
    if (erases && before_erase) before_erase();
    return flash_.submit(ops);
  }
  std::size_t reap(std::span<PartDone> done, bool wait) override { return flash_.reap(done, wait); }

  std::function<void()> before_erase{};

 private:
  PartPort& flash_;
};

/// A part, what was written to it, and one combination of policies.
template <class Part>
class PowerLossCase : UsedPart<Part> {
 public:
  PowerLossCase(const Part& part, const tests::FmsVolume& config, unsigned seed)
      : UsedPart<Part>(part, seed), config_(config) {
    pages.resize(config.logical_pages);
  }

  /// Used until it cleans, and then until power is lost.
  void lose_power(bool in_erase) {
    try {
      ErasesSeen flash(machine.boot());
      tests::FmsSession session(flash, config_, &machine.probe());
      ASSERT_EQ(session->format(0), FtlStatus::ok);
      while (session->stats().cleanings < 3) ASSERT_EQ(write(*session), FtlStatus::ok);
      std::uint32_t erases = 1 + rng() % 3;
      if (in_erase)
        flash.before_erase = [&] {
          if (erases > 0 && --erases == 0) supply.lose_power_in(1, Part::kErase);
        };
      else
        supply.lose_power_in(1 + rng() % Part::kAccesses);
      for (int i = 0; i < 5000; ++i) ASSERT_EQ(write(*session), FtlStatus::ok);
      FAIL() << "power was not lost";
    } catch (const PowerLoss&) {
      supply.power_up();
    }
  }
  /// A mount that loses power as well, or ends before.
  void lose_power_mounting() {
    try {
      tests::FmsSession session(machine.boot(), config_, &machine.probe());
      supply.lose_power_in(1 + rng() % 1000);
      (void)session->mount(0);
      machine.on_access() = nullptr;
    } catch (const PowerLoss&) {
      supply.power_up();
    }
  }
  /// Everything is there, holds and can be written on.
  void recover() {
    tests::FmsSession session(machine.boot(), config_, &machine.probe());
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    expect_sound(*session, "after the mount");
    for (int i = 0; i < 60; ++i) ASSERT_EQ(write(*session), FtlStatus::ok);
    expect_sound(*session, "written on");
  }

 private:
  using UsedPart<Part>::machine, UsedPart<Part>::rng, UsedPart<Part>::supply, UsedPart<Part>::pages;

  FtlStatus write(Ftl& ftl) { return pages.write(ftl, pages.draw(rng), {}, 0); }
  void expect_sound(Ftl& ftl, const std::string& when) {
    EXPECT_STREQ(ftl.self_check(), nullptr) << when;
    pages.check(ftl, when);
  }

  tests::PagedConfig config_;
};

template <class Part>
class FmsSessions : public testing::Test {
 protected:
  [[nodiscard]] auto lose_power() {
    return [this](const tests::FmsVolume& config, const Part& part, const std::string& text) {
      if (share_.takes_next()) run(part, config, text);
    };
  }
  static void expect_all(const tests::Combinations& seen) {
    EXPECT_EQ(seen.left_out(), "");
    EXPECT_EQ(seen.cramped, "");
  }

 private:
  void run(const Part& part, const tests::FmsVolume& config, const std::string& text) {
    SCOPED_TRACE(text);
    for (const bool in_erase : {false, true}) {
      SCOPED_TRACE(in_erase ? "in an erase" : "at a bus access");
      PowerLossCase<Part> one(part, config, ++seed_);
      one.lose_power(in_erase);
      if (seed_ % 3 == 0) one.lose_power_mounting();
      if (!testing::Test::HasFatalFailure()) one.recover();
    }
  }

  tests::Share share_;
  unsigned seed_ = 0;
};

using Parts = testing::Types<Card, FlexOneNand>;
TYPED_TEST_SUITE(FmsSessions, Parts, tests::MediumName);

TYPED_TEST(FmsSessions, every_policy_loses_nothing_acknowledged_when_power_is_lost) {
  this->expect_all(tests::for_each_policy<TypeParam>(this->lose_power()));
}

TYPED_TEST(FmsSessions, every_combination_loses_nothing_acknowledged_when_power_is_lost) {
  this->expect_all(tests::for_each_combination<TypeParam>(this->lose_power()));
}

}  // namespace
}  // namespace ftlab::test
