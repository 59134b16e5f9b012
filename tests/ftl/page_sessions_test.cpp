// The page-mapped layer over the drivers and the parts' own cores: sessions that end with a loss of power at any bus
// access, each mounted by the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "firmware/driver/onenand/driver.h"
#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/ftl/page/page_ftl.h"
#include "hw/onenand/core.h"
#include "hw/onenand/spec/spec.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/unit/firmware/driver/onenand/onenand_port.h"
#include "tests/unit/firmware/driver/series2plus/card_port.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kPage = 4096;
using Page = std::array<std::byte, kPage>;

struct PowerLoss {};

spec::TomlFile part_file(const char* name) {
  return spec::TomlFile::load(std::string(FTLAB_PARTS_DIR) + "/" + name + ".toml");
}

/// The Flex-OneNAND with two dies of few segments.
struct OneNandMachine {
  static constexpr std::uint32_t kSegments = 16;  // a power of two, as the part decodes its address
  static constexpr std::uint32_t kAccesses = 30000;
  static constexpr std::uint32_t kWrites = 1200;

  static hw::OneNandSpec part() {
    auto file = part_file("flexonenand-8gb-ddp");
    hw::OneNandSpec s = hw::load_onenand_spec(file, "flexfs-calibrated");
    s.segments_per_die = kSegments;
    s.bad_segments = {.reserve = 3, .initial_share = 0.05, .weak_share = 0};
    return s;
  }
  explicit OneNandMachine(unsigned seed) : core(part(), {.seed = seed}), port(core) {}

  void boot() {
    driver = std::make_unique<OneNandDriver>(port, port, OneNandDriverConfig{.segments_per_die = kSegments});
    ASSERT_EQ(driver->attach(), OneNandAttachStatus::ok);
  }
  FlashPort& flash() { return *driver; }
  ProbePort& probe() { return port; }
  Ticks& now() { return port.now; }
  std::function<void()>& on_access() { return port.on_access; }

  hw::OneNandCore core;
  OneNandPort port;
  std::unique_ptr<OneNandDriver> driver;
};

/// The card of two pairs, one of which erases while the other works.
struct CardMachine {
  static constexpr std::uint32_t kAccesses = 120000;
  static constexpr std::uint32_t kWrites = 3000;

  static hw::CardSpec part() {
    auto file = part_file("series2plus-8mb");
    return hw::load_card_spec(file, hw::Voltage::v5);
  }
  explicit CardMachine(unsigned seed)
      : core(part(), {.seed = seed}), bus{.core = core}, common(bus, core.common()), attribute(bus, core.attribute()) {
    core.set_vpp_pin(bus.now, true);
  }

  void boot() {
    const Series2PlusDriverConfig config{.background_erase = true, .suspend_erase = true};
    core.set_vpp_pin(bus.now, true);
    driver = std::make_unique<Series2PlusDriver>(common, attribute, null_probe, config);
    ASSERT_EQ(driver->attach(), AttachStatus::ok);
  }
  FlashPort& flash() { return *driver; }
  ProbePort& probe() { return null_probe; }
  Ticks& now() { return bus.now; }
  std::function<void()>& on_access() { return bus.on_access; }

  hw::CardCore core;
  CardBus bus;
  CardPort common;
  CardPort attribute;
  NullProbe null_probe;
  std::unique_ptr<Series2PlusDriver> driver;
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
    config.frontiers = PageConfig::Frontiers::host_and_cleaning;
    // The size does not depend on whether there are checkpoints.
    config.checkpoint_every = 1;
    config.logical_pages =
        static_cast<std::uint32_t>(0.8 * static_cast<double>(page::max_logical_pages(config, port->geometry())));
    config.checkpoint_every = checkpoint_every;
    memory.resize(PageFtl::arena_bytes(*port, config));
    ftl = std::make_unique<PageFtl>(*port, machine.probe(), config, memory);
    EXPECT_EQ(ftl->config_error(), nullptr);
  }
  PageFtl* operator->() const { return ftl.get(); }

  std::vector<std::byte> port_memory;
  std::vector<std::byte> memory;
  std::unique_ptr<PagedFlash> port;
  PageConfig config;
  std::unique_ptr<PageFtl> ftl;
};

/// A part, what was written to it, and a host that writes hot and cold pages.
template <class Machine>
struct SessionsFixture {
  explicit SessionsFixture(unsigned seed) : machine(seed), rng(seed) {}

