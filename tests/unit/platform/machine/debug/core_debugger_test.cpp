// A debugger that is a thread of the test, on a core with a few instructions.
#include "platform/machine/debug/core_debugger.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"

namespace ftlab::platform {
namespace {

using boost::asio::ip::tcp;

class Client {
 public:
  explicit Client(std::uint16_t port) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
    EXPECT_EQ(ask("QStartNoAckMode"), "OK");
    say("+");
  }
  void say(std::string_view bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
  /// The next packet that comes.
  std::string hear() {
    for (;;) {
      if (const auto event = reader_.take()) return event->packet;
      std::array<char, 1024> bytes{};
      boost::system::error_code gone;
      const std::size_t size = socket_.read_some(boost::asio::buffer(bytes), gone);
      if (gone) return "(gone)";
      reader_.feed({bytes.data(), size});
    }
  }
  std::string ask(std::string_view packet) {
    say(gdb::framed(packet));
    return hear();
  }
  std::string command(std::string_view words) {
    const auto said = gdb::bytes_of(ask("qRcmd," + gdb::hex(words)));
    return said ? std::string(said->begin(), said->end()) : "(no text)";
  }
  void leave() { socket_.close(); }

 private:
  boost::asio::io_context context_;
  tcp::socket socket_{context_};
  gdb::PacketReader reader_;
};

struct Outcome {
  std::string error;  ///< empty: none
  Ticks now{};
};

/// Two stores to RAM, a read of the part and its value as the report; then for ever on the spot.
std::unique_ptr<ProgramMemory> program() {
  return small_program({load(0, 4), 0x2105, kStoreR1, kStoreHalfR1, load(0, 3), kReadHalfR1, load(0, 3), kStoreR1,
                        kStay, kNothing, 0x0040, 0x2000, 0x0000, 0x6000, 0x0014, 0x4000});
}

Outcome run(std::unique_ptr<ProgramMemory> memory, const std::function<void(Client&)>& debugger) {
  std::thread user;
  const auto debugged = [&](CoreProcessor& cpu) {
    auto link = std::make_unique<gdb::Link>(0);
    user = std::thread([port = link->port(), &debugger] {
      Client client(port);
      debugger(client);
    });
    cpu.let_watch(std::make_unique<CoreDebugger>(cpu, std::move(link)));
  };
  Outcome outcome;
  {
    Fixture fixture(
        std::move(memory),
        [&outcome](Fixture& f) {
          f.start();
          f.cpu.advance(std::chrono::microseconds{10});
          outcome.now = f.cpu.now();
        },
        std::chrono::milliseconds{1}, debugged);
    try {
      fixture.cpu.rethrow_error();
    } catch (const std::exception& error) {
      outcome.error = error.what();
    }
  }
  user.join();
  return outcome;
}

/// Eight instructions and the access of the part, and ten microseconds.
constexpr Ticks kUndisturbed = std::chrono::nanoseconds{800 + 500 + 10'000};

const std::string kTrap = "T05thread:1;";

TEST(CoreDebugger, steps_breakpoints_and_looks_change_no_time) {
  const Outcome outcome = run(program(), [](Client& client) {
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt)) << "stands at the first instruction";
    EXPECT_EQ(client.ask("vCont;s:1"), kTrap);
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 2));
    EXPECT_EQ(client.ask("p0"), gdb::hex(0x20000040U));
    EXPECT_EQ(client.ask("Z0,8c,2"), "OK");
    EXPECT_EQ(client.ask("c"), kTrap);
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 12));
    EXPECT_EQ(client.ask("m20000040,4"), "05000000");
    EXPECT_EQ(client.ask("m40000000,4"), "46544851") << "the host queue's register";
    EXPECT_EQ(client.ask("m60000000,2"), "E01") << "this part shows nothing without an access";
    EXPECT_NE(client.command("time").find("0.000001 s, 11 cycles, 6 instructions"), std::string::npos)
        << client.command("time");
    EXPECT_NE(client.command("power off").find("not now"), std::string::npos);
    EXPECT_EQ(client.ask("c"), "W00");
  });
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.now, kUndisturbed);
}

