#include "firmware/driver/onenand/driver.h"

#include <cstring>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

OneNandDriver::OneNandDriver(MmioPort& port, ProbePort& probe, const OneNandDriverConfig& config)
    : probe_(probe), config_(config), sequences_(port, config_) {}

OneNandPlace OneNandDriver::place_of(SegmentId segment, std::uint32_t offset) const {
  return {.die = static_cast<std::uint16_t>(segment.value() / segments_per_die_),
          .segment = static_cast<std::uint16_t>(segment.value() % segments_per_die_),
          .page = static_cast<std::uint16_t>(offset / onenand::kPageBytes)};
}

bool OneNandDriver::is_lsb(const OneNandPlace& place) const {
  return place.segment >= geometry_.slc_segments_per_unit && onenand::paired::is_lsb(place.page);
}

bool OneNandDriver::fits(const FlashOp& op) const {
  const auto page_fits = [this](SegmentId segment, std::uint32_t offset, std::uint32_t length) {
    return segment.value() < geometry_.segments && offset < geometry_.segment_bytes &&
           offset % onenand::kPageBytes + length <= onenand::kPageBytes;
  };
  if (!page_fits(op.segment, op.offset, op.length)) return false;
  if (op.kind == FlashOpKind::program) return op.length == onenand::kPageBytes && op.from != nullptr;
  if (op.kind != FlashOpKind::copy) return true;
  return page_fits(op.copy_segment, op.copy_offset, onenand::kPageBytes) &&
         op.copy_segment.value() / segments_per_die_ == op.segment.value() / segments_per_die_;
}

void OneNandDriver::push(std::uint32_t tag, OneNandResult result) {
  finished_.push({.tag = tag, .status = result.status, .corrected_bits = result.corrected_bits});
}

std::size_t OneNandDriver::submit(std::span<const FlashOp> ops) {
  std::size_t accepted = 0;
  FlashStatus status = FlashStatus::ok;
  open_erase_ = nullptr;
  while (accepted < ops.size() && finished_.count() + erasing_ < DoneRing::kDepth) {
    const FlashOp& op = ops[accepted];
    if (op.after_ok) {
      const FlashStatus before = status_before(status);
      if (before != FlashStatus::ok && before != FlashStatus::corrected) {
        status = FlashStatus::skipped;
        push(op.tag, {.status = status});
        ++accepted;
        continue;
      }
    }
    open_erase_ = nullptr;
    const std::size_t run = run_length(ops.subspan(accepted));
    if (run > 1) {
      const auto together = ops.subspan(accepted, run);
      status = op.kind == FlashOpKind::program ? program_run(together) : read_run(together);
    } else {
      status = execute(op);
    }
    accepted += run;
  }
  return accepted;
}

FlashStatus OneNandDriver::status_before(FlashStatus status) {
  if (open_erase_ == nullptr) return status;
  DieState& die = *open_erase_;
  open_erase_ = nullptr;
  return finish_erase(die);
}

FlashStatus OneNandDriver::execute(const FlashOp& op) {
  probe_.count(Work::driver_call, 1);
  OneNandResult result;
  if (!fits(op)) {
    const bool reads = op.kind == FlashOpKind::read || op.kind == FlashOpKind::check_bad;
    result.status = reads                           ? FlashStatus::uncorrectable
                    : op.kind == FlashOpKind::erase ? FlashStatus::erase_failed
                                                    : FlashStatus::program_failed;
    push(op.tag, result);
    return result.status;
  }
  await_die(place_of(op.segment, 0).die);
  switch (op.kind) {
    case FlashOpKind::read:
      result = read(op);
      break;
    case FlashOpKind::program:
      result.status = program(op);
      break;
    case FlashOpKind::erase:
      return erase(op);
    case FlashOpKind::copy:
      result = copy(op);
      break;
    case FlashOpKind::check_bad:
      result.status = check_bad(op);
      break;
    case FlashOpKind::mark_bad:
      result.status = mark_bad(op);
      break;
  }
  push(op.tag, result);
  return result.status;
}

OneNandResult OneNandDriver::read(const FlashOp& op) {
  const OneNandPlace place = place_of(op.segment, op.offset);
  const OneNandResult result = sequences_.load(place, is_lsb(place));
  // Lost data is handed over, too: it is what there is.
  if (result.status != FlashStatus::timeout) hand_over(op);
  return result;
}

