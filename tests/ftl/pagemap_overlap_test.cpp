// The page-mapped layer with requests in flight: pages of two units under way at the same time.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "firmware/ftl/serve.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/powerloss/dice.h"
#include "tests/powerloss/layers/pagemap.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageSize = 512;
using Page = std::vector<std::byte>;

Page filled(std::uint32_t value) { return Page(kPageSize, static_cast<std::byte>(value)); }

EmulatedNandOptions two_units(bool no_wait = true) {
  EmulatedNandOptions options;
  options.segments = 24;
  options.parallel_units = 2;
  options.no_wait = no_wait;
  return options;
}

/// Collects completions.
class Completions final : public HostPort {
 public:
  Next next(HostRequest&) override { return Next::ended; }
  void complete(std::uint32_t tag, FtlStatus status) override {
    ++times[tag];
    statuses[tag] = status;
  }
  std::uint64_t now_ns() override { return now; }
  std::uint64_t next_arrival_ns() override { return UINT64_MAX; }
  void wait(std::uint64_t until_ns) override {
    waited.push_back(until_ns - now);
    now = until_ns;
  }

  std::map<std::uint32_t, int> times;
  std::map<std::uint32_t, FtlStatus> statuses;
  std::vector<std::uint64_t> waited;
  std::uint64_t now = 0;
};

class PageMapOverlap : public testing::Test {
 protected:
  void start(const EmulatedNandOptions& options, double share = 0.7) {
    flash_ = std::make_unique<EmulatedNand>(options);
    PageMapConfig config;
    config.page_bytes = kPageSize;
    config.logical_pages = static_cast<std::uint32_t>(share * pagemap::max_logical_pages(config, flash_->geometry()));
    config_ = config;
    mount_new();
    ASSERT_EQ((*session_)->format(0), FtlStatus::ok);
  }
  void mount_new() { session_ = std::make_unique<MountSession<PageMap, PageMapConfig>>(*flash_, config_); }
  PageMap& layer() { return **session_; }
  [[nodiscard]] std::uint32_t pages() const { return config_.logical_pages; }

  void write(std::uint32_t tag, std::uint32_t lpn, const Page& data) {
    HostRequest request;
    request.kind = HostRequestKind::write;
    request.tag = tag;
    request.offset = std::uint64_t{lpn} * kPageSize;
    request.length = data.size();
    request.from = data.data();
    layer().submit(request, host_);
  }
  void read(std::uint32_t tag, std::uint32_t lpn, Page& into) {
    into.assign(kPageSize, std::byte{0xA5});
    HostRequest request;
    request.tag = tag;
    request.offset = std::uint64_t{lpn} * kPageSize;
    request.length = into.size();
    request.into = into.data();
    layer().submit(request, host_);
  }
  void finish() {
    while (layer().in_flight() > 0) layer().poll(host_, UINT64_MAX);
  }
  Page now_at(std::uint32_t lpn) {
    Page page(kPageSize);
    EXPECT_EQ(layer().read(std::uint64_t{lpn} * kPageSize, page, 0), FtlStatus::ok);
    return page;
  }

  std::unique_ptr<EmulatedNand> flash_;
  PageMapConfig config_;
  std::unique_ptr<MountSession<PageMap, PageMapConfig>> session_;
  Completions host_;
};

TEST_F(PageMapOverlap, pages_on_two_units_are_under_way_together) {
  start(two_units());
  const Page a = filled(1);
  const Page b = filled(2);
  const std::uint64_t before = flash_->programs();
  write(1, 0, a);
  write(2, 1, b);
  EXPECT_EQ(layer().in_flight(), 2U);
  EXPECT_EQ(flash_->programs(), before) << "neither program has ended";
  finish();
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}, {2, 1}}));
  EXPECT_EQ(now_at(0), a);
  EXPECT_EQ(now_at(1), b);
}

TEST_F(PageMapOverlap, on_a_part_that_waits_requests_are_answered_at_once) {
  start(two_units(false));
  const Page a = filled(1);
  write(1, 0, a);
  EXPECT_EQ(layer().in_flight(), 0U);
  EXPECT_EQ(host_.times[1], 1);
}

TEST_F(PageMapOverlap, pages_of_one_request_overlap_and_it_completes_with_the_last) {
  start(two_units());
  Page data;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const Page page = filled(i + 1);
    data.insert(data.end(), page.begin(), page.end());
  }
  write(1, 3, data);
  EXPECT_EQ(layer().in_flight(), 1U);
  EXPECT_EQ(host_.times[1], 0);
  finish();
  EXPECT_EQ(host_.times[1], 1);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(now_at(3 + i), filled(i + 1));
}

