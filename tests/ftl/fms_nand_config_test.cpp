// What the FMS on NAND takes of a part and of memory.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/fms_nand_fixture.h"

namespace ftlab::tests {
namespace {

TEST(FmsNandSizes, checkpoints_and_the_summary_cost_their_place) {
  const EmulatedNand flash(small_nand());
  EXPECT_EQ(usable_slots(flash.geometry(), 512), 15U);
  EXPECT_EQ(data_segments(flash.geometry()), 22U);
  EmulatedNandOptions two;
  two.segments = 32;
  two.parallel_units = 2;
  EXPECT_EQ(data_segments(EmulatedNand(two).geometry()), 29U);  // segments 0, 1 and 16 are fixed
}

TEST(FmsNandConfig, refuses_other_page_sizes_than_the_parts) {
  const EmulatedNand flash(small_nand());
  FmsConfig config = nand_config();
  config.page_bytes = 256;
  const char* reason = fms::check(config, flash.geometry(), flash.capabilities());
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(std::string(reason).find("the part's page size"), std::string::npos);
}

TEST(FmsNandArena, is_as_large_as_was_asked_for_and_no_byte_less_will_do) {
  EmulatedNand flash(small_nand());
  const FmsConfig config = nand_config();
  const std::size_t bytes = Fms::arena_bytes(flash.geometry(), config);
  std::vector<std::max_align_t> memory(bytes / sizeof(std::max_align_t) + 2);
  const std::span<std::byte> all = std::as_writable_bytes(std::span(memory));
  NullProbe probe;
  EXPECT_NE(Fms(flash, probe, config, all.first(bytes - 1)).config_error(), nullptr);
  std::fill(all.begin(), all.end(), std::byte{0xA5});
  Fms fms(flash, probe, config, all.first(bytes));
  ASSERT_EQ(fms.config_error(), nullptr);
  ASSERT_EQ(fms.format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, config.page_bytes, kTrimsNeedFlush);
  RandomHost host(5);
  for (int i = 0; i < 400; ++i) ASSERT_EQ(host.step(fms, oracle), FtlStatus::ok);
  for (std::size_t i = bytes; i < all.size(); ++i) ASSERT_EQ(all[i], std::byte{0xA5}) << "written beyond the arena";
}

}  // namespace
}  // namespace ftlab::tests
