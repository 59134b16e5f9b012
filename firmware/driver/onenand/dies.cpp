#include "firmware/driver/onenand/dies.h"

#include <algorithm>

namespace ftlab {

void OneNandDies::clear() {
  dies_ = {};
  under_way_ = next_order_ = 0;
}

void OneNandDies::start(const PartOp& op) {
  const OneNandPlace place = layout_.place_of(op.segment, op.offset);
  const OneNandWork work = op.kind == PartOpKind::program ? OneNandWork::program
                           : op.kind == PartOpKind::erase ? OneNandWork::erase
                                                          : OneNandWork::load;
  if (work == OneNandWork::program) buffer_.put(op, place.die);
  sequences_.start(work, place);
  dies_[place.die] = {.busy = true, .order = next_order_++, .work = work, .place = place, .op = op};
  ++under_way_;
}

PartStatus OneNandDies::ended(Die& die, OneNandResult result) {
  die.busy = false;
  --under_way_;
  // Lost data is handed over, too: it is what there is.
  if (die.work == OneNandWork::load && result.status != PartStatus::timeout) buffer_.hand_over(die.op, die.place.die);
  finished_.push({.tag = die.op.tag, .status = result.status, .corrected_bits = result.corrected_bits});
  return result.status;
}

PartStatus OneNandDies::await_die(std::uint16_t die) { return dies_[die].busy ? finish(dies_[die]) : PartStatus::ok; }

void OneNandDies::poll() {
  for (Die& die : dies_)
    if (die.busy && sequences_.has_ended(die.work, die.place))
      ended(die, sequences_.result(die.work, die.place, is_lsb(die)));
}

OneNandDies::Die* OneNandDies::oldest() {
  Die* oldest = nullptr;
  for (Die& die : dies_) {
    if (!die.busy) continue;
    // Start numbers wrap: compare by distance.
    if (oldest == nullptr || static_cast<std::int32_t>(die.order - oldest->order) < 0) oldest = &die;
  }
  return oldest;
}

void OneNandDies::await_any(std::uint64_t turn_ns) {
  if (under_way_ == 0) return;
  // Two erases take about the same time: the one started first ends first.
  const auto erases = [](const Die& die) { return !die.busy || die.work == OneNandWork::erase; };
  if (under_way_ > 1 && !std::ranges::all_of(dies_, erases)) {
    const std::uint64_t deadline_ns = sequences_.deadline_ns();
    for (std::uint64_t waited = 0; waited < deadline_ns; waited += turn_ns * dies_.size()) {
      for (Die& die : dies_) {
        if (!sequences_.await_end(die.work, die.place, turn_ns)) continue;
        ended(die, sequences_.result(die.work, die.place, is_lsb(die)));
        return;
      }
    }
  }
  finish(*oldest());
}

}  // namespace ftlab
