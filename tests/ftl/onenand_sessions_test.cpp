// Both translation layers over the real driver and the part's own core, whose worn segments fail and refuse their bad
// marks: sessions with power losses at any bus access, wear to the end, checkpoint segments that fail.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/machines.h"
#include "tests/fixtures/sessions.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kSegments = 32;
constexpr std::uint32_t kPage = KnownPages::kPage;

enum class Layer : std::uint8_t { fms, flexfs };

const char* name(Layer layer) { return layer == Layer::fms ? "FMS" : "FlexFS"; }

/// Rated erases of a segment; 0: nothing wears out, and nothing is bad from the factory.
hw::OneNandSpec part(double rated) {
  auto file = part_file("flexonenand-4gb");
  hw::OneNandSpec s = hw::load_onenand_spec(file, "flexfs-calibrated");
  s.segments_per_die = kSegments;
  s.bad_segments = {.reserve = 3, .initial_share = rated > 0 ? 0.03 : 0, .weak_share = rated > 0 ? 0.1 : 0};
  if (rated > 0) {
    s.endurance.rated_mlc = rated;
    s.endurance.rated_slc = rated * 5;
    s.endurance.median_ratio = 1.5;
  }
  return s;
}

/// A driver and a translation layer between two power losses.
struct Session {
  Session(Layer layer, OneNandMachine& machine, std::uint32_t pages, std::uint32_t checkpoint_every = 0) {
    machine.boot();
    tests::FmsVolume fms;
    fms.page_bytes = kPage;
    fms.logical_pages = pages;
    fms.selection = "cat";
    fms.redistribution = "fine_grained";
    FlexFsConfig flexfs;
    flexfs.logical_pages = pages;
    flexfs.checkpoint_every = fms.checkpoint_every = checkpoint_every;
    if (layer == Layer::fms)
      ftl = open<tests::PagedLayer, tests::PagedConfig>(machine, fms);
    else
      ftl = open<tests::FlexFsLayer, FlexFsConfig>(machine, flexfs);
  }
  Ftl* operator->() const { return ftl.get(); }

  std::vector<std::max_align_t> memory;
  std::shared_ptr<Ftl> ftl;  // shared: the interface has no public destructor

 private:
  template <class Firmware, class Config>
  std::shared_ptr<Ftl> open(OneNandMachine& machine, const Config& config) {
    memory.resize(tests::arena_bytes_of<Firmware>(machine.flash(), config) / sizeof(std::max_align_t) + 1);
    return std::make_shared<Firmware>(machine.flash(), machine.probe(), config,
                                      std::as_writable_bytes(std::span(memory)));
  }
};

/// A part, what was written to it, and a host that writes hot and cold pages.
struct SessionsFixture {
  SessionsFixture(Layer what, double rated, std::uint32_t logical, unsigned seed)
      : layer(what),
        machine(part(rated), seed),
        core(machine.core),
        rng(seed),
        supply(core, machine.now(), machine.on_access(), rng) {
    pages.resize(logical);
  }