  static Page content(std::uint32_t lpn, std::uint32_t version) {
    Page page;
    page.fill(std::byte{0xFF});
    const std::uint32_t words[] = {lpn, version};
    for (std::size_t at = 0; version != 0 && at < kPage; at += sizeof words)
      std::memcpy(page.data() + at, words, sizeof words);
    return page;
  }
  FtlStatus write(PageFtl& ftl) {
    const auto pages = static_cast<std::uint32_t>(ftl.capacity_bytes() / kPage);
    pages_known.resize(pages);
    const auto lpn = static_cast<std::uint32_t>(rng() % 10 < 7 ? rng() % (pages / 8) : rng() % pages);
    pages_known[lpn].under_way = version;
    const FtlStatus status = ftl.write(std::uint64_t{lpn} * kPage, content(lpn, version++), {}, 0);
    if (status == FtlStatus::ok) pages_known[lpn] = {pages_known[lpn].under_way, 0};
    return status;
  }
  /// Every page is as acknowledged, or as the write that was interrupted would have it; from now on that alone.
  void check(PageFtl& ftl, const std::string& id) {
    for (std::uint32_t lpn = 0; lpn < pages_known.size(); ++lpn) {
      Page page;
      ASSERT_EQ(ftl.read(std::uint64_t{lpn} * kPage, page, 0), FtlStatus::ok) << id << " page " << lpn;
      Known& known = pages_known[lpn];
      if (known.under_way != 0 && page == content(lpn, known.under_way)) known.version = known.under_way;
      known.under_way = 0;
      ASSERT_EQ(page, content(lpn, known.version)) << id << " page " << lpn;
    }
  }
  /// Power goes at the n-th bus access from now, at any moment since the one before.
  void lose_power_in(std::uint32_t accesses) {
    left = accesses;
    last = machine.now();
    machine.on_access() = [this] {
      if (left > 0 && --left == 0) {
        const auto share = static_cast<std::int64_t>(rng() % 1000);
        machine.now() = last + Ticks{(machine.now() - last).count() / 1000 * share};
        machine.core.lose_power(machine.now());
        throw PowerLoss{};
      }
      last = machine.now();
    };
  }
  void power_up() {
    machine.on_access() = nullptr;
    machine.core.restore_power(machine.now());
    machine.now() += Nanoseconds{1'000'000};
  }

  struct Known {
    std::uint32_t version = 0;
    std::uint32_t under_way = 0;
  };
  Machine machine;
  std::mt19937 rng;
  std::vector<Known> pages_known;
  std::uint32_t version = 1;
  std::uint32_t left = 0;
  Ticks last{};
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
          if (fixture.rng() % 4 == 0) fixture.lose_power_in(1 + fixture.rng() % 3000);
          ASSERT_EQ(ftl->mount(0), FtlStatus::ok) << id;
          fixture.machine.on_access() = nullptr;
        }
        const char* broken = ftl->self_check();
        ASSERT_EQ(broken, nullptr) << id << ": " << broken;
        if (session % 5 == 4) fixture.check(*ftl.ftl, id);
        if (testing::Test::HasFatalFailure()) return;
        fixture.lose_power_in(1 + fixture.rng() % Machine::kAccesses);
        for (std::uint32_t i = 0; i < Machine::kWrites; ++i) {
          ASSERT_EQ(fixture.write(*ftl.ftl), FtlStatus::ok) << id;
          cleanings = std::max(cleanings, ftl->stats().cleanings);
        }
      } catch (const PowerLoss&) {
      }
      fixture.power_up();
    }
    Session<Machine> ftl(fixture.machine);
    ASSERT_EQ(ftl->mount(0), FtlStatus::ok);
    fixture.check(*ftl.ftl, "seed " + std::to_string(seed) + " at the end");
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
  fixture.power_up();
  Session<Machine> ftl(fixture.machine, checkpoint_every);
  const Ticks before = fixture.machine.now();
  EXPECT_EQ(ftl->mount(0), FtlStatus::ok);
  const double seconds = to_seconds(fixture.machine.now() - before);
  fixture.check(*ftl.ftl, "after the mount");
  return seconds;
}

TEST(PageSessions, a_checkpoint_shortens_the_mount) {
  EXPECT_LT(mount_seconds<OneNandMachine>(500), 0.5 * mount_seconds<OneNandMachine>(0));
  EXPECT_LT(mount_seconds<CardMachine>(200), 0.7 * mount_seconds<CardMachine>(0));
}

TEST(PageSessions, on_a_flex_onenand_keep_what_was_acknowledged) { run_sessions<OneNandMachine>(); }

TEST(PageSessions, on_a_series2plus_card_keep_what_was_acknowledged) { run_sessions<CardMachine>(); }

}  // namespace
}  // namespace ftlab::test