TEST(CoreDebugger, stops_behind_accesses_of_memory_and_of_devices) {
  const Outcome outcome = run(program(), [](Client& client) {
    EXPECT_EQ(client.ask("Z2,20000041,1"), "OK");
    EXPECT_EQ(client.ask("Z3,60000000,2"), "OK");
    EXPECT_EQ(client.ask("Z4,40000014,4"), "OK");
    EXPECT_EQ(client.ask("Z3,20000040,4"), "OK") << "is not read";
    EXPECT_EQ(client.ask("c"), kTrap + "watch:20000041;");
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 6));
    EXPECT_EQ(client.ask("c"), kTrap + "watch:20000041;") << "of half a word";
    EXPECT_EQ(client.ask("z2,20000041,1"), "OK");
    EXPECT_EQ(client.ask("m20000040,4"), "05000000") << "has been written though the core left it to the bus";
    EXPECT_EQ(client.ask("c"), kTrap + "rwatch:60000000;");
    EXPECT_EQ(client.ask("c"), kTrap + "awatch:40000014;");
    EXPECT_EQ(client.ask("c"), "W00");
  });
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.now, kUndisturbed);
}

TEST(CoreDebugger, the_user_changes_registers_memory_and_code) {
  const Outcome outcome = run(program(), [](Client& client) {
    EXPECT_EQ(client.ask("vCont;s"), kTrap);
    EXPECT_EQ(client.ask("M82,2:0721"), "OK") << "movs r1, #7";
    EXPECT_EQ(client.ask("P0=44000020"), "OK");
    EXPECT_EQ(client.ask("Z0,86,2"), "OK");
    EXPECT_EQ(client.ask("c"), kTrap);
    EXPECT_EQ(client.ask("m20000044,4"), "07000000");
    EXPECT_EQ(client.ask("M40000000,4:00000000"), "E01") << "no memory";
    EXPECT_EQ(client.ask("D"), "OK");
    EXPECT_EQ(client.hear(), "(gone)");
  });
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.now, kUndisturbed);
}

TEST(CoreDebugger, an_interrupt_stops_a_program_that_runs) {
  const Outcome outcome = run(small_program({kStay}), [](Client& client) {
    client.say(gdb::framed("c"));
    client.say("\x03");
    EXPECT_EQ(client.hear(), "T02thread:1;");
    client.say(gdb::framed("k"));
    EXPECT_EQ(client.hear(), "(gone)");
  });
  EXPECT_EQ(outcome.error, "the debugger has ended the run; there are no results");
}

TEST(CoreDebugger, a_mistake_is_held_where_it_happens_and_then_ends_the_run) {
  const Outcome outcome = run(small_program({kNothing, 0xDE00}), [](Client& client) {
    const std::string said = client.ask("c");
    ASSERT_EQ(said.substr(0, 1), "O");
    const auto text = gdb::bytes_of(std::string_view(said).substr(1));
    EXPECT_NE(std::string(text->begin(), text->end()).find("illegal instruction"), std::string::npos);
    EXPECT_EQ(client.hear(), "T04thread:1;");
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 2));
    EXPECT_EQ(client.ask("c"), "W02");
  });
  EXPECT_NE(outcome.error.find("illegal instruction"), std::string::npos) << outcome.error;
}

TEST(CoreDebugger, a_breakpoint_of_the_program_stops_it) {
  const Outcome outcome = run(small_program({kNothing, 0xBE00, kStay}), [](Client& client) {
    EXPECT_EQ(client.ask("c"), kTrap);
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 2));
    EXPECT_EQ(client.ask("Pf=84000000"), "OK");
    EXPECT_EQ(client.ask("vCont;s"), kTrap);
    EXPECT_EQ(client.ask("pf"), gdb::hex(kCodeAt + 4));
    client.leave();
  });
  EXPECT_NE(outcome.error.find("has asked neither"), std::string::npos) << "goes on alone: " << outcome.error;
}

TEST(CoreDebugger, a_port_in_use_is_refused) {
  const gdb::Link first(0);
  EXPECT_THROW(gdb::Link{first.port()}, InputError);
}

}  // namespace
}  // namespace ftlab::platform
