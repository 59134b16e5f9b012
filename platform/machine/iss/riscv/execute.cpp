// The loop that executes instructions: each ends with a jump to the next one's place (an extension of GNU C).
//
// Within a block nothing is counted. `left` is what the block leaves of the time until interrupts are looked at; a
// block whose last instruction begins later is executed from a shortened copy, so that no instruction looks at the
// time. Blocks remember which ones have followed them:
// next[0] and next[1] of a branch not taken and taken, of JALR two targets, of others the only one.
#include <cstring>
#include <iterator>
#include <utility>

#include "platform/machine/iss/riscv/arithmetic.h"
#include "platform/machine/iss/riscv/bits.h"
#include "platform/machine/iss/riscv/riscv_core.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define FTLAB_NEXT      \
  do {                  \
    ++step;             \
    goto * step->place; \
  } while (false)

// In the middle of a block: pc_, executed_ and left_ as they are before the instruction. No local variable may have its
// address taken, or each instruction would find its step in memory.
#define FTLAB_SYNCHRONISE synchronise(*block, *step, left, executed)

#define FTLAB_ENTER(following)                                  \
  do {                                                          \
    block = (following);                                        \
    if (left <= block->last || *block->there == 0) [[unlikely]] \
      goto prepare;                                             \
    left -= block->cycles;                                      \
    executed += block->count;                                   \
    step = block->steps;                                        \
    goto * step->place;                                         \
  } while (false)

#define FTLAB_FOLLOW(way, target)    \
  do {                               \
    link = &block->next[way];        \
    if (*link != nullptr) [[likely]] \
      FTLAB_ENTER(*link);            \
    pc_ = (target);                  \
    goto follow;                     \
  } while (false)

// rd = result, from a = x[rs1] and b = x[rs2].
#define FTLAB_COMPUTE(name, result)                        \
  name : {                                                 \
    [[maybe_unused]] const std::uint32_t a = x[step->rs1]; \
    [[maybe_unused]] const std::uint32_t b = x[step->rs2]; \
    x[step->rd] = (result);                                \
    FTLAB_NEXT;                                            \
  }

// Two ways of their own: the simulating processor predicts which one it is, and does not wait for the operands.
#define FTLAB_BRANCH(name, condition)          \
  name : {                                     \
    const std::uint32_t a = x[step->rs1];      \
    const std::uint32_t b = x[step->rs2];      \
    if (condition) FTLAB_FOLLOW(1, step->imm); \
    left += not_taken_refund;                  \
    FTLAB_FOLLOW(0, block->end);               \
  }

// `result`: what the register gets of `value`, whose upper bits are zero.
#define FTLAB_LOAD(name, type, result)                                                                                 \
  name : {                                                                                                             \
    const std::uint32_t address = x[step->rs1] + step->imm;                                                            \
    if (const std::uint8_t* const place = memory.load_pages().find<type>(address)) [[likely]] {                        \
      type narrow;                                                                                                     \
      std::memcpy(&narrow, place, sizeof narrow);                                                                      \
      const std::uint32_t value = narrow;                                                                              \
      x[step->rd] = (result);                                                                                          \
      FTLAB_NEXT;                                                                                                      \
    }                                                                                                                  \
    const MemoryMap::Window& window = memory.for_load(address);                                                        \
    std::uint32_t offset;                                                                                              \
    if (window.holds<type>(address, offset)) {                                                                         \
      const std::uint32_t value = window.load<type>(offset);                                                           \
      x[step->rd] = (result);                                                                                          \
      FTLAB_NEXT;                                                                                                      \
    }                                                                                                                  \
    if (memory.slow().holds<type>(address, offset) && flash.has(flash.line_of(address)) && !memory.is_left(address)) { \
      const std::uint32_t value = memory.slow().load<type>(offset);                                                    \
      x[step->rd] = (result);                                                                                          \
      FTLAB_NEXT;                                                                                                      \
    }                                                                                                                  \
    std::uint32_t value = 0;                                                                                           \
    FTLAB_SYNCHRONISE;                                                                                                 \
    if (!load(address, sizeof(type), value)) goto fault;                                                               \
    x[step->rd] = (result);                                                                                            \
    FTLAB_GO_ON;                                                                                                       \
  }

