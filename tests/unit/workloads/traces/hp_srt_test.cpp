#include <gtest/gtest.h>

#include <boost/endian/conversion.hpp>
#include <initializer_list>

#include "tests/unit/workloads/support.h"
#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {
namespace {

using test::read_refusal;
using test::TempFile;

std::string words(std::initializer_list<std::uint32_t> values) {
  std::string bytes;
  for (const std::uint32_t value : values) {
    const std::uint32_t big = boost::endian::native_to_big(value);
    bytes.append(reinterpret_cast<const char*>(&big), sizeof big);
  }
  return bytes;
}

const std::string kHeader = "$$TR_IOREC-1.3\nsectorsize = 256\n\f";

std::string record(std::uint32_t seconds, std::uint32_t flags) {
  return words({56, 0x40001, seconds, 250'000, 0, 0, 1024, 40, 0x0800000e, 4, 1, flags, 0, 1});
}

TEST(HpSrt, record_is_read_by_its_words) {
  const TempFile file(kHeader + record(10, 0x1b) + record(12, 0x100));
  OpenTrace trace = open_trace(file.path(), "", {});
  EXPECT_EQ(trace.format->name, "hp_srt");
  const auto records = test::drain(*trace.reader);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, RequestKind::read);
  EXPECT_EQ(records[0].time, Ticks{});
  EXPECT_EQ(records[0].offset, 40U * 256);
  EXPECT_EQ(records[0].length, 1024U);
  EXPECT_EQ(trace.reader->device_name(records[0].device), "0x0800000e");
  EXPECT_EQ(records[1].kind, RequestKind::write);
  EXPECT_EQ(records[1].time, Ticks{20'000'000'000});
}

TEST(HpSrt, older_versions_are_a_word_shorter_and_suspect_ones_a_word_longer) {
  const std::string version3 = words({52, 0x30001, 0, 0, 0, 0, 512, 2, 0x08000008, 4, 1, 0, 0});
  const std::string suspect4 = words({60, 0x40004, 0, 0, 0, 0, 512, 4, 0x08000008, 4, 1, 0, 0, 1, 7});
  const TempFile file(kHeader + version3 + suspect4 + record(1, 0));
  const auto records = test::drain(*open_trace(file.path(), "hp_srt", {}).reader);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].offset, 1024U);
  EXPECT_EQ(records[2].offset, 40U * 256);
}

TEST(HpSrt, cut_off_record_is_refused_with_its_place) {
  const std::string whole = kHeader + record(0, 0) + record(1, 0);
  const TempFile file(whole.substr(0, whole.size() - 5));
  EXPECT_EQ(read_refusal(file.path()), file.path() +
                                           ": record 2 at byte 89: only 51 of its 56 bytes are left; the file is "
                                           "damaged or cut short, fetch it again");
  const TempFile stump(whole + "\1\2");
  EXPECT_EQ(read_refusal(stump.path()), stump.path() +
                                            ": record 3 at byte 145: 2 bytes are left, no record is so short; "
                                            "the file is damaged or cut short, fetch it again");
}

TEST(HpSrt, damaged_words_are_refused) {
  const auto refused = [](const std::string& damaged) {
    const TempFile file(kHeader + damaged);
    const std::string text = read_refusal(file.path(), "hp_srt");
    return text.substr(text.find("byte"));
  };
  const std::string end = "; the file is damaged or cut short, fetch it again";
  EXPECT_EQ(refused(words({56, 0x40007})), "byte 33: id 0x40007 is no I/O record of version 1 to 4" + end);
  EXPECT_EQ(refused(words({52, 0x40001})), "byte 33: 52 bytes instead of 56 for id 0x40001" + end);
  EXPECT_EQ(refused(words({56, 0x40001, 1, 1'000'000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})),
            "byte 33: 1000000 microseconds are a second or more" + end);
  EXPECT_EQ(refused(words({56, 0x40001, 4'000'000'000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})),
            "byte 33: 4000000000 seconds after the start are more than 12 years" + end);
  EXPECT_EQ(refused(words({56, 0x40001, 0, 0, 0, 0, 0x80000000, 0, 0, 0, 0, 0, 0, 0})),
            "byte 33: a transfer of 2147483648 bytes is larger than 256 MiB" + end);
}

TEST(HpSrt, header_without_end_or_without_records_is_refused) {
  const TempFile endless("$$TR_IOREC and nothing more");
  EXPECT_EQ(read_refusal(endless.path()),
            endless.path() +
                ": no form feed ends the header within 1 MiB; this is no HP SRT trace, or it is damaged; set "
                "workload.format (or --format) if it is another");
  const TempFile empty(kHeader);
  EXPECT_EQ(read_refusal(empty.path()), empty.path() + ": holds no record");
}

}  // namespace
}  // namespace ftlab::workloads
