#include "workloads/traces/trace_source.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::drain;
using test::refusal;
using test::TempFile;

constexpr std::uint64_t kTraceDevice = 4 * kMiB;

std::vector<Request> requests(const TraceConfig& config, bool with_times = false, std::uint64_t device = kTraceDevice) {
  return drain(*make_trace_source(config, device, 1, with_times), 3);
}

std::uint64_t written(const std::vector<Request>& all) {
  std::uint64_t bytes = 0;
  for (const Request& request : all) bytes += request.kind == RequestKind::write ? request.length : 0;
  return bytes;
}

TEST(TraceSource, arrivals_are_the_times_of_the_trace_when_asked_for) {
  const TraceConfig config{.path = test::sample("sample.disksim.trace"), .address = "direct"};
  const auto timed = requests(config, true);
  const auto closed = requests(config, false);
  ASSERT_EQ(timed.size(), 8U);
  EXPECT_EQ(timed[2].arrival, Ticks{25'000'000});
  EXPECT_EQ(timed[7].arrival, Ticks{1'000'000'000});
  for (const Request& request : closed) EXPECT_EQ(request.arrival, Ticks{});
}

TEST(TraceSource, disorder_across_cpus_is_sorted) {
  const TraceConfig config{.path = test::sample("sample.blkparse.txt"), .address = "direct"};
  const auto sorted = requests(config, true);
  ASSERT_EQ(sorted.size(), 8U);
  EXPECT_EQ(sorted[2].offset, 4096U);
  EXPECT_EQ(sorted[2].arrival, Ticks{25'000'000});
}

TEST(TraceSource, disorder_beyond_the_window_arrives_late_but_never_back_in_time) {
  TraceConfig config{.path = test::sample("sample.blkparse.txt"), .address = "direct", .reorder_window = 0};
  const auto unsorted = requests(config, true);
  ASSERT_EQ(unsorted.size(), 8U);
  EXPECT_EQ(unsorted[3].offset, 4096U);
  EXPECT_EQ(unsorted[3].arrival, unsorted[2].arrival);
}

TEST(TraceSource, only_the_wanted_devices_take_part) {
  const TempFile file("0,0,512,w,1\n1,8,512,w,2\n2,16,512,w,3\n1,24,512,w,4\n");
  const auto offsets = [&](std::vector<std::string> devices) {
    std::vector<std::uint64_t> all;
    for (const Request& r : requests({.path = file.path(), .devices = std::move(devices), .address = "modulo"})) {
      all.push_back(r.offset / 4096);
    }
    return all;
  };
  EXPECT_THAT(offsets({"1"}), testing::ElementsAre(1, 3));
  EXPECT_THAT(offsets({"0x1"}), testing::ElementsAre(1, 3));
  EXPECT_THAT(offsets({"0", "2"}), testing::ElementsAre(0, 2));
  EXPECT_EQ(refusal([&] { offsets({"7"}); }), file.path() + ": no request of device 7; the other devices are 0, 1, 2");
}

TEST(TraceSource, reads_can_be_left_out) {
  const auto all = requests({.path = test::sample("sample.spc"), .reads = false});
  EXPECT_EQ(all.size(), 5U);
  for (const Request& request : all) EXPECT_EQ(request.kind, RequestKind::write);
  const TempFile file("0,0,512,r,1\n");
  EXPECT_EQ(refusal([&] { requests({.path = file.path(), .reads = false}); }),
            file.path() + ": holds nothing but reads, which workload.reads = false leaves out");
  EXPECT_EQ(refusal([&] { requests({.path = file.path(), .devices = {"0"}, .reads = false}); }),
            file.path() + ": no request of device 0 but reads; the other devices are none");
}

TEST(TraceSource, time_starts_with_the_first_request_that_takes_part) {
  const TempFile file("0,0,512,w,100\n1,8,512,w,107\n1,8,512,w,109\n");
  const auto all = requests({.path = file.path(), .devices = {"1"}}, true);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].arrival, Ticks{});
  EXPECT_EQ(all[1].arrival, Ticks{20'000'000'000});
}

TEST(TraceSource, limit_takes_the_first_requests) {
  EXPECT_EQ(requests({.path = test::sample("sample.spc"), .address = "direct", .limit_requests = 3}).size(), 3U);
}

TEST(TraceSource, repeat_replays_with_ascending_times_and_the_same_places) {
  const TraceConfig config{.path = test::sample("sample.spc"), .repeat = 3};
  const auto once = requests({.path = config.path}, true);
  const auto all = requests(config, true);
  ASSERT_EQ(all.size(), 3 * once.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Pages keep the places of the first pass; one pass and one mean gap of 100 ms / 8 lie between the passes.
    EXPECT_EQ(all[i].length + all[i].offset, all[i % once.size()].length + all[i % once.size()].offset);
    EXPECT_EQ(all[i].arrival,
              once[i % once.size()].arrival + static_cast<std::int64_t>(i / once.size()) * Ticks{1'125'000'000});
  }
}

TEST(TraceSource, passes_lie_further_and_further_on_round_the_end) {
  const TempFile file("0,8,8192,w,1\n");
  std::vector<std::string> places;
  for (const Request& r :
       requests({.path = file.path(), .address = "direct", .repeat = 4, .pass_shift = 2}, false, 28'672))
    places.push_back(std::to_string(r.offset / 4096) + "+" + std::to_string(r.length));
  // Seven pages: the pass of pages 1 and 2, then 3 and 4, 5 and 6, and 0 and 1.
  EXPECT_THAT(places, testing::ElementsAre("1+8192", "3+8192", "5+8192", "0+8192"));
  places.clear();
  for (const Request& r :
       requests({.path = file.path(), .address = "direct", .repeat = 2, .pass_shift = 5}, false, 28'672))
    places.push_back(std::to_string(r.offset / 4096) + "+" + std::to_string(r.length));
  EXPECT_THAT(places, testing::ElementsAre("1+8192", "6+4096", "0+4096"));
}

TEST(TraceSource, write_scale_above_one_extends_the_volume) {
  const std::string path = test::sample("sample.spc");
  const std::uint64_t once = written(requests({.path = path, .address = "direct"}));
  const std::uint64_t scaled = written(requests({.path = path, .address = "direct", .write_scale = 2.5}));
  EXPECT_EQ(once, 33U * 1024);
  EXPECT_GE(scaled, once * 5 / 2);
  EXPECT_LT(scaled, once * 5 / 2 + 16'384) << "ends with the request that reaches the volume";
  EXPECT_GE(written(requests({.path = path, .address = "direct", .write_scale = 1.5, .repeat = 2})), 3 * once);
}

TEST(TraceSource, write_scale_of_a_trace_without_writes_is_refused) {
  const TempFile file("0,0,512,r,1\n");
  EXPECT_EQ(refusal([&] { requests({.path = file.path(), .write_scale = 2}); }),
            file.path() + ": nothing is written, so workload.write_scale = 2 cannot be reached; leave it out");
}

TEST(TraceSource, write_scale_below_one_scales_pages_and_volume_alike) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "0," + std::to_string(i % 2000 * 8) + ",4096,w," + std::to_string(i) + "\n";
  const TempFile file(text);
  const auto all = requests({.path = file.path(), .write_scale = 0.25});
  EXPECT_NEAR(static_cast<double>(all.size()), 1000, 160);
  std::set<std::uint64_t> pages;
  for (const Request& request : all) pages.insert(request.offset);
  EXPECT_EQ(pages.size() * 2, all.size()) << "every kept page keeps both of its writes";
}

TEST(TraceSource, overflow_is_refused_before_the_first_request_with_its_size) {
  const TempFile file("0,0,4096,w,1\n0,800,4096,w,2\n0,1600,4096,w,3\n");
  const std::string text = refusal([&] { make_trace_source({.path = file.path()}, 8192, 1, false); });
  EXPECT_TRUE(text.starts_with(file.path() + ": touches 3 pages of 4096 bytes, and the device has 2")) << text;
}

TEST(TraceSource, damage_is_refused_before_the_first_request) {
  const TempFile file("0,0,4096,w,1\n0,800,4096,w,2\n0,1600,4096\n");
  EXPECT_NE(
      refusal([&] { make_trace_source({.path = file.path(), .format = "spc"}, kTraceDevice, 1, false); }).find(":3: "),
      std::string::npos);
}

TEST(TraceSource, number_of_requests_is_known_for_the_progress_bar) {
  const TraceConfig config{.path = test::sample("sample.spc"), .repeat = 2};
  EXPECT_EQ(make_trace_source(config, kTraceDevice, 1, false)->size_hint(), requests(config).size());
}

TEST(TraceSource, zero_passes_are_refused) {
  EXPECT_EQ(refusal([] { requests({.path = test::sample("sample.spc"), .repeat = 0}); }),
            "workload.repeat: a trace is replayed at least once; use 1 or more");
}

TEST(TraceSource, trims_and_flushes_pass_through) {
  const TempFile file(
      "8,0 0 1 0.000000001 9 D W 8 + 8 [a]\n8,0 0 2 0.000000002 9 D FN [a]\n"
      "8,0 0 3 0.000000003 9 D DS 0 + 4194304 [a]\n");
  const auto all = requests({.path = file.path()});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].kind, RequestKind::flush);
  EXPECT_EQ(all[2].kind, RequestKind::trim);
  EXPECT_EQ(all[2].length, 4096U);
}

}  // namespace
}  // namespace ftlab::workloads