#define FTLAB_STORE(name, type)                                                            \
  name : {                                                                                 \
    const std::uint32_t address = x[step->rs1] + step->imm;                                \
    if (std::uint8_t* const place = memory.store_pages().find<type>(address)) [[likely]] { \
      const auto value = static_cast<type>(x[step->rs2]);                                  \
      std::memcpy(place, &value, sizeof value);                                            \
      FTLAB_NEXT;                                                                          \
    }                                                                                      \
    const MemoryMap::Window& window = memory.for_store(address);                           \
    std::uint32_t offset;                                                                  \
    if (window.holds<type>(address, offset) && !window.marked<type>(offset)) {             \
      window.store(offset, static_cast<type>(x[step->rs2]));                               \
      FTLAB_NEXT;                                                                          \
    }                                                                                      \
    FTLAB_SYNCHRONISE;                                                                     \
    if (!store(address, sizeof(type), static_cast<type>(x[step->rs2]))) goto fault;        \
    FTLAB_GO_ON;                                                                           \
  }

// Behind an access: to the rest of the block, unless something has to be looked at before.
#define FTLAB_GO_ON                         \
  do {                                      \
    left = left_behind(*block, *step);      \
    if (attention_ || left < 0) goto leave; \
    FTLAB_NEXT;                             \
  } while (false)

// Like FTLAB_COMPUTE, of magnitudes that take the longer the more bits the quotient may have.
#define FTLAB_DIVIDE(name, result, dividend, divisor)      \
  name : {                                                 \
    const std::uint32_t a = x[step->rs1];                  \
    const std::uint32_t b = x[step->rs2];                  \
    x[step->rd] = (result);                                \
    left -= config_.timing.divide_more(dividend, divisor); \
    if (left < 0) {                                        \
      FTLAB_SYNCHRONISE;                                   \
      goto leave;                                          \
    }                                                      \
    FTLAB_NEXT;                                            \
  }

#define FTLAB_ATOMIC(name)                    \
  name : {                                    \
    FTLAB_SYNCHRONISE;                        \
    if (!atomic(Op::name, *step)) goto fault; \
    FTLAB_GO_ON;                              \
  }

#define FTLAB_CSR(name)                           \
  name : {                                        \
    FTLAB_SYNCHRONISE;                            \
    if (!access_csr(Op::name, *step)) goto fault; \
    goto complete;                                \
  }

