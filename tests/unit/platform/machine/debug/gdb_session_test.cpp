#include "platform/machine/debug/gdb_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "platform/machine/debug/gdb_packets.h"

namespace ftlab::platform::gdb {
namespace {

/// Three registers, and 16 bytes of memory at 0x100.
class FakeTarget final : public DebugTarget {
 public:
  std::array<std::uint32_t, 3> regs{1, 0x12345678, 0xFFFFFFFF};
  std::array<std::uint8_t, 16> memory{};
  std::vector<StopPlace> places;
  std::string commanded;

  [[nodiscard]] std::string_view description() const override { return "<target>three</target>"; }
  [[nodiscard]] std::size_t registers() const override { return regs.size(); }
  [[nodiscard]] std::uint32_t reg(std::size_t at) const override { return regs.at(at); }
  void set_reg(std::size_t at, std::uint32_t value) override { regs.at(at) = value; }
  bool read(std::uint32_t address, std::span<std::uint8_t> into) override {
    if (!holds(address, into.size())) return false;
    std::copy_n(memory.begin() + (address - kBase), into.size(), into.begin());
    return true;
  }
  bool write(std::uint32_t address, std::span<const std::uint8_t> from) override {
    if (!holds(address, from.size())) return false;
    std::ranges::copy(from, memory.begin() + (address - kBase));
    return true;
  }
  bool stop_at(const StopPlace& place) override {
    if (place.bytes > 8) return false;
    places.push_back(place);
    return true;
  }
  void forget(const StopPlace& place) override { std::erase(places, place); }
  std::string command(std::string_view words) override { return commanded = words; }
  [[nodiscard]] std::string state() const override { return "host"; }

 private:
  static constexpr std::uint32_t kBase = 0x100;
  [[nodiscard]] bool holds(std::uint32_t address, std::size_t size) const {
    return address >= kBase && address - kBase + size <= memory.size();
  }
};

class GdbSession : public ::testing::Test {
 protected:
  std::string answer(std::string_view packet) { return session_.handle(packet).text.value_or("(none)"); }
  std::optional<Resume> resumed(std::string_view packet) { return session_.handle(packet).resume; }

