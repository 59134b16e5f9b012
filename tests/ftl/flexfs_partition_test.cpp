// A partition filled to the brim on a part with good segments beside it: what becomes of it when segments fail.
#include <gtest/gtest.h>

#include <memory>

#include "tests/fixtures/flexfs_fixture.h"
#include "tests/powerloss/random_host.h"

namespace ftlab::tests {
namespace {

FlexFsConfig partition(std::string_view scheme) {
  FlexFsConfig config = small_flexfs(scheme);
  config.data_segments = 16;
  config.logical_pages = flexfs::max_logical_pages(config, EmulatedNand(roomy_part()).geometry());
  return config;
}

std::uint32_t open_segment(FlexFs& ftl) {
  std::uint32_t open = 2;
  for (std::uint32_t id = 0; id < ftl.segments(); ++id)
    if (ftl.segment(SegmentId{id}).state == SegmentState::open) open = id;
  return open;
}

TEST(FlexFsPartition, goes_on_while_the_part_has_good_segments) {
  for (const char* scheme : {"la", "slc_only", "mlc_only"}) {
    const FlexFsConfig config = partition(scheme);
    EmulatedNand flash(roomy_part());
    for (const std::uint32_t id : {20U, 21U, 33U}) flash.mark_initial_bad(id);
    auto session = std::make_unique<FlexFsSession>(flash, config);
    ASSERT_EQ((*session)->format(0), FtlStatus::ok);
    PageOracle oracle(config.logical_pages, 512, kPartsAndTrimsNeedFlush);
    RandomHost host(43);
    // 38 that can carry data, three of them bad from the factory, 16 wanted.
    constexpr std::uint32_t kSpare = 38 - 3 - 16;
    std::uint32_t failed = 0;
    for (std::uint32_t round = 0; failed < kSpare && round < 400; ++round) {
      flash.fail_at(1 + round % 5, open_segment(**session));
      for (int i = 0; i < 25; ++i) {
        ASSERT_EQ(host.step(**session, oracle), FtlStatus::ok) << scheme << ", bad so far " << failed;
        ASSERT_STREQ((*session)->self_check(), nullptr) << scheme;
      }
      flash.fail_at(0);
      failed = 0;
      for (std::uint32_t id = 0; id < flash.geometry().segments; ++id) failed += flash.has_failed(id) ? 1U : 0U;
      if (round % 3 != 2) continue;
      ASSERT_EQ((*session)->flush(host.now_ns()), FtlStatus::ok);
      oracle.acknowledge_flush();
      flash.power_cycle();
      session = std::make_unique<FlexFsSession>(flash, config);
      ASSERT_EQ((*session)->mount(host.now_ns()), FtlStatus::ok);
      ASSERT_STREQ((*session)->self_check(), nullptr) << scheme;
      ASSERT_EQ(oracle.check_live(**session), "") << scheme;
    }
    EXPECT_GE(failed, kSpare) << scheme;
    // None is left: now the next ones end it.
    FtlStatus status = FtlStatus::ok;
    for (std::uint32_t round = 0; status == FtlStatus::ok && round < 400; ++round) {
      flash.fail_at(1 + round % 5, open_segment(**session));
      for (int i = 0; i < 25 && status == FtlStatus::ok; ++i) status = host.step(**session, oracle);
    }
    EXPECT_EQ(status, FtlStatus::read_only) << scheme;
    EXPECT_STREQ((*session)->self_check(), nullptr) << scheme;
  }
}

}  // namespace
}  // namespace ftlab::tests