void OneNandDriver::hand_over(const FlashOp& op) {
  if (op.into != nullptr && op.length != 0) {
    sequences_.read_main(op.offset % onenand::kPageBytes, {op.into, op.length});
  }
  if (op.spare_into == nullptr) return;
  sequences_.read_spare(spare_);
  for (std::uint32_t slot = 0; slot < onenand::kSectorsPerPage; ++slot) {
    std::memcpy(op.spare_into + slot * onenand::spare_slot::kUserBytes,
                &spare_[slot * onenand::kSectorSpareBytes + onenand::spare_slot::kUser],
                onenand::spare_slot::kUserBytes);
  }
}

void OneNandDriver::put_page(const FlashOp& op) {
  probe_.count(Work::buffer_program, 1);
  sequences_.select(place_of(op.segment, 0).die);
  if (op.from != nullptr) sequences_.write_main({op.from, op.length});
  if (op.kind == FlashOpKind::copy && op.spare_from == nullptr) return;
  spare_.fill(std::byte{0xFF});
  if (op.spare_from != nullptr) {
    for (std::uint32_t slot = 0; slot < onenand::kSectorsPerPage; ++slot) {
      std::memcpy(&spare_[slot * onenand::kSectorSpareBytes + onenand::spare_slot::kUser],
                  op.spare_from + slot * onenand::spare_slot::kUserBytes, onenand::spare_slot::kUserBytes);
    }
  }
  sequences_.write_spare(spare_);
}

FlashStatus OneNandDriver::program(const FlashOp& op) {
  put_page(op);
  return sequences_.program(place_of(op.segment, op.offset));
}

OneNandResult OneNandDriver::copy(const FlashOp& op) {
  const OneNandPlace from = place_of(op.segment, op.offset);
  OneNandResult result = sequences_.load(from, is_lsb(from));
  if (result.status != FlashStatus::ok && result.status != FlashStatus::corrected) return result;
  put_page(op);
  const FlashStatus programmed = sequences_.program(place_of(op.copy_segment, op.copy_offset));
  if (programmed != FlashStatus::ok) result = {.status = programmed};
  return result;
}

FlashStatus OneNandDriver::erase(const FlashOp& op) {
  const OneNandPlace place = place_of(op.segment, 0);
  if (!capabilities_.background_erase) {
    const FlashStatus status = sequences_.erase(place);
    push(op.tag, {.status = status});
    return status;
  }
  sequences_.start_erase(place);
  DieState& die = dies_[place.die];
  die = {.erasing = true, .tag = op.tag, .order = erase_order_++, .place = place};
  ++erasing_;
  open_erase_ = &die;
  return FlashStatus::ok;
}

void OneNandDriver::await_die(std::uint16_t die) {
  if (dies_[die].erasing) finish_erase(dies_[die]);
}

void OneNandDriver::ended(DieState& die, FlashStatus status) {
  die.erasing = false;
  --erasing_;
  push(die.tag, {.status = status});
}

FlashStatus OneNandDriver::finish_erase(DieState& die) {
  const FlashStatus status = sequences_.wait_erase(die.place);
  ended(die, status);
  return status;
}

void OneNandDriver::poll_erases() {
  for (DieState& die : dies_) {
    FlashStatus status = FlashStatus::ok;
    if (die.erasing && sequences_.poll_erase(die.place, status)) ended(die, status);
  }
}

OneNandDriver::DieState* OneNandDriver::oldest_erase() {
  DieState* oldest = nullptr;
  for (DieState& die : dies_) {
    if (!die.erasing) continue;
    // Start numbers wrap: compare by distance.
    if (oldest == nullptr || static_cast<std::int32_t>(die.order - oldest->order) < 0) oldest = &die;
  }
  return oldest;
}

std::size_t OneNandDriver::reap(std::span<FlashDone> done, bool wait) {
  if (finished_.empty() && erasing_ != 0) {
    poll_erases();
    if (finished_.empty() && wait) finish_erase(*oldest_erase());
  }
  return finished_.take(done);
}

}  // namespace ftlab
