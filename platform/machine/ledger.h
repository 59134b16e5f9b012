// Books what the device did and what it cost, by operation and by cause; books the host's elapsed time by cause.
// Does not know why a cause is set, nor any part or policy.
//
// Balance: the energy over all (operation, cause) cells plus the state energy booked with add_state_energy is the
// total; the die time over all of them is the time in which dies worked; the elapsed time over all causes is the
// simulated time. Device busy time may exceed elapsed time (devices overlap).
#pragma once

#include <array>
#include <cstdint>

#include "common/sums.h"
#include "firmware/port/probe_port.h"
#include "hw/base/observer.h"
#include "platform/machine/quiet_time.h"

namespace ftlab::platform {

struct LedgerCell {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t failed = 0;
  std::uint64_t corrected = 0;
  std::uint64_t torn = 0;  ///< see hw::DeviceOp
  TickSum busy{};
  TickSum die_time{};  ///< see hw::OperationTotal; 0 where the device does not sum its operations
  Picojoules energy{};

  void add(const hw::DeviceOp& op) {
    ++count;
    bytes += op.bytes;
    failed += op.failed ? 1U : 0U;
    corrected += op.corrected ? 1U : 0U;
    torn += op.torn ? 1U : 0U;
    busy += op.busy;
    energy += op.energy;
  }
  LedgerCell& operator-=(const LedgerCell& before);
  LedgerCell& operator+=(const LedgerCell& other);
  friend bool operator==(const LedgerCell&, const LedgerCell&) = default;
};

/// All sums; a plain value, so that a phase is the difference of two copies.
struct LedgerTotals {
  std::array<std::array<LedgerCell, kCauses>, hw::kDeviceOpKinds> ops{};
  std::array<Ticks, kCauses> elapsed{};
  std::array<Ticks, kCauses> asleep{};  ///< of that, the processor
  std::array<std::uint64_t, kWorkKinds> work{};
  std::array<Ticks, kWorkKinds> work_time{};
  Ticks bus_time{};
  Ticks low_power{};  ///< time beyond the threshold in gaps between operations of the device

  LedgerTotals& operator-=(const LedgerTotals& before);
  [[nodiscard]] LedgerCell by_operation(hw::DeviceOpKind kind) const;
  [[nodiscard]] LedgerCell by_cause(Cause cause) const;
  [[nodiscard]] Ticks simulated() const;
};

/// Cycles of registers and buffers: nothing that the flash array does or gives.
constexpr bool is_register_or_buffer(hw::DeviceOpKind kind) {
  return kind == hw::DeviceOpKind::register_access || kind == hw::DeviceOpKind::buffer_load;
}

/// Receives every booked device operation with its cause; null when nobody listens.
class OperationSink {
 public:
  virtual ~OperationSink() = default;
  virtual void record(const hw::DeviceOp& op, Cause cause) = 0;
  /// The bus accesses recorded since the last call held the bus for so long.
  virtual void occupy_bus(Ticks) {}
  /// The last bus access happened so many times more, one each `period`: polls that were not simulated one by one.
  virtual void repeat_access(std::uint64_t, Ticks) {}
  /// What follows belongs to this part of the run: attach, format, fill, warm-up, measure. `name` outlives the sink.
  virtual void begin_phase(const char* name) = 0;
  /// The last of them, measure, begins now.
  virtual void begin_measuring(Ticks) {}
};

/// Hears of operations before they end; see hw::DeviceObserver.
class BeginListener {
 public:
  virtual ~BeginListener() = default;
  /// One is queued, or begins at once.
  virtual void queued() = 0;
  virtual void begins(hw::DeviceOpKind kind, Ticks begin, Ticks end) = 0;
};

class Ledger final : public hw::DeviceObserver {
 public:
  void on_start(hw::DeviceOp& op) override {
    op.tag = cause_;
    if (operations_ == nullptr) quiet_.begin(op.device, op.start);
    if (begins_ != nullptr) begins_->queued();
  }
  void on_begin(hw::DeviceOpKind kind, Ticks begin, Ticks end) override {
    if (begins_ != nullptr) begins_->begins(kind, begin, end);
  }
  void on_end(const hw::DeviceOp& op) override {
    const auto cause = static_cast<Cause>(op.tag);
    if (operations_ == nullptr) {
      quiet_.end(op.device, op.start, op.end);
      totals_.ops[static_cast<std::size_t>(op.kind)][static_cast<std::size_t>(cause)].add(op);
    }
    if (sink_ != nullptr && op.begun) sink_->record(op, cause);
  }
  /// Bus accesses are summed by the device; this is only called when it observes each, for a sink.
  void on_access(const hw::DeviceOp& op) override {
    if (sink_ != nullptr) sink_->record(op, cause());
  }

