// The page-mapped layer over the drivers and the parts' own cores: sessions that end with a loss of power at any bus
// access, each mounted by the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "firmware/driver/paged/paged_flash.h"
#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/machines.h"
#include "tests/fixtures/sessions.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kPage = KnownPages::kPage;

/// The Flex-OneNAND with two dies of few segments.
struct PageOneNand : OneNandMachine {
  static constexpr std::uint32_t kAccesses = 30000;
  static constexpr std::uint32_t kWrites = 1200;

  static hw::OneNandSpec part() {
    auto file = part_file("flexonenand-8gb-ddp");
    hw::OneNandSpec s = hw::load_onenand_spec(file, "flexfs-calibrated");
    s.segments_per_die = 16;  // a power of two, as the part decodes its address
    s.bad_segments = {.reserve = 3, .initial_share = 0.05, .weak_share = 0};
    return s;
  }
  explicit PageOneNand(unsigned seed) : OneNandMachine(part(), seed) {}
};

/// The card of two pairs, one of which erases while the other works.
struct PageCard : CardMachine {
  static constexpr std::uint32_t kAccesses = 120000;
  static constexpr std::uint32_t kWrites = 3000;

  static hw::CardSpec part() {
    auto file = part_file("series2plus-8mb");
    return hw::load_card_spec(file, hw::Voltage::v5);
  }
  explicit PageCard(unsigned seed) : CardMachine(part(), seed, {.background_erase = true, .suspend_erase = true}) {}
};

/// A driver and the layer between two power losses.
template <class Machine>
struct Session {
  explicit Session(Machine& machine, std::uint32_t checkpoint_every = 0) {
    machine.boot();
    const PagedFlashConfig paged{.page_bytes = kPage};
    EXPECT_EQ(PagedFlash::check(machine.flash(), paged), nullptr);
    port_memory.resize(PagedFlash::arena_bytes(machine.flash(), paged));
    port = std::make_unique<PagedFlash>(machine.flash(), machine.probe(), paged, port_memory);
    config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
    // The size does not depend on whether there are checkpoints.
    config.checkpoint_every = 1;
    config.logical_pages =
        static_cast<std::uint32_t>(0.8 * static_cast<double>(volume::max_logical_pages(config, port->geometry())));
    config.checkpoint_every = checkpoint_every;
    memory.resize(PageFtl::arena_bytes(*port, config));
    ftl = std::make_unique<PageFtl>(*port, machine.probe(), config, memory);
    EXPECT_EQ(ftl->config_error(), nullptr);
  }
  PageFtl* operator->() const { return ftl.get(); }

  std::vector<std::byte> port_memory;
  std::vector<std::byte> memory;
  std::unique_ptr<PagedFlash> port;
  VolumeConfig config;
  std::unique_ptr<PageFtl> ftl;
};

/// A part, what was written to it, and a host that writes hot and cold pages.
template <class Machine>
struct SessionsFixture {
  explicit SessionsFixture(unsigned seed)
      : machine(seed), rng(seed), supply(machine.core, machine.now(), machine.on_access(), rng) {}

  FtlStatus write(PageFtl& ftl) {
    pages.resize(static_cast<std::uint32_t>(ftl.capacity_bytes() / kPage));
    return pages.write(ftl, pages.draw(rng), {}, 0);
  }

  Machine machine;
  std::mt19937 rng;
  PowerSwitch<decltype(Machine::core)> supply;
  KnownPages pages;
};

template <class Machine>
void run_sessions() {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SessionsFixture<Machine> fixture(seed);
    std::uint64_t cleanings = 0;
    for (int session = 0; session < 25; ++session) {
      const std::string id = "seed " + std::to_string(seed) + " session " + std::to_string(session);
      try {
        Session<Machine> ftl(fixture.machine, seed % 2 == 0 ? 0 : 200);
        if (session == 0) {
          ASSERT_EQ(ftl->format(0), FtlStatus::ok) << id;
        } else {
          if (fixture.rng() % 4 == 0) fixture.supply.lose_power_in(1 + fixture.rng() % 3000);
          ASSERT_EQ(ftl->mount(0), FtlStatus::ok) << id;
          fixture.machine.on_access() = nullptr;
        }
        const char* broken = ftl->self_check();
        ASSERT_EQ(broken, nullptr) << id << ": " << broken;
        if (session % 5 == 4) fixture.pages.check(*ftl.ftl, id, 0);
        if (testing::Test::HasFatalFailure()) return;
        fixture.supply.lose_power_in(1 + fixture.rng() % Machine::kAccesses);
        for (std::uint32_t i = 0; i < Machine::kWrites; ++i) {
          ASSERT_EQ(fixture.write(*ftl.ftl), FtlStatus::ok) << id;
          cleanings = std::max(cleanings, ftl->stats().cleanings);
        }
      } catch (const PowerLoss&) {
      }
      fixture.supply.power_up();
    }
    Session<Machine> ftl(fixture.machine);
    ASSERT_EQ(ftl->mount(0), FtlStatus::ok);
    fixture.pages.check(*ftl.ftl, "seed " + std::to_string(seed) + " at the end", 0);
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_GT(cleanings, 0U);
  }
}

/// What a mount takes after so many writes, with or without checkpoints.
template <class Machine>
double mount_seconds(std::uint32_t checkpoint_every) {
  SessionsFixture<Machine> fixture(1);
  {
    Session<Machine> ftl(fixture.machine, checkpoint_every);
    EXPECT_EQ(ftl->format(0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < 3 * ftl.config.logical_pages; ++i) EXPECT_EQ(fixture.write(*ftl.ftl), FtlStatus::ok);
  }
  fixture.machine.core.lose_power(fixture.machine.now());
  fixture.supply.power_up();
  Session<Machine> ftl(fixture.machine, checkpoint_every);
  const Ticks before = fixture.machine.now();
  EXPECT_EQ(ftl->mount(0), FtlStatus::ok);
  const double seconds = to_seconds(fixture.machine.now() - before);
  fixture.pages.check(*ftl.ftl, "after the mount", 0);
  return seconds;
}

TEST(PageSessions, a_checkpoint_shortens_the_mount) {
  EXPECT_LT(mount_seconds<PageOneNand>(500), 0.5 * mount_seconds<PageOneNand>(0));
  EXPECT_LT(mount_seconds<PageCard>(200), 0.7 * mount_seconds<PageCard>(0));
}

TEST(PageSessions, on_a_flex_onenand_keep_what_was_acknowledged) { run_sessions<PageOneNand>(); }

TEST(PageSessions, on_a_series2plus_card_keep_what_was_acknowledged) { run_sessions<PageCard>(); }

}  // namespace
}  // namespace ftlab::test
