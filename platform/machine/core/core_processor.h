// A processor that executes the instructions of a program: a core, its memory, the windows of the part over TLM, the
// host queue, and interrupts, in simulated time. Knows the board's addresses; nothing of flash, layers or workloads.
//
// Time is loosely timed: an instruction takes what the core says, an access what part and bridge take, and the core
// runs ahead of the kernel by at most a quantum. It ends at the part's ready edge, which the part foretells, at its own
// timer, and where somebody waits for it, so that nothing depends on the quantum. Asleep it skips to the next of these.
// In event-accurate mode the core interrupts when the line rises in the kernel: asleep it waits there, and awake the
// time that the part foretells is how far it may run ahead.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "platform/files/core_spec.h"
#include "platform/files/processor_profile.h"
#include "platform/machine/core/asked_devices.h"
#include "platform/machine/core/asking_core.h"
#include "platform/machine/core/board_devices.h"
#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/core_watcher.h"
#include "platform/machine/core/dma.h"
#include "platform/machine/core/host_queue.h"
#include "platform/machine/core/part_windows.h"
#include "platform/machine/core/program_memory.h"
#include "platform/machine/core/spin_waits.h"
#include "platform/machine/core/study_values.h"
#include "platform/machine/core/target_core.h"
#include "platform/machine/core/trace_unit.h"
#include "platform/machine/core/uart.h"
#include "platform/machine/ledger.h"
#include "platform/machine/processor.h"

namespace ftlab::platform {

struct CoreOptions {
  CoreSpec core{};
  Ticks quantum = std::chrono::seconds{1};
  bool event_accurate = false;  ///< the part drives its line in the kernel
  std::uint32_t requests = 1;   ///< at the host queue at once
  bool skips_waits = true;      ///< that spin; false: each instruction is executed, to the same results
};

class CoreProcessor final : public Processor, private iss::Bus, private HostQueue::Watcher, private Dma::Mover {
 public:
  /// Of `profile` the cycles of the bridge count.
  CoreProcessor(sc_core::sc_module_name name, const ProcessorProfile& profile, const CoreOptions& options,
                Ledger& ledger, std::unique_ptr<ProgramMemory> memory, std::function<void()> program);
  ~CoreProcessor() override;

  /// Throws InputError for a window that the board has no place for.
  WindowSocket& add_window(std::string_view name, BusCycle cycle) override;
  /// The firmware runs until then.
  void advance(Ticks dt) override;
  void lose_power_at(Ticks t) override;
  void lose_power_behind(std::uint64_t instructions) override { lost_instruction_ = instructions; }
  void measures(bool begins) override;
  void expect_requests(std::uint32_t at_once) override { queue_.divide(at_once == 0 ? options_.requests : at_once); }
  void watch_time(TimeWatcher* watcher) override;
  void look_soon() override { look_cycle_ = 0; }
  [[nodiscard]] std::optional<CoreTotals> core_totals() const override;
  /// The firmware says itself what it works for, by a register.
  Cause set_cause(Cause) override { return ledger_.cause(); }
  [[nodiscard]] Cause cause() const override { return ledger_.cause(); }
  /// Work takes the core's own time.
  void count(Work, std::uint32_t) override {}

  /// From reset, with nothing in RAM but what is handed over, if anything is, until the firmware serves or refuses to.
  void start(std::span<const std::byte> handover);
  /// Shows it to the firmware, now.
  void post(const HostQueue::Request& request);
  /// The firmware runs until it has completed a request, or until `t`.
  void run_to_answer(Ticks t);

  /// Takes lines of the UART, and of semihosting, with the time of the core at their ends.
  void set_console(std::function<void(Ticks at, std::string_view line)> console) { console_ = std::move(console); }
  /// Looks at the core and may hold it; owned by the processor. Before the simulation starts.
  void let_watch(std::unique_ptr<CoreWatcher> watcher) { core_watcher_ = std::move(watcher); }
  [[nodiscard]] TargetCore& core() { return *core_; }
  [[nodiscard]] const TargetCore& core() const { return *core_; }
  /// Of the core; the processor's own time follows it.
  [[nodiscard]] Ticks core_time() const { return bus_now(); }
  /// As a debugger reads. False: there is no memory, or nothing that can be read without changing it.
  bool look(std::uint32_t address, std::span<std::uint8_t> into);
  /// Before the next instruction. False, and nothing happens: nobody would mount again.
  bool lose_power_now() {
    if (measures_) lost_cycle_ = core_->cycles();
    return measures_;
  }

