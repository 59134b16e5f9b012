#include "firmware/ftl/flexfs/flexfs_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::flexfs {
namespace {

constexpr std::uint32_t kPaperPageBytes = 4096;

class FlexFsConfigTest : public testing::Test {
 protected:
  /// The 64 MB partition of the paper on its part.
  FlexFsConfigTest() : array_(tests::flexfs_geometry(options())) {
    config_.data_segments = 128;
    config_.logical_pages = max_logical_pages(config_, array_);
  }
  static tests::EmulatedNandOptions options() {
    tests::EmulatedNandOptions options;
    options.segments = 1024;
    options.pages = 128;
    options.page_bytes = kPaperPageBytes;
    options.store_content = false;
    return options;
  }
  [[nodiscard]] std::string reason() const {
    const char* said = check(config_, array_);
    return said != nullptr ? said : "";
  }

  FlashGeometry array_;
  FlexFsConfig config_;
};

TEST_F(FlexFsConfigTest, defaults_are_the_papers_and_work) {
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(config_.wait_ns, 1'000'000'000U);
  EXPECT_EQ(config_.trigger_ns, 15'000'000U);
  EXPECT_EQ(config_.window_pages, 1024U);
  EXPECT_EQ(config_.compulsory_free, 5U);
}

TEST_F(FlexFsConfigTest, a_partition_of_64_mib_offers_95_percent_to_all_but_slc_only) {
  constexpr std::uint32_t kPartitionPages = 64 * 256;
  for (const Scheme& scheme : schemes()) {
    apply_scheme(scheme.name, config_);
    const std::uint32_t pages = max_logical_pages(config_, array_);
    if (config_.mlc_region)
      EXPECT_GE(pages * 100U, kPartitionPages * 95U) << scheme.name;
    else
      EXPECT_LT(pages * 100U, kPartitionPages * 50U) << scheme.name;
  }
}

TEST_F(FlexFsConfigTest, schemes_are_those_of_table_2_and_the_rivals) {
  for (const char* name : {"slc_only", "mlc_only", "jffs2", "baseline", "bm", "da", "la"}) {
    EXPECT_TRUE(apply_scheme(name, config_)) << name;
    config_.logical_pages = max_logical_pages(config_, array_);
    EXPECT_EQ(reason(), "") << name;
  }
  EXPECT_TRUE(apply_scheme("bm", config_));
  EXPECT_TRUE(config_.background_migration);
  EXPECT_FALSE(config_.dynamic_allocation);
  EXPECT_FALSE(apply_scheme("yaffs", config_));
}

TEST_F(FlexFsConfigTest, data_segments_leave_out_those_that_carry_none) {
  const FlexFsConfig all;
  const auto left_out = [&](std::uint32_t units, std::uint32_t slc_segments) {
    tests::EmulatedNandOptions part = options();
    part.parallel_units = units;
    part.slc_segments_per_unit = slc_segments;
    return part.segments - data_segments(all, tests::flexfs_geometry(part));
  };
  // A map, four bytes for each page of the part, is as large as a segment; with heads and rows it needs a second one.
  // The next checkpoint lies beside the newest.
  static_assert(1024 * 128 * 4 == 128 * kPaperPageBytes);
  constexpr std::uint32_t kCheckpoints = 2 * 2;
  EXPECT_EQ(left_out(1, 1), 2 + kCheckpoints) << "two for notes";
  EXPECT_EQ(left_out(2, 1), 2 * 2 + kCheckpoints) << "two of each unit";
  EXPECT_EQ(left_out(1, 0), 2 + kCheckpoints);
  EXPECT_EQ(left_out(1, 4), 4 + kCheckpoints) << "notes lie in those filled as SLC by the part";
}

TEST_F(FlexFsConfigTest, data_segments_are_no_more_than_the_partition_has) {
  EXPECT_EQ(data_segments(config_, array_), 128U);
  // The map of as many segments takes an eighth of one.
  EXPECT_EQ(volume_of(config_, array_).used_segments, 128U + 2) << "and those of checkpoints";
  config_.data_segments = 0;
  EXPECT_EQ(volume_of(config_, array_).used_segments, 0U) << "all";
}

TEST_F(FlexFsConfigTest, slc_segments_have_half_of_the_pages) {
  EXPECT_EQ(slots_of(Region::slc, array_), 64U);
  EXPECT_EQ(slots_of(Region::mlc, array_), 128U);
}

TEST_F(FlexFsConfigTest, checkpoints_are_far_apart_unless_set) {
  // Four bytes for each page, and the last of its pages not full.
  const std::uint32_t pages = config_.logical_pages * 4 / kPaperPageBytes + 1;
  const std::uint32_t of_pages = pages * kPagesBetween;
  EXPECT_GE(volume_of(config_, array_).checkpoint_every, std::max(kCheckpointSegments * 64, of_pages));
  EXPECT_LE(volume_of(config_, array_).checkpoint_every,
            std::max(kCheckpointSegments * 64, of_pages + 2 * kPagesBetween));
  config_.checkpoint_every = 7;
  EXPECT_EQ(volume_of(config_, array_).checkpoint_every, 7U);
}

TEST_F(FlexFsConfigTest, impossible_combinations_are_refused_with_the_reason) {
  const FlexFsConfig good = config_;
  const auto refused = [&](const char* part_of_reason) {
    EXPECT_NE(reason().find(part_of_reason), std::string::npos) << part_of_reason << ": " << reason();
    config_ = good;
  };
  const auto with = [&]<class T>(T FlexFsConfig::*key, std::type_identity_t<T> value, const char* part_of_reason) {
    config_.*key = value;
    refused(part_of_reason);
  };
  config_.slc_region = config_.mlc_region = false;
  refused("nowhere to write");
  with(&FlexFsConfig::mlc_region, false, "need both regions");
  with(&FlexFsConfig::dynamic_allocation, false, "locality_aware builds on");
  with(&FlexFsConfig::migration_victim, "newest", "unknown migration_victim");
  with(&FlexFsConfig::free_choice, "random", "unknown free_choice");
  with(&FlexFsConfig::compulsory_free, 2, "compulsory_free");
  with(&FlexFsConfig::cleaning_free, 2, "cleaning_free");
  with(&FlexFsConfig::compulsory_free, 127, "compulsory_free is more than can ever be free");  // of 128
  with(&FlexFsConfig::cleaning_free, 127, "cleaning_free is more than can ever be free");
  config_.compulsory_free = config_.cleaning_free = most_free_segments(config_, array_);
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(config_.compulsory_free, 126U) << "each region fills one";
  config_ = good;
  with(&FlexFsConfig::cleaning_idle_invalid, 0, "cleaning_idle_invalid");
  with(&FlexFsConfig::window_pages, 0, "window_pages");
  with(&FlexFsConfig::recent_weight, 0, "recent_weight");
  with(&FlexFsConfig::erase_ns, 3'600'000'000'001, "erase_ns");
  with(&FlexFsConfig::trigger_ns, UINT64_MAX, "trigger_ns");
  with(&FlexFsConfig::hot_files, 0, "hot_files");
  with(&FlexFsConfig::extent_pages, 0, "extent_pages");
  with(&FlexFsConfig::wear_window_ns, config_.lifetime_ns + 1, "wear_window_ns");
  with(&FlexFsConfig::energy_budget_uj_per_mib, 1000, "costs");
  with(&FlexFsConfig::data_segments, 2000, "more than the part has");
  with(&FlexFsConfig::data_segments, 4, "too few segments");
  with(&FlexFsConfig::logical_pages, 0, "no logical pages");
  ++config_.logical_pages;
  refused("above what cleaning needs");
  EXPECT_EQ(reason(), "");
}

TEST_F(FlexFsConfigTest, parts_that_cannot_be_served_are_refused_with_the_reason) {
  const FlashGeometry good = array_;
  const auto refused = [&](const char* part_of_reason) {
    EXPECT_NE(reason().find(part_of_reason), std::string::npos) << part_of_reason << ": " << reason();
    array_ = good;
  };
  const auto with = [&]<class T>(T FlashGeometry::*key, std::type_identity_t<T> value, const char* part_of_reason) {
    array_.*key = value;
    refused(part_of_reason);
  };
  with(&FlashGeometry::lsb_units, {}, "share cells in pairs");
  with(&FlashGeometry::keeps_metadata, false, "spare bytes");
  with(&FlashGeometry::dies, 2, "one die");
  with(&FlashGeometry::pages_at_once, 2, "leave ftl.page_bytes out");
  with(&FlashGeometry::rated_erase_cycles, 0, "needs erase_cycles");
  array_.buffers = 0;
  EXPECT_NE(reason(), "") << "checkpoints are data";
}

TEST_F(FlexFsConfigTest, nor_parts_are_refused) {
  tests::EmulatedFlashOptions nor;
  nor.geometry = {.segments = 192, .segment_bytes = 131072, .program_unit_bytes = 2, .parallel_units = 12};
  tests::EmulatedFlash flash(nor);
  PagedFlashConfig served = tests::part_of(flash.geometry(), tests::FlexFsOnPart{});
  served.page_bytes = 4096;
  NullProbe probe;
  array_ = PagedFlash(flash, probe, served, {}).geometry();
  EXPECT_NE(reason().find("NAND part"), std::string::npos) << reason();
}

TEST_F(FlexFsConfigTest, a_small_arena_is_refused_with_the_reason) {
  tests::EmulatedNand flash(tests::small_nand());
  NullProbe probe;
  const FlexFsConfig config = tests::small_flexfs();
  std::vector<std::max_align_t> memory(tests::FlexFsLayer::arena_bytes(flash, config) / sizeof(std::max_align_t) - 1);
  tests::FlexFsLayer ftl(flash, probe, config, std::as_writable_bytes(std::span(memory)));
  EXPECT_STREQ(ftl.config_error(), "the arena is smaller than arena_bytes()");
  EXPECT_EQ(ftl.format(0), FtlStatus::bad_config);
  EXPECT_EQ(ftl.mount(0), FtlStatus::bad_config);
  EXPECT_EQ(ftl.idle(0, 1), kNoIdleWork);
}

}  // namespace
}  // namespace ftlab::flexfs
