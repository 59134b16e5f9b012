#include "workloads/traces/detect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::read_refusal;
using test::TempFile;

TEST(Detect, whole_numbers_of_a_short_time_may_be_milliseconds_or_nanoseconds) {
  const TempFile file("0 0 100 8 1\n10 0 200 8 0\n");
  EXPECT_EQ(read_refusal(file.path()), file.path() +
                                           ": the first lines fit the formats disksim or mqsim; say which it is "
                                           "with workload.format (or --format)");
  EXPECT_EQ(read_refusal(file.path(), "mqsim"), "no refusal");
  EXPECT_EQ(read_refusal(file.path(), "disksim"), "no refusal");
}

TEST(Detect, large_whole_numbers_are_nanoseconds_and_decimals_milliseconds) {
  const TempFile whole("938513000 4 264719034 16 0\n");
  ByteInput mqsim(whole.path());
  EXPECT_EQ(detect_format(mqsim).name, "mqsim");
  const TempFile decimal("938513000 4 264719034 16 0\n938513000.5 4 264719034 16 0\n");
  ByteInput disksim(decimal.path());
  EXPECT_EQ(detect_format(disksim).name, "disksim");
}

TEST(Detect, consumes_nothing) {
  ByteInput input(test::sample("sample.spc"));
  detect_format(input);
  EXPECT_EQ(input.position(), 0U);
  EXPECT_TRUE(input.window().starts_with("3,0,4096"));
}

TEST(Detect, damage_in_the_first_lines_names_the_closest_format) {
  const TempFile file("0,1000,512,w,0.5\n0,1000,512,w,0.6\n0,1000,512,x,0.7\n");
  EXPECT_EQ(read_refusal(file.path()),
            file.path() +
                ": the trace format is not recognised (closest is spc, but line 3: column 4 (opcode): \"x\" is "
                "neither R nor W); set workload.format (or --format) to one of hp_srt, msr, spc, disksim, mqsim, "
                "blkparse, cloudphysics, mobile");
}

TEST(Detect, a_first_line_that_fits_is_no_header_line) {
  const TempFile file("1,a,0,Read,0,512,1\n18446744073709551615,a,0,Read,0,512,1\n");
  EXPECT_THAT(
      read_refusal(file.path()),
      testing::HasSubstr("(closest is msr, but line 2: the time stamp lies more than 14 years from the first one; "
                         "the line looks damaged)"));
}

TEST(Detect, a_header_line_is_named) {
  const TempFile header("ASU,LBA,Size,Opcode,Timestamp\n0,1000,512,w,0.5\n0,1000,512,r,0.6\n");
  EXPECT_EQ(read_refusal(header.path()),
            header.path() +
                ": line 1 is \"ASU,LBA,Size,Opcode,Timestamp\", a header line, it seems; the lines behind it fit "
                "the format spc; remove the first one (tail -n +2)");
}

TEST(Detect, a_byte_order_mark_is_skipped_or_named) {
  const std::string line = "0,1000,512,w,0.5\n";
  const TempFile mark("\xEF\xBB\xBF" + line);
  for (const std::string format : {"", "spc"}) {
    const auto trace = open_trace(mark.path(), format, {});
    TraceRecord record;
    EXPECT_EQ(trace.format->name, "spc");
    EXPECT_EQ(trace.reader->next({&record, 1}), 1U);
    EXPECT_EQ(record.offset, 512'000U);
    EXPECT_EQ(trace.reader->next({&record, 1}), 0U);
  }
  for (const std::string utf16 : {"\xFF\xFE", "\xFE\xFF"}) {
    const TempFile file(utf16 + line);
    for (const std::string format : {"", "spc"}) {
      EXPECT_EQ(read_refusal(file.path(), format),
                file.path() + ": begins with the byte order mark of UTF-16; convert it (iconv -f UTF-16 -t UTF-8)");
    }
  }
}

TEST(Detect, other_files_are_refused_with_their_first_line) {
  const TempFile file("{\"json\": true}\n");
  EXPECT_EQ(read_refusal(file.path()),
            file.path() +
                ": the trace format is not recognised (the first line is \"{\"json\": true}\"); set "
                "workload.format (or --format) to one of hp_srt, msr, spc, disksim, mqsim, blkparse, "
                "cloudphysics, mobile");
}

TEST(Detect, names_of_files_play_no_part) {
  const TempFile file(test::content_of(test::sample("sample.spc")), ".blkparse.txt");
  EXPECT_EQ(open_trace(file.path(), "", {}).format->name, "spc");
}

}  // namespace
}  // namespace ftlab::workloads
