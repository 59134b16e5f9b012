// The page-mapped layer on the emulated array and on the emulated NOR and NAND parts: every selection, requests in
// flight, faults, power losses.
#include "firmware/ftl/page/page_ftl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/policy/policies.h"
#include "firmware/volume/own_policies.h"
#include "tests/fixtures/checking_host.h"
#include "tests/fixtures/paged_part.h"
#include "tests/fixtures/pool_arithmetic.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

struct Setup {
  std::string_view selection = "greedy";
  VolumeConfig::Frontiers frontiers = VolumeConfig::Frontiers::one;
  std::uint32_t dies = 1;
  std::uint32_t segments = 40;  ///< of a die
  std::uint32_t pages = 8;
  double used = 0.85;
  std::string_view separation = "none";
  std::string_view pool_choice = "greedy";
  PartKind part = PartKind::array;
  std::uint32_t page_bytes = 64;
  std::uint32_t pages_at_once = 1;
};

class Fixture {
 public:
  Fixture(const Setup& setup, std::uint64_t seed)
      : part_(make_paged_part(setup.part,
                              {.dies = setup.dies,
                               .segments = setup.segments,
                               .pages = setup.pages,
                               .page_bytes = setup.page_bytes,
                               .faults = {.program_one_in = 500, .erase_one_in = 125},
                               .pages_at_once = setup.pages_at_once},
                              seed)),
        host_(setup.page_bytes),
        random_(seed + 1) {
    config_.selection = setup.selection;
    config_.frontiers = setup.frontiers;
    config_.separation = setup.separation;
    config_.pool_choice = setup.pool_choice;
    config_.arithmetic = some_pool_arithmetic();
    config_.params.set("candidates", 4);
    config_.params.set("window", 300'000);
    choice_ = volume::own_policies(config_);
    config_.policies = choice_ ? &*choice_ : nullptr;
    set_size(setup);
    boot();
  }

  /// As many pages as the setup says of those that there is room for. Checkpoints where they leave most of it.
  void set_size(const Setup& setup, std::uint32_t checkpoint_every = 0) {
    const FlashGeometry& geometry = part_->port().geometry();
    const std::uint64_t most = volume::max_logical_pages(config_, geometry);
    config_.checkpoint_every = checkpoint_every;
    if (volume::max_logical_pages(config_, geometry) < most / 2) config_.checkpoint_every = 0;
    config_.logical_pages =
        static_cast<std::uint32_t>(setup.used * static_cast<double>(volume::max_logical_pages(config_, geometry)));
  }

  /// A new firmware on the same array.
  void boot() {
    arena_.assign(PageFtl::arena_bytes(part_->port(), config_), std::byte{});
    ftl_ = std::make_unique<PageFtl>(part_->port(), probe_, config_, arena_);
    ASSERT_EQ(ftl_->config_error(), nullptr);
  }

  /// Writes of random pages, up to `depth` in flight.
  void write(std::uint32_t count, std::uint32_t depth) {
    depth = std::min(depth, config_.logical_pages / 10 + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      // Four of five to a fifth of the pages.
      std::uint32_t lpn =
          random_.below(5) != 0 ? random_.below(config_.logical_pages / 5 + 1) : random_.below(config_.logical_pages);
      while (host_.busy(lpn)) lpn = random_.below(config_.logical_pages);
      if (trims_ && random_.below(20) == 0) {
        std::uint32_t pages = 1;
        while (pages < 12 && lpn + pages < config_.logical_pages && !host_.busy(lpn + pages)) ++pages;
        ftl_->submit(host_.trim(lpn, pages), host_);
        continue;
      }
      ftl_->submit(host_.write(lpn), host_);
      while (host_.in_flight() >= depth) ftl_->poll(host_, UINT64_MAX);
      if (host_.last_status != FtlStatus::ok) return;
    }
  }
  void drain() {
    while (ftl_->in_flight() > 0) ftl_->poll(host_, UINT64_MAX);
    ASSERT_EQ(host_.in_flight(), 0U);
  }

  /// A new firmware on what a power loss within so many changes leaves; `until_then` is what the old one does.
  template <class Work>
  void lose_power(std::uint32_t changes, Work until_then) {
    part_->lose_power_within(changes, random_.below(1U << 30), [this] { host_.lose_power(); });
    until_then();
    part_->power_cycle();
    host_.power_cycle();
    boot();
  }

  bool trims_ = true;  ///< among the writes
  std::unique_ptr<PagedPart> part_;
  NullProbe probe_;
  VolumeConfig config_;
  std::optional<fms::PolicyChoice> choice_;  ///< where the selection has no lists
  std::vector<std::byte> arena_;
  std::unique_ptr<PageFtl> ftl_;
  CheckingHost host_;
  Random random_;
};

/// Whether the separation has streams of their own for copies where it is asked to.
bool has_frontiers(const fms::SeparationEntry& separation) { return separation.has_pools; }

/// Those with a listed form.
std::vector<std::string_view> listed_selections() {
  std::vector<std::string_view> names;
  for (const fms::SelectionEntry& selection : fms::selections())
    if (selection.listed.exists()) names.push_back(selection.name);
  return names;
}

std::vector<Setup> setups() {
  std::vector<Setup> all;
  for (const std::string_view selection : listed_selections()) {
    for (const auto& frontiers : volume::kFrontiers) {
      for (const std::uint32_t dies : {1U, 3U}) {
        for (const std::uint32_t pages : {1U, 6U, 8U}) {
          all.push_back({selection, frontiers.value, dies, 40, pages, 0.85});
        }
      }
    }
  }
  // Every separation with every pool choice, and with every selection where pools matter least.
  for (const fms::SeparationEntry& separation : fms::separations()) {
    if (separation.name == "none") continue;
    for (const auto& frontiers : volume::kFrontiers) {
      if (frontiers.value != VolumeConfig::Frontiers::one && !has_frontiers(separation)) continue;
      const auto add = [&](std::string_view selection, std::string_view pool_choice) {
        all.push_back({selection, frontiers.value, 2, 60, 6, 0.8, separation.name, pool_choice});
      };
      for (const auto& pool_choice : fms::pool_choices()) add("greedy", pool_choice.name);
      for (const std::string_view selection : listed_selections())
        if (selection != "greedy") add(selection, "greedy");
    }
  }
  // The same on the other parts, with pages enough for pairs.
  for (std::size_t i = 0, arrays = all.size(); i < arrays; ++i) {
    if (all[i].pages == 1) continue;
    for (const PartKind part : {PartKind::nor, PartKind::nand}) {
      Setup setup = all[i];
      setup.part = part;
      if (part == PartKind::nand) setup.pages = setup.pages == 6 ? 12 : 16;
      all.push_back(setup);
    }
  }
  // Program units of several pages, which NOR does not have.
  for (std::size_t i = 0, before = all.size(); i < before; ++i) {
    if (all[i].part == PartKind::nor || all[i].pages == 1 || all[i].dies == 1) continue;
    // Selections where nothing is separated, separations with the first of each.
    if (all[i].separation != "none" && (all[i].selection != "greedy" || all[i].pool_choice != "greedy")) continue;
    Setup setup = all[i];
    const bool few = setup.pages % 6 == 0;
    setup.pages_at_once = few ? 2 : 4;
    setup.pages = setup.part == PartKind::nand ? setup.pages * setup.pages_at_once : few ? 12 : 16;
    all.push_back(setup);
  }
  // As full as they may be, so that padding has no room of its own.
  for (const std::string_view selection : listed_selections()) {
    for (const auto& frontiers : volume::kFrontiers)
      all.push_back({.selection = selection,
                     .frontiers = frontiers.value,
                     .dies = 2,
                     .segments = 16,
                     .used = 1.0,
                     .pages_at_once = 4});
  }
  // Selections without lists, on each part, with frontiers and separations in turn.
  const std::array separations{"none", "sepbit", "recency", "oracle"};
  for (const fms::SelectionEntry& selection : fms::selections()) {
    if (selection.listed.exists() || selection.partitioned) continue;
    const std::size_t i = all.size();
    const PartKind part = std::array{PartKind::array, PartKind::nor, PartKind::nand}[i % 3];
    all.push_back({selection.name, volume::kFrontiers[i % 2].value, 2, 60, part == PartKind::nand ? 12U : 6U, 0.8,
                   separations[i / 2 % 4], "together", part});
  }
  // With pages of 64 bytes a checkpoint takes several segments, and there is no room for notes of resumed ones.
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % 4 < 2) all[i].page_bytes = 256;
  return all;
}

