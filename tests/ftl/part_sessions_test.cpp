// Translation layers over the drivers and the parts' own cores: sessions with power losses at any bus access, each
// mounted by the next, also on worn segments, which fail and refuse their bad-block markers; wear to the end,
// checkpoint segments that fail, what a checkpoint saves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/machines.h"
#include "tests/fixtures/sessions.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kPage = KnownPages::kPage;

hw::OneNandSpec onenand(const std::string& name, std::uint32_t segments_per_die) {
  auto file = part_file(name);
  hw::OneNandSpec s = hw::load_onenand_spec(file, "flexfs-calibrated");
  s.segments_per_die = segments_per_die;  // a power of two, as the part decodes its address
  return s;
}

/// The page-mapped layer with its own policies.
struct PageOnPart {
  using Session = tests::FmsSession;
  static constexpr unsigned kFirstSeed = 1, kSeeds = 3, kSessions = 25;
  [[nodiscard]] static tests::PagedConfig config(PartPort& flash, std::uint32_t checkpoint_every) {
    tests::PagedConfig config;
    config.part.page_bytes = kPage;
    config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
    // The size does not depend on whether there are checkpoints.
    config.checkpoint_every = 1;
    config.logical_pages = static_cast<std::uint32_t>(
        0.8 * static_cast<double>(volume::max_logical_pages(config, geometry_of(flash, config))));
    config.checkpoint_every = checkpoint_every;
    return config;
  }
};

/// The Flex-OneNAND with two dies of few segments.
struct PageOnOneNand : PageOnPart {
  using Machine = OneNandMachine;
  static constexpr unsigned kFirstSeed = 1, kSeeds = 3, kSessions = 25;
  static constexpr std::uint32_t kAccesses = 30000, kWrites = 1200;
  [[nodiscard]] static Machine machine(unsigned seed) {
    hw::OneNandSpec s = onenand("flexonenand-8gb-ddp", 16);
    s.bad_segments = {.reserve = 3, .initial_share = 0.05, .weak_share = 0};
    return {s, seed};
  }
};

/// The card of two pairs, one of which erases while the other works.
struct PageOnCard : PageOnPart {
  using Machine = CardMachine;
  static constexpr unsigned kFirstSeed = 1, kSeeds = 3, kSessions = 25;
  static constexpr std::uint32_t kAccesses = 120000, kWrites = 3000;
  [[nodiscard]] static Machine machine(unsigned seed) {
    auto file = part_file("series2plus-8mb");
    return {hw::load_card_spec(file, hw::Voltage::v5), seed, {.background_erase = true, .suspend_erase = true}};
  }
};

/// One that wears out.
struct OneNand {
  using Machine = OneNandMachine;
  static constexpr unsigned kFirstSeed = 11, kSeeds = 4, kSessions = 60;
  static constexpr std::uint32_t kAccesses = 22000, kWrites = UINT32_MAX;
  static constexpr std::uint32_t kSegments = 32;
  /// Rated erases of a segment; 0: nothing wears out, and nothing is bad from the factory.
  double rated = 4;

  [[nodiscard]] Machine machine(unsigned seed) const {
    hw::OneNandSpec s = onenand("flexonenand-4gb", kSegments);
    s.bad_segments = {.reserve = 3, .initial_share = rated > 0 ? 0.03 : 0, .weak_share = rated > 0 ? 0.1 : 0};
    if (rated > 0) {
      s.endurance.rated_mlc = rated;
      s.endurance.rated_slc = rated * 5;
      s.endurance.median_ratio = 1.5;
    }
    return {s, seed};
  }
  [[nodiscard]] static std::uint32_t worn(const hw::OneNandCore& core) {
    std::uint32_t n = 0;
    for (std::uint32_t s = 0; s < kSegments; ++s) n += core.is_bad(s) && !core.is_factory_bad(s) ? 1U : 0U;
    return n;
  }
};

struct FmsOnOneNand : OneNand {
  using Session = tests::FmsSession;
  static constexpr std::uint32_t kPages = 2400;
  [[nodiscard]] static tests::PagedConfig config(PartPort&, std::uint32_t checkpoint_every) {
    tests::FmsVolume fms;
    fms.logical_pages = kPages;
    fms.selection = "cat";
    fms.redistribution = "fine_grained";
    fms.checkpoint_every = checkpoint_every;
    return fms;
  }
};

struct FlexFsOnOneNand : OneNand {
  using Session = tests::FlexFsSession;
  static constexpr std::uint32_t kPages = 1400;
  [[nodiscard]] static FlexFsConfig config(PartPort&, std::uint32_t checkpoint_every) {
    FlexFsConfig flexfs;
    flexfs.logical_pages = kPages;
    flexfs.checkpoint_every = checkpoint_every;
    return flexfs;
  }
};