  /// Queued operations keep the cause in force, so that what power loss takes off can be taken off the same one.
  [[nodiscard]] const std::uint8_t* label() const override { return &cause_; }

  /// Where the device sums its bus accesses; null (or never called) when it has none.
  void watch_accesses(const hw::AccessTotals* totals) { accesses_ = totals; }
  /// The same of operations; null when it only reports each. With sums what it reports is for a sink alone, so that a
  /// log changes no figure. `undone`: null where the device keeps its supply.
  void watch_operations(const hw::OperationTotals* totals, const hw::UndoneTotals* undone = nullptr) {
    operations_ = totals;
    undone_ = undone;
  }
  /// Books the accesses and operations since the last call under the cause in force, `times` times: once for those that
  /// happened, more for polls that the waiting host did not simulate one by one.
  void collect_accesses(std::uint64_t times = 1);
  /// The device has lost its supply since the last collection, and done nothing else: takes off each cause what it had
  /// queued and never came about. Throws std::logic_error when that is not what the sums lost.
  void take_off_undone();
  /// The one access since the last collection stands for `more` others, one each `period`, `taken` on the bus.
  void collect_polls(std::uint64_t more, Ticks period, Ticks taken) {
    collect_accesses(more + 1);
    totals_.bus_time += taken * static_cast<std::int64_t>(more);
    if (sink_ != nullptr) sink_->repeat_access(more, period);
  }

  /// Whether nobody hears of each access, and those since the last collection were of registers alone.
  [[nodiscard]] bool can_repeat_accesses() const;
  /// The accesses since the last collection, which took so long on the bus, have come so many times more.
  void repeat_accesses(std::uint64_t more, Ticks bus_time) {
    collect_accesses(more + 1);
    totals_.bus_time += bus_time * static_cast<std::int64_t>(more);
  }

  /// From now on gaps between operations longer than `threshold` count as low-power time, less the threshold. `now`:
  /// everything the device did before has been reported. Without effect where it sums its operations.
  void count_low_power(Ticks now, Ticks threshold) {
    if (operations_ == nullptr) quiet_ = QuietTime(now, threshold);
  }
  /// Books the low-power time up to now; everything the device did before has been reported.
  void advance_low_power_to(Ticks now) { totals_.low_power += quiet_.advance_to(now); }

  Cause set_cause(Cause cause) {
    const Cause before = this->cause();
    if (cause != before) {
      collect_accesses();
      cause_ = static_cast<std::uint8_t>(cause);
    }
    return before;
  }
  [[nodiscard]] Cause cause() const { return static_cast<Cause>(cause_); }
  void elapse(Ticks dt) { totals_.elapsed[cause_] += dt; }
  /// In so much of what has elapsed the processor slept.
  void sleep(Ticks dt) { totals_.asleep[cause_] += dt; }
  void add_work(Work kind, std::uint32_t n, Ticks cost) {
    totals_.work[static_cast<std::size_t>(kind)] += n;
    totals_.work_time[static_cast<std::size_t>(kind)] += cost;
  }
  /// A transaction on the bus, whose accesses the device has reported, took so long.
  void add_bus_time(Ticks dt) {
    totals_.bus_time += dt;
    if (sink_ != nullptr) sink_->occupy_bus(dt);
  }
  void set_sink(OperationSink* sink) { sink_ = sink; }
  /// Null: nobody.
  void set_begin_listener(BeginListener* listener) { begins_ = listener; }
  [[nodiscard]] const LedgerTotals& totals() const { return totals_; }

 private:
  static_assert(kCauses <= hw::kOperationLabels);
  void collect_operations();

  LedgerTotals totals_;
  const hw::AccessTotals* accesses_ = nullptr;
  const hw::OperationTotals* operations_ = nullptr;
  const hw::UndoneTotals* undone_ = nullptr;
  hw::OperationTotals collected_operations_{};
  hw::UndoneTotals taken_off_{};
  hw::AccessTotals collected_{};
  OperationSink* sink_ = nullptr;
  BeginListener* begins_ = nullptr;
  QuietTime quiet_;
  std::uint8_t cause_ = static_cast<std::uint8_t>(Cause::host);  ///< a Cause, where devices read it
};

[[nodiscard]] const char* name_of(Cause cause);

}  // namespace ftlab::platform