const char* part_name(PartKind part) { return part == PartKind::array ? "" : part == PartKind::nor ? "nor_" : "nand_"; }

std::string name_of(const testing::TestParamInfo<Setup>& info) {
  return part_name(info.param.part) + std::string(info.param.selection) +
         (info.param.frontiers == VolumeConfig::Frontiers::one ? "_one" : "_two") + "_dies" +
         std::to_string(info.param.dies) + "_pages" + std::to_string(info.param.pages) +
         (info.param.pages_at_once > 1 ? "by" + std::to_string(info.param.pages_at_once) : "") + "_" +
         std::string(info.param.separation) + "_" + std::string(info.param.pool_choice);
}

class PageFtlProperty : public testing::TestWithParam<Setup> {};

TEST_P(PageFtlProperty, every_page_holds_what_was_written_last) {
  Fixture fixture(GetParam(), 7);
  fixture.trims_ = false;
  ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
  // More than the part holds, so that it is cleaned.
  const FlashGeometry& geometry = fixture.part_->port().geometry();
  const std::uint64_t least = std::uint64_t{geometry.segments} * geometry.pages_per_segment / 400 + 2;
  const auto rounds = static_cast<std::uint32_t>(std::max<std::uint64_t>(repetitions(20), least));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    fixture.write(400, 1 + round * 40 / rounds);
    const char* broken = fixture.ftl_->self_check();
    ASSERT_EQ(broken, nullptr) << broken;
  }
  fixture.drain();
  fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
  EXPECT_EQ(fixture.part_->illegal(), 0U);
  const FtlStats& stats = fixture.ftl_->stats();
  EXPECT_EQ(fixture.part_->pages_programmed(), stats.pages_written + stats.pages_copied + stats.pages_padded);
  EXPECT_EQ(stats.pages_padded > 0, GetParam().pages_at_once > 1);
  EXPECT_GT(stats.cleanings, 0U);
}

