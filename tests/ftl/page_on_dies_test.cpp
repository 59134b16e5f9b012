// The page-mapped layer on NAND parts with PartPorts: what cleaning looks at and copies, and requests on two dies.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/fixtures/counting_probe.h"
#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/paged_layer.h"
#include "tests/fixtures/requests_in_flight.h"

namespace ftlab::tests {
namespace {

using PagedSession = MountSession<PagedLayer, PagedConfig>;
constexpr std::uint32_t kPage = 512;

EmulatedNandOptions part(std::uint32_t segments, std::uint32_t units = 1) {
  EmulatedNandOptions options;
  options.segments = segments;
  options.parallel_units = units;
  options.no_wait = units > 1;
  return options;
}

PagedConfig config_for(EmulatedNand& flash, double share) {
  PagedConfig config;
  config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
  NullProbe probe;
  const PagedFlash port(flash, probe, config.part, {});
  config.logical_pages =
      static_cast<std::uint32_t>(share * static_cast<double>(volume::max_logical_pages(config, port.geometry())));
  return config;
}

std::vector<std::byte> filled(std::uint32_t value) {
  return std::vector<std::byte>(kPage, static_cast<std::byte>(value));
}

void write(PagedSession& session, std::uint32_t lpn, std::uint32_t value) {
  ASSERT_EQ(session->write(std::uint64_t{lpn} * kPage, filled(value), {}, 0), FtlStatus::ok);
}

/// Overwrites pages drawn by chance.
void churn(PagedSession& session, std::uint32_t pages, std::uint32_t writes) {
  Dice dice(5);
  for (std::uint32_t i = 0; i < writes; ++i) write(session, dice.below(pages), i);
}

TEST(PageOnDies, cleaning_looks_at_few_segments_however_many_there_are) {
  for (const std::uint32_t segments : {24U, 200U}) {
    EmulatedNand flash(part(segments));
    const PagedConfig config = config_for(flash, 0.9);
    CountingProbe probe;
    PagedSession session(flash, config, &probe);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    churn(session, config.logical_pages, 6 * config.logical_pages);
    ASSERT_GT(probe.of(Work::segment_clean), 20U);
    EXPECT_LE(probe.of(Work::segment_compare), 2 * probe.of(Work::segment_clean)) << segments << " segments";
  }
}

TEST(PageOnDies, data_that_is_not_rewritten_comes_to_rest) {
  EmulatedNand flash(part(24));
  const PagedConfig config = config_for(flash, 0.9);
  PagedSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) write(session, lpn, 1);
  const std::uint32_t hot = config.logical_pages / 8;
  churn(session, hot, 2000);
  const std::uint64_t before = session->stats().pages_copied;
  churn(session, hot, 2000);
  // Segments without hot pages have more valid ones than any with them.
  EXPECT_LT(session->stats().pages_copied - before, 800U);
  EXPECT_GT(session->stats().cleanings, 100U);
  EXPECT_EQ(session->self_check(), nullptr);
}

class PageOnTwoDies : public testing::Test {
 protected:
  PageOnTwoDies() { EXPECT_EQ(session_->format(0), FtlStatus::ok); }
  std::uint32_t submit(const HostRequest& request) {
    session_->submit(request, host_);
    return request.tag;
  }
  void expect_all_right() {
    EXPECT_EQ(host_.finish(*session_), FtlStatus::ok);
    EXPECT_EQ(host_.wrong(), "");
    EXPECT_EQ(oracle_.check_live(*session_), "");
  }

  EmulatedNand flash_{part(48, 2)};
  PagedConfig config_ = config_for(flash_, 0.7);
  PagedSession session_{flash_, config_};
  PageOracle oracle_{config_.logical_pages, kPage};
  RequestsInFlight host_{oracle_};
};

TEST_F(PageOnTwoDies, pages_are_under_way_together) {
  const std::uint64_t before = flash_.programs();
  submit(host_.write_page(0));
  submit(host_.write_page(1));
  EXPECT_EQ(session_->in_flight(), 2U);
  EXPECT_EQ(flash_.programs(), before) << "neither program has ended";
  expect_all_right();
}

TEST_F(PageOnTwoDies, a_request_of_several_pages_completes_once_with_the_last) {
  const std::uint64_t before = flash_.programs();
  const std::uint32_t request = submit(host_.write(3 * PageOracle::kUnits, 5 * PageOracle::kUnits));
  while (session_->in_flight() > 0) {
    EXPECT_FALSE(host_.is_answered(request));
    session_->poll(host_, UINT64_MAX);
  }
  EXPECT_EQ(flash_.programs() - before, 5U);
  expect_all_right();
}

TEST_F(PageOnTwoDies, requests_outside_the_volume_are_refused_once) {
  HostRequest request = host_.read(0, PageOracle::kUnits);
  request.offset = session_->capacity_bytes();
  submit(request);
  EXPECT_EQ(host_.finish(*session_), FtlStatus::out_of_range);
  EXPECT_EQ(host_.wrong(), "");
}

}  // namespace
}  // namespace ftlab::tests