TEST_F(PageMapOverlap, later_write_of_a_page_in_flight_is_the_one_that_stays) {
  start(two_units());
  std::deque<Page> data;
  for (std::uint32_t i = 0; i < 40; ++i) {
    data.push_back(filled(i + 1));
    write(i, 7, data.back());
  }
  finish();
  EXPECT_EQ(now_at(7), filled(40));
  mount_new();
  ASSERT_EQ(layer().mount(0), FtlStatus::ok);
  EXPECT_EQ(now_at(7), filled(40));
}

TEST_F(PageMapOverlap, read_of_a_page_in_flight_brings_its_new_content) {
  start(two_units());
  const Page old = filled(1);
  const Page young = filled(2);
  write(1, 4, old);
  finish();
  write(2, 4, young);
  Page seen;
  read(3, 4, seen);
  finish();
  EXPECT_EQ(seen, young);
}

TEST_F(PageMapOverlap, part_of_a_page_waits_for_what_is_in_flight) {
  start(two_units());
  const Page whole = filled(1);
  write(1, 4, whole);
  const Page part(kPageSize / 4, std::byte{9});
  HostRequest request;
  request.kind = HostRequestKind::write;
  request.tag = 2;
  request.offset = 4 * kPageSize;
  request.length = part.size();
  request.from = part.data();
  layer().submit(request, host_);
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}, {2, 1}}));
  Page expected = whole;
  std::copy(part.begin(), part.end(), expected.begin());
  EXPECT_EQ(now_at(4), expected);
}

TEST_F(PageMapOverlap, page_whose_program_failed_is_written_anew_before_its_request_completes) {
  for (std::uint64_t n = 1; n <= 2; ++n) {
    start(two_units());
    host_.times.clear();
    const Page a = filled(1);
    const Page b = filled(2);
    flash_->fail_at(n);
    write(1, 0, a);
    write(2, 1, b);
    finish();
    EXPECT_EQ(flash_->failed_segments(), 1U);
    EXPECT_EQ(host_.statuses[1], FtlStatus::ok);
    EXPECT_EQ(host_.statuses[2], FtlStatus::ok);
    EXPECT_EQ(layer().self_check(), nullptr);
    mount_new();
    ASSERT_EQ(layer().mount(0), FtlStatus::ok);
    EXPECT_EQ(now_at(0), a);
    EXPECT_EQ(now_at(1), b);
  }
}

TEST_F(PageMapOverlap, poll_goes_no_further_than_the_next_arrival) {
  start(two_units());
  const Page a = filled(1);
  const std::vector<std::uint64_t> until_arrival{10'000, 10'000, 5'000};
  std::uint32_t arrived_first = 0;
  constexpr std::uint32_t kRounds = 200;
  for (std::uint32_t n = 0; n < kRounds; ++n) {
    write(n, n % pages(), a);
    host_.waited.clear();
    const std::uint64_t arrival = host_.now + 25'000;
    layer().poll(host_, arrival);
    ASSERT_LE(host_.now, arrival);
    ASSERT_LE(host_.waited.size(), until_arrival.size());
    EXPECT_TRUE(std::equal(host_.waited.begin(), host_.waited.end(), until_arrival.begin())) << n;
    if (host_.times[n] == 0) {
      ++arrived_first;
      EXPECT_EQ(host_.now, arrival);
      EXPECT_EQ(host_.waited, until_arrival);
      EXPECT_EQ(layer().in_flight(), 1U);
    }
    finish();
    EXPECT_EQ(host_.times[n], 1);
  }
  EXPECT_GT(arrived_first, 0U);
  EXPECT_LT(arrived_first, kRounds);
}

TEST_F(PageMapOverlap, poll_at_an_arrival_lets_no_time_pass) {
  start(two_units());
  const Page a = filled(1);
  write(1, 0, a);
  host_.now = 100;
  layer().poll(host_, 100);
  EXPECT_EQ(host_.now, 100U);
  EXPECT_TRUE(host_.waited.empty());
  finish();
  EXPECT_EQ(host_.times[1], 1);
}

TEST_F(PageMapOverlap, flush_trim_and_idle_work_find_no_page_half_way) {
  start(two_units());
  const Page a = filled(1);
  const Page b = filled(2);
  write(1, 0, a);
  write(2, 1, b);
  ASSERT_EQ(layer().flush(0), FtlStatus::ok);
  EXPECT_EQ(layer().in_flight(), 0U);
  write(3, 0, b);
  ASSERT_EQ(layer().trim(0, kPageSize, 0), FtlStatus::ok);
  EXPECT_EQ(now_at(0), filled(0xFF)) << "the write before the trim must not come back";
  write(4, 1, a);
  (void)layer().idle(0, 1'000'000);
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}, {2, 1}, {3, 1}, {4, 1}}));
}

