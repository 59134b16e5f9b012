#include "platform/machine/core/core_processor.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "common/input_error.h"
#include "firmware/target/board.h"
#include "hw/shell/kernel_time.h"

namespace ftlab::platform {
namespace {

/// Where the board has its flash.
CoreTiming on_board(CoreTiming timing) {
  timing.flash.base = target::kFlash;
  timing.flash.size = target::kFlashBytes;
  return timing;
}

}  // namespace

CoreProcessor::CoreProcessor(sc_core::sc_module_name name, const ProcessorProfile& profile, const CoreOptions& options,
                             Ledger& ledger, std::unique_ptr<ProgramMemory> memory, std::function<void()> program)
    : Processor(name, std::move(program)),
      profile_(profile),
      options_(options),
      clock_(options.core.hz),
      ledger_(ledger),
      memory_(std::move(memory)),
      core_(make_core(memory_->machine(), memory_->regions(), on_board(options.core.timing), *this)),
      queue_("host_queue", memory_->bytes(target::kHostMemory, target::kHostMemoryBytes), target::kHostMemory, *this),
      uart_("uart",
            [this](std::string_view line) {
              if (console_) console_(bus_now(), line);
            }),
      part_(profile_),
      asking_(*memory_) {
  queue_.set_core_hz(static_cast<std::uint32_t>(options.core.hz));
  devices_.add(target::kHostQueue, queue_, true);
  devices_.add(target::kDma, dma_, true);
  // Text, counts, marks and what never changes are nothing that anybody waits for.
  devices_.add(target::kUart, uart_, false);
  devices_.add(target::kTrace, trace_, false);
  devices_.add(target::kStudyValues, values_, false);
  if (options.event_accurate) {
    SC_HAS_PROCESS(CoreProcessor);
    SC_METHOD(see_line_rise);
    sensitive << ready.pos();
    dont_initialize();
  }
}

CoreProcessor::~CoreProcessor() { uart_.flush(); }

WindowSocket& CoreProcessor::add_window(std::string_view name, BusCycle cycle) { return part_.add(name, cycle); }
void CoreProcessor::start_of_simulation() { part_.connect(); }

void CoreProcessor::start(std::span<const std::byte> handover) {
  memory_->power_on();
  if (!handover.empty()) {
    const std::uint32_t at = memory_->address_of("ftlab_handover", handover.size());
    std::memcpy(memory_->bytes(at, handover.size()).data(), handover.data(), handover.size());
  }
  queue_.clear(options_.requests);
  dma_.reset();
  trace_.forget_mark();
  values_.reset();
  if (options_.event_accurate) let_line_settle();
  line_rose_ = false;
  keep_counts();
  core_->reset();
  // Whoever looks at instructions is to see each.
  waits_.look(options_.skips_waits && core_watcher_ == nullptr);
  if (core_watcher_ != nullptr) core_watcher_->started();
  see_edge(core_->cycles());
  while (!queue_.report()) run_until(kNever, true);
}

void CoreProcessor::post(const HostQueue::Request& request) {
  if (queue_.post(request)) core_->pulse(target::kQueueInterrupt);
}

void CoreProcessor::run_to_answer(Ticks t) { run_until(t, true); }
void CoreProcessor::advance(Ticks dt) { run_until(later(now_, dt), false); }

void CoreProcessor::lose_power_at(Ticks t) {
  lost_cycle_ = t == kNever ? CoreClock::kNeverCycle : std::max(clock_.first_from(t), core_->cycles());
}

void CoreProcessor::watch_time(TimeWatcher* watcher) {
  time_watcher_ = watcher;
  look_cycle_ = watcher == nullptr ? CoreClock::kNeverCycle : 0;
}

void CoreProcessor::run_until(Ticks t, bool to_answer) {
  const std::uint64_t target = clock_.first_from(t);
  const std::uint64_t since = core_->cycles();
  answered_ = false;
  do {
    step(target);
    if (to_answer) check_progress(since);
  } while (core_->cycles() < target && !(to_answer && answered_));
}

void CoreProcessor::step(std::uint64_t target) {
  const std::uint64_t held = core_watcher_ != nullptr ? core_watcher_->before_run() : CoreClock::kNeverCycle;
  const std::uint64_t due = std::min({target, edge_cycle_, dma_.edge(), lost_cycle_, look_cycle_});
  if (core_->cycles() < std::min(due, sync_cycle_) && executed() < lost_instruction_) {
    const std::uint64_t end = std::min({due, sync_cycle_, held});
    iss::CoreStop stop = core_->run_until(end, lost_instruction_ - executed());
    if (stop.reason == iss::StopReason::repeats) stop = execute_waiting(stop, end);
    const bool lost = executed() >= lost_instruction_;  // whatever it wanted next
    if (!lost && stop.reason == iss::StopReason::wait_for_interrupt) {
      const std::uint64_t wake = std::min(due, core_->next_timer());
      if (wake == CoreClock::kNeverCycle) fail("sleeps, and nothing will ever wake it" + left_undone());
      const std::uint64_t before = core_->cycles();
      const std::uint64_t until = std::max(before, std::min(wake, sync_cycle_));
      core_->sleep_until(options_.event_accurate ? wait_for_line(until) : until);
      slept_cycles_ += core_->cycles() - before;
      if (core_watcher_ != nullptr) core_watcher_->sleeps(core_->cycles() - before);
    } else if (!lost && stop.reason != iss::StopReason::budget && stop.reason != iss::StopReason::requested) {
      const bool at_breakpoint = stop.reason == iss::StopReason::breakpoint;
      const bool calls = at_breakpoint || stop.reason == iss::StopReason::environment_call;
      const bool called = calls && serve_semihosting();
      if (!called && !(at_breakpoint && core_watcher_ != nullptr && core_watcher_->stopped())) fail_at(stop);
    }
  }
  book();
  // A part that has been brought further on would show the kernel a line that never rose.
  if (options_.event_accurate && core_->cycles() >= std::min(edge_cycle_, look_cycle_)) let_line_settle();
  if (time_watcher_ != nullptr && core_->cycles() >= look_cycle_)
    look_cycle_ = clock_.first_from(time_watcher_->look(now_));
  if (queue_.exit()) fail("has ended: " + memory_->text(*queue_.exit()));
  if (!queue_.misuse().empty()) fail(queue_.misuse());
  if (!dma_.misuse().empty()) fail(dma_.misuse());
  if (core_->cycles() >= edge_cycle_) {
    if (!options_.event_accurate || line_rose_) core_->pulse(target::kReadyInterrupt);
    see_edge(core_->cycles());
  }
  // One that nobody has foretold comes with an access of the core's own, as when it has the part drive its line.
  line_rose_ = false;
  if (core_->cycles() >= dma_.edge()) {
    core_->pulse(target::kDmaInterrupt);
    dma_.line_has_risen();
  }
  if (core_->cycles() >= sync_cycle_) synchronise();
  if (core_->cycles() >= lost_cycle_ || executed() >= lost_instruction_) {
    lost_cycle_ = CoreClock::kNeverCycle;
    lost_instruction_ = kNoInstruction;
    throw PowerLost();
  }
}

iss::CoreStop CoreProcessor::execute_waiting(iss::CoreStop stop, std::uint64_t end) {
  for (;;) {
    const bool repeats = stop.reason == iss::StopReason::repeats;
    if (repeats) {
      const std::uint64_t until = std::min({end, edge_cycle_, dma_.edge(), look_cycle_, core_->next_timer()});
      totals_.bus_cycles += waits_.repeat({until, lost_instruction_ - executed()}, totals_.bus_cycles);
      stop.reason = iss::StopReason::budget;
    }
    const bool goes_on =
        stop.reason == iss::StopReason::budget && core_->cycles() < end && executed() < lost_instruction_;
    if (stop.reason == iss::StopReason::budget && !goes_on) waits_.forget();
    if (!repeats && waits_.records()) waits_.give_up();
    if (!goes_on) return stop;
    stop = core_->run_until(end, std::min(lost_instruction_ - executed(), waits_.room()));
  }
}

void CoreProcessor::see_edge(std::uint64_t cycle) {
  const Ticks edge = hint->next_ready_edge(clock_.at(cycle));
  // Behind most writes it is where it was.
  if (std::exchange(edge_, edge) != edge) edge_cycle_ = clock_.first_from(edge);
}

void CoreProcessor::let_line_settle() {
  synchronise();
  // The driver of the line runs at this time, and the edge comes a delta cycle behind it.
  wait(sc_core::SC_ZERO_TIME);
  wait(sc_core::SC_ZERO_TIME);
}

std::uint64_t CoreProcessor::wait_for_line(std::uint64_t cycle) {
  book();
  synchronise();
  const Ticks until = clock_.at(cycle);
  if (!line_rose_ && until > kernel_now_) wait(hw::to_sc_time(until - kernel_now_), ready.posedge_event());
  see_kernel_time();
  return kernel_now_ < until ? std::max(core_->cycles(), clock_.first_from(kernel_now_)) : cycle;
}

void CoreProcessor::book() {
  const Ticks now = bus_now();
  ledger_.elapse(now - now_);
  now_ = now;
  const std::uint64_t passed = core_->cycles() - std::exchange(totals_.cycles, core_->cycles());
  const std::uint64_t slept = std::exchange(slept_cycles_, 0);
  totals_.asleep_cycles += slept;
  totals_.awake_by_cause.at(static_cast<std::size_t>(ledger_.cause())) += passed - slept;
}

void CoreProcessor::synchronise() {
  if (now_ > kClockEnd) throw ClockEnded();
  if (now_ > kernel_now_) wait(hw::to_sc_time(now_ - kernel_now_));
  see_kernel_time();
}

void CoreProcessor::see_kernel_time() {
  kernel_now_ = hw::to_ticks(sc_core::sc_time_stamp());
  sync_cycle_ = clock_.first_from(later(kernel_now_, options_.quantum)) + 1;
}

bool CoreProcessor::read(std::uint32_t address, unsigned size, std::uint32_t& value) {
  value = 0;
  if (core_watcher_ != nullptr) {
    core_watcher_->touched(address, size, false);
    if (const std::uint8_t* const memory = left_memory(address, false)) {
      std::memcpy(&value, memory, size);
      return true;
    }
  }
  return access(tlm::TLM_READ_COMMAND, address, size, value);
}

bool CoreProcessor::write(std::uint32_t address, unsigned size, std::uint32_t value) {
  if (core_watcher_ != nullptr) {
    core_watcher_->touched(address, size, true);
    if (std::uint8_t* const memory = left_memory(address, true)) {
      std::memcpy(memory, &value, size);
      return true;
    }
  }
  return access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

std::uint8_t* CoreProcessor::left_memory(std::uint32_t address, bool write) {
  for (const iss::MemoryRegion& region : memory_->regions())
    if (address - region.base < region.size)
      return write && !region.writable ? nullptr : region.bytes + (address - region.base);
  return nullptr;
}

bool CoreProcessor::look(std::uint32_t address, std::span<std::uint8_t> into) {
  const std::span<const std::uint8_t> memory = memory_->find(address, into.size());
  if (memory.size() == into.size()) {
    std::ranges::copy(memory, into.begin());
    return true;
  }
  const auto size = static_cast<unsigned>(into.size());
  if (PartWindows::Window* const window = part_.find(address))
    return part_.look(*window, address, size, into.data()) == size;
  std::uint32_t value = 0;
  if (size > sizeof value) return false;
  BoardDevices::Device* const device = devices_.find(address);
  // Reading changes no device of the board.
  const bool known =
      device != nullptr
          ? devices_.transport(*device, {tlm::TLM_READ_COMMAND, address, size, &value, bus_now(), kernel_now_})
          : core_->look(address, size, value);
  if (!known) return false;
  std::memcpy(into.data(), &value, size);
  return true;
}

void CoreProcessor::measures(bool begins) {
  measures_ = begins;
  if (core_watcher_ != nullptr) core_watcher_->measures(begins);
}

bool CoreProcessor::access(tlm::tlm_command command, std::uint32_t address, unsigned size, std::uint32_t& value) {
  if (PartWindows::Window* const window = part_.find(address))
    return access_part(*window, command, address, size, value);
  BoardDevices::Device* const device = devices_.find(address);
  if (device == nullptr) return false;
  const Ticks begun = bus_now();
  const bool answers = devices_.transport(*device, {command, address, size, &value, begun, kernel_now_});
  wait_for_bus(options_.core.register_wait);
  if (waits_.records()) [[unlikely]] {
    waits_.reads(device->target.steady_until(address - device->base, begun));
    if (!answers || command == tlm::TLM_WRITE_COMMAND) waits_.changes();
  }
  if (answers && device->tells) asked_.see(core_->cycles(), address, value, command == tlm::TLM_WRITE_COMMAND);
  return answers;
}

bool CoreProcessor::access_part(PartWindows::Window& window, tlm::tlm_command command, std::uint32_t address,
                                unsigned size, std::uint32_t& value) {
  // The bus of the part is 16 bits wide.
  constexpr unsigned kCell = 2;
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  std::uint64_t cycle = core_->cycles();
  if (waits_.records()) [[unlikely]] {
    waits_.reads_part(hint->next_status_change(clock_.at(cycle)));
    if (command == tlm::TLM_WRITE_COMMAND || dma_.busy_until() > cycle) waits_.changes();
  }
  if (dma_.busy_until() > cycle) wait_for_bus(dma_.busy_until() - std::exchange(cycle, dma_.busy_until()));
  for (unsigned at = 0; at < size; at += kCell) {
    const Ticks begun = clock_.at(cycle);
    Ticks taken{};
    if (!part_.transport(window, {command, address + at, std::min(size, kCell), bytes + at, begun, kernel_now_}, taken))
      return false;
    const std::uint64_t lasts = lasting_.of(cycle, taken);
    wait_for_bus(lasts);
    cycle += lasts;
    ledger_.add_bus_time(taken);
  }
  if (command == tlm::TLM_WRITE_COMMAND) part_written(cycle);
  // The part has been told of an operation that the watcher is to hear of.
  if (look_cycle_ <= cycle) core_->end_run();
  asked_.see(cycle, address, value, command == tlm::TLM_WRITE_COMMAND);
  return true;
}

void CoreProcessor::part_written(std::uint64_t cycle) {
  const std::uint64_t before = edge_cycle_;
  see_edge(cycle);
  if (edge_cycle_ != before) core_->end_run();
}

bool CoreProcessor::move(const Dma::Transfer& transfer, std::uint64_t& cycles, std::string& why) {
  // Its end may come before what was due.
  core_->end_run();
  const std::span<std::uint8_t> from = memory_->find(transfer.from, transfer.bytes);
  const std::span<std::uint8_t> to = memory_->find(transfer.to, transfer.bytes);
  const bool writes_memory = !to.empty() && transfer.to >= target::kFlashBytes;
  if (writes_memory &&
      (memory_->is_below_stack(transfer.to) || memory_->is_below_stack(transfer.to + transfer.bytes - 1))) {
    why = "that reaches between static data and the stack, where nothing answers";
    return false;
  }
  if (!from.empty() && writes_memory) {
    std::memmove(to.data(), from.data(), transfer.bytes);
    cycles = std::uint64_t{options_.core.dma_word} * ((transfer.bytes + 3) / 4);
    return true;
  }
  PartWindows::Window* const window = part_.find(from.empty() ? transfer.from : transfer.to);
  if (window == nullptr || (from.empty() && !writes_memory)) {
    why = "one end has to be memory that can be written or read, and the other that or a window of the part";
    return false;
  }
  const Ticks begun = clock_.at(core_->cycles());
  Ticks taken{};
  const PartWindows::Access access =
      from.empty()
          ? PartWindows::Access{tlm::TLM_READ_COMMAND, transfer.from, transfer.bytes, to.data(), begun, kernel_now_}
          : PartWindows::Access{tlm::TLM_WRITE_COMMAND, transfer.to, transfer.bytes, from.data(), begun, kernel_now_};
  if (!part_.transport(*window, access, taken)) {
    why = "the part does not take such a burst";
    return false;
  }
  cycles = clock_.first_from(begun + taken) - core_->cycles();
  ledger_.add_bus_time(taken);
  part_written(core_->cycles());
  return true;
}

void CoreProcessor::keep_counts() {
  totals_.instructions += core_->instructions();
  totals_.interrupts += core_->iss_core().exceptions();
}

std::optional<CoreTotals> CoreProcessor::core_totals() const {
  CoreTotals totals = totals_;
  totals.instructions = executed();
  totals.interrupts += core_->iss_core().exceptions();
  totals.trace = trace_.totals();
  totals.flash_misses = core_->iss_core().flash_misses();
  totals.active_cycle_pj = options_.core.active_cycle_pj;
  totals.idle_cycle_pj = options_.core.idle_cycle_pj;
  return totals;
}

void CoreProcessor::wait_for_bus(std::uint64_t cycles) {
  core_->stall(cycles);
  totals_.bus_cycles += cycles;
  if (core_watcher_ != nullptr) core_watcher_->waits(cycles);
}

void CoreProcessor::cause_is(Cause cause) {
  book();
  ledger_.set_cause(cause);
}

void CoreProcessor::answered() {
  answered_ = true;
  core_->end_run();
}

}  // namespace ftlab::platform
