// Operations of one submit that the part can overlap: programs of ascending pages, reads behind each other.
#include "firmware/driver/onenand/driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

std::size_t OneNandDriver::run_length(std::span<const PartOp> ops) const {
  const PartOp& first = ops.front();
  const bool programs = first.kind == PartOpKind::program && config_.cache_program;
  const bool reads = first.kind == PartOpKind::read && config_.sync_burst;
  if ((!programs && !reads) || first.no_wait || !fits(first)) return 1;
  const std::size_t room = DoneRing::kDepth - finished_.count() - dies_.under_way();
  std::size_t n = 1;
  for (; n < ops.size() && n < room; ++n) {
    const PartOp& op = ops[n];
    if (op.kind != first.kind || op.no_wait || !fits(op)) break;
    if (programs && (op.segment != first.segment || op.offset <= ops[n - 1].offset)) break;
    if (reads && place_of(op).die != place_of(first).die) break;
  }
  return n;
}

PartStatus OneNandDriver::execute_all(std::span<const PartOp> ops) {
  PartStatus status = PartStatus::ok;
  for (const PartOp& op : ops) status = execute(op);
  return status;
}

PartStatus OneNandDriver::program_run(std::span<const PartOp> ops) {
  dies_.await_die(place_of(ops.front()).die);
  if (!bus_.unlocked(place_of(ops.front()))) return execute_all(ops);
  for (std::size_t i = 0;; ++i) {
    const PartOp& op = ops[i];
    const bool last = i + 1 == ops.size();
    probe_.count(Work::driver_call, 1);
    buffer_.put(op, place_of(op).die);
    bool previous_failed = false;
    const PartStatus status = sequences_.program_in_run(place_of(op), last, previous_failed);
    if (i != 0) push(ops[i - 1].tag, {.status = previous_failed ? PartStatus::program_failed : PartStatus::ok});
    if (!last && status == PartStatus::ok) continue;
    push(op.tag, {.status = status});
    // What is left goes the plain way and reports for itself.
    return last ? status : execute_all(ops.subspan(i + 1));
  }
}

PartStatus OneNandDriver::read_run(std::span<const PartOp> ops) {
  dies_.await_die(place_of(ops.front()).die);
  probe_.count(Work::driver_call, 1);
  OneNandPlace place = place_of(ops.front());
  OneNandResult result = sequences_.run(OneNandWork::load, place, layout_.is_lsb(place));
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool last = i + 1 == ops.size();
    if (result.status == PartStatus::timeout) {
      push(ops[i].tag, result);
      return last ? result.status : execute_all(ops.subspan(i + 1));
    }
    if (last) {
      buffer_.hand_over(ops[i], place_of(ops[i]).die);
      push(ops[i].tag, result);
      break;
    }
    probe_.count(Work::driver_call, 1);
    place = place_of(ops[i + 1]);
    if (result.status == PartStatus::uncorrectable) {
      // A load that was refused brought no page that a superload could follow: the next page would be refused with it.
      buffer_.hand_over(ops[i], place_of(ops[i]).die);
      push(ops[i].tag, result);
      result = sequences_.run(OneNandWork::load, place, layout_.is_lsb(place));
      continue;
    }
    sequences_.start_superload(place);
    buffer_.hand_over(ops[i], place_of(ops[i]).die);
    // Reading the end of the spare area lets the next page in.
    if (ops[i].spare_into == nullptr) (void)buffer_.raw_spare();
    push(ops[i].tag, result);
    result = sequences_.wait_superload();
    if (result.status == PartStatus::uncorrectable && layout_.is_lsb(place))
      result = sequences_.run(OneNandWork::load, place, true);
  }
  return result.status;
}

}  // namespace ftlab
