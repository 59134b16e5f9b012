// What the command codes mean to a die, and which of them it refuses.
#include "hw/onenand/die.h"

namespace ftlab::hw {

namespace regs = flexonenand;
namespace command_code = flexonenand::command;
namespace status_bit = flexonenand::status;
namespace interrupt_bit = flexonenand::interrupt;

bool Die::accepts(std::uint16_t code) const {
  if (idle()) return true;
  if (in_background()) return code == command_code::kProgram || code == command_code::kCacheProgram;
  return code == command_code::kEraseSuspend && active_on_ && active_.kind == WorkKind::erase;
}

void Die::command(Ticks t, std::uint16_t code) {
  if (code == command_code::kCoreReset || code == command_code::kHotReset) return reset(t, ResetKind::command);
  if (!accepts(code)) return;
  interrupt_ = 0;
  const bool programs = code == command_code::kProgram || code == command_code::kCacheProgram;
  if (cache_run_ && programs) {
    if ((sticky_ & status_bit::kCurrentCacheFail) != 0) sticky_ |= status_bit::kPreviousCacheFail;
    sticky_ &= static_cast<std::uint16_t>(~status_bit::kCurrentCacheFail);
  } else {
    sticky_ = 0;
    cache_run_ = false;
  }
  switch (code) {
    case command_code::kLoad:
      load(t, WorkKind::load);
      break;
    case command_code::kSuperload:
      load(t, WorkKind::superload);
      break;
    case command_code::kLsbRecoveryRead:  // the update of the boundary in partition access
      if (access_ == Access::partition) {
        read_boundary(t);
        plain(t, device_.spec.timing.command);
      } else {
        load(t, WorkKind::recovery_load);
      }
      break;
    case command_code::kProgram:
      program(t, false);
      break;
    case command_code::kCacheProgram:
      program(t, true);
      break;
    case command_code::kErase:
      erase(t);
      break;
    case command_code::kEraseSuspend:
      suspend(t);
      break;
    case command_code::kEraseResume:
      resume(t);
      break;
    case command_code::kUnlock:
    case command_code::kLock:
    case command_code::kLockTight:
    case command_code::kUnlockAll:
      protect(t, code);
      break;
    case command_code::kOtpAccess:
    case command_code::kPartitionAccess:
      if (suspended_on_) {
        refuse(t, 0, 0);
      } else {
        access_ = code == command_code::kOtpAccess ? Access::otp : Access::partition;
        plain(t, device_.spec.timing.command);
      }
      break;
    default:
      refuse(t, 0, 0);
  }
  schedule();
}

Die::Target Die::target(Aim aim) const {
  const OneNandRegisters& r = device_.registers;
  Target where;
  where.page = r.fpa();
  where.legal = aim == Aim::segment || r.page_address_legal();
  if (access_ == Access::array) {
    where.segment = first_segment_ + device_.fba();
    where.slc = is_slc(device_.fba());
    where.legal = where.legal && !(suspended_on_ && where.segment == suspended_.segment);
  } else {
    where.slc = true;
    where.segment =
        access_ == Access::otp ? device_.cells.otp_segment(index_) : device_.cells.partition_segment(index_);
  }
  if (aim == Aim::segment) return where;  // an erase looks at no page: the register holds one of another segment
  where.legal = where.legal && where.page < (where.slc ? regs::kSlcPagesPerSegment : regs::kMlcPagesPerSegment);
  return where;
}

bool Die::may_program(const Target& where) const {
  if (!where.legal) return false;
  const Segment& segment = device_.cells.at(where.segment);
  if (access_ == Access::otp) {
    return !otp_locked_ && (segment.flags(where.page) == 0 || where.page == regs::otp::kLockPage);
  }
  // A page of the run that still waits or works has not moved the segment's own mark yet.
  const bool behind_active = active_on_ && active_.segment == where.segment && where.page <= active_.page;
  if (segment.noise || where.page < segment.next_page || behind_active) return false;
  return may_erase(where);
}

bool Die::may_erase(const Target& where) const {
  if (access_ == Access::otp) return false;
  if (access_ == Access::partition) return !partition_locked();
  const std::uint32_t fba = where.segment - first_segment_;
  return protection_[fba] == regs::protect::kUnlocked && !(first_block_locked_ && index_ == 0 && fba == 0);
}

Ticks Die::sense_time(bool slc) const {
  const OneNandTiming& timing = device_.spec.timing;
  return timing.load[static_cast<std::size_t>(slc ? PageType::slc : PageType::lsb)] - timing.transfer;
}

void Die::load(Ticks t, WorkKind kind) {
  const Target where = target();
  const bool sync = (device_.registers.config & regs::config::kSyncRead) != 0;
  if (!where.legal || (kind == WorkKind::superload && (!sync || !page_loaded_))) {
    return refuse(t, status_bit::kLoad, interrupt_bit::kRead);
  }
  start_load(t, kind, where);
}

void Die::start_load(Ticks t, WorkKind kind, const Target& where) {
  const OneNandTiming& timing = device_.spec.timing;
  Work work;
  work.kind = kind;
  work.segment = where.segment;
  work.page = where.page;
  work.slc = where.slc;
  work.ecc_on = device_.registers.ecc_on();
  work.status_bit = status_bit::kLoad;
  work.duration = sense_time(where.slc) + timing.transfer;
  if (kind == WorkKind::recovery_load) work.duration = timing.recovery_load;
  if (kind == WorkKind::superload) work.duration = kNever;  // until the host has read DataRAM
  work.power_uw = device_.spec.power.load_uw;
  work.op.kind = DeviceOpKind::load;
  work.op.bytes = regs::kPageBytes;
  begin(work, t);
  int_at_ = active_.end;
  int_bits_ = interrupt_bit::kRead;
}

void Die::load_first_page(Ticks t) {
  if (!idle()) return;
  interrupt_ = sticky_ = 0;
  cache_run_ = false;
  start_load(t, WorkKind::load, {first_segment_, 0, is_slc(0), true});
  schedule();
}

void Die::data_read_out(Ticks t) {
  if (!active_on_ || active_.kind != WorkKind::superload || active_.end != kNever) return;
  const Ticks transfer = device_.spec.timing.transfer;
  const Ticks sensed = sense_time(active_.slc);
  active_.end = std::max(t, active_.begin + sensed) + transfer;
  active_.done = sensed + transfer - (active_.end - active_.begin);  // waiting for the host is no work
  int_at_ = active_.end;
  schedule();
}

void Die::program(Ticks t, bool cached) {
  const Target where = target();
  if (!may_program(where)) {
    if (!cached) cache_run_ = false;  // the last of its run, taken or not: the next command starts with a clean status
    // A cached program of a locked segment makes the part reset itself.
    const bool locked = where.legal && access_ == Access::array && !may_erase(where);
    if (cached && locked) return reset(t, ResetKind::command);
    return refuse(t, status_bit::kProgram, interrupt_bit::kWrite);
  }
  const Segment& segment = device_.cells.at(where.segment);
  Work work;
  work.kind = WorkKind::program;
  work.segment = where.segment;
  work.page = where.page;
  work.slc = where.slc;
  const bool first = segment.next_page == 0 && !(active_on_ && active_.segment == where.segment);
  work.type = where.slc ? PageType::slc : first || regs::paired::is_lsb(where.page) ? PageType::lsb : PageType::msb;
  work.ecc_on = device_.registers.ecc_on();
  work.cached = cached;
  work.fails = device_.aging.program_fails(segment, where.slc);
  work.duration = device_.aging.program_time(segment, where.slc, work.type);
  work.status_bit = status_bit::kProgram;
  work.interrupt_bits = interrupt_bit::kWrite;
  work.power_uw = device_.spec.power.program_uw;
  work.op.kind = DeviceOpKind::buffer_program;
  work.op.bytes = regs::kPageBytes;
  page_loaded_ = false;
  cache_run_ = cache_run_ || cached;
  waiting_ = work;
  waiting_on_ = true;
  if (!active_on_) return begin_program(t);
  int_at_ = active_.end + (cached ? device_.spec.timing.transfer : work.duration);
  int_bits_ = work.interrupt_bits;
}

void Die::erase(Ticks t) {
  const Target where = target(Aim::segment);
  if (!where.legal || suspended_on_ || !may_erase(where)) {
    return refuse(t, status_bit::kErase, interrupt_bit::kErase);
  }
  const Segment& segment = device_.cells.at(where.segment);
  Work work;
  work.kind = WorkKind::erase;
  work.segment = where.segment;
  work.slc = where.slc;
  work.fails = device_.aging.erase_fails(segment, where.slc);
  work.duration = device_.aging.erase_time(segment, where.slc);
  work.status_bit = status_bit::kErase;
  work.power_uw = device_.spec.power.erase_uw;
  work.op.kind = DeviceOpKind::erase;
  work.op.bytes = OneNandSpec::kSegmentBytes;
  begin(work, t);
  int_at_ = active_.end;
  int_bits_ = interrupt_bit::kErase;
}

void Die::suspend(Ticks t) {
  if (!active_on_) return refuse(t, status_bit::kErase, 0);  // nothing to suspend
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
  int_at_ = at;
  int_bits_ = 0;
}

void Die::resume(Ticks t) {
  if (!suspended_on_) return refuse(t, status_bit::kErase, 0);
  suspended_on_ = false;
  active_ = suspended_;
  active_on_ = true;
  active_.begin = t;
  active_.end = t + (active_.duration - active_.done);
  int_at_ = active_.end;
  int_bits_ = interrupt_bit::kErase;
}

void Die::protect(Ticks t, std::uint16_t code) {
  namespace state = flexonenand::protect;
  if (code == command_code::kUnlockAll) {
    for (std::uint8_t& segment : protection_) {
      if (segment != state::kLockedTight) segment = static_cast<std::uint8_t>(state::kUnlocked);
    }
    return plain(t, device_.spec.timing.unlock_all);
  }
  const std::uint32_t fba = device_.in_die(device_.registers.start_block);
  if (protection_[fba] == state::kLockedTight ||
      (code == command_code::kLockTight && protection_[fba] != state::kLocked)) {
    return refuse(t, 0, 0);
  }
  protection_[fba] = static_cast<std::uint8_t>(code == command_code::kUnlock ? state::kUnlocked
                                               : code == command_code::kLock ? state::kLocked
                                                                             : state::kLockedTight);
  plain(t, device_.spec.timing.command);
}

void Die::plain(Ticks t, Ticks duration) {
  Work work;
  work.kind = WorkKind::plain;
  work.duration = duration;
  work.segment = first_segment_;
  work.power_uw = device_.spec.power.other_uw;
  work.op.kind = DeviceOpKind::other;
  begin(work, t);
  int_at_ = active_.end;
  int_bits_ = 0;
}

void Die::refuse(Ticks t, std::uint16_t bit, std::uint16_t interrupt_bits) {
  if (active_on_) {
    // In the background of a cached run: status says at once what would otherwise wait for the array.
    sticky_ |= status_bit::kError | bit;
    int_at_ = t + device_.spec.timing.command;
    int_bits_ = interrupt_bits;
    return;
  }
  Work work;
  work.kind = WorkKind::refused;
  work.duration = device_.spec.timing.command;
  work.status_bit = bit;
  begin(work, t);
  int_at_ = active_.end;
  int_bits_ = interrupt_bits;
}

}  // namespace ftlab::hw