TEST_F(PageMapOverlap, requests_outside_the_volume_are_refused_once) {
  start(two_units());
  Page data = filled(1);
  write(1, pages(), data);
  read(2, pages(), data);
  EXPECT_EQ(host_.times, (std::map<std::uint32_t, int>{{1, 1}, {2, 1}}));
  EXPECT_EQ(host_.statuses[1], FtlStatus::out_of_range);
  EXPECT_EQ(host_.statuses[2], FtlStatus::out_of_range);
}

/// A host that keeps up to `depth` requests in flight and knows what each page must hold.
class DeepHost final : public HostPort {
 public:
  DeepHost(std::uint32_t depth, std::uint32_t pages, std::uint32_t requests)
      : dice_(depth), left_(requests), last_(pages, 0), slots_(depth) {}

  Next next(HostRequest& request) override {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return !s.taken; });
    if (left_ == 0) return Next::ended;
    if (slot == slots_.end()) return Next::later;
    --left_;
    slot->taken = true;
    slot->lpn = dice_.below(static_cast<std::uint32_t>(last_.size()));
    slot->reads = dice_.chance(300);
    request = {};
    request.tag = static_cast<std::uint32_t>(slot - slots_.begin());
    request.offset = std::uint64_t{slot->lpn} * kPageSize;
    request.length = kPageSize;
    ++in_flight_;
    deepest = std::max(deepest, in_flight_);
    if (slot->reads) {
      slot->data = filled(0xA5);
      slot->expected = last_[slot->lpn];
      request.into = slot->data.data();
      return Next::request;
    }
    last_[slot->lpn] = 1 + dice_.below(250);
    slot->data = filled(last_[slot->lpn]);
    request.kind = HostRequestKind::write;
    request.from = slot->data.data();
    return Next::request;
  }
  void complete(std::uint32_t tag, FtlStatus status) override {
    Slot& slot = slots_[tag];
    ASSERT_TRUE(slot.taken) << "completed twice";
    ASSERT_EQ(status, FtlStatus::ok);
    if (slot.reads) {
      ASSERT_EQ(slot.data, filled(slot.expected == 0 ? 0xFF : slot.expected)) << "requests take effect in order";
    }
    slot.taken = false;
    --in_flight_;
    ++completed;
  }
  std::uint64_t now_ns() override { return 0; }
  std::uint64_t next_arrival_ns() override { return UINT64_MAX; }
  void wait(std::uint64_t) override {}

  [[nodiscard]] const std::vector<std::uint32_t>& last() const { return last_; }
  std::uint32_t completed = 0;
  std::uint32_t deepest = 0;

 private:
  struct Slot {
    bool taken = false;
    bool reads = false;
    std::uint32_t lpn = 0;
    std::uint32_t expected = 0;
    Page data;
  };
  Dice dice_;
  std::uint32_t left_;
  std::uint32_t in_flight_ = 0;
  std::vector<std::uint32_t> last_;
  std::vector<Slot> slots_;
};

TEST_F(PageMapOverlap, every_request_completes_once_and_in_effect_in_order_at_any_depth) {
  std::uint32_t failed = 0;
  for (const std::uint32_t depth : {1U, 2U, 3U, 4U, 8U, 16U, 63U, 64U}) {
    EmulatedNandOptions options = two_units();
    options.segments = 40;
    options.faults.seed = depth;
    options.faults.program_failures = 1000;
    start(options, 0.5);
    constexpr std::uint32_t kRequests = 3000;
    DeepHost host(depth, pages(), kRequests);
    NullProbe probe;
    serve(layer(), host, probe);
    ASSERT_EQ(host.completed, kRequests) << depth;
    EXPECT_EQ(host.deepest > 1, depth > 1);
    ASSERT_EQ(layer().self_check(), nullptr) << depth;
    failed += flash_->failed_segments();
    mount_new();
    ASSERT_EQ(layer().mount(0), FtlStatus::ok);
    for (std::uint32_t lpn = 0; lpn < pages(); ++lpn)
      ASSERT_EQ(now_at(lpn), filled(host.last()[lpn] == 0 ? 0xFF : host.last()[lpn])) << depth << " page " << lpn;
  }
  EXPECT_GT(failed, 8U) << "over all depths";
}

}  // namespace
}  // namespace ftlab::tests
