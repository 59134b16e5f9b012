#include "hw/onenand/commands/work_engine.h"

#include "hw/base/energy.h"

namespace ftlab::hw {

namespace regs = flexonenand;
namespace status_bit = flexonenand::status;

namespace {

/// Work that the observer hears of.
bool is_array_work(const Work& work) { return work.kind != WorkKind::refused && work.kind != WorkKind::suspend; }

}  // namespace

void WorkEngine::run(Ticks t) {
  while (next_event_ <= t) {
    if (active_on_ && active_.end <= int_at_) {
      finish_active();
    } else {
      status_.interrupt |= regs::interrupt::kInt | int_bits_;
      int_at_ = kNever;
      int_bits_ = 0;
    }
    schedule();
  }
}

void WorkEngine::set_active(const Work& work, Ticks t) {
  active_ = work;
  active_.begin = t;
  active_.end = work.duration == kNever ? kNever : t + work.duration;
  active_on_ = true;
  if (!is_array_work(work)) return;
  DeviceOp& op = active_.op;
  op.device = die_;
  op.address = std::uint64_t{work.segment} * OneNandSpec::kSegmentBytes + std::uint64_t{work.page} * regs::kPageBytes;
  op.start = t;
  if (device_.observer == nullptr) return;
  device_.observer->on_start(op);
  if (!device_.observe_begins) return;
  const OneNandTiming& timing = device_.spec.timing;
  const bool waits_for_host = active_.end == kNever;
  device_.observer->on_begin(op.kind, t, waits_for_host ? t + timing.sense(work.slc) + timing.transfer : active_.end);
}

void WorkEngine::begin(const Work& work, Ticks t) {
  set_active(work, t);
  interrupt_when(active_.end, work.interrupt_bits);
}

void WorkEngine::begin_waiting(Ticks t) {
  array_.take_page(waiting_);
  waiting_on_ = false;
  set_active(waiting_, t);
  interrupt_when(waiting_.cached ? t + device_.spec.timing.transfer : active_.end, waiting_.interrupt_bits);
}

void WorkEngine::end_op(Work& work, Ticks t, bool failed) {
  if (!is_array_work(work)) return;
  DeviceOp& op = work.op;
  op.end = t;
  op.busy = work.done + (t - work.begin);
  op.energy = energy_of(work.power_uw, op.busy);
  op.failed = failed;
  if (device_.observer != nullptr) device_.observer->on_end(op);
}

void WorkEngine::tear_op(Work& work, Ticks t) {
  work.op.torn = true;
  end_op(work, t, true);
}

void WorkEngine::finish_active() {
  active_on_ = false;
  Work& work = active_;
  bool read_failed = false;
  switch (work.kind) {
    case WorkKind::load:
    case WorkKind::recovery_load:
    case WorkKind::superload:
      array_.load(work, status_);
      page_loaded_ = true;
      read_failed = status_.unreadable();
      work.op.corrected = !read_failed && status_.corrected();
      break;
    case WorkKind::program:
      finish_program(work);
      break;
    case WorkKind::erase:
      array_.erase(work);
      if (work.fails) status_.fail(status_bit::kErase);
      break;
    case WorkKind::suspend:
      suspended_on_ = true;
      break;
    case WorkKind::boot:
      array_.fill_boot_ram();
      break;
    case WorkKind::refused:
      status_.fail(work.status_bit);
      if (work.status_bit == status_bit::kLoad) status_.ecc = {};  // nothing was loaded: no sector has a result
      break;
    case WorkKind::reset:
    case WorkKind::plain:
      break;
  }
  end_op(work, work.end, work.fails || read_failed);
  if (waiting_on_) begin_waiting(work.end);
}

void WorkEngine::finish_program(const Work& work) {
  array_.program(work);
  if (work.fails) {
    status_.fail(status_bit::kProgram);
    if (work.cached || cache_run_) {
      status_.sticky |= waiting_on_ ? status_bit::kPreviousCacheFail : status_bit::kCurrentCacheFail;
    }
  }
  if (!work.cached) cache_run_ = false;
  if (work.segment == device_.cells.otp_segment(die_)) protection_.read_otp_locks();
}

void WorkEngine::accept(bool programs) {
  status_.interrupt = 0;
  if (cache_run_ && programs) {
    if ((status_.sticky & status_bit::kCurrentCacheFail) != 0) status_.sticky |= status_bit::kPreviousCacheFail;
    status_.sticky &= static_cast<std::uint16_t>(~status_bit::kCurrentCacheFail);
  } else {
    status_.sticky = 0;
    cache_run_ = false;
  }
}

void WorkEngine::program(const Work& work, Ticks t) {
  page_loaded_ = false;
  cache_run_ = cache_run_ || work.cached;
  waiting_ = work;
  waiting_on_ = true;
  if (!active_on_) return begin_waiting(t);
  interrupt_when(active_.end + (work.cached ? device_.spec.timing.transfer : work.duration), work.interrupt_bits);
}

void WorkEngine::refuse(Ticks t, std::uint16_t bit, std::uint16_t interrupt_bits) {
  if (active_on_) {
    // In the background of a cached run: status says at once what would otherwise wait for the array.
    status_.fail(bit);
    return interrupt_when(t + device_.spec.timing.command, interrupt_bits);
  }
  Work work;
  work.kind = WorkKind::refused;
  work.duration = device_.spec.timing.command;
  work.status_bit = bit;
  work.interrupt_bits = interrupt_bits;
  begin(work, t);
}

void WorkEngine::suspend(Ticks t) {
  const Ticks at = t + device_.spec.timing.erase_suspend;
  if (active_.end <= at) return;  // ends first, with its own interrupt
  suspended_ = active_;
  suspended_.done += at - active_.begin;
  Work work;
  work.kind = WorkKind::suspend;
  work.segment = suspended_.segment;
  work.status_bit = status_bit::kErase;
  work.duration = at - t;
  begin(work, t);
}

void WorkEngine::resume(Ticks t) {
  suspended_on_ = false;
  active_ = suspended_;
  active_on_ = true;
  active_.begin = t;
  active_.end = t + (active_.duration - active_.done);
  interrupt_when(active_.end, active_.interrupt_bits);
}

void WorkEngine::data_read_out(Ticks t) {
  if (!active_on_ || active_.kind != WorkKind::superload || active_.end != kNever) return;
  const OneNandTiming& timing = device_.spec.timing;
  const Ticks sensed = timing.sense(active_.slc);
  active_.end = std::max(t, active_.begin + sensed) + timing.transfer;
  active_.done = sensed + timing.transfer - (active_.end - active_.begin);  // waiting for the host is no work
  interrupt_when(active_.end, int_bits_);
}

void WorkEngine::abort_active(Ticks t) {
  active_on_ = false;
  if (active_.kind == WorkKind::suspend) {
    // The erase goes on until it is suspended.
    array_.leave_half_done(suspended_, t - suspended_.begin);
    suspended_.done -= active_.end - t;
    suspended_.begin = t;
    return tear_op(suspended_, t);
  }
  array_.leave_half_done(active_, t - active_.begin);
  if (active_.end == kNever) {
    // A superload that the host never let in: the array had sensed its page long ago.
    active_.done = std::min(Ticks::zero(), device_.spec.timing.sense(active_.slc) - (t - active_.begin));
  }
  tear_op(active_, t);
}

void WorkEngine::halt(Ticks t) {
  if (active_on_) abort_active(t);
  if (suspended_on_) {
    array_.leave_half_done(suspended_, t - suspended_.begin);
    suspended_.begin = t;
    tear_op(suspended_, t);
  }
  waiting_on_ = suspended_on_ = cache_run_ = page_loaded_ = false;
  status_.reset();
  interrupt_when(kNever, 0);
}

Ticks WorkEngine::reset_time() const {
  const OneNandTiming& timing = device_.spec.timing;
  const bool erasing = active_on_ && (active_.kind == WorkKind::erase || active_.kind == WorkKind::suspend);
  if (erasing || suspended_on_) return timing.reset_erase;
  return active_on_ && active_.kind == WorkKind::program ? timing.reset_program : timing.reset_idle;
}

std::uint16_t WorkEngine::status_word() const {
  std::uint16_t value = status_.sticky;
  if (!idle()) value |= status_bit::kOnGo;
  if (active_on_) value |= active_.status_bit;
  if (suspended_on_) value |= status_bit::kSuspended;
  return value;
}

Ticks WorkEngine::next_event(Ticks now) const {
  Ticks next = kNever;
  const auto consider = [&](Ticks t) {
    if (t > now) next = std::min(next, t);
  };
  consider(int_at_);
  if (active_on_) consider(active_.end);
  // A cached program in the background; its end is reached in steps when `now` lies ahead of what was completed.
  if (waiting_on_) consider(active_.end + waiting_.duration);
  return next;
}

}  // namespace ftlab::hw
