#include "platform/machine/ledger.h"

#include <stdexcept>

namespace ftlab::platform {
namespace {

LedgerCell between(const hw::OperationTotal& before, const hw::OperationTotal& after) {
  return {.count = after.operations - before.operations,
          .bytes = after.bytes - before.bytes,
          .failed = after.failed - before.failed,
          .corrected = after.corrected - before.corrected,
          .torn = after.torn - before.torn,
          .busy = after.busy - before.busy,
          .die_time = after.die_time - before.die_time,
          .energy = after.energy - before.energy};
}

/// Sums of a wider type than a register were written in halves a moment ago: to copy them whole would wait until that
/// has reached memory.
void advance(hw::OperationTotal& before, const LedgerCell& by) {
  before.operations += by.count;
  before.bytes += by.bytes;
  before.failed += by.failed;
  before.corrected += by.corrected;
  before.torn += by.torn;
  before.busy += by.busy;
  before.die_time += by.die_time;
  before.energy += by.energy;
}

}  // namespace

LedgerCell& LedgerCell::operator-=(const LedgerCell& before) {
  count -= before.count;
  bytes -= before.bytes;
  failed -= before.failed;
  corrected -= before.corrected;
  torn -= before.torn;
  busy -= before.busy;
  die_time -= before.die_time;
  energy -= before.energy;
  return *this;
}

LedgerCell& LedgerCell::operator+=(const LedgerCell& other) {
  count += other.count;
  bytes += other.bytes;
  failed += other.failed;
  corrected += other.corrected;
  torn += other.torn;
  busy += other.busy;
  die_time += other.die_time;
  energy += other.energy;
  return *this;
}

LedgerTotals& LedgerTotals::operator-=(const LedgerTotals& before) {
  for (std::size_t kind = 0; kind < ops.size(); ++kind) {
    for (std::size_t cause = 0; cause < kCauses; ++cause) ops[kind][cause] -= before.ops[kind][cause];
  }
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    elapsed[cause] -= before.elapsed[cause];
    asleep[cause] -= before.asleep[cause];
  }
  for (std::size_t kind = 0; kind < kWorkKinds; ++kind) {
    work[kind] -= before.work[kind];
    work_time[kind] -= before.work_time[kind];
  }
  bus_time -= before.bus_time;
  low_power -= before.low_power;
  return *this;
}

LedgerCell LedgerTotals::by_operation(hw::DeviceOpKind kind) const {
  LedgerCell sum;
  for (const LedgerCell& cell : ops[static_cast<std::size_t>(kind)]) sum += cell;
  return sum;
}

LedgerCell LedgerTotals::by_cause(Cause cause) const {
  LedgerCell sum;
  for (const auto& row : ops) sum += row[static_cast<std::size_t>(cause)];
  return sum;
}

Ticks LedgerTotals::simulated() const {
  Ticks sum{};
  for (const Ticks t : elapsed) sum += t;
  return sum;
}

void Ledger::collect_operations() {
  for (std::size_t kind = 0; kind < operations_->size(); ++kind) {
    const hw::OperationTotal& now = (*operations_)[kind];
    hw::OperationTotal& before = collected_operations_[kind];
    // What moves on a contended channel makes those of another kind longer.
    const bool same = now.operations == before.operations && now.failed == before.failed;
    if (same && now.die_time == before.die_time) continue;
    const LedgerCell done = between(before, now);
    totals_.ops[kind][cause_] += done;
    advance(before, done);
  }
}

void Ledger::take_off_undone() {
  if (operations_ == nullptr) return;
  if (undone_ == nullptr) throw std::logic_error("a device that keeps its supply has lost it");
  for (std::size_t kind = 0; kind < operations_->size(); ++kind) {
    LedgerCell left = between((*operations_)[kind], collected_operations_[kind]);
    for (std::size_t cause = 0; cause < kCauses; ++cause) {
      const LedgerCell undone = between(taken_off_[cause][kind], (*undone_)[cause][kind]);
      totals_.ops[kind][cause] -= undone;
      left -= undone;
    }
    if (left != LedgerCell{}) throw std::logic_error("power loss took more off the device's sums than off the causes");
  }
  taken_off_ = *undone_;
  collected_operations_ = *operations_;
}

void Ledger::collect_accesses(std::uint64_t times) {
  if (operations_ != nullptr) collect_operations();
  if (accesses_ == nullptr) return;
  for (std::size_t kind = 0; kind < accesses_->size(); ++kind) {
    const hw::AccessTotal& now = (*accesses_)[kind];
    hw::AccessTotal& before = collected_[kind];
    if (now.accesses == before.accesses) continue;
    LedgerCell& cell = totals_.ops[kind][cause_];
    cell.count += (now.accesses - before.accesses) * times;
    cell.bytes += (now.bytes - before.bytes) * times;
    cell.busy += (now.busy - before.busy) * static_cast<std::int64_t>(times);
    cell.energy += (now.energy - before.energy) * static_cast<std::int64_t>(times);
    before = now;
  }
}

bool Ledger::can_repeat_accesses() const {
  if (sink_ != nullptr || accesses_ == nullptr) return false;
  for (std::size_t kind = 0; kind < accesses_->size(); ++kind) {
    const bool accessed = (*accesses_)[kind].accesses != collected_[kind].accesses;
    if (accessed && static_cast<hw::DeviceOpKind>(kind) != hw::DeviceOpKind::register_access) return false;
  }
  return true;
}

const char* name_of(Cause cause) {
  static constexpr const char* kNames[kCauses] = {"host",    "clean",    "migrate", "wear_level",
                                                  "refresh", "metadata", "mount",   "idle"};
  return kNames[static_cast<std::size_t>(cause)];
}

}  // namespace ftlab::platform