namespace ftlab::iss::riscv {

const void* const* RiscvCore::execute(CoreStop* stop) {
  static const void* const kAll[] = {
// A label is no expression: NOLINTNEXTLINE(bugprone-macro-parentheses)
#define FTLAB_OP(name) &&name,
#include "platform/machine/iss/riscv/ops.inc"
#undef FTLAB_OP
      &&end_of_block, &&at_breakpoint, &&line};
  static_assert(std::size(kAll) == kPlaces);
  if (stop == nullptr) return kAll;

  std::uint32_t* const x = x_.data();
  const MemoryMap& memory = memory_;
  FlashCache& flash = flash_;
  const std::int64_t not_taken_refund = std::int64_t{config_.timing.branch_taken} - config_.timing.branch_not_taken;
  std::int64_t left = 0;       // behind the block
  std::uint64_t executed = 0;  // with all of the block
  Block* block = nullptr;
  Block** link = nullptr;
  const Step* step = nullptr;
  bool steps_over = false;  // a breakpoint at the first instruction does not count

between:  // pc_, executed_ and left_ hold
  if (attend()) goto stopped;
  left = left_;
  executed = executed_;
  link = nullptr;
  steps_over = std::exchange(step_over_, std::nullopt) == pc_;
  if (steps_over) {
    block = cache_.single(pc_);
    if (block == nullptr) goto unfetchable;
    FTLAB_ENTER(block);
  }

find:  // a block at pc_, which `link`, if any, is to remember
  block = cache_.find(pc_);
  if (block == nullptr) {
    const std::uint64_t generation = cache_.generation();
    executed_ = executed;
    left_ = left;
    if (left <= 0) goto between;
    block = cache_.make(pc_);
    if (block == nullptr) goto unfetchable;
    if (cache_.generation() != generation) link = nullptr;
  }
  if (link != nullptr) *link = block;
  FTLAB_ENTER(block);

follow:  // the branch at the end of the block to pc_
  if (!links(*block)) {
    link = nullptr;
    executed_ = executed;
    left_ = left;
    if (std::exchange(repeats_, false)) goto stopped;
  }
  goto find;

prepare:  // a part of the block, or nothing
  pc_ = block->pc;
  left_ = left;
  block = prepare(block);
  left = left_;
  if (block == nullptr) {
    if (steps_over && executed == executed_) step_over_ = pc_;
    executed_ = executed;
    left_ = left;
    goto between;
  }
  left -= block->cycles;
  executed += block->count;
  step = block->steps;
  goto * step->place;

unfetchable:  // pc_, executed_ and left_ hold; of an instruction of 32 bits one half may be memory
  fault_ = {Cause::fetch_fault, memory_.find_executable(pc_) != nullptr ? pc_ + 2 : pc_};
  goto fault;

leave:  // the instruction is complete, the block is not
  ++executed_;
  left_ -= block->before[step + 1 - block->steps].cycles - block->before[step - block->steps].cycles;
  ++step;
  pc_ = block->pc + 2U * step->halfwords;
  goto between;

complete:  // the last instruction of a block, with pc_, executed_ and left_ as before it
  ++executed_;
  left_ -= block->cycles - block->last;
  pc_ = block->end;
  goto between;

fault:  // fault_ says which, pc_, executed_ and left_ are as before the instruction
  if (!raise(fault_)) goto between;

stopped:
  *stop = stop_;
  return kAll;

end_of_block:
  FTLAB_FOLLOW(0, block->end);

line:
  if (!flash.has(step->imm)) [[unlikely]] {
    left -= flash.fetch(step->imm);
    // One of the next instructions would begin too late.
    if (left < 0) {
      FTLAB_SYNCHRONISE;
      goto between;
    }
  }
  FTLAB_NEXT;

at_breakpoint:
  *stop = {StopReason::breakpoint, block->end, 0};
  pc_ = block->end;
  executed_ = executed;
  left_ = left;
  return kAll;

lui:
auipc:
  x[step->rd] = step->imm;
  FTLAB_NEXT;

jal:
  x[step->rd] = block->end;
  FTLAB_FOLLOW(0, step->imm);

jalr : {
  const std::uint32_t target = (x[step->rs1] + step->imm) & ~1U;
  x[step->rd] = block->end;
  for (Block* const known : block->next) {
    if (known != nullptr && known->pc == target) FTLAB_ENTER(known);
  }
  // The last one but one is forgotten.
  block->next[1] = block->next[0];
  link = block->next.data();
  pc_ = target;
  goto find;
}

  FTLAB_BRANCH(beq, a == b)
  FTLAB_BRANCH(bne, a != b)
  FTLAB_BRANCH(blt, as_signed(a) < as_signed(b))
  FTLAB_BRANCH(bge, as_signed(a) >= as_signed(b))
  FTLAB_BRANCH(bltu, a < b)
  FTLAB_BRANCH(bgeu, a >= b)

  FTLAB_LOAD(lb, std::uint8_t, sign_extend(value, 8))
  FTLAB_LOAD(lh, std::uint16_t, sign_extend(value, 16))
  FTLAB_LOAD(lw, std::uint32_t, value)
  FTLAB_LOAD(lbu, std::uint8_t, value)
  FTLAB_LOAD(lhu, std::uint16_t, value)
  FTLAB_STORE(sb, std::uint8_t)
  FTLAB_STORE(sh, std::uint16_t)
  FTLAB_STORE(sw, std::uint32_t)

  FTLAB_COMPUTE(addi, a + step->imm)
  FTLAB_COMPUTE(slti, as_signed(a) < as_signed(step->imm) ? 1 : 0)
  FTLAB_COMPUTE(sltiu, a < step->imm ? 1 : 0)
  FTLAB_COMPUTE(xori, a ^ step->imm)
  FTLAB_COMPUTE(ori, a | step->imm)
  FTLAB_COMPUTE(andi, a & step->imm)
  FTLAB_COMPUTE(slli, a << step->imm)
  FTLAB_COMPUTE(srli, a >> step->imm)
  FTLAB_COMPUTE(srai, as_unsigned(as_signed(a) >> step->imm))
  FTLAB_COMPUTE(add, a + b)
  FTLAB_COMPUTE(sub, a - b)
  FTLAB_COMPUTE(sll, a << (b & 31))
  FTLAB_COMPUTE(slt, as_signed(a) < as_signed(b) ? 1 : 0)
  FTLAB_COMPUTE(sltu, a < b ? 1 : 0)
  FTLAB_COMPUTE(xor_, a ^ b)
  FTLAB_COMPUTE(srl, a >> (b & 31))
  FTLAB_COMPUTE(sra, as_unsigned(as_signed(a) >> (b & 31)))
  FTLAB_COMPUTE(or_, a | b)
  FTLAB_COMPUTE(and_, a & b)
  FTLAB_COMPUTE(mul, a * b)
  FTLAB_COMPUTE(mulh, riscv::mulh(a, b))
  FTLAB_COMPUTE(mulhsu, riscv::mulhsu(a, b))
  FTLAB_COMPUTE(mulhu, riscv::mulhu(a, b))
  FTLAB_DIVIDE(div, riscv::div(a, b), magnitude(a), magnitude(b))
  FTLAB_DIVIDE(divu, riscv::divu(a, b), a, b)
  FTLAB_DIVIDE(rem, riscv::rem(a, b), magnitude(a), magnitude(b))
  FTLAB_DIVIDE(remu, riscv::remu(a, b), a, b)

  FTLAB_ATOMIC(lr_w)
  FTLAB_ATOMIC(sc_w)
  FTLAB_ATOMIC(amoswap_w)
  FTLAB_ATOMIC(amoadd_w)
  FTLAB_ATOMIC(amoxor_w)
  FTLAB_ATOMIC(amoand_w)
  FTLAB_ATOMIC(amoor_w)
  FTLAB_ATOMIC(amomin_w)
  FTLAB_ATOMIC(amomax_w)
  FTLAB_ATOMIC(amominu_w)
  FTLAB_ATOMIC(amomaxu_w)

fence:
  FTLAB_NEXT;

fence_i:
  FTLAB_SYNCHRONISE;
  cache_.forget_all();
  goto complete;

ecall:
  FTLAB_SYNCHRONISE;
  fault_ = {Cause::environment_call, 0};
  goto fault;

ebreak:
  FTLAB_SYNCHRONISE;
  fault_ = {Cause::breakpoint, pc_};
  goto fault;

illegal:
  FTLAB_SYNCHRONISE;
  fault_ = {Cause::illegal_instruction, step->imm};
  goto fault;

  FTLAB_CSR(csrrw)
  FTLAB_CSR(csrrs)
  FTLAB_CSR(csrrc)
  FTLAB_CSR(csrrwi)
  FTLAB_CSR(csrrsi)
  FTLAB_CSR(csrrci)

mret:
  FTLAB_SYNCHRONISE;
  ++executed_;
  left_ -= block->cycles - block->last;
  pc_ = csrs_.leave();
  goto between;

wfi:
  FTLAB_SYNCHRONISE;
  if (csrs_.wakes()) goto complete;
  ++executed_;
  left_ -= block->cycles - block->last;
  pc_ = block->end;
  waiting_ = true;
  *stop = {StopReason::wait_for_interrupt, pc_, 0};
  return kAll;
}

}  // namespace ftlab::iss::riscv

#pragma GCC diagnostic pop
