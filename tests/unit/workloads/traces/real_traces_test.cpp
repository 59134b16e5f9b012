// The readers against published counts of real traces, which are not part of the product: the environment variable
// FTLAB_TRACE_DIR names a folder that holds them. Sources: MSR Cambridge hm_0 (first 1,000 requests), CloudPhysics
// vscsi sample of libCacheSim, IOzone and hplajw traces of DiskSim, tpcc-small of MQSim, MobileBlockIOTraces Telegram,
// two blkparse outputs (YCSB on f2fs, RocksDB sample of ssdtrace).
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tests/unit/workloads/support.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::workloads {
namespace {

struct Counts {
  const char* file;
  const char* format;
  const char* device;  ///< empty: all
  std::uint32_t page_bytes;
  std::uint64_t requests, writes, bytes_written, bytes_read_mib, pages_written, page_writes, first_byte, end_byte;
  double duration_s;  ///< as printed, so within half a unit of its last digit
  double duration_tolerance;
  double hottest_1, hottest_10;  ///< per cent, one decimal
  double unaligned;              ///< per cent, one decimal
  std::uint64_t steps_back;
  friend void PrintTo(const Counts& counts, std::ostream* out) { *out << counts.file; }
};

// clang-format off
constexpr Counts kCounts[] = {
    {"msr-hm_0-1k.csv.gz", "msr", "", 4096, 1000, 492, 3580928, 6, 475, 936, 17625088, 13575029248, 127, 0.5, 10.4, 35.9, 15.3, 0},
    {"cloudphysics-vscsi-114k.csv.gz", "cloudphysics", "", 4096, 113872, 66898, 2408565760, 1714, 208696, 656169, 8162816, 33584938496, 7200, 0.5, 7.4, 25.4, 99.9, 0},
    {"disksim-iozone-100k.trace.gz", "disksim", "", 4096, 100000, 100000, 36855717888, 0, 271320, 8997978, 97828864, 17255907328, 936, 0.5, 6.7, 28.2, 0.0, 0},
    {"mqsim-tpcc-small-7k.trace.gz", "mqsim", "", 4096, 6999, 2618, 23403520, 35, 7879, 7995, 361823744, 232713410560, 0.14, 0.005, 2.2, 11.3, 87.3, 0},
    {"pixel6a-telegram-252k.csv.gz", "mobile", "", 4096, 251879, 227785, 4788330496, 1444, 976231, 1169026, 24576, 127775170560, 7474, 0.5, 13.6, 24.8, 0.0, 0},
    {"blkparse-ycsb-f2fs-6k.txt.gz", "blkparse", "", 4096, 5727, 1005, 439848960, 512, 101756, 107385, 2097152, 2745171968, 1651, 0.5, 2.1, 14.7, 0.0, 392},
    {"blkparse-rocksdb-10k-lines.txt.gz", "blkparse", "", 4096, 1694, 0, 0, 189, 0, 0, 144703488, 512101089280, 0.68, 0.005, 0, 0, 0.0, 0},
    {"hplajw-1week.srt.gz", "hp_srt", "", 4096, 44519, 31479, 201778176, 59, 3857, 54827, 92160, 334876672, 603065, 0.5, 50.7, 82.2, 35.9, 0},
    {"hplajw-1week.srt.gz", "hp_srt", "0x08000008", 1024, 40293, 31138, 197661696, 48, 11294, 193029, 43978752, 334876672, 603034, 0.5, 46.6, 80.1, 0.0, 0},
    {"hplajw-1week.srt.gz", "hp_srt", "0x08000008", 4096, 40293, 31138, 197661696, 48, 2940, 53646, 43978752, 334876672, 603034, 0.5, 47.7, 80.9, 31.5, 0},
};
// clang-format on

double one_decimal(double share) { return std::round(share * 1000) / 10; }

class RealTraces : public testing::TestWithParam<Counts> {};

TEST_P(RealTraces, counts_are_those_published_with_the_trace) {
  const char* const folder = std::getenv("FTLAB_TRACE_DIR");
  if (folder == nullptr) GTEST_SKIP() << "FTLAB_TRACE_DIR is not set: no real trace is read";
  const Counts& expected = GetParam();
  const auto path = std::filesystem::path(folder) / expected.file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing: this trace is not read";
  TraceInfoOptions options{.page_bytes = expected.page_bytes};
  if (*expected.device != '\0') options.devices = {expected.device};
  const TraceInfo info = collect_trace_info(path.string(), options);
  EXPECT_EQ(info.format, expected.format);
  EXPECT_EQ(info.requests, expected.requests);
  EXPECT_EQ(info.writes, expected.writes);
  EXPECT_EQ(info.reads, expected.requests - expected.writes);
  EXPECT_EQ(info.bytes_written, expected.bytes_written);
  EXPECT_EQ(std::llround(static_cast<double>(info.bytes_read) / kMiB), static_cast<long long>(expected.bytes_read_mib));
  EXPECT_EQ(info.pages_written, expected.pages_written);
  EXPECT_EQ(info.page_writes, expected.page_writes);
  EXPECT_EQ(info.first_byte, expected.first_byte);
  EXPECT_EQ(info.end_byte, expected.end_byte);
  EXPECT_NEAR(to_seconds(info.duration), expected.duration_s, expected.duration_tolerance);
  EXPECT_DOUBLE_EQ(one_decimal(info.hottest_1_percent), expected.hottest_1);
  EXPECT_DOUBLE_EQ(one_decimal(info.hottest_10_percent), expected.hottest_10);
  EXPECT_DOUBLE_EQ(one_decimal(static_cast<double>(info.unaligned) / static_cast<double>(info.reads + info.writes)),
                   expected.unaligned);
  EXPECT_EQ(info.steps_back, expected.steps_back);
}

INSTANTIATE_TEST_SUITE_P(All, RealTraces, testing::ValuesIn(kCounts), [](const auto& counts) {
  std::string name =
      std::string(counts.param.file) + counts.param.device + "_" + std::to_string(counts.param.page_bytes);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(RealTracesPapers, swap_sections_can_be_chosen_by_name_or_number) {
  const char* const folder = std::getenv("FTLAB_TRACE_DIR");
  if (folder == nullptr) GTEST_SKIP() << "FTLAB_TRACE_DIR is not set: no real trace is read";
  const auto path = (std::filesystem::path(folder) / "hplajw-1week.srt.gz").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing: this trace is not read";
  const TraceInfo swap = collect_trace_info(path, {.devices = {"0x0800000e", "0x0800000f", "0x08000107"}});
  EXPECT_EQ(swap.requests, 1055U + 902 + 2267);
  EXPECT_EQ(collect_trace_info(path, {.devices = {"134217736"}}).requests, 40293U);
}

}  // namespace
}  // namespace ftlab::workloads