  FakeTarget target_;
  Session session_{target_};
};

TEST_F(GdbSession, registers_are_read_and_set_together_and_alone) {
  EXPECT_EQ(answer("g"), "0100000078563412ffffffff");
  EXPECT_EQ(answer("p1"), "78563412");
  EXPECT_EQ(answer("P2=01020304"), "OK");
  EXPECT_EQ(target_.regs[2], 0x04030201U);
  EXPECT_EQ(answer("G" + std::string(16, '0') + "0a000000"), "OK");
  EXPECT_EQ(target_.regs, (std::array<std::uint32_t, 3>{0, 0, 10}));
  for (const char* wrong : {"p3", "p", "p1x", "P3=00000000", "P1=00", "P1", "G00", "Gxx"})
    EXPECT_EQ(answer(wrong), "E01") << wrong;
  EXPECT_EQ(target_.regs, (std::array<std::uint32_t, 3>{0, 0, 10}));
}

TEST_F(GdbSession, memory_is_read_and_written_where_there_is_some) {
  EXPECT_EQ(answer("M104,3:0a0b0c"), "OK");
  EXPECT_EQ(answer("m103,5"), "000a0b0c00");
  EXPECT_EQ(answer("X100,2:#}"), "OK") << "the reader has taken the escapes out";
  EXPECT_EQ(answer("m100,2"), "237d");
  EXPECT_EQ(answer("X100,0:"), "OK") << "GDB asks so whether there are bytes without digits";
  for (const char* wrong : {"m10f,2", "m0,1", "m100", "m100,ffffffff", "M104,3:0a0b", "M10f,2:0000", "X100,1:ab"})
    EXPECT_EQ(answer(wrong), "E01") << wrong;
}

TEST_F(GdbSession, stops_are_set_and_forgotten_by_kind) {
  EXPECT_EQ(answer("Z0,80,2"), "OK");
  EXPECT_EQ(answer("Z1,90,2;X1,0"), "OK");
  EXPECT_EQ(answer("Z2,104,4"), "OK");
  EXPECT_EQ(answer("Z3,104,4"), "OK");
  EXPECT_EQ(answer("Z4,104,4"), "OK");
  EXPECT_EQ(target_.places, (std::vector<StopPlace>{{StopKind::instruction, 0x80, 1},
                                                    {StopKind::instruction, 0x90, 1},
                                                    {StopKind::write, 0x104, 4},
                                                    {StopKind::read, 0x104, 4},
                                                    {StopKind::access, 0x104, 4}}));
  EXPECT_EQ(answer("z0,80,3"), "OK");
  EXPECT_EQ(target_.places.size(), 4U);
  EXPECT_EQ(answer("Z2,104,10"), "E01");
  EXPECT_EQ(answer("Z5,104,1"), "");
  EXPECT_EQ(answer("Z0"), "E01");
}

TEST_F(GdbSession, the_user_says_how_it_goes_on) {
  EXPECT_EQ(answer("vCont?"), "vCont;c;C;s;S");
  for (const char* go : {"c", "C05", "vCont;c", "vCont;c:1"}) EXPECT_EQ(resumed(go), Resume::go) << go;
  for (const char* step : {"s", "S05", "vCont;s:1;c", "vCont;S05:1"}) EXPECT_EQ(resumed(step), Resume::step) << step;
  EXPECT_EQ(answer("vCont;r100,200:1"), "E01");
  EXPECT_EQ(resumed("D"), Resume::detach);
  EXPECT_EQ(resumed("k"), Resume::kill);
  EXPECT_EQ(resumed("vKill;1"), Resume::kill);
}

TEST_F(GdbSession, a_stop_is_said_again_when_asked_for) {
  EXPECT_EQ(answer("?"), "S05");
  EXPECT_EQ(session_.stopped(Signal::fault), "T0bthread:1;");
  EXPECT_EQ(answer("?"), "T0bthread:1;");
  EXPECT_EQ(session_.stopped_behind({StopKind::read, 0x104, 4}, 0x20000106), "T05thread:1;rwatch:20000106;");
  EXPECT_EQ(answer("?"), "T05thread:1;rwatch:20000106;");
  EXPECT_EQ(Session::ended(2), "W02");
}

TEST_F(GdbSession, the_description_comes_in_pieces) {
  EXPECT_EQ(answer("qXfer:features:read:target.xml:0,8"), "m<target>");
  EXPECT_EQ(answer("qXfer:features:read:target.xml:8,1000"), "lthree</target>");
  EXPECT_EQ(answer("qXfer:features:read:target.xml:ff,10"), "E01");
}

TEST_F(GdbSession, acknowledgements_end_when_gdb_says_so) {
  EXPECT_TRUE(session_.acknowledges());
  EXPECT_NE(answer("qSupported:multiprocess+;swbreak+").find("QStartNoAckMode+"), std::string::npos);
  EXPECT_EQ(answer("QStartNoAckMode"), "OK");
  EXPECT_FALSE(session_.acknowledges());
}

TEST_F(GdbSession, there_is_one_thread_which_says_what_it_works_for) {
  EXPECT_EQ(answer("qfThreadInfo"), "m1");
  EXPECT_EQ(answer("qsThreadInfo"), "l");
  EXPECT_EQ(answer("qThreadExtraInfo,1"), hex(std::string_view("host")));
  EXPECT_EQ(answer("Hg0"), "OK");
}

TEST_F(GdbSession, monitor_commands_reach_the_target) {
  EXPECT_EQ(answer("qRcmd," + hex(std::string_view("time"))), hex(std::string_view("time")));
  EXPECT_EQ(target_.commanded, "time");
  EXPECT_EQ(answer("qRcmd,7"), "E01");
}

TEST_F(GdbSession, what_is_not_known_is_answered_by_nothing) {
  for (const char* packet : {"", "vMustReplyEmpty", "qTStatus", "qL1200000000000000000", "!", "R00", "bc"})
    EXPECT_EQ(answer(packet), "") << packet;
}

}  // namespace
}  // namespace ftlab::platform::gdb