  [[nodiscard]] HostQueue& queue() { return queue_; }
  [[nodiscard]] StudyValues& study_values() { return values_; }
  [[nodiscard]] ProgramMemory& memory() { return *memory_; }
  [[nodiscard]] const CoreOptions& options() const { return options_; }
  [[nodiscard]] std::uint64_t instructions() const { return core_->instructions(); }
  /// Of these, in waits that spin and were not executed one by one.
  [[nodiscard]] std::uint64_t instructions_counted() const { return waits_.counted(); }
  [[nodiscard]] AskingCore& asking() { return asking_; }
  [[nodiscard]] const AskingCore& asking() const { return asking_; }

 private:
  void start_of_simulation() override;
  void see_line_rise() { line_rose_ = true; }
  bool read(std::uint32_t address, unsigned size, std::uint32_t& value) override;
  bool write(std::uint32_t address, unsigned size, std::uint32_t value) override;
  bool access(tlm::tlm_command command, std::uint32_t address, unsigned size, std::uint32_t& value);
  /// Memory that the core leaves to the bus while somebody watches it; null: there is none at this address.
  std::uint8_t* left_memory(std::uint32_t address, bool write);
  bool access_part(PartWindows::Window& window, tlm::tlm_command command, std::uint32_t address, unsigned size,
                   std::uint32_t& value);
  bool move(const Dma::Transfer& transfer, std::uint64_t& cycles, std::string& why) override;
  /// The part may have been told something.
  void part_written(std::uint64_t cycle);
  /// A reset makes the core's own counts begin anew.
  void keep_counts();
  /// The instruction that makes an access waits.
  void wait_for_bus(std::uint64_t cycles);
  void cause_is(Cause cause) override;
  void answered() override;

  void run_until(Ticks t, bool to_answer);
  void step(std::uint64_t target);
  /// A loop repeats: goes on with what begins before that cycle, and counts waits that spin.
  iss::CoreStop execute_waiting(iss::CoreStop stop, std::uint64_t end);
  void see_edge(std::uint64_t cycle);
  /// Event-accurate: the kernel comes to the core's time, and the line has the level of that time.
  void let_line_settle();
  /// The same, and waits for the line to rise until the core's time is `cycle`; gives the cycle at which the sleep
  /// ends.
  std::uint64_t wait_for_line(std::uint64_t cycle);
  void see_kernel_time();
  /// Time that has passed since the last call goes to the cause in force.
  void book();
  void synchronise() override;
  void program_has_ended() override {
    if (core_watcher_ != nullptr) core_watcher_->ended();
  }
  /// Whether the core has stopped to call by semihosting; it goes on.
  bool serve_semihosting();
  [[noreturn]] void fail(const std::string& what, iss::StopReason reason = iss::StopReason::requested);
  [[noreturn]] void fail_at(const iss::CoreStop& stop);
  void check_progress(std::uint64_t waiting_since);
  /// What the host has of a firmware that goes no further, with the interrupts that may be why; begins with a comma.
  [[nodiscard]] std::string left_undone() const;
  [[nodiscard]] Ticks bus_now() const { return clock_.at(core_->cycles()); }
  /// Over all resets.
  [[nodiscard]] std::uint64_t executed() const { return totals_.instructions + core_->instructions(); }

  const ProcessorProfile profile_;
  const CoreOptions options_;
  const CoreClock clock_;
  CoreClock::Lasting lasting_{clock_};
  Ledger& ledger_;
  std::unique_ptr<ProgramMemory> memory_;
  std::unique_ptr<TargetCore> core_;
  HostQueue queue_;
  Uart uart_;
  Dma dma_{"dma", clock_, *this};
  TraceUnit trace_{"trace", clock_};
  StudyValues values_{"study_values"};
  BoardDevices devices_;
  PartWindows part_;
  AskingCore asking_;
  std::unique_ptr<CoreWatcher> core_watcher_;
  std::function<void(Ticks at, std::string_view line)> console_;
  CoreTotals totals_;               ///< cycles up to the last booking; instructions before the last reset
  std::uint64_t slept_cycles_ = 0;  ///< since the last booking
  Ticks kernel_now_{};
  Ticks edge_ = kNever;                                ///< of the part's ready line, as it foretells
  std::uint64_t edge_cycle_ = CoreClock::kNeverCycle;  ///< the same, as a cycle
  bool line_rose_ = false;                             ///< in the kernel, since the last step
  std::uint64_t lost_cycle_ = CoreClock::kNeverCycle;
  std::uint64_t lost_instruction_ = kNoInstruction;
  TimeWatcher* time_watcher_ = nullptr;
  std::uint64_t look_cycle_ = CoreClock::kNeverCycle;
  std::uint64_t sync_cycle_ = 0;
  AskedDevices asked_;
  SpinWaits waits_{*core_, clock_, ledger_, asked_};
  bool answered_ = false;
  bool measures_ = false;
};

}  // namespace ftlab::platform