/// A driver and a translation layer between two power losses.
template <class Part>
typename Part::Session open(UsedPart<Part>& used, std::uint32_t checkpoint_every = 0) {
  PartPort& flash = used.machine.boot();
  return typename Part::Session(flash, Part::config(flash, checkpoint_every), &used.machine.probe());
}

/// Writes hot and cold pages, rests and flushes now and then.
template <class Part>
FtlStatus write(UsedPart<Part>& used, Ftl& ftl) {
  const std::uint32_t lpn = used.pages.draw(used.rng);
  const FtlStatus status = used.pages.write(ftl, lpn, {.stream = lpn / 50 + 1}, used.now_ns());
  if (used.rng() % 500 == 0 && status == FtlStatus::ok) (void)ftl.flush(used.now_ns());
  if (used.rng() % 50 == 0) (void)ftl.idle(used.now_ns(), used.now_ns() + 2'000'000'000);
  return status;
}

/// Mounts the part at the end, and looks at all pages.
template <class Part>
void expect_all(UsedPart<Part>& used, const std::string& id, std::uint32_t checkpoint_every = 0) {
  auto ftl = open(used, checkpoint_every);
  ASSERT_EQ(ftl->mount(used.now_ns()), FtlStatus::ok) << id;
  used.pages.check(*ftl, id);
}

template <class Part>
class PartSessions : public testing::Test {};
using Parts = testing::Types<PageOnOneNand, PageOnCard, FmsOnOneNand, FlexFsOnOneNand>;
TYPED_TEST_SUITE(PartSessions, Parts);

TYPED_TEST(PartSessions, with_power_losses_keep_what_was_acknowledged) {
  constexpr bool kWears = std::is_base_of_v<OneNand, TypeParam>;
  std::uint32_t worn = 0;
  for (unsigned seed = TypeParam::kFirstSeed; seed < TypeParam::kFirstSeed + TypeParam::kSeeds; ++seed) {
    UsedPart<TypeParam> used(TypeParam(), seed);
    std::uint64_t cleanings = 0;
    FtlStatus status = FtlStatus::ok;
    for (unsigned session = 0; session < TypeParam::kSessions && status == FtlStatus::ok; ++session) {
      const std::string id = "seed " + std::to_string(seed) + " session " + std::to_string(session);
      try {
        auto ftl = open(used, kWears || seed % 2 == 0 ? 0 : 200);
        used.pages.resize(static_cast<std::uint32_t>(ftl->capacity_bytes() / kPage));
        if (session > 0 && used.rng() % 4 == 0) used.supply.lose_power_in(1 + used.rng() % 3000);
        ASSERT_EQ(session == 0 ? ftl->format(0) : ftl->mount(used.now_ns()), FtlStatus::ok) << id;
        used.machine.on_access() = nullptr;
        ASSERT_STREQ(ftl->self_check(), nullptr) << id;
        if (session % 5 == 4) used.pages.check(*ftl, id);
        if (testing::Test::HasFatalFailure()) return;
        used.supply.lose_power_in(1 + used.rng() % TypeParam::kAccesses);
        for (std::uint32_t i = 0; i < TypeParam::kWrites && status == FtlStatus::ok; ++i) {
          status = write(used, *ftl);
          cleanings = std::max(cleanings, ftl->stats().cleanings);
        }
        // Only a part that cannot hold the pages any more refuses, and says so.
        ASSERT_EQ(status, status != FtlStatus::ok && kWears ? FtlStatus::read_only : FtlStatus::ok) << id;
      } catch (const PowerLoss&) {
      }
      used.supply.power_up();
    }
    expect_all(used, "seed " + std::to_string(seed) + " at the end");
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_GT(cleanings, 0U);
    if constexpr (kWears) worn += OneNand::worn(used.machine.core);
  }
  if (kWears) {
    EXPECT_GE(worn, 4U);
  }
}

/// What a mount takes after so many writes, with or without checkpoints.
template <class Part>
double mount_seconds(std::uint32_t checkpoint_every) {
  UsedPart<Part> used(Part(), 1);
  {
    auto ftl = open(used, checkpoint_every);
    const auto pages = static_cast<std::uint32_t>(ftl->capacity_bytes() / kPage);
    used.pages.resize(pages);
    EXPECT_EQ(ftl->format(0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < 3 * pages; ++i)
      EXPECT_EQ(used.pages.write(*ftl, used.pages.draw(used.rng), {}, 0), FtlStatus::ok);
  }
  used.machine.core.lose_power(used.machine.now());
  used.supply.power_up();
  auto ftl = open(used, checkpoint_every);
  const Ticks before = used.machine.now();
  EXPECT_EQ(ftl->mount(0), FtlStatus::ok);
  const double seconds = to_seconds(used.machine.now() - before);
  used.pages.check(*ftl, "after the mount");
  return seconds;
}

TEST(PageSessions, a_checkpoint_shortens_the_mount) {
  EXPECT_LT(mount_seconds<PageOnOneNand>(500), 0.5 * mount_seconds<PageOnOneNand>(0));
  EXPECT_LT(mount_seconds<PageOnCard>(200), 0.7 * mount_seconds<PageOnCard>(0));
}

template <class Part>
class OneNandSessions : public testing::Test {};
using LayersOnOneNand = testing::Types<FmsOnOneNand, FlexFsOnOneNand>;
TYPED_TEST_SUITE(OneNandSessions, LayersOnOneNand);

TYPED_TEST(OneNandSessions, wear_ends_read_only_with_all_data_and_never_before_space_runs_out) {
  for (const unsigned seed : {1U, 2U, 4U, 10U, 21U}) {
    const std::string id = "seed " + std::to_string(seed);
    UsedPart<TypeParam> used({{.rated = 15}}, seed);
    used.pages.resize(TypeParam::kPages);
    {
      auto ftl = open(used);
      ASSERT_EQ(ftl->format(0), FtlStatus::ok) << id;
      FtlStatus status = FtlStatus::ok;
      while (status == FtlStatus::ok) status = write(used, *ftl);
      EXPECT_EQ(status, FtlStatus::read_only) << id;
      EXPECT_EQ(write(used, *ftl), FtlStatus::read_only) << id;
      EXPECT_EQ(ftl->self_check(), nullptr) << id;
      used.pages.check(*ftl, id);
    }
    // Segments that the pages fill, worn ones, and no more than those for reserve, logs, checkpoints and the factory.
    EXPECT_LE(OneNand::kSegments, (TypeParam::kPages + 127) / 128 + OneNand::worn(used.machine.core) + 9) << id;
    expect_all(used, id);
    if (testing::Test::HasFatalFailure()) return;
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

TYPED_TEST(OneNandSessions, a_worn_checkpoint_segment_that_takes_no_mark_costs_one_segment) {
  for (const std::uint32_t nth : {1U, 2U}) {
    const std::string id = "checkpoint " + std::to_string(nth);
    UsedPart<TypeParam> used({{.rated = 0}}, 1);
    used.pages.resize(TypeParam::kPages);
    // Each page of the host brings one.
    constexpr std::uint32_t kEvery = 1;
    std::uint32_t segment = 0;
    {
      auto ftl = open(used, kEvery);
      ASSERT_EQ(ftl->format(0), FtlStatus::ok) << id;
      for (std::uint32_t i = 0; i < nth; ++i) ASSERT_EQ(write(used, *ftl), FtlStatus::ok) << id;
      segment = newest_checkpoint(*ftl);
      ASSERT_LT(segment, OneNand::kSegments) << id;
      used.machine.core.set_erase_count(segment, 4'000'000'000U);
      const std::uint32_t last = TypeParam::kPages - 1;
      for (std::uint32_t i = 0; i < 200; ++i) {
        ASSERT_EQ(write(used, *ftl), FtlStatus::ok) << id << " flush " << i;
        ASSERT_EQ(used.pages.write(*ftl, last, {}, used.now_ns()), FtlStatus::ok) << id;
        ASSERT_EQ(used.pages.trim(*ftl, last, used.now_ns()), FtlStatus::ok) << id;
        ASSERT_EQ(ftl->flush(used.now_ns()), FtlStatus::ok) << id << " flush " << i;
      }
      EXPECT_EQ(ftl->stats().bad_segments, 1U) << id;
    }
    EXPECT_TRUE(used.machine.core.is_bad(segment)) << id;
    auto next = open(used, kEvery);
    ASSERT_EQ(next->mount(used.now_ns()), FtlStatus::ok) << id;
    used.pages.check(*next, id);
    ASSERT_EQ(write(used, *next), FtlStatus::ok) << id;
    ASSERT_EQ(next->trim(0, kPage, used.now_ns()), FtlStatus::ok) << id;
    EXPECT_EQ(next->flush(used.now_ns()), FtlStatus::ok) << id;
  }
}

}  // namespace
}  // namespace ftlab::test
