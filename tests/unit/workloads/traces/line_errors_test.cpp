// Damage behind the first lines: FILE:LINE, what is wrong, how to go on.
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::read_refusal;
using test::TempFile;

std::string spc_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "0," + std::to_string(8 * i) + ",4096,w," + std::to_string(i) + ".5\n";
  return text;
}

TEST(LineErrors, bad_line_is_named_with_file_line_and_column) {
  const TempFile file(spc_lines(30) + "0,7,4096,w,zero\n" + spc_lines(3));
  EXPECT_EQ(read_refusal(file.path(), "spc"),
            file.path() +
                ":31: column 5 (timestamp): \"zero\" is not a number; repair the file, or set another "
                "workload.format (or --format) than spc");
}

TEST(LineErrors, guessed_format_is_said) {
  const TempFile file(spc_lines(30) + "0,7\n" + spc_lines(3));
  EXPECT_EQ(read_refusal(file.path()),
            file.path() +
                ":31: 2 columns instead of 5 (ASU,LBA,size,opcode,timestamp); the format spc was detected from "
                "the first lines; if it is another, set workload.format (or --format)");
}

TEST(LineErrors, cut_off_last_line_is_said) {
  const TempFile file(spc_lines(30) + "0,7,40");
  EXPECT_NE(read_refusal(file.path()).find("it is the last line and has no line end, so the file seems cut short"),
            std::string::npos);
}

TEST(LineErrors, whole_last_line_needs_no_line_end) {
  std::string text = spc_lines(3);
  text.pop_back();
  const TempFile file(text);
  const OpenTrace open = open_trace(file.path(), "", {});
  EXPECT_EQ(test::drain(*open.reader).size(), 3U);
  EXPECT_TRUE(open.reader->last_line_open()) << "the user learns of it";
  const TempFile whole(spc_lines(3));
  const OpenTrace closed = open_trace(whole.path(), "", {});
  EXPECT_EQ(test::drain(*closed.reader).size(), 3U);
  EXPECT_FALSE(closed.reader->last_line_open());
}

TEST(LineErrors, empty_lines_and_carriage_returns_do_no_harm) {
  const TempFile file("\r\n0,0,512,w,0.5\r\n\n\n0,8,512,R,0.6\r\n\r\n");
  EXPECT_EQ(test::drain(*open_trace(file.path(), "", {}).reader).size(), 2U);
}

TEST(LineErrors, endless_line_is_refused) {
  const TempFile file(spc_lines(30) + std::string(200'000, '7'));
  EXPECT_NE(
      read_refusal(file.path()).find(":31: a line of more than 65536 bytes; this is no text trace, or it is damaged"),
      std::string::npos);
}

TEST(LineErrors, addresses_and_sizes_of_no_device_are_refused) {
  const auto refused = [](const std::string& line) {
    const TempFile file(line + "\n");
    const std::string text = read_refusal(file.path(), "spc");
    return text.substr(text.find(":1: ") + 4, text.find(';') - text.find(":1: ") - 4);
  };
  EXPECT_EQ(refused("0,18446744073709551615,512,w,1"), "sector 18446744073709551615 + 0 lies beyond any device");
  EXPECT_EQ(refused("0,0,268435457,w,1"), "a transfer of 268435457 bytes is larger than 256 MiB");
  EXPECT_EQ(refused("0,140737488355328,512,w,1"), "byte 72057594037927936 + 512 lies beyond any device");
  EXPECT_EQ(refused("4294967296,0,512,w,1"), "column 1 (ASU): \"4294967296\" is no number of a storage unit");
}

TEST(LineErrors, time_that_no_clock_holds_is_refused) {
  const TempFile decimal("0,0,512,w,1\n0,0,512,w,1e300\n");
  EXPECT_NE(read_refusal(decimal.path(), "spc").find(":2: the time stamp lies more than 14 years from the first one"),
            std::string::npos);
  const TempFile whole("1,a,0,Read,0,512,1\n18446744073709551615,a,0,Read,0,512,1\n");
  EXPECT_NE(read_refusal(whole.path(), "msr").find(":2: the time stamp lies more than 14 years from the first one"),
            std::string::npos);
}

TEST(LineErrors, trace_without_a_request_is_refused) {
  const TempFile header("version,time,op,size,lbn\n");
  EXPECT_EQ(read_refusal(header.path()), header.path() +
                                             ": holds no request that the format cloudphysics knows; look at "
                                             "the file, or set another workload.format (or --format)");
}

TEST(LineErrors, device_column_of_garbage_is_refused) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ",h" + std::to_string(i) + ",0,Read,0,512,1\n";
  const TempFile file(text);
  EXPECT_NE(read_refusal(file.path()).find(":4097: more than 4096 different devices; the column looks damaged"),
            std::string::npos);
}

}  // namespace
}  // namespace ftlab::workloads
