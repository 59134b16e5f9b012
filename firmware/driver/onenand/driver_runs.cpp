// Operations of one submit that the part can overlap: programs of ascending pages, reads behind each other.
#include "firmware/driver/onenand/driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

std::size_t OneNandDriver::run_length(std::span<const FlashOp> ops) const {
  const FlashOp& first = ops.front();
  const bool programs = first.kind == FlashOpKind::program && config_.cache_program;
  const bool reads = first.kind == FlashOpKind::read && config_.sync_burst;
  if ((!programs && !reads) || !fits(first)) return 1;
  const std::size_t room = DoneRing::kDepth - finished_.count() - erasing_;
  std::size_t n = 1;
  for (; n < ops.size() && n < room; ++n) {
    const FlashOp& op = ops[n];
    // A page that depends on the one before cannot start before that one's end.
    if (op.kind != first.kind || op.after_ok || !fits(op)) break;
    if (programs && (op.segment != first.segment || op.offset <= ops[n - 1].offset)) break;
    if (reads && place_of(op.segment, 0).die != place_of(first.segment, 0).die) break;
  }
  return n;
}

FlashStatus OneNandDriver::execute_all(std::span<const FlashOp> ops) {
  FlashStatus status = FlashStatus::ok;
  for (const FlashOp& op : ops) status = execute(op);
  return status;
}

FlashStatus OneNandDriver::program_run(std::span<const FlashOp> ops) {
  await_die(place_of(ops.front().segment, 0).die);
  if (!sequences_.unlocked(place_of(ops.front().segment, 0))) return execute_all(ops);
  for (std::size_t i = 0;; ++i) {
    const FlashOp& op = ops[i];
    const bool last = i + 1 == ops.size();
    probe_.count(Work::driver_call, 1);
    put_page(op);
    bool previous_failed = false;
    const FlashStatus status = sequences_.program_in_run(place_of(op.segment, op.offset), last, previous_failed);
    if (i != 0) push(ops[i - 1].tag, {.status = previous_failed ? FlashStatus::program_failed : FlashStatus::ok});
    if (!last && status == FlashStatus::ok) continue;
    push(op.tag, {.status = status});
    // What is left goes the plain way and tells for itself.
    return last ? status : execute_all(ops.subspan(i + 1));
  }
}

FlashStatus OneNandDriver::read_run(std::span<const FlashOp> ops) {
  await_die(place_of(ops.front().segment, 0).die);
  probe_.count(Work::driver_call, 1);
  OneNandPlace place = place_of(ops.front().segment, ops.front().offset);
  OneNandResult result = sequences_.load(place, is_lsb(place));
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool last = i + 1 == ops.size();
    if (result.status == FlashStatus::timeout) {
      push(ops[i].tag, result);
      return last ? result.status : execute_all(ops.subspan(i + 1));
    }
    if (last) {
      hand_over(ops[i]);
      push(ops[i].tag, result);
      break;
    }
    probe_.count(Work::driver_call, 1);
    place = place_of(ops[i + 1].segment, ops[i + 1].offset);
    if (result.status == FlashStatus::uncorrectable) {
      // A load that was refused brought no page that a superload could follow: the next page would be refused with it.
      hand_over(ops[i]);
      push(ops[i].tag, result);
      result = sequences_.load(place, is_lsb(place));
      continue;
    }
    sequences_.start_superload(place);
    hand_over(ops[i]);
    // Reading the end of the spare area lets the next page in.
    if (ops[i].spare_into == nullptr) sequences_.read_spare(spare_);
    push(ops[i].tag, result);
    result = sequences_.wait_superload();
    if (result.status == FlashStatus::uncorrectable && is_lsb(place)) result = sequences_.load(place, true);
  }
  return result.status;
}

}  // namespace ftlab
