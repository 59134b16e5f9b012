#include "workloads/traces/trace_info.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::refusal;
using test::TempFile;

TEST(TraceInfo, counts_a_page_once_for_every_request_that_touches_it) {
  // Pages written: 0 and 1 by the first, 0 by the second, 0 of another device by the third; 2 is only read.
  const TempFile file("0,0,8192,w,1\n0,1,512,w,2\n1,0,4096,w,3.5\n0,16,4096,r,3\n");
  const TraceInfo info = collect_trace_info(file.path(), {});
  EXPECT_EQ(info.format, "spc");
  EXPECT_EQ(info.requests, 4U);
  EXPECT_EQ(info.writes, 3U);
  EXPECT_EQ(info.reads, 1U);
  EXPECT_EQ(info.bytes_written, 12'800U);
  EXPECT_EQ(info.bytes_read, 4096U);
  EXPECT_EQ(info.page_writes, 4U);
  EXPECT_EQ(info.pages_written, 3U);
  EXPECT_EQ(info.pages_read, 1U);
  EXPECT_EQ(info.pages_touched, 4U);
  EXPECT_EQ(info.unaligned, 1U);
  EXPECT_EQ(info.largest_bytes, 8192U);
  EXPECT_EQ(info.first_byte, 0U);
  EXPECT_EQ(info.end_byte, 12'288U);
  EXPECT_EQ(info.duration, Ticks{25'000'000'000});
  EXPECT_EQ(info.steps_back, 1U);
  ASSERT_EQ(info.devices.size(), 2U);
  EXPECT_EQ(info.devices[0].name, "0");
  EXPECT_EQ(info.devices[0].requests, 3U);
  EXPECT_EQ(info.devices[1].bytes_written, 4096U);
}

TEST(TraceInfo, page_size_and_device_are_the_callers) {
  const TempFile file("0,0,8192,w,1\n1,0,4096,w,3\n");
  const TraceInfo info = collect_trace_info(file.path(), {.page_bytes = 1024, .devices = {"1"}});
  EXPECT_EQ(info.requests, 1U);
  EXPECT_EQ(info.page_writes, 4U);
  EXPECT_EQ(refusal([&] { collect_trace_info(file.path(), {.devices = {"9"}}); }),
            file.path() + ": no request of device 9; the trace has 0, 1");
  EXPECT_EQ(refusal([&] { collect_trace_info(file.path(), {.page_bytes = 255}); }),
            "--page: 255 bytes are too few; use 256 or more");
}

TEST(TraceInfo, hottest_pages_are_ranked_by_writes) {
  // 200 pages once each, two of them 50 times more: 1 % = 2 pages take 102 of 300 page writes.
  std::string text;
  for (int i = 0; i < 200; ++i) text += "0," + std::to_string(i * 8) + ",4096,w,1\n";
  for (int i = 0; i < 100; ++i) text += "0," + std::to_string(i % 2 * 8) + ",4096,w,1\n";
  const TempFile file(text);
  const TraceInfo info = collect_trace_info(file.path(), {});
  EXPECT_DOUBLE_EQ(info.hottest_1_percent, 102.0 / 300);
  EXPECT_DOUBLE_EQ(info.hottest_10_percent, 120.0 / 300);
  std::vector<std::uint32_t> writes(200, 1);
  writes[0] = writes[1] = 51;
  EXPECT_EQ(info.writes_of_pages, writes);
}

TEST(TraceInfo, gaps_are_summed_up_by_mean_and_variation) {
  const TempFile file("0,0,512,w,0\n0,0,512,w,1\n0,0,512,w,2\n0,0,512,w,6\n");
  const TraceInfo info = collect_trace_info(file.path(), {});
  EXPECT_DOUBLE_EQ(info.mean_gap_s, 2);
  EXPECT_NEAR(info.gap_variation, std::sqrt(2.0) / 2, 1e-12);
}

TEST(TraceInfo, console_text_is_aligned_and_has_units) {
  const TempFile file("0,0,8192,w,1\n0,16,4096,r,3\n");
  EXPECT_EQ(format_trace_info(collect_trace_info(file.path(), {})), "trace                 " + file.path() + R"(
format                spc
requests                            2
writes                              1  50.0 % of requests, 8 KiB in all
reads                               1  50.0 % of requests, 4 KiB in all
bytes written                    8192  B
bytes read                       4096  B
largest request                  8192  B
unaligned                           0  0.0 % of reads and writes do not start and end on a page border
page                             4096  B
pages touched                       3  12 KiB
pages read                          1  4 KiB
pages written                       2  8 KiB
page writes                         2  1.00 per page written
hottest 1 % / 10 %    50.0 % / 50.0 % of page writes
address span          byte 0 to 12288 (12 KiB)
duration              2.000 s
inter-arrival         mean 2.000000 s, variation 0.00 (1 = Poisson)
time order            ascending
device 0              2 requests, 1 write, 8 KiB written, 4 KiB read
)");
}

TEST(TraceInfo, requests_of_no_bytes_are_counted_by_themselves_too) {
  const TempFile file("0,0,4096,w,1\n0,8,0,w,2\n0,8,0,r,3\n");
  const TraceInfo info = collect_trace_info(file.path(), {});
  EXPECT_EQ(info.requests, 3U);
  EXPECT_EQ(info.empty_requests, 2U);
  EXPECT_THAT(format_trace_info(info), testing::HasSubstr("\nof no bytes                         2  "));
  EXPECT_EQ(nlohmann::json::parse(trace_info_json(info)).at("empty_requests"), 2);
}

TEST(TraceInfo, json_has_the_same_numbers) {
  const TraceInfo info = collect_trace_info(test::sample("sample.srt"), {});
  const auto json = nlohmann::json::parse(trace_info_json(info));
  EXPECT_EQ(json.at("schema"), "ftlab-trace-info");
  EXPECT_EQ(json.at("format"), "hp_srt");
  EXPECT_EQ(json.at("requests"), 8);
  EXPECT_EQ(json.at("bytes_written"), 33 * 1024);
  EXPECT_DOUBLE_EQ(json.at("duration_s").get<double>(), 0.1);
  EXPECT_EQ(json.at("devices").at(0).at("name"), "0x08000008");
}

TEST(TraceInfo, path_that_is_no_utf8_does_not_break_the_json) {
  TraceInfo info = collect_trace_info(test::sample("sample.srt"), {});
  info.path = "a\xff.srt";
  EXPECT_TRUE(nlohmann::json::parse(trace_info_json(info)).at("path").is_string());
}

}  // namespace
}  // namespace ftlab::workloads
