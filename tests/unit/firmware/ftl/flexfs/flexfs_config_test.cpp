#include "firmware/ftl/flexfs/flexfs_config.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::flexfs {
namespace {

class FlexFsConfigTest : public testing::Test {
 protected:
  /// The 64 MB partition of the paper on its part.
  FlexFsConfigTest() : part_(options()) {
    config_.data_segments = 128;
    config_.logical_pages = max_logical_pages(config_, part_.geometry());
  }
  static tests::EmulatedNandOptions options() {
    tests::EmulatedNandOptions options;
    options.segments = 1024;
    options.pages = 128;
    options.page_bytes = 4096;
    options.store_content = false;
    return options;
  }
  [[nodiscard]] std::string reason() const {
    const char* said = check(config_, part_.geometry(), part_.capabilities());
    return said != nullptr ? said : "";
  }

  tests::EmulatedNand part_;
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
    const std::uint32_t pages = max_logical_pages(config_, part_.geometry());
    if (config_.mlc_region)
      EXPECT_GE(pages * 100U, kPartitionPages * 95U) << scheme.name;
    else
      EXPECT_LT(pages * 100U, kPartitionPages * 50U) << scheme.name;
  }
}

TEST_F(FlexFsConfigTest, schemes_are_those_of_table_2_and_the_rivals) {
  for (const char* name : {"slc_only", "mlc_only", "jffs2", "baseline", "bm", "da", "la"}) {
    EXPECT_TRUE(apply_scheme(name, config_)) << name;
    config_.logical_pages = max_logical_pages(config_, part_.geometry());
    EXPECT_EQ(reason(), "") << name;
  }
  EXPECT_TRUE(apply_scheme("bm", config_));
  EXPECT_TRUE(config_.background_migration);
  EXPECT_FALSE(config_.dynamic_allocation);
  EXPECT_FALSE(apply_scheme("yaffs", config_));
}

TEST_F(FlexFsConfigTest, data_segments_leave_out_slc_segments_and_checkpoint_segments) {
  FlexFsConfig all;
  FlashGeometry g = part_.geometry();
  EXPECT_EQ(data_segments(all, g), 1022U);
  g.parallel_units = 2;
  EXPECT_EQ(data_segments(all, g), 1021U);
  g.parallel_units = 1;
  g.slc_segments_per_unit = 0;
  EXPECT_EQ(data_segments(all, g), 1022U);
  g.slc_segments_per_unit = 4;
  EXPECT_EQ(data_segments(all, g), 1020U);
}

TEST_F(FlexFsConfigTest, impossible_combinations_are_refused_with_the_reason) {
  const FlexFsConfig good = config_;
  const auto refused = [&](const char* part_of_reason) {
    EXPECT_NE(reason().find(part_of_reason), std::string::npos) << part_of_reason << ": " << reason();
    config_ = good;
  };
  config_.slc_region = config_.mlc_region = false;
  refused("nowhere to write");
  config_.mlc_region = false;
  refused("need both regions");
  config_.dynamic_allocation = false;
  refused("locality_aware builds on");
  config_.migration_victim = "newest";
  refused("unknown migration_victim");
  config_.free_choice = "random";
  refused("unknown free_choice");
  config_.compulsory_free = 2;
  refused("compulsory_free");
  config_.cleaning_free = 2;
  refused("cleaning_free");
  config_.compulsory_free = 127;  // of 128
  refused("compulsory_free is more than can ever be free");
  config_.cleaning_free = 127;
  refused("cleaning_free is more than can ever be free");
  config_.compulsory_free = config_.cleaning_free = most_free_segments(config_, part_.geometry());
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(config_.compulsory_free, 126U) << "each region fills one";
  config_ = good;
  config_.cleaning_idle_invalid = 0;
  refused("cleaning_idle_invalid");
  config_.window_pages = 0;
  refused("window_pages");
  config_.recent_weight = 0;
  refused("recent_weight");
  config_.erase_ns = 3'600'000'000'001;
  refused("erase_ns");
  config_.trigger_ns = UINT64_MAX;
  refused("trigger_ns");
  config_.hot_files = 0;
  refused("hot_files");
  config_.extent_pages = 0;
  refused("extent_pages");
  config_.wear_window_ns = config_.lifetime_ns + 1;
  refused("wear_window_ns");
  config_.energy_budget_uj_per_mib = 1000;
  refused("costs");
  config_.data_segments = 2000;
  refused("more than the part has");
  config_.data_segments = 4;
  refused("too few segments");
  config_.logical_pages = 0;
  refused("no logical pages");
  ++config_.logical_pages;
  refused("above what cleaning needs");
  EXPECT_EQ(reason(), "");
}

TEST_F(FlexFsConfigTest, nor_parts_are_refused) {
  FlashGeometry nor{.segments = 192, .segment_bytes = 131072, .program_unit_bytes = 2, .parallel_units = 12};
  EXPECT_NE(check(config_, nor, {}), nullptr);
}

TEST_F(FlexFsConfigTest, a_small_arena_is_refused_with_the_reason) {
  tests::EmulatedNand flash(tests::small_nand());
  NullProbe probe;
  const FlexFsConfig config = tests::small_flexfs();
  std::vector<std::max_align_t> memory(FlexFs::arena_bytes(flash.geometry(), config) / sizeof(std::max_align_t) - 1);
  FlexFs ftl(flash, probe, config, std::as_writable_bytes(std::span(memory)));
  EXPECT_STREQ(ftl.config_error(), "the arena is smaller than arena_bytes()");
  EXPECT_EQ(ftl.format(0), FtlStatus::bad_config);
  EXPECT_EQ(ftl.mount(0), FtlStatus::bad_config);
  EXPECT_EQ(ftl.idle(0, 1), kNoIdleWork);
}

}  // namespace
}  // namespace ftlab::flexfs
