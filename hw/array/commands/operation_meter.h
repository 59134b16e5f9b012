// What operations cost: their sums by kind, and the observer's view of each where one watches.
// Knows no descriptor and no array state. Sums count an operation when it is queued; the observer hears of its start
// then, too (with the time of its begin), and of its end when that is reached.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hw/array/commands/moved_work.h"
#include "hw/array/commands/op_energy.h"
#include "hw/base/observer.h"

namespace ftlab::hw::array {

struct Spent {
  Ticks busy{};
  OpEnergy energy{};
};

class OperationMeter {
 public:
  /// `observer`: null when nobody wants each operation; `begins`: it hears of their begins, too.
  explicit OperationMeter(DeviceObserver* observer, bool begins = false) : observer_(observer), begins_(begins) {}
  OperationMeter(const OperationMeter&) = delete;
  OperationMeter& operator=(const OperationMeter&) = delete;

  [[nodiscard]] const OperationTotals& totals() const { return totals_; }
  [[nodiscard]] const UndoneTotals& undone() const { return undone_by_label_; }
  [[nodiscard]] bool observed() const { return observer_ != nullptr; }

  void count(DeviceOpKind kind, std::uint32_t bytes, Ticks busy, Ticks die_time, OpEnergy energy) {
    OperationTotal& total = totals_[static_cast<std::size_t>(kind)];
    ++total.operations;
    total.bytes += bytes;
    total.busy += busy;
    total.die_time += die_time;
    total.energy += energy;
  }
  /// So many of the same size; sums of the others.
  void count(DeviceOpKind kind, std::uint32_t operations, std::uint32_t bytes_each, Ticks busy, Ticks die_time,
             OpEnergy energy) {
    OperationTotal& total = totals_[static_cast<std::size_t>(kind)];
    total.operations += operations;
    total.bytes += std::uint64_t{operations} * bytes_each;
    total.busy += busy;
    total.die_time += die_time;
    total.energy += energy;
  }
  void count_failed(DeviceOpKind kind) { ++totals_[static_cast<std::size_t>(kind)].failed; }
  void count_corrected(DeviceOpKind kind, std::uint32_t operations = 1) {
    totals_[static_cast<std::size_t>(kind)].corrected += operations;
  }
  /// Whose are what the following three take off.
  void undo_for(std::uint8_t label) { undone_ = &undone_by_label_[label]; }
  /// It never began.
  void uncount(DeviceOpKind kind, std::uint32_t bytes, Ticks busy, OpEnergy energy, bool failed);
  /// It was interrupted for good; what it did not spend is taken off.
  void count_torn(DeviceOpKind kind, const Spent& spared, bool failed_anyway);
  /// A die does not work so long after all.
  void take_off_die_time(DeviceOpKind kind, Ticks die_time) {
    totals_[static_cast<std::size_t>(kind)].die_time -= die_time;
    (*undone_)[static_cast<std::size_t>(kind)].die_time += die_time;
  }
  /// A die works so much longer.
  void add_die_time(DeviceOpKind kind, Ticks die_time) { totals_[static_cast<std::size_t>(kind)].die_time += die_time; }
  /// What an operation of that cost does not spend when it is interrupted: the share of its time that is still ahead.
  static Spent spared(const Spent& cost, Ticks end, Ticks now);

  // --- with an observer ---
  void start(const DeviceOp& op, std::uint32_t sequence);
  /// Those of this descriptor on this die end so much later; they begin so much later, too, when they would behind
  /// `now`.
  void delay(std::uint32_t sequence, std::uint32_t die, Ticks now, Ticks by);
  /// Those of these descriptors, which ascend, that begin on this die at `from` or later begin and end so much later.
  void delay(std::span<const std::uint32_t> sequences, std::uint32_t die, Ticks from, Ticks by);
  /// Those of these works, which ascend, begin and end when those do.
  void move(std::span<const MovedWork> works);
  /// Reports the begins before `now`, since one that has its begin now would never happen if power were lost, and the
  /// ends up to and including `now`.
  void advance_to(Ticks now) {
    if (next_begin_ < now) report_begins(now);
    if (next_end_ <= now) report_ends(now);
  }
  /// The first time at which advance_to() reports a begin if nothing changes.
  [[nodiscard]] Ticks next_begin() const { return next_begin_ == kNever ? kNever : next_begin_ + Ticks{1}; }
  /// All others are given up.
  void abandon(Ticks now);

 private:
  void report_begins(Ticks now);
  void report_ends(Ticks now);
  /// What is pending has moved.
  void order_pending();

  struct Pending {
    DeviceOp op;
    std::uint32_t sequence = 0;
    std::uint64_t place = 0;  ///< in the order of their starts
    bool begun = false;       ///< and reported
  };
  static bool ends_later(const Pending& a, const Pending& b) {
    return a.op.end != b.op.end ? a.op.end > b.op.end : a.place > b.place;
  }

  DeviceObserver* observer_;
  bool begins_;
  OperationTotals totals_{};
  UndoneTotals undone_by_label_{};
  OperationTotals* undone_ = undone_by_label_.data();
  std::vector<Pending> pending_;  ///< a heap, the one that ends next on top
  std::uint64_t started_ = 0;
  Ticks next_end_ = kNever;    ///< of those
  Ticks next_begin_ = kNever;  ///< of those whose begin is to be reported
};

}  // namespace ftlab::hw::array
