#include "platform/machine/iss/riscv/riscv_core.h"

#include <algorithm>

#include "platform/machine/iss/riscv/arithmetic.h"
#include "platform/machine/iss/riscv/decode.h"

namespace ftlab::iss::riscv {
namespace {

constexpr unsigned kRegisters = 32;
constexpr unsigned kPcNumber = 32;
constexpr unsigned kFirstCsrNumber = 65;

StopReason reason_of(Cause cause) {
  switch (cause) {
    case Cause::illegal_instruction:
      return StopReason::illegal_instruction;
    case Cause::breakpoint:
      return StopReason::breakpoint;
    case Cause::load_misaligned:
    case Cause::store_misaligned:
      return StopReason::misaligned;
    case Cause::environment_call:
      return StopReason::environment_call;
    default:
      return StopReason::bus_error;
  }
}

}  // namespace

RiscvCore::RiscvCore(const RiscvConfig& config, const std::vector<MemoryRegion>& regions, Bus& bus)
    : config_(config),
      memory_(regions),
      bus_(bus),
      flash_(config.timing.flash),
      cache_(memory_, config_.timing, flash_, execute(nullptr), config.identity.atomics),
      csrs_(config.identity),
      pc_(config.reset_pc & ~1U) {
  if (flash_.covers(config.timing.flash.base)) memory_.load_slowly(config.timing.flash.base, config.timing.flash.size);
}

void RiscvCore::reset() {
  const std::uint32_t lines = *csrs_.read(csr::kMip, counts());
  csrs_ = Csrs(config_.identity);
  for (const Interrupt line : {Interrupt::software, Interrupt::timer, Interrupt::external}) {
    csrs_.set_line(line, (lines >> static_cast<unsigned>(line) & 1) != 0);
  }
  cache_.forget_all();
  x_ = {};
  pc_ = config_.reset_pc & ~1U;
  executed_ = trapped_ = end_ = slice_end_ = 0;
  left_ = 0;
  attention_ = waiting_ = false;
  reservation_.reset();
}

void RiscvCore::set_line(Interrupt line, bool high) {
  csrs_.set_line(line, high);
  attention_ = true;
}

CoreStop RiscvCore::run(std::uint64_t budget) {
  end_requested_ = false;
  end_ = executed_ + budget;
  if (waiting_ && !csrs_.wakes()) return {StopReason::wait_for_interrupt, pc_, 0};
  waiting_ = false;
  step_over_ = cache_.has_breakpoint(pc_) ? std::optional(pc_) : std::nullopt;
  CoreStop stop;
  execute(&stop);
  return stop;
}

bool RiscvCore::attend() {
  constexpr std::uint64_t kLongest = 1U << 30;
  attention_ = false;
  slice_end_ = cycles();
  left_ = 0;
  stop_ = {end_requested_ ? StopReason::requested : StopReason::budget, pc_, 0};
  if (end_requested_ || executed_ == end_ || slice_end_ >= end_cycle_) return true;
  if (const auto interrupt = csrs_.to_take()) {
    pc_ = csrs_.enter(*interrupt, pc_);
    slice_end_ += config_.timing.exception_entry;
  }
  // Each instruction takes a cycle at least.
  const std::uint64_t until_end = end_cycle_ - std::min(end_cycle_, slice_end_);
  const std::uint64_t slice = std::min({end_ - executed_, until_end, kLongest});
  slice_end_ += slice;
  left_ = static_cast<std::int64_t>(slice);
  return false;
}

Block* RiscvCore::prepare(Block* block) {
  // At once both lines of a first instruction that lies across them.
  if (left_ > 0 && *block->there == 0) left_ -= flash_.touch(block->pc, is_compressed(code_at(block->pc)) ? 2 : 4);
  if (left_ <= 0) return nullptr;
  if (left_ > block->last) return block;
  const Passed* late = block->before;
  while (late->cycles < left_) ++late;
  return cache_.beginning_of(*block, static_cast<std::uint32_t>(late - block->before));
}

void RiscvCore::synchronise(const Block& block, const Step& step, std::int64_t left, std::uint64_t executed) {
  const Passed& before = block.before[&step - block.steps];
  executed_ = executed - (block.count - before.count);
  left_ = left + (block.cycles - before.cycles);
  pc_ = block.pc + 2U * step.halfwords;
}

bool RiscvCore::raise(const Fault& fault) {
  ++executed_;
  ++trapped_;
  --left_;
  if ((config_.reported & RiscvConfig::bit(fault.cause)) != 0) {
    stop_ = {reason_of(fault.cause), pc_, fault.value};
    return true;
  }
  // It would come to the same again, for ever.
  const bool again = fault.cause == Cause::fetch_fault || fault.cause == Cause::illegal_instruction;
  if (again && pc_ == csrs_.exception_vector()) {
    stop_ = {StopReason::lockup, pc_, fault.value};
    return true;
  }
  pc_ = csrs_.enter(fault.cause, pc_, fault.value);
  left_ -= config_.timing.exception_entry;
  return false;
}

bool RiscvCore::load(std::uint32_t address, unsigned size, std::uint32_t& value) {
  const MemoryMap::Window* const window = memory_.find(address);
  const bool whole = window != nullptr && window->size - (address - window->base) >= size;
  fault_ = {Cause::load_fault, address};
  if (address % size != 0) {
    if (!config_.misaligned_done) fault_.cause = Cause::load_misaligned;
    if (!config_.misaligned_done || !whole) return false;
  }
  if (!whole || memory_.is_left(address)) return bus_.read(address, size, value);
  if (flash_.covers(address)) {
    left_ -= flash_.touch(address, size);
    // The line that has gone may be the one that the next instruction begins in.
    const std::uint32_t last = is_compressed(code_at(pc_)) ? pc_ : pc_ + 2;
    if (!flash_.holds(last, 2)) attention_ = true;
  }
  value = 0;
  std::copy_n(window->bytes + (address - window->base), size, reinterpret_cast<std::uint8_t*>(&value));
  return true;
}

bool RiscvCore::store(std::uint32_t address, unsigned size, std::uint32_t value) {
  const MemoryMap::Window* const window = memory_.find_writable(address);
  const bool whole = window != nullptr && window->size - (address - window->base) >= size;
  fault_ = {Cause::store_fault, address};
  if (address % size != 0) {
    if (!config_.misaligned_done) fault_.cause = Cause::store_misaligned;
    if (!config_.misaligned_done || !whole) return false;
  }
  if (!whole || memory_.is_left(address)) return bus_.write(address, size, value);
  stores_.note(window->bytes + (address - window->base), size);
  std::copy_n(reinterpret_cast<const std::uint8_t*>(&value), size, window->bytes + (address - window->base));
  if (cache_.holds(address, size)) overwritten();
  return true;
}

void RiscvCore::look_for_waits(bool look) {
  if (look != loops_.looks()) cache_.forget_all();  // links along which it would not be asked
  loops_.look(look);
}

void RiscvCore::begin_iteration() {
  begun_ = begun_now();
  unrepeatable_ = false;
  stores_.begin();
  memory_.store_slowly(true);
}

bool RiscvCore::comes_round() const { return !unrepeatable_ && begun_ == begun_now() && stores_.unchanged(); }

void RiscvCore::end_iteration() {
  stores_.end();
  memory_.store_slowly(false);
}

bool RiscvCore::links(Block& block) {
  if (!loops_.looks() || pc_ >= block.end) return true;
  const BackEdge edge = loops_.see(block.end, pc_, x_, block.changes);
  repeats_ = edge == BackEdge::repeats;
  stop_ = {StopReason::repeats, pc_, 0};
  return edge == BackEdge::link;
}

void RiscvCore::overwritten() {
  stores_.spoil();
  cache_.forget_all();
  attention_ = true;
}

std::uint32_t RiscvCore::code_at(std::uint32_t pc) const {
  const auto half = [this](std::uint32_t address) -> std::uint32_t {
    const MemoryMap::Window* const window = memory_.find(address);
    return window != nullptr ? window->load<std::uint16_t>(address - window->base) : 0;
  };
  return half(pc) | half(pc + 2) << 16;
}

bool RiscvCore::access_csr(Op op, const Step& step) {
  const bool immediate = op == Op::csrrwi || op == Op::csrrsi || op == Op::csrrci;
  const std::uint32_t operand = immediate ? step.rs1 : x_[step.rs1];
  const bool swaps = op == Op::csrrw || op == Op::csrrwi;
  const bool sets = op == Op::csrrs || op == Op::csrrsi;
  fault_ = {Cause::illegal_instruction, code_at(pc_)};
  unrepeatable_ = unrepeatable_ || !Csrs::reads_steadily(step.imm);
  const auto old = csrs_.read(step.imm, counts());
  if (!old) return false;
  const std::uint32_t value = swaps ? operand : sets ? *old | operand : *old & ~operand;
  // Setting or clearing by x0 or by a zero is no write.
  const bool writes = swaps || step.rs1 != 0;
  if (writes && !csrs_.write(step.imm, value, counts(1))) return false;
  x_[step.rd] = *old;
  return true;
}

bool RiscvCore::atomic(Op op, const Step& step) {
  const std::uint32_t address = x_[step.rs1];
  const std::uint32_t operand = x_[step.rs2];
  if (address % 4 != 0) {
    fault_ = {op == Op::lr_w ? Cause::load_misaligned : Cause::store_misaligned, address};
    return false;
  }
  if (op == Op::sc_w) {
    const bool reserved = reservation_ == address;
    reservation_.reset();
    if (reserved && !store(address, 4, operand)) return false;
    x_[step.rd] = reserved ? 0 : 1;
    return true;
  }
  std::uint32_t old = 0;
  if (!load(address, 4, old)) {
    if (op != Op::lr_w) fault_.cause = Cause::store_fault;
    return false;
  }
  if (op == Op::lr_w) {
    reservation_ = address;
  } else if (!store(address, 4, combined(op, old, operand))) {
    return false;
  }
  x_[step.rd] = old;
  return true;
}

std::uint32_t RiscvCore::reg(unsigned number) const {
  if (number < kRegisters) return x_[number];
  if (number == kPcNumber) return pc_;
  return number < kFirstCsrNumber ? 0 : csrs_.read(number - kFirstCsrNumber, counts()).value_or(0);
}

void RiscvCore::set_reg(unsigned number, std::uint32_t value) {
  if (number == kPcNumber) {
    set_pc(value);
  } else if (number >= kFirstCsrNumber) {
    csrs_.write(number - kFirstCsrNumber, value, counts());
  } else if (number > 0 && number < kRegisters) {
    x_[number] = value;
  }
}

void RiscvCore::code_changed(std::uint32_t address, std::uint32_t size) {
  if (cache_.holds(address, size)) overwritten();
  if (reservation_ && *reservation_ - address < size) reservation_.reset();
}

}  // namespace ftlab::iss::riscv
