// The samples of all formats tell the same eight requests, so that one list is right for every reader.
#include <gmock/gmock.h>

#include "tests/unit/workloads/support.h"
#include "workloads/traces/open_trace.h"
#include "workloads/traces/reorder.h"

namespace ftlab::workloads {
namespace {

struct Expected {
  double milliseconds;
  RequestKind kind;
  std::uint64_t offset;
  std::uint64_t length;
};

constexpr Expected kStory[] = {
    {0, RequestKind::write, 0, 4096},    {1, RequestKind::read, 8192, 1024},    {2.5, RequestKind::write, 4096, 8192},
    {5, RequestKind::write, 0, 4096},    {10, RequestKind::read, 1048576, 512}, {20, RequestKind::write, 524288, 16384},
    {40, RequestKind::write, 512, 1024}, {100, RequestKind::read, 0, 65536},
};

struct Sample {
  const char* format;
  const char* file;
  const char* device;
  friend void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file; }
};

constexpr Sample kSamples[] = {
    {"hp_srt", "sample.srt", "0x08000008"},      {"msr", "sample.msr.csv", "web.1"},
    {"msr", "sample.msr.csv.gz", "web.1"},       {"spc", "sample.spc", "3"},
    {"disksim", "sample.disksim.trace", "2"},    {"mqsim", "sample.mqsim.trace", "2"},
    {"blkparse", "sample.blkparse.txt", "8,32"}, {"cloudphysics", "sample.cloudphysics.csv", "0"},
    {"mobile", "sample.mobile.csv", "8388608"},
};

class Formats : public testing::TestWithParam<Sample> {};

void expect_the_story(TraceReader& reader, const char* device) {
  const auto records = test::drain(reader);
  ASSERT_EQ(records.size(), std::size(kStory));
  for (std::size_t i = 0; i < records.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(records[i].time, Ticks{static_cast<std::int64_t>(kStory[i].milliseconds * 1e7)});
    EXPECT_EQ(records[i].kind, kStory[i].kind);
    EXPECT_EQ(records[i].offset, kStory[i].offset);
    EXPECT_EQ(records[i].length, kStory[i].length);
    EXPECT_EQ(reader.device_name(records[i].device), device);
  }
}

TEST_P(Formats, sample_is_read_record_for_record) {
  OpenTrace trace = open_trace(test::sample(GetParam().file), GetParam().format, {});
  Reorder sorted(std::move(trace.reader), trace.format->out_of_order ? 16 : 0);
  expect_the_story(sorted, GetParam().device);
}

TEST_P(Formats, format_is_found_from_the_content) {
  for (const char* automatic : {"", "auto"}) {
    EXPECT_EQ(open_trace(test::sample(GetParam().file), automatic, {}).format->name, GetParam().format);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Formats, testing::ValuesIn(kSamples), [](const auto& sample) {
  std::string name = sample.param.file;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

TEST(FormatTable, every_format_has_a_sample_and_a_line_of_help) {
  for (const TraceFormat* const known : trace_formats()) {
    const TraceFormat& format = *known;
    EXPECT_TRUE(std::ranges::any_of(kSamples, [&](const Sample& s) { return s.format == format.name; })) << format.name;
    EXPECT_FALSE(format.help.empty());
    EXPECT_TRUE((format.make_parser == nullptr) != (format.make_binary == nullptr)) << format.name;
    EXPECT_EQ(find_trace_format(format.name), &format);
  }
}

TEST(FormatTable, unknown_name_is_refused_with_the_known_ones) {
  const std::string refusal = test::read_refusal(test::sample("sample.spc"), "iolog");
  EXPECT_EQ(refusal, "workload.format: \"iolog\" is no trace format; known are " + trace_format_names());
  EXPECT_THAT(refusal, testing::HasSubstr("hp_srt"));
  for (const TraceFormat* const known : trace_formats())
    EXPECT_THAT(refusal, testing::HasSubstr(std::string(known->name)));
}

TEST(Blkparse, other_actions_can_stand_for_a_request) {
  OpenTrace trace = open_trace(test::sample("sample.blkparse.txt"), "blkparse", {.action = 'C'});
  EXPECT_EQ(test::drain(*trace.reader).size(), 8U);
  EXPECT_EQ(test::refusal([] { open_trace(test::sample("sample.blkparse.txt"), "blkparse", {.action = '?'}); }),
            "workload.action: \"?\" is no action letter of blkparse; use D, Q or C");
}

TEST(Blkparse, trims_and_flushes_are_distinguished_from_reads_and_writes) {
  const test::TempFile file(
      "8,0 0 1 0.000000001 9 D DS 4096 + 4194304 [mkfs]\n"
      "8,0 0 2 0.000000002 9 D FN [kworker]\n"
      "8,0 0 3 0.000000003 9 D FWFS 8 + 8 [jbd2]\n"
      "8,0 0 4 0.000000004 9 D N 36 (12 00 00 00) [smartd]\n"
      "8,0 0 0 0.000000005 0 m N cfq workload slice:100\n");
  const auto records = test::drain(*open_trace(file.path(), "", {}).reader);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].kind, RequestKind::trim);
  EXPECT_EQ(records[0].length, 4194304ULL * 512);
  EXPECT_EQ(records[1].kind, RequestKind::flush);
  EXPECT_EQ(records[2].kind, RequestKind::write);
}

TEST(Msr, host_and_disk_make_the_device) {
  const test::TempFile file("1000,usr,0,Read,0,512,1\n2000,usr,1,write,512,512,1\n3000,usr,0,READ,0,512,1\n");
  OpenTrace trace = open_trace(file.path(), "", {});
  const auto records = test::drain(*trace.reader);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(trace.reader->device_name(records[1].device), "usr.1");
  EXPECT_EQ(records[0].device, records[2].device);
  EXPECT_EQ(records[1].time, Ticks{1000 * 1000});
}

TEST(CloudPhysics, commands_that_move_no_data_are_passed_over) {
  const test::TempFile file("1,10,12,36,0\n1,20,8A,512,8\n1,30,a8,512,8\n1,40,35,0,0\n");
  const auto records = test::drain(*open_trace(file.path(), "cloudphysics", {}).reader);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].kind, RequestKind::write);
  EXPECT_EQ(records[1].kind, RequestKind::read);
  EXPECT_EQ(records[2].kind, RequestKind::flush);
}

TEST(DiskSim, flags_are_hexadecimal_and_bit_0_reads) {
  const test::TempFile file("0.5 0 8 8 10\n1.5 0 8 8 1f\n");
  const auto records = test::drain(*open_trace(file.path(), "disksim", {}).reader);
  EXPECT_EQ(records[0].kind, RequestKind::write);
  EXPECT_EQ(records[1].kind, RequestKind::read);
}

}  // namespace
}  // namespace ftlab::workloads
