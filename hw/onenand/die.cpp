// Progress of a die's work: begin, completion, interrupt, abort. What commands mean is in die_commands.cpp, what work
// does to the cells in die_array.cpp.
#include "hw/onenand/die.h"

#include "hw/base/energy.h"

namespace ftlab::hw {

namespace regs = flexonenand;

Die::Die(OneNandContext& device, std::uint32_t index)
    : device_(device),
      index_(index),
      first_segment_(index * device.spec.segments_per_die),
      protection_(device.spec.segments_per_die, static_cast<std::uint8_t>(regs::protect::kLocked)) {}

void Die::run(Ticks t) {
  while (next_event_ <= t) {
    if (active_on_ && active_.end <= int_at_) {
      finish_active();
    } else {
      interrupt_ |= regs::interrupt::kInt | int_bits_;
      int_at_ = kNever;
      int_bits_ = 0;
    }
    schedule();
  }
}

void Die::begin(Work work, Ticks t) {
  active_ = work;
  active_.begin = t;
  active_.end = work.duration == kNever ? kNever : t + work.duration;
  active_on_ = true;
  const bool array_work = work.kind != WorkKind::refused && work.kind != WorkKind::suspend;
  if (array_work) {
    DeviceOp& op = active_.op;
    op.device = index_;
    op.address = std::uint64_t{work.segment} * OneNandSpec::kSegmentBytes + std::uint64_t{work.page} * regs::kPageBytes;
    op.start = t;
    if (device_.observer != nullptr) device_.observer->on_start(op);
  }
}

void Die::begin_program(Ticks t) {
  // Cells of a device without content only need the spare area; the special segments always have content.
  page_buffer_.spare = ram_.data.spare;
  if (device_.cells.stores_content() || device_.cells.is_special(waiting_.segment)) {
    page_buffer_.main = ram_.data.main;
  }
  waiting_on_ = false;
  begin(waiting_, t);
  int_at_ = waiting_.cached ? t + device_.spec.timing.transfer : active_.end;
  int_bits_ = waiting_.interrupt_bits;
}

void Die::end_op(Work& work, Ticks t, bool failed) {
  if (work.kind == WorkKind::refused || work.kind == WorkKind::suspend) return;
  DeviceOp& op = work.op;
  op.end = t;
  op.busy = work.done + (t - work.begin);
  op.energy = energy_of(work.power_uw, op.busy);
  op.failed = failed;
  if (device_.observer != nullptr) device_.observer->on_end(op);
}

void Die::finish_active() {
  active_on_ = false;
  Work& work = active_;
  switch (work.kind) {
    case WorkKind::load:
    case WorkKind::recovery_load:
    case WorkKind::superload:
      finish_load(work);
      break;
    case WorkKind::program:
      finish_program(work);
      break;
    case WorkKind::erase:
      finish_erase(work);
      break;
    case WorkKind::suspend:
      suspended_on_ = true;
      break;
    case WorkKind::boot:
      fill_boot_ram();
      break;
    case WorkKind::refused:
      sticky_ |= regs::status::kError | work.status_bit;
      if (work.status_bit == regs::status::kLoad) ecc_ = {};  // nothing was loaded: no sector has a result
      break;
    case WorkKind::reset:
    case WorkKind::plain:
      break;
  }
  end_op(work, work.end, work.fails);
  if (waiting_on_) begin_program(work.end);
}

void Die::leave_half_done(const Work& work, Ticks t) {
  if (work.kind == WorkKind::erase) {
    Segment& segment = device_.cells.at(work.segment);
    if (!segment.bad) segment.noise = true;  // as in a failed erase, factory marks stay
    ++segment.cycles;
    device_.errors.refresh(segment);
  } else if (work.kind == WorkKind::program && t - work.begin > device_.spec.timing.transfer) {
    store_page(work, page_flag::kProgrammed | page_flag::kNoise);
    spoil_partner(work);
  }
}

void Die::abort(Ticks t) {
  if (active_on_) {
    active_on_ = false;
    if (active_.kind == WorkKind::suspend) {
      // The erase goes on until it is suspended.
      leave_half_done(suspended_, t);
      suspended_.done -= active_.end - t;
      suspended_.begin = t;
      end_op(suspended_, t, true);
    } else {
      leave_half_done(active_, t);
      if (active_.end == kNever) {
        // A superload that the host never let in: the array had sensed its page long ago.
        active_.done = std::min(Ticks::zero(), sense_time(active_.slc) - (t - active_.begin));
      }
      end_op(active_, t, true);
    }
  }
  if (suspended_on_) {
    leave_half_done(suspended_, t);
    suspended_.begin = t;
    end_op(suspended_, t, true);
  }
  active_on_ = waiting_on_ = suspended_on_ = cache_run_ = page_loaded_ = false;
  int_at_ = kNever;
  schedule();
}

void Die::halt(Ticks t) {
  abort(t);
  interrupt_ = sticky_ = int_bits_ = 0;
  ecc_ = {};
  access_ = Access::array;
}

void Die::reset(Ticks t, ResetKind kind) {
  const bool boot = kind != ResetKind::command;
  const OneNandTiming& timing = device_.spec.timing;
  Work work;
  work.kind = boot ? WorkKind::boot : WorkKind::reset;
  work.duration = timing.reset_idle;
  if (active_on_ && active_.kind == WorkKind::program) work.duration = timing.reset_program;
  const bool erasing = active_on_ && (active_.kind == WorkKind::erase || active_.kind == WorkKind::suspend);
  if (erasing || suspended_on_) work.duration = timing.reset_erase;
  halt(t);
  work.interrupt_bits = regs::interrupt::kReset;
  if (boot) {
    std::fill(protection_.begin(), protection_.end(), static_cast<std::uint8_t>(regs::protect::kLocked));
    work.duration = timing.boot;
    if (kind == ResetKind::cold) work.interrupt_bits = regs::interrupt::kRead;  // the warm one tells of a reset alone
    read_boundary(t);
    read_otp_locks();
  } else {
    work.status_bit = regs::status::kResetting;
  }
  work.power_uw = device_.spec.power.other_uw;
  work.op.kind = DeviceOpKind::other;
  work.segment = first_segment_;
  begin(work, t);
  int_at_ = active_.end;
  int_bits_ = work.interrupt_bits;
  schedule();
}

void Die::finish_boot() {
  read_boundary(Ticks::zero());
  read_otp_locks();
  fill_boot_ram();
  interrupt_ = regs::interrupt::kInt | regs::interrupt::kRead;
}

void Die::scramble_ram() {
  const auto fill = [&](auto& bytes) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(device_.accidents() & 0xFF);
  };
  fill(ram_.data.main);
  fill(ram_.data.spare);
}

Ticks Die::next_event(Ticks now) const {
  Ticks next = kNever;
  const auto consider = [&](Ticks t) {
    if (t > now) next = std::min(next, t);
  };
  consider(int_at_);
  if (active_on_) consider(active_.end);
  if (waiting_on_) {
    // A cached program in the background; its end is reached in steps when `now` is not settled.
    consider(active_.end + waiting_.duration);
  }
  return next;
}

std::uint16_t Die::status() const {
  std::uint16_t value = sticky_;
  if (active_on_ || int_at_ != kNever) value |= regs::status::kOnGo;
  if (active_on_) value |= active_.status_bit;
  if (suspended_on_) value |= regs::status::kSuspended;
  if (otp_locked_) value |= regs::status::kOtpLocked;
  if (first_block_locked_ && index_ == 0) value |= regs::status::kFirstBlockLocked;
  return value;
}

}  // namespace ftlab::hw
