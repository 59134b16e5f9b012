#include "hw/onenand/commands/die.h"

namespace ftlab::hw {

namespace regs = flexonenand;
namespace command_code = flexonenand::command;
namespace status_bit = flexonenand::status;
namespace interrupt_bit = flexonenand::interrupt;

namespace {

bool is_program(std::uint16_t code) { return code == command_code::kProgram || code == command_code::kCacheProgram; }

}  // namespace

Die::Die(OneNandContext& device, std::uint32_t index)
    : device_(device),
      index_(index),
      array_(device, index),
      protection_(device.spec, array_, index),
      engine_(device, index, array_, protection_) {
  array_.scramble_ram();
  read_cells(Ticks::zero());
  array_.fill_boot_ram();
  engine_.status().interrupt = interrupt_bit::kInt | interrupt_bit::kRead;
}

void Die::read_cells(Ticks t) {
  protection_.read_boundary(t);
  protection_.read_otp_locks();
}

void Die::halt(Ticks t) {
  engine_.halt(t);
  access_ = Access::array;
}

void Die::reset(Ticks t, ResetKind kind) {
  Work work;
  work.kind = WorkKind::reset;
  work.duration = engine_.reset_time();
  work.status_bit = status_bit::kResetting;
  work.interrupt_bits = interrupt_bit::kReset;
  work.power_uw = device_.spec.power.other_uw;
  work.segment = array_.first_segment();
  halt(t);
  if (kind != ResetKind::command) {
    work.kind = WorkKind::boot;
    work.duration = device_.spec.timing.boot;
    work.status_bit = 0;
    if (kind == ResetKind::cold) work.interrupt_bits = interrupt_bit::kRead;  // the warm one reports a reset alone
    protection_.lock_all();
    read_cells(t);
  }
  engine_.begin(work, t);
}

bool Die::accepts(std::uint16_t code) const {
  if (engine_.idle()) return true;
  if (engine_.in_background()) return is_program(code);
  const Work* active = engine_.active();
  return code == command_code::kEraseSuspend && active != nullptr && active->kind == WorkKind::erase;
}

void Die::command(Ticks t, std::uint16_t code) {
  if (code == command_code::kCoreReset || code == command_code::kHotReset) return reset(t, ResetKind::command);
  if (!accepts(code)) return;
  engine_.accept(is_program(code));
  execute(t, code);
}

void Die::execute(Ticks t, std::uint16_t code) {
  switch (code) {
    case command_code::kLoad:
      return load(t, WorkKind::load);
    case command_code::kSuperload:
      return load(t, WorkKind::superload);
    case command_code::kLsbRecoveryRead:
      if (access_ != Access::partition) return load(t, WorkKind::recovery_load);
      protection_.read_boundary(t);  // in partition access the code updates the boundary
      return plain(t, device_.spec.timing.command);
    case command_code::kProgram:
    case command_code::kCacheProgram:
      return program(t, code == command_code::kCacheProgram);
    case command_code::kErase:
      return erase(t);
    case command_code::kEraseSuspend:
      return suspend(t);
    case command_code::kEraseResume:
      return resume(t);
    case command_code::kUnlock:
    case command_code::kLock:
    case command_code::kLockTight:
    case command_code::kUnlockAll:
      return protect(t, code);
    case command_code::kOtpAccess:
      return enter(t, Access::otp);
    case command_code::kPartitionAccess:
      return enter(t, Access::partition);
    default:
      return engine_.refuse(t, 0, 0);
  }
}

// Inline, since a call would pack the flags of its result through memory and wait for them.
[[gnu::always_inline]] inline Die::Target Die::target(Aim aim) const {
  const OneNandRegisters& r = device_.registers;
  Target where;
  where.page = r.fpa();
  where.legal = aim == Aim::segment || r.page_address_legal();
  if (access_ == Access::array) {
    where.segment = array_.first_segment() + device_.fba();
    where.slc = protection_.is_slc(device_.fba());
    const Work* suspended = engine_.suspended();
    where.legal = where.legal && (suspended == nullptr || where.segment != suspended->segment);
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
    return !protection_.otp_locked() && (segment.flags(where.page) == 0 || where.page == regs::otp::kLockPage);
  }
  // A page of the run that still waits or works has not moved the segment's own mark yet.
  const Work* active = engine_.active();
  const bool behind_active = active != nullptr && active->segment == where.segment && where.page <= active->page;
  if (segment.noise || where.page < segment.next_page || behind_active) return false;
  return may_erase(where);
}

bool Die::may_erase(const Target& where) const {
  if (access_ == Access::otp) return false;
  if (access_ == Access::partition) return !protection_.partition_locked();
  return protection_.unlocked(where.segment - array_.first_segment());
}

Work Die::work_on(WorkKind kind, const Target& where) const {
  Work work;
  work.kind = kind;
  work.segment = where.segment;
  work.page = where.page;
  work.slc = where.slc;
  work.ecc_on = device_.registers.ecc_on();
  return work;
}

void Die::load(Ticks t, WorkKind kind) {
  const Target where = target();
  const bool sync = (device_.registers.config & regs::config::kSyncRead) != 0;
  if (!where.legal || (kind == WorkKind::superload && (!sync || !engine_.page_loaded()))) {
    return engine_.refuse(t, status_bit::kLoad, interrupt_bit::kRead);
  }
  start_load(t, kind, where);
}

void Die::start_load(Ticks t, WorkKind kind, const Target& where) {
  const OneNandTiming& timing = device_.spec.timing;
  Work work = work_on(kind, where);
  work.status_bit = status_bit::kLoad;
  work.interrupt_bits = interrupt_bit::kRead;
  work.duration = timing.sense(where.slc) + timing.transfer;
  if (kind == WorkKind::recovery_load) work.duration = timing.recovery_load;
  if (kind == WorkKind::superload) work.duration = kNever;  // until the host has read DataRAM
  work.power_uw = device_.spec.power.load_uw;
  work.op.kind = DeviceOpKind::load;
  work.op.bytes = regs::kPageBytes;
  device_.cells.prefetch(where.segment, where.page);
  engine_.begin(work, t);
}

void Die::load_first_page(Ticks t) {
  if (!engine_.idle()) return;
  engine_.accept(false);
  start_load(t, WorkKind::load, {array_.first_segment(), 0, protection_.is_slc(0), true});
}

void Die::program(Ticks t, bool cached) {
  const Target where = target();
  if (!may_program(where)) {
    if (!cached) engine_.end_cache_run();
    // A cached program of a locked segment makes the part reset itself.
    const bool locked = where.legal && access_ == Access::array && !may_erase(where);
    if (cached && locked) return reset(t, ResetKind::command);
    return engine_.refuse(t, status_bit::kProgram, interrupt_bit::kWrite);
  }
  const Segment& segment = device_.cells.at(where.segment);
  const Work* active = engine_.active();
  const bool first = segment.next_page == 0 && (active == nullptr || active->segment != where.segment);
  Work work = work_on(WorkKind::program, where);
  work.type = where.slc ? PageType::slc : first || regs::paired::is_lsb(where.page) ? PageType::lsb : PageType::msb;
  work.cached = cached;
  work.fails = device_.aging.program_fails(segment, where.slc);
  work.duration = device_.aging.program_time(segment, where.slc, work.type);
  work.status_bit = status_bit::kProgram;
  work.interrupt_bits = interrupt_bit::kWrite;
  work.power_uw = device_.spec.power.program_uw;
  work.op.kind = DeviceOpKind::buffer_program;
  work.op.bytes = regs::kPageBytes;
  engine_.program(work, t);
}

void Die::erase(Ticks t) {
  Target where = target(Aim::segment);
  if (!where.legal || engine_.suspended() != nullptr || !may_erase(where)) {
    return engine_.refuse(t, status_bit::kErase, interrupt_bit::kErase);
  }
  const Segment& segment = device_.cells.at(where.segment);
  where.page = 0;
  Work work = work_on(WorkKind::erase, where);
  work.fails = device_.aging.erase_fails(segment, where.slc);
  work.duration = device_.aging.erase_time(segment, where.slc);
  work.status_bit = status_bit::kErase;
  work.interrupt_bits = interrupt_bit::kErase;
  work.power_uw = device_.spec.power.erase_uw;
  work.op.kind = DeviceOpKind::erase;
  work.op.bytes = OneNandSpec::kSegmentBytes;
  engine_.begin(work, t);
}

void Die::suspend(Ticks t) {
  if (engine_.active() == nullptr) return engine_.refuse(t, status_bit::kErase, 0);  // nothing to suspend
  engine_.suspend(t);
}

void Die::resume(Ticks t) {
  if (engine_.suspended() == nullptr) return engine_.refuse(t, status_bit::kErase, 0);
  engine_.resume(t);
}

void Die::protect(Ticks t, std::uint16_t code) {
  if (code == command_code::kUnlockAll) {
    protection_.unlock_all();
    return plain(t, device_.spec.timing.unlock_all);
  }
  if (!protection_.change(device_.in_die(device_.registers.start_block), code)) return engine_.refuse(t, 0, 0);
  plain(t, device_.spec.timing.command);
}

void Die::enter(Ticks t, Access access) {
  if (engine_.suspended() != nullptr) return engine_.refuse(t, 0, 0);
  access_ = access;
  plain(t, device_.spec.timing.command);
}

void Die::plain(Ticks t, Ticks duration) {
  Work work;
  work.kind = WorkKind::plain;
  work.duration = duration;
  work.segment = array_.first_segment();
  work.power_uw = device_.spec.power.other_uw;
  engine_.begin(work, t);
}

}  // namespace ftlab::hw
