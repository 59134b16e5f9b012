// The CPU model against a fake device that is busy for a while after each command.
#include "platform/machine/native_processor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ftlab::platform {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr Ticks kDeviceCycle = nanoseconds{150};
constexpr Ticks kBusy = milliseconds{7};

/// Reads 0 while busy and 0x0080 when ready; any write starts kBusy of work.
class FakeDevice : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public hw::TimeHintIf {
 public:
  tlm::tlm_target_socket<16> target{"target"};
  tlm::tlm_target_socket<16> second{"second"};
  sc_core::sc_out<bool> ready{"ready"};
  std::vector<Ticks> reads;
  bool event_accurate = false;

  explicit FakeDevice(sc_core::sc_module_name name) : sc_module(name) {
    target.bind(*this);
    second.bind(*this);
    SC_HAS_PROCESS(FakeDevice);
    SC_METHOD(drive);
    sensitive << change_;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const Ticks now{static_cast<std::int64_t>((sc_core::sc_time_stamp() + delay).value())};
    if (payload.is_read()) {
      reads.push_back(now);
      std::fill_n(payload.get_data_ptr(), payload.get_data_length(), 0);
      if (now >= ready_at_) payload.get_data_ptr()[0] = 0x80;
    } else {
      ready_at_ = now + kBusy;
      change_.notify(delay);
    }
    const int cycles = payload.get_data_length() == 1 ? 1 : static_cast<int>(payload.get_data_length() / 2);
    delay += sc_core::sc_time::from_value(static_cast<sc_dt::uint64>((kDeviceCycle * cycles).count()));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  Ticks next_ready_edge(Ticks now) const override { return ready_at_ > now ? ready_at_ : kNever; }
  Ticks next_status_change(Ticks now) const override { return next_ready_edge(now); }
  Ticks ready_at() const { return ready_at_; }

 private:
  void drive() {
    const Ticks now{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
    ready.write(now >= ready_at_);
    if (event_accurate && now < ready_at_) {
      next_trigger(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>((ready_at_ - now).count())));
    }
  }
  Ticks ready_at_{};
  sc_core::sc_event change_;
};

struct Fixture {
  explicit Fixture(bool event_accurate, std::function<void(Fixture&)> program, Ticks read_cycle = nanoseconds{400})
      : cpu("cpu", profile(read_cycle), {event_accurate, std::chrono::seconds{1}}, ledger,
            [this, program] { program(*this); }) {
    device.event_accurate = event_accurate;
    cpu.add_window("common", BusCycle::memory).bind(device.target);
    cpu.add_window("attribute", BusCycle::attribute).bind(device.second);
    device.ready.bind(ready);
    cpu.ready.bind(ready);
    cpu.hint.bind(device);
    sc_core::sc_start();
    cpu.rethrow_error();
  }
  static ProcessorProfile profile(Ticks read_cycle) {
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    ProcessorProfile p;
    p.bus_read_cycle = read_cycle;
    p.bus_write_cycle = nanoseconds{100};  // faster than the device: the device limits
    p.attribute_cycle = nanoseconds{500};
    p.timer_tick = milliseconds{10};
    p.interrupt_latency = microseconds{30};
    p.work[static_cast<std::size_t>(Work::page_copy)] = microseconds{5};
    return p;
  }
  Ledger ledger;
  sc_core::sc_signal<bool> ready{"ready"};
  FakeDevice device{"device"};
  NativeProcessor cpu;
};

WaitSpec ready_wait(WaitStyle style, std::uint64_t interval_ns) {
  return {.address = 0,
          .mask = 0x80,
          .expected = 0x80,
          .style = style,
          .poll_interval_ns = interval_ns,
          .deadline_ns = 1'000'000'000};
}

TEST(NativeProcessor, a_burst_takes_the_slower_of_bridge_and_device_cycle_by_cycle) {
  Fixture fixture(false, [](Fixture& f) {
    std::vector<std::byte> data(64);
    f.cpu.port("common").copy_from(0, data);
    EXPECT_EQ(f.cpu.now(), nanoseconds{400} * 32);
    f.cpu.port("common").copy_to(0, data);
    EXPECT_EQ(f.cpu.now(), nanoseconds{400} * 32 + kDeviceCycle * 32);
    f.cpu.port("attribute").read8(0);
    EXPECT_EQ(f.cpu.now(), nanoseconds{400} * 32 + kDeviceCycle * 32 + nanoseconds{500});
  });
  EXPECT_EQ(fixture.ledger.totals().simulated(), fixture.cpu.now());
}

TEST(NativeProcessor, work_is_costed_and_booked_under_its_cause) {
  Fixture fixture(false, [](Fixture& f) {
    const CauseScope scope(f.cpu, Cause::clean);
    f.cpu.count(Work::page_copy, 3);
  });
  EXPECT_EQ(fixture.ledger.totals().elapsed[static_cast<std::size_t>(Cause::clean)], microseconds{15});
  EXPECT_EQ(fixture.ledger.totals().work[static_cast<std::size_t>(Work::page_copy)], 3U);
}

TEST(NativeProcessor, sleeping_wakes_on_the_timer_grid) {
  Fixture fixture(false, [](Fixture& f) {
    f.cpu.sleep_until(milliseconds{3});
    f.cpu.port("common").write16(0, 1);
    EXPECT_TRUE(f.cpu.port("common").wait_until(ready_wait(WaitStyle::sleep, 10'000'000)).met);
  });
  ASSERT_EQ(fixture.device.reads.size(), 2U);
  EXPECT_EQ(fixture.device.reads[1], milliseconds{10}) << "ready at 10 ms, and 10 ms is a timer tick";
}

class BothModes : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Timing, BothModes, ::testing::Values(false, true),
                         [](const auto& timing) { return timing.param ? "event_accurate" : "loose"; });

TEST_P(BothModes, the_ready_interrupt_wakes_at_the_edge_plus_latency) {
  Ticks woke{};
  Fixture fixture(GetParam(), [&](Fixture& f) {
    f.cpu.sleep_until(milliseconds{3});
    f.cpu.port("common").write16(0, 1);
    EXPECT_TRUE(f.cpu.port("common").wait_until(ready_wait(WaitStyle::ready_interrupt, 0)).met);
    woke = f.cpu.now();
  });
  EXPECT_EQ(woke, fixture.device.ready_at() + microseconds{30} + nanoseconds{400});
}

TEST_P(BothModes, spinning_ends_at_the_first_poll_that_sees_ready_without_simulating_each) {
  Ticks woke{};
  Fixture fixture(GetParam(), [&](Fixture& f) {
    f.cpu.port("common").write16(0, 1);
    EXPECT_TRUE(f.cpu.port("common").wait_until(ready_wait(WaitStyle::spin, 10'000)).met);
    woke = f.cpu.now();
  });
  const Ticks period = microseconds{10} + nanoseconds{400};
  EXPECT_GE(woke, fixture.device.ready_at());
  EXPECT_LT(woke, fixture.device.ready_at() + period + nanoseconds{400});
  EXPECT_LT(fixture.device.reads.size(), 6U);
}

/// Counts what stands for polls that were not simulated.
class Repeats final : public OperationSink {
 public:
  void record(const hw::DeviceOp&, Cause) override {}
  void begin_phase(const char*) override {}
  void repeat_access(std::uint64_t times, Ticks period) override {
    polls += times;
    EXPECT_EQ(period, kDeviceCycle);
  }
  std::uint64_t polls = 0;
};

TEST_P(BothModes, spinning_on_a_bridge_faster_than_the_device_polls_as_often_as_the_device_answers) {
  Repeats repeats;
  Ticks woke{};
  Fixture fixture(
      GetParam(),
      [&](Fixture& f) {
        f.ledger.set_sink(&repeats);
        f.cpu.port("common").write16(0, 1);
        EXPECT_TRUE(f.cpu.port("common").wait_until(ready_wait(WaitStyle::spin, 0)).met);
        woke = f.cpu.now();
      },
      nanoseconds{1});
  EXPECT_GE(woke, fixture.device.ready_at());
  EXPECT_LT(woke, fixture.device.ready_at() + 2 * kDeviceCycle);
  const auto most = static_cast<std::uint64_t>(kBusy / kDeviceCycle);
  EXPECT_LE(repeats.polls, most);
  EXPECT_GT(repeats.polls + 10, most);
}

TEST_P(BothModes, a_condition_that_never_holds_ends_at_the_deadline) {
  Ticks gave_up{};
  Fixture fixture(GetParam(), [&](Fixture& f) {
    WaitSpec never = ready_wait(WaitStyle::ready_interrupt, 0);
    never.mask = 0x40;
    never.expected = 0x40;
    never.deadline_ns = 50'000'000;
    EXPECT_FALSE(f.cpu.port("common").wait_until(never).met);
    gave_up = f.cpu.now();
  });
  EXPECT_GE(gave_up, milliseconds{50});
  EXPECT_LT(gave_up, milliseconds{51});
}

/// Each way in which time passes.
const std::pair<const char*, std::function<void(Fixture&)>> kPasses[] = {
    {"work", [](Fixture& f) { f.cpu.count(Work::page_copy, UINT32_MAX); }},
    {"sleep", [](Fixture& f) { f.cpu.sleep_until(later(f.cpu.now(), kClockEnd / 7)); }},
    {"sleep_for_ever", [](Fixture& f) { f.cpu.sleep_until(kNever); }},
    {"delay", [](Fixture& f) { f.cpu.port("common").delay_ns(UINT64_C(400'000'000'000'000'000)); }},
    {"wait",
     [](Fixture& f) {
       WaitSpec never = ready_wait(WaitStyle::sleep, 3600'000'000'000);
       never.mask = 0x40;
       never.expected = 0x40;
       never.deadline_ns = 300'000'000'000'000'000;
       (void)f.cpu.port("common").wait_until(never);
     }},
    {"spin",
     [](Fixture& f) {
       WaitSpec never = ready_wait(WaitStyle::spin, 3600'000'000'000);
       never.mask = 0x40;
       never.expected = 0x40;
       never.deadline_ns = 300'000'000'000'000'000;
       (void)f.cpu.port("common").wait_until(never);
     }},
};

/// However time passes, in either mode.
class ClockEnds : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(Passes, ClockEnds,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size(kPasses)), ::testing::Bool()),
                         [](const auto& pass) {
                           return std::string(kPasses[std::get<0>(pass.param)].first) +
                                  (std::get<1>(pass.param) ? "_event_accurate" : "_loose");
                         });

TEST_P(ClockEnds, with_a_message_before_64_bits_do_and_books_all_time) {
  const auto& [pass, event] = GetParam();
  Ticks before{};
  const auto run = [&, pass = pass](Fixture& f) {
    for (int i = 0; i < 1'000'000'000; ++i) {
      ASSERT_GE(f.cpu.now(), before) << "time ran backwards";
      ASSERT_EQ(f.ledger.totals().simulated(), f.cpu.now());
      before = f.cpu.now();
      if (before < kClockEnd - kClockEnd / 50) f.cpu.sleep_until(kClockEnd - kClockEnd / 50);
      kPasses[pass].second(f);
    }
  };
  EXPECT_THROW(Fixture(event, run), ClockEnded);
  EXPECT_LE(before, later(kClockEnd, std::chrono::seconds{1}));
}

TEST(NativeProcessor, an_exception_of_the_program_comes_out_of_the_simulation) {
  EXPECT_THROW(Fixture(false, [](Fixture&) { throw std::logic_error("broken"); }), std::logic_error);
}

/// Looks each `period`, as long as nobody looks later.
class Metronome final : public TimeWatcher {
 public:
  explicit Metronome(Ticks every) : period(every) {}
  Ticks look(Ticks now) override {
    looks.push_back(now);
    return (now / period + 1) * period;
  }
  Ticks period;
  std::vector<Ticks> looks;
};

/// All ways in which time passes, from a whole second on, and when each has ended since then.
std::vector<Ticks> pass_time(Fixture& f) {
  const Ticks from = (f.cpu.now() / std::chrono::seconds{1} + 1) * Ticks{std::chrono::seconds{1}};
  f.cpu.sleep_until(from);
  std::vector<Ticks> ends;
  const auto note = [&] { ends.push_back(f.cpu.now() - from); };
  f.cpu.count(Work::page_copy, 1000);
  note();
  f.cpu.sleep_until(f.cpu.now() + milliseconds{7});
  note();
  std::vector<std::byte> data(64);
  f.cpu.port("common").copy_from(0, data);
  note();
  for (const WaitStyle style : {WaitStyle::spin, WaitStyle::sleep, WaitStyle::ready_interrupt}) {
    f.cpu.port("common").write16(0, 1);
    f.cpu.port("common").wait_until(ready_wait(style, 1000));
    note();
  }
  return ends;
}

TEST_P(BothModes, who_watches_time_looks_when_it_says_and_changes_nothing) {
  Metronome metronome{milliseconds{1}};
  Fixture fixture(GetParam(), [&](Fixture& f) {
    const std::vector<Ticks> plain = pass_time(f);
    f.cpu.watch_time(&metronome);
    EXPECT_EQ(pass_time(f), plain);
    f.cpu.watch_time(nullptr);
  });
  ASSERT_GT(metronome.looks.size(), 30U);
  for (std::size_t i = 1; i < metronome.looks.size(); ++i) {
    const Ticks at = metronome.looks[i];
    EXPECT_LE(at % metronome.period, nanoseconds{400} * 32) << "the longest bus access";
    EXPECT_EQ(at / metronome.period, metronome.looks[i - 1] / metronome.period + 1) << "none is left out";
  }
  EXPECT_EQ(fixture.ledger.totals().simulated(), fixture.cpu.now());
}

class SupplyLoss : public ::testing::TestWithParam<bool> {};

/// Whether `work` is interrupted when power is to be lost at `at`.
bool loses_power(Fixture& f, Ticks at, const std::function<void()>& work) {
  f.cpu.lose_power_at(at);
  try {
    work();
  } catch (const PowerLost&) {
    return true;
  }
  return false;
}

Ticks booked(const Fixture& f) { return f.ledger.totals().simulated(); }

TEST_P(SupplyLoss, ends_work_and_sleep_at_the_very_time) {
  Fixture fixture(GetParam(), [](Fixture& f) {
    const Ticks at{nanoseconds{12'345}};
    EXPECT_TRUE(loses_power(f, at, [&] { f.cpu.count(Work::page_copy, 1000); }));
    EXPECT_EQ(f.cpu.now(), at);
    EXPECT_EQ(booked(f), at);
    EXPECT_EQ(f.ledger.totals().work[static_cast<std::size_t>(Work::page_copy)], 0U) << "it was not done";
    EXPECT_TRUE(loses_power(f, 2 * at, [&] { f.cpu.port("common").delay_ns(1'000'000'000'000); }));
    EXPECT_EQ(f.cpu.now(), 2 * at);
    EXPECT_EQ(booked(f), 2 * at);
    f.cpu.advance(at);
    EXPECT_EQ(f.cpu.now(), 3 * at) << "once";
    EXPECT_TRUE(loses_power(f, at, [&] { f.cpu.advance(Ticks::zero()); })) << "the time is past";
    EXPECT_EQ(f.cpu.now(), 3 * at);
    f.cpu.lose_power_at(4 * at);
    EXPECT_FALSE(loses_power(f, kNever, [&] { f.cpu.advance(5 * at); }));
    EXPECT_EQ(booked(f), f.cpu.now());
  });
}

TEST_P(SupplyLoss, lets_a_bus_access_end_that_the_device_has_seen) {
  Fixture fixture(GetParam(), [](Fixture& f) {
    std::vector<std::byte> data(64);
    EXPECT_TRUE(loses_power(f, nanoseconds{700}, [&] { f.cpu.port("common").copy_from(0, data); }));
    EXPECT_EQ(f.cpu.now(), nanoseconds{400} * 32);
    EXPECT_EQ(booked(f), f.cpu.now());
    EXPECT_EQ(f.ledger.totals().bus_time, f.cpu.now());
  });
}

TEST_P(SupplyLoss, ends_every_way_to_wait_for_the_device) {
  Fixture fixture(GetParam(), [](Fixture& f) {
    for (const WaitStyle style : {WaitStyle::spin, WaitStyle::sleep, WaitStyle::ready_interrupt}) {
      f.cpu.port("common").write16(0, 1);
      const Ticks from = f.cpu.now();
      const Ticks bus_before = f.ledger.totals().bus_time;
      const Ticks at = from + milliseconds{3};
      f.device.reads.clear();
      EXPECT_TRUE(loses_power(f, at, [&] { f.cpu.port("common").wait_until(ready_wait(style, 1000)); }));
      EXPECT_GE(f.cpu.now(), at);
      EXPECT_LE(f.cpu.now(), at + nanoseconds{400}) << "a poll may be on the bus";
      EXPECT_EQ(booked(f), f.cpu.now());
      EXPECT_TRUE(std::ranges::all_of(f.device.reads, [&](Ticks t) { return t < at; }));
      // Of polls not simulated one by one, too, there are none behind it: each waits 1,000 ns and takes 400.
      EXPECT_LE((f.ledger.totals().bus_time - bus_before) * 3, at - from);
      f.cpu.sleep_until(from + kBusy);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Timing, SupplyLoss, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "event" : "loose"; });

}  // namespace
}  // namespace ftlab::platform
