// The page-mapped layer on NAND parts with PartPorts: what cleaning looks at and copies, and requests on two dies.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

using PagedSession = MountSession<PagedLayer, PagedConfig>;
constexpr std::uint32_t kPage = 512;

/// Counts the segments that the search for victims looks at.
class CompareProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work kind, std::uint32_t n) override {
    if (kind == Work::segment_compare) compared += n;
    if (kind == Work::segment_clean) cleaned += n;
  }
  std::uint64_t compared = 0;
  std::uint64_t cleaned = 0;

 private:
  Cause cause_ = Cause::host;
};

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
    CompareProbe probe;
    PagedSession session(flash, config, &probe);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    churn(session, config.logical_pages, 6 * config.logical_pages);
    ASSERT_GT(probe.cleaned, 20U);
    EXPECT_LE(probe.compared, 2 * probe.cleaned) << segments << " segments";
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

/// Collects completions.
class Completions final : public HostPort {
 public:
  Next next(HostRequest&) override { return Next::ended; }
  void complete(std::uint32_t tag, FtlStatus status) override {
    ++times[tag];
    statuses[tag] = status;
  }
  std::uint64_t now_ns() override { return 0; }
  std::uint64_t next_arrival_ns() override { return UINT64_MAX; }
  void wait(std::uint64_t) override {}

  std::map<std::uint32_t, int> times;
  std::map<std::uint32_t, FtlStatus> statuses;
};

class PageOnTwoDies : public testing::Test {
 protected:
  PageOnTwoDies() { EXPECT_EQ(session_->format(0), FtlStatus::ok); }
  void submit(std::uint32_t tag, std::uint32_t lpn, const std::vector<std::byte>& data) {
    HostRequest request;
    request.kind = HostRequestKind::write;
    request.tag = tag;
    request.offset = std::uint64_t{lpn} * kPage;
    request.length = data.size();
    request.from = data.data();
    session_->submit(request, host_);
  }
  void finish() {
    while (session_->in_flight() > 0) session_->poll(host_, UINT64_MAX);
  }
  std::vector<std::byte> now_at(std::uint32_t lpn) {
    std::vector<std::byte> page(kPage);
    EXPECT_EQ(session_->read(std::uint64_t{lpn} * kPage, page, 0), FtlStatus::ok);
    return page;
  }

  EmulatedNand flash_{part(48, 2)};
  PagedConfig config_ = config_for(flash_, 0.7);
  PagedSession session_{flash_, config_};
  Completions host_;
};

TEST_F(PageOnTwoDies, pages_are_under_way_together) {
  const std::uint64_t before = flash_.programs();
  const auto a = filled(1);
  const auto b = filled(2);
  submit(1, 0, a);
  submit(2, 1, b);
  EXPECT_EQ(session_->in_flight(), 2U);
  EXPECT_EQ(flash_.programs(), before) << "neither program has ended";
  finish();
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}, {2, 1}}));
  EXPECT_EQ(now_at(0), a);
  EXPECT_EQ(now_at(1), b);
}

TEST_F(PageOnTwoDies, a_request_of_several_pages_completes_once_with_the_last) {
  std::vector<std::byte> data;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto page = filled(i + 1);
    data.insert(data.end(), page.begin(), page.end());
  }
  const std::uint64_t before = flash_.programs();
  submit(1, 3, data);
  while (session_->in_flight() > 0) {
    EXPECT_EQ(host_.times[1], 0);
    session_->poll(host_, UINT64_MAX);
  }
  EXPECT_EQ(host_.times[1], 1);
  EXPECT_EQ(flash_.programs() - before, 5U);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(now_at(3 + i), filled(i + 1));
}

TEST_F(PageOnTwoDies, requests_outside_the_volume_are_refused_once) {
  const auto data = filled(1);
  submit(1, config_.logical_pages, data);
  finish();
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}}));
  EXPECT_EQ(host_.statuses[1], FtlStatus::out_of_range);
}

}  // namespace
}  // namespace ftlab::tests
