// A partition filled to the brim on a part with good segments beside it: what becomes of it when segments fail.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/random_host.h"

namespace ftlab::tests {
namespace {

FlexFsConfig partition(std::string_view scheme) {
  FlexFsConfig config = small_flexfs(scheme);
  config.data_segments = 16;
  config.logical_pages = flexfs::max_logical_pages(config, flexfs_geometry(roomy_part()));
  return config;
}

/// One that takes pages: a checkpoint's takes none any more.
std::uint32_t open_segment(FlexFsLayer& ftl) {
  std::uint32_t open = 2;
  for (std::uint32_t id = 0; id < ftl.segments(); ++id) {
    const SegmentInfo info = ftl.segment(SegmentId{id});
    if (info.state == SegmentState::open && info.used_pages > 0) open = id;
  }
  return open;
}

std::vector<std::uint32_t> left_out(FlexFsLayer& ftl) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < ftl.segments(); ++id)
    if (ftl.segment(SegmentId{id}).state == SegmentState::fixed) ids.push_back(id);
  return ids;
}

TEST(FlexFsPartition, leaves_the_rest_of_the_part_alone_until_a_segment_fails) {
  const FlexFsConfig config = partition("la");
  EmulatedNand flash(roomy_part());
  FlexFsSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, 512, kPartsNeedFlush);
  RandomHost host(50);
  const auto use = [&](FlexFsSession& ftl) {
    for (int i = 0; i < 400; ++i) ASSERT_EQ(host.step(*ftl, oracle), FtlStatus::ok);
  };
  use(session);
  const std::vector<std::uint32_t> before = left_out(*session);
  ASSERT_EQ(before.size(), 40U - (16 + 2)) << "all but those for data and checkpoints";
  for (const std::uint32_t id : before) EXPECT_EQ(flash.erase_count(id), 0U) << id;
  flash.fail_at(1, open_segment(*session));
  use(session);
  EXPECT_EQ(session->stats().bad_segments, 1U);
  EXPECT_EQ(left_out(*session).size(), before.size() - 1) << "another one has its place";
  ASSERT_EQ(session->flush(host.now_ns()), FtlStatus::ok);
  oracle.acknowledge_flush();
  flash.power_cycle();
  FlexFsSession next(flash, config);
  ASSERT_EQ(next->mount(host.now_ns()), FtlStatus::ok);
  EXPECT_EQ(oracle.check_mounted(*next), "");
  use(next);
  EXPECT_STREQ(next->self_check(), nullptr);
}

struct PartitionCase {
  const char* scheme;
  bool marks_on_failed;
  std::uint64_t seed;
};

void wear_out(const PartitionCase& given) {
  const FlexFsConfig config = partition(given.scheme);
  EmulatedNandOptions part = roomy_part();
  part.marks_on_failed = given.marks_on_failed;
  EmulatedNand flash(part);
  for (const std::uint32_t id : {20U, 21U, 33U}) flash.mark_initial_bad(id);
  auto session = std::make_unique<FlexFsSession>(flash, config);
  ASSERT_EQ((*session)->format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, 512, kPartsNeedFlush);
  RandomHost host(given.seed);
  // 38 that can be used, three of them bad from the factory, 16 wanted for data and two for checkpoints.
  constexpr std::uint32_t kSpare = 38 - 3 - (16 + 2);
  std::uint32_t failed = 0;
  for (std::uint32_t round = 0; failed < kSpare && round < 400; ++round) {
    flash.fail_at(1 + round % 5, open_segment(**session));
    for (int i = 0; i < 25; ++i) {
      ASSERT_EQ(host.step(**session, oracle), FtlStatus::ok) << "bad so far " << failed;
      ASSERT_STREQ((*session)->self_check(), nullptr);
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
    ASSERT_STREQ((*session)->self_check(), nullptr);
    ASSERT_EQ(oracle.check_live(**session), "");
  }
  EXPECT_GE(failed, kSpare);
  // None is left: now the next ones end it.
  FtlStatus status = FtlStatus::ok;
  for (std::uint32_t round = 0; status == FtlStatus::ok && round < 400; ++round) {
    flash.fail_at(1 + round % 5, open_segment(**session));
    for (int i = 0; i < 25 && status == FtlStatus::ok; ++i) status = host.step(**session, oracle);
  }
  EXPECT_EQ(status, FtlStatus::read_only);
  EXPECT_STREQ((*session)->self_check(), nullptr);
}

TEST(FlexFsPartition, goes_on_while_the_part_has_good_segments) {
  for (const char* scheme : {"la", "slc_only", "mlc_only"}) {
    for (const bool marks : {false, true}) {
      for (const std::uint64_t seed : {43U, 45U, 47U, 49U}) {
        SCOPED_TRACE(std::string(scheme) + (marks ? " marks" : " refuses marks") + " seed " + std::to_string(seed));
        wear_out({scheme, marks, seed});
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