TEST_P(PageFtlProperty, survives_power_losses) {
  for (std::uint64_t seed = 0; seed < repetitions(6); ++seed) {
    Fixture fixture(GetParam(), seed);
    if (seed % 2 == 1) {
      fixture.set_size(GetParam(), 50 + 40 * static_cast<std::uint32_t>(seed));
      fixture.boot();
    }
    ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
    for (std::uint64_t round = 0; round < repetitions(6); ++round) {
      fixture.lose_power(fixture.random_.below(3) == 0 ? 20 : 800, [&] {
        fixture.write(100 + fixture.random_.below(400), 1 + fixture.random_.below(20));
        ASSERT_EQ(fixture.host_.last_status, FtlStatus::ok);
      });
      ASSERT_EQ(fixture.ftl_->mount(0), FtlStatus::ok);
      const char* broken = fixture.ftl_->self_check();
      ASSERT_EQ(broken, nullptr) << broken;
      fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(fixture.part_->illegal(), 0U);
  }
}

TEST_P(PageFtlProperty, failing_segments_lose_nothing) {
  for (std::uint64_t seed = 0; seed < repetitions(5); ++seed) {
    Fixture fixture(GetParam(), seed);
    fixture.part_->mark_bad(3);
    fixture.part_->wear_out();
    if (seed % 2 == 1) fixture.set_size(GetParam(), 300);
    fixture.boot();
    ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
    for (int round = 0; round < 10 && fixture.host_.last_status == FtlStatus::ok; ++round) {
      fixture.write(200, 8);
      const char* broken = fixture.ftl_->self_check();
      ASSERT_EQ(broken, nullptr) << broken << " in round " << round;
    }
    fixture.drain();
    EXPECT_TRUE(fixture.host_.last_status == FtlStatus::ok || fixture.host_.last_status == FtlStatus::read_only);
    EXPECT_EQ(fixture.part_->illegal(), 0U);
    fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
    if (testing::Test::HasFatalFailure()) return;
  }
}

class PageFtlCheckpoint : public testing::TestWithParam<PartKind> {};

TEST_P(PageFtlCheckpoint, a_mount_reads_what_was_written_since) {
  const tests::Setup setup{.dies = 2, .segments = 60, .pages = 32, .used = 0.8, .part = GetParam()};
  Fixture fixture(setup, 3);
  fixture.set_size(setup, 400);
  ASSERT_EQ(fixture.config_.checkpoint_every, 400U);
  fixture.boot();
  ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
  fixture.write(15000, 8);
  fixture.drain();
  const auto reads_of_mount = [&] {
    fixture.lose_power(1, [] {});
    const std::uint64_t before = fixture.part_->reads();
    EXPECT_EQ(fixture.ftl_->mount(0), FtlStatus::ok);
    const std::uint64_t reads = fixture.part_->reads() - before;
    fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
    return reads;
  };
  const std::uint64_t with_checkpoint = reads_of_mount();
  fixture.config_.checkpoint_every = 0;
  const std::uint64_t without = reads_of_mount();
  EXPECT_LT(with_checkpoint, without / 2);
}

TEST_P(PageFtlCheckpoint, has_what_is_on_the_medium_alone) {
  const tests::Setup setup{.dies = 3, .segments = 12, .pages = 16, .used = 0.8, .part = GetParam(), .page_bytes = 1024};
  for (std::uint64_t seed = 0; seed < repetitions(20); ++seed) {
    Fixture fixture(setup, seed);
    fixture.trims_ = false;
    fixture.set_size(setup, 60);
    fixture.boot();
    ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
    for (int round = 0; round < 5; ++round) {
      // The last of them writes the checkpoint.
      fixture.lose_power(100'000, [&] { fixture.write(600, 60); });
      ASSERT_EQ(fixture.ftl_->mount(0), FtlStatus::ok);
      fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

class PageFtlErase : public testing::TestWithParam<PartKind> {};

TEST_P(PageFtlErase, that_is_interrupted_leaves_nothing_to_go_on_with) {
  const tests::Setup setup{.dies = 1, .segments = 20, .pages = 16, .used = 0.8, .part = GetParam(), .page_bytes = 256};
  for (std::uint64_t seed = 0; seed < repetitions(20); ++seed) {
    Fixture fixture(setup, seed);
    fixture.part_->lose_power_at_erases();
    ASSERT_EQ(fixture.ftl_->format(0), FtlStatus::ok);
    for (int round = 0; round < 10; ++round) {
      fixture.lose_power(10, [&] { fixture.write(400, 4); });
      ASSERT_EQ(fixture.ftl_->mount(0), FtlStatus::ok);
      fixture.host_.check(*fixture.ftl_, fixture.config_.logical_pages);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PageFtlErase, testing::Values(PartKind::array, PartKind::nor, PartKind::nand));

INSTANTIATE_TEST_SUITE_P(Parts, PageFtlCheckpoint, testing::Values(PartKind::array, PartKind::nor, PartKind::nand));

INSTANTIATE_TEST_SUITE_P(All, PageFtlProperty, testing::ValuesIn(setups()), name_of);

}  // namespace
}  // namespace ftlab::tests
