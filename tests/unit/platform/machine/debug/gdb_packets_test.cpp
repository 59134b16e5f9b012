#include "platform/machine/debug/gdb_packets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ftlab::platform::gdb {
namespace {

using Kind = PacketReader::Kind;
using Event = PacketReader::Event;

std::vector<Event> events_of(PacketReader& reader, std::string_view bytes) {
  reader.feed(bytes);
  std::vector<Event> events;
  while (const auto event = reader.take()) events.push_back(*event);
  return events;
}

TEST(GdbPackets, a_packet_comes_out_as_it_went_in) {
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& packet : {std::string{}, std::string{"m0,4"}, every, std::string("}}##$$**")}) {
    PacketReader reader;
    EXPECT_EQ(events_of(reader, framed(packet)), (std::vector{Event{Kind::packet, packet}}));
  }
  EXPECT_EQ(framed("OK"), "$OK#9a") << "the manual's example";
}

TEST(GdbPackets, a_packet_may_come_byte_by_byte) {
  PacketReader reader;
  const std::string bytes = "+" + framed("vCont;c") + "\x03" + framed("g");
  std::vector<Event> events;
  for (const char c : bytes)
    for (const Event& event : events_of(reader, {&c, 1})) events.push_back(event);
  EXPECT_EQ(events,
            (std::vector{Event{Kind::packet, "vCont;c"}, Event{Kind::interrupt, {}}, Event{Kind::packet, "g"}}));
}

TEST(GdbPackets, a_packet_with_another_checksum_is_damaged) {
  PacketReader reader;
  EXPECT_EQ(events_of(reader, "$m0,4#00$m0,4#zz-" + framed("g")),
            (std::vector{Event{Kind::damaged, {}}, Event{Kind::damaged, {}}, Event{Kind::again, {}},
                         Event{Kind::packet, "g"}}));
}

TEST(GdbPackets, a_packet_without_an_end_is_dropped) {
  PacketReader reader;
  EXPECT_EQ(events_of(reader, "$" + std::string(3 * kPacketBytes, 'x')), (std::vector{Event{Kind::damaged, {}}}));
  EXPECT_EQ(events_of(reader, framed("g")), (std::vector{Event{Kind::packet, "g"}}));
}

TEST(GdbPackets, numbers_have_their_first_digit_in_front_and_words_their_last_byte) {
  EXPECT_EQ(hex(0x12345678U), "78563412");
  EXPECT_EQ(hex(std::string_view("AZ")), "415a");
  EXPECT_EQ(bytes_of("00ff1A"), (std::vector<std::uint8_t>{0x00, 0xFF, 0x1A}));
  EXPECT_EQ(bytes_of("0"), std::nullopt);
  EXPECT_EQ(bytes_of("0g"), std::nullopt);
  std::string_view text = "1f,ffffffff,100000000";
  EXPECT_EQ(take_number(text), 0x1FU);
  EXPECT_FALSE(take(text, ";"));
  EXPECT_TRUE(take(text, ","));
  EXPECT_EQ(take_number(text), 0xFFFFFFFFU);
  EXPECT_TRUE(take(text, ","));
  EXPECT_EQ(take_number(text), std::nullopt) << "has 33 bits";
  EXPECT_EQ(text, "100000000");
}

}  // namespace
}  // namespace ftlab::platform::gdb