  [[nodiscard]] std::uint64_t now() const { return static_cast<std::uint64_t>(machine.port.now.count()) / 10; }
  FtlStatus write(Ftl& ftl) {
    const std::uint32_t lpn = pages.draw(rng);
    const FtlStatus status = pages.write(ftl, lpn, {.stream = lpn / 50 + 1}, now());
    if (rng() % 500 == 0 && status == FtlStatus::ok) (void)ftl.flush(now());
    if (rng() % 50 == 0) (void)ftl.idle(now(), now() + 2'000'000'000);
    return status;
  }
  void check(Ftl& ftl, const std::string& id) { pages.check(ftl, id, now()); }
  [[nodiscard]] std::uint32_t worn() const {
    std::uint32_t n = 0;
    for (std::uint32_t s = 0; s < kSegments; ++s) n += core.is_bad(s) && !core.is_factory_bad(s) ? 1U : 0U;
    return n;
  }

  Layer layer;
  OneNandMachine machine;
  hw::OneNandCore& core;
  std::mt19937 rng;
  PowerSwitch<hw::OneNandCore> supply;
  KnownPages pages;
};

constexpr std::pair<Layer, std::uint32_t> kLayers[] = {{Layer::fms, 2400}, {Layer::flexfs, 1400}};

TEST(OneNandSessions, with_power_losses_and_segments_that_fail_keep_what_was_acknowledged) {
  for (const auto& [layer, pages] : kLayers) {
    std::uint32_t worn = 0;
    for (unsigned seed = 11; seed <= 14; ++seed) {
      SessionsFixture fixture(layer, 4, pages, seed);
      for (int session = 0; session < 60; ++session) {
        const std::string id =
            std::string(name(layer)) + " seed " + std::to_string(seed) + " session " + std::to_string(session);
        FtlStatus status = FtlStatus::ok;
        try {
          Session ftl(layer, fixture.machine, pages);
          if (session > 0 && fixture.rng() % 4 == 0) fixture.supply.lose_power_in(1 + fixture.rng() % 3000);
          ASSERT_EQ(session == 0 ? ftl->format(0) : ftl->mount(fixture.now()), FtlStatus::ok) << id;
          fixture.machine.on_access() = nullptr;
          ASSERT_EQ(ftl->self_check(), nullptr) << id;
          if (session % 5 == 4) fixture.check(*ftl.ftl, id);
          if (testing::Test::HasFatalFailure()) return;
          fixture.supply.lose_power_in(2000 + fixture.rng() % 20000);
          while (status == FtlStatus::ok) status = fixture.write(*ftl.ftl);
          // Only a part that cannot hold the pages any more refuses, and says so.
          ASSERT_EQ(status, FtlStatus::read_only) << id;
        } catch (const PowerLoss&) {
        }
        fixture.supply.power_up();
        if (status != FtlStatus::ok) break;
      }
      worn += fixture.worn();
    }
    EXPECT_GE(worn, 4U) << name(layer);
  }
}

TEST(OneNandSessions, wear_ends_read_only_with_all_data_and_never_before_space_runs_out) {
  for (const auto& [layer, pages] : kLayers) {
    for (const unsigned seed : {1U, 2U, 4U, 10U, 21U}) {
      const std::string id = std::string(name(layer)) + " seed " + std::to_string(seed);
      SessionsFixture fixture(layer, 15, pages, seed);
      {
        Session ftl(layer, fixture.machine, pages);
        ASSERT_EQ(ftl->format(0), FtlStatus::ok) << id;
        FtlStatus status = FtlStatus::ok;
        while (status == FtlStatus::ok) status = fixture.write(*ftl.ftl);
        EXPECT_EQ(status, FtlStatus::read_only) << id;
        EXPECT_EQ(fixture.write(*ftl.ftl), FtlStatus::read_only) << id;
        EXPECT_EQ(ftl->self_check(), nullptr) << id;
        fixture.check(*ftl.ftl, id);
      }
      // Segments that the pages fill, worn ones, and no more than those for reserve, logs, checkpoints and the factory.
      EXPECT_LE(kSegments, (pages + 127) / 128 + fixture.worn() + 9) << id;
      Session next(layer, fixture.machine, pages);
      ASSERT_EQ(next->mount(fixture.now()), FtlStatus::ok) << id;
      fixture.check(*next.ftl, id);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// The only segment in use without pages of the host.
std::uint32_t newest_checkpoint(const Ftl& ftl) {
  for (std::uint32_t id = 0; id < ftl.segments(); ++id) {
    const SegmentInfo info = ftl.segment(SegmentId{id});
    if (info.state == SegmentState::open && info.used_pages == 0) return id;
  }
  return ftl.segments();
}

TEST(OneNandSessions, a_worn_checkpoint_segment_that_takes_no_mark_costs_one_segment) {
  for (const auto& [layer, pages] : kLayers) {
    for (const std::uint32_t nth : {1U, 2U}) {
      const std::string id = std::string(name(layer)) + " checkpoint " + std::to_string(nth);
      SessionsFixture fixture(layer, 0, pages, 1);
      // Each page of the host brings one.
      constexpr std::uint32_t kEvery = 1;
      std::uint32_t segment = 0;
      {
        Session ftl(layer, fixture.machine, pages, kEvery);
        ASSERT_EQ(ftl->format(0), FtlStatus::ok) << id;
        for (std::uint32_t i = 0; i < nth; ++i) ASSERT_EQ(fixture.write(*ftl.ftl), FtlStatus::ok) << id;
        segment = newest_checkpoint(*ftl.ftl);
        ASSERT_LT(segment, kSegments) << id;
        fixture.core.set_erase_count(segment, 4'000'000'000U);
        for (std::uint32_t i = 0; i < 200; ++i) {
          ASSERT_EQ(fixture.write(*ftl.ftl), FtlStatus::ok) << id << " flush " << i;
          ASSERT_EQ(fixture.pages.write(*ftl.ftl, pages - 1, {}, fixture.now()), FtlStatus::ok) << id;
          ASSERT_EQ(fixture.pages.trim(*ftl.ftl, pages - 1, fixture.now()), FtlStatus::ok) << id;
          ASSERT_EQ(ftl->flush(fixture.now()), FtlStatus::ok) << id << " flush " << i;
        }
        EXPECT_EQ(ftl->stats().bad_segments, 1U) << id;
      }
      EXPECT_TRUE(fixture.core.is_bad(segment)) << id;
      Session next(layer, fixture.machine, pages, kEvery);
      ASSERT_EQ(next->mount(fixture.now()), FtlStatus::ok) << id;
      fixture.check(*next.ftl, id);
      ASSERT_EQ(fixture.write(*next.ftl), FtlStatus::ok) << id;
      ASSERT_EQ(next->trim(0, kPage, fixture.now()), FtlStatus::ok) << id;
      EXPECT_EQ(next->flush(fixture.now()), FtlStatus::ok) << id;
    }
  }
}

}  // namespace
}  // namespace ftlab::test
