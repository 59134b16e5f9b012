#include "platform/machine/iss/arm/executor.h"

#include "platform/machine/iss/arm/exec_data.h"
#include "platform/machine/iss/arm/exec_memory.h"
#include "platform/machine/iss/arm/exec_multiply.h"

// Labels as values: one jump for each step, which the processor predicts by the step before.
#pragma GCC diagnostic ignored "-Wpedantic"

namespace ftlab::iss::arm {
namespace {

std::uint32_t pc_of(const Block& block, const Op& op) { return block.start + 2U * op.place; }

/// The next block, and the link for the next time; nullptr: left for this reason.
Block* follow(Context& m, Block*& link, std::uint32_t target, Left& left) {
  m.g.pc = target;
  m.g.it = 0;
  if (!m.code.has_room()) {
    m.code_changed = true;
    left = Left::asked;
    return nullptr;
  }
  Block* block = m.code.find(target);
  if (block == nullptr || block->breakpoint) {
    left = block == nullptr ? Left::nowhere : Left::breakpoint;
    return nullptr;
  }
  link = block;
  return block;
}

/// The same, by the branch at the end of the block that is being executed, to an address in it.
[[gnu::noinline]] Block* follow_branch(Context& m, Block*& link, std::uint32_t target, Left& left) {
  Block* const block = follow(m, link, target, left);
  const std::uint32_t end = m.block->start + m.block->bytes;
  if (block == nullptr || !m.loops.looks() || target >= end) {
    return block;
  }
  const BackEdge edge = m.loops.see(end, target, m.g, m.block->changes);
  if (edge != BackEdge::link) {
    link = nullptr;
  }
  m.repeats = edge == BackEdge::repeats;
  left = Left::asked;
  return m.repeats ? nullptr : block;
}

/// An address as BX takes it: whether a block is to be looked for there.
bool exchange(Registers& g, std::uint32_t target, Left& left) {
  g.it = 0;
  if (target >> 28 == 0xF && g.handler_mode()) {
    g.pc = target;
    left = Left::exception_return;
    return false;
  }
  g.pc = target & ~1U;
  g.thumb = (target & 1) != 0;
  left = Left::asked;
  return g.thumb;
}

/// The instructions of the block behind this one are not executed.
void uncount(Context& m, const Op& op) {
  const Op* next = &op;
  while (next->index == op.index && next->index + 1U < m.block->count) {
    ++next;
  }
  const bool last = next->index == op.index;
  m.faulted = (last ? m.block->cycles : next->before) - op.before;
  m.left += last ? 0 : m.block->cycles - next->before;
  m.executed -= m.block->count - (op.index + 1U);
}

}  // namespace

Left execute(Context& m, Block* block) {
#define FTLAB_STEP(name, ...) &&do_##name,
  static const void* const kLabels[] = {
#include "platform/machine/iss/arm/ops.inc"
  };
#undef FTLAB_STEP

  const Op* op = nullptr;
  std::uint32_t target = 0;
  Left left = Left::due;

// NOLINTNEXTLINE(bugprone-macro-parentheses): a statement.
#define FTLAB_NEXT goto* kLabels[static_cast<unsigned>(op->code)]

enter:
  if (m.left <= block->last || *block->there == 0) [[unlikely]] {
    Block* const whole = block;
    block = m.prepare(whole);
    if (block == nullptr) {
      m.g.pc = whole->start;
      m.g.it = whole->ops->it;
      return Left::due;
    }
  }
  m.left -= block->cycles;
  m.executed += block->count;
  m.block = block;
  op = block->ops;
  FTLAB_NEXT;

#define FTLAB_PLAIN(name, ...) \
  do_##name : {                \
    __VA_ARGS__(m, *op);       \
    ++op;                      \
    FTLAB_NEXT;                \
  }
#define FTLAB_ACCESS(name, ...)              \
  do_##name : {                              \
    if (!__VA_ARGS__(m, *op)) [[unlikely]] { \
      goto after_access;                     \
    }                                        \
    ++op;                                    \
    FTLAB_NEXT;                              \
  }
#define FTLAB_JUMP(name)
#define FTLAB_SYSTEM(name) do_##name:
#include "platform/machine/iss/arm/ops.inc"
  // All of the system's steps.
  m.g.pc = pc_of(*block, *op) + op->size;
  m.g.it = next_it(op->it);
  m.at = op;
  return Left::system;

after_access:
  if (m.fault.exception != 0) {
    m.g.pc = pc_of(*block, *op);
    m.g.it = op->it;
    uncount(m, *op);
    return Left::fault;
  }
  if (op[1].index == op->index && op[1].size != 0) {
    ++op;  // the same instruction goes on
    FTLAB_NEXT;
  }
  m.g.pc = pc_of(*block, op[1]);
  m.g.it = op[1].it;
  uncount(m, *op);
  return Left::asked;

// By a link that the block keeps.
#define FTLAB_GO(link, address)                             \
  {                                                         \
    if (block->link == nullptr) [[unlikely]] {              \
      block = follow_branch(m, block->link, address, left); \
      if (block == nullptr) {                               \
        return left;                                        \
      }                                                     \
      goto enter;                                           \
    }                                                       \
    block = block->link;                                    \
    goto enter;                                             \
  }
#define FTLAB_BRANCH(name, condition)                                               \
  do_##name : if (condition) FTLAB_GO(taken, op->imm) m.left += m.not_taken_refund; \
  FTLAB_GO(next, pc_of(*block, *op) + op->size)

  FTLAB_BRANCH(beq, m.g.holds(0))
  FTLAB_BRANCH(bne, m.g.holds(1))
  FTLAB_BRANCH(bcs, m.g.holds(2))
  FTLAB_BRANCH(bcc, m.g.holds(3))
  FTLAB_BRANCH(bmi, m.g.holds(4))
  FTLAB_BRANCH(bpl, m.g.holds(5))
  FTLAB_BRANCH(bvs, m.g.holds(6))
  FTLAB_BRANCH(bvc, m.g.holds(7))
  FTLAB_BRANCH(bhi, m.g.holds(8))
  FTLAB_BRANCH(bls, m.g.holds(9))
  FTLAB_BRANCH(bge, m.g.holds(10))
  FTLAB_BRANCH(blt, m.g.holds(11))
  FTLAB_BRANCH(bgt, m.g.holds(12))
  FTLAB_BRANCH(ble, m.g.holds(13))
  FTLAB_BRANCH(cbz, m.g.r[op->rn] == 0)
  FTLAB_BRANCH(cbnz, m.g.r[op->rn] != 0)

do_bl:
  m.g.r[kLr] = (pc_of(*block, *op) + 4) | 1;
do_b:
  FTLAB_GO(taken, op->imm)

do_fall:
  if (op->it != 0) [[unlikely]] {
    m.g.pc = op->imm;
    m.g.it = op->it;
    return Left::asked;
  }
  FTLAB_GO(next, op->imm)

do_end:
  m.g.pc = pc_of(*block, *op);
  m.g.it = op->it;
  return Left::due;

do_line:
  if (!m.flash.has(op->imm)) [[unlikely]] {
    m.left -= m.flash.fetch(op->imm);
    // One of the next instructions would begin too late.
    if (m.left < 0) {
      m.g.pc = pc_of(*block, *op);
      m.g.it = op->it;
      m.left += block->cycles - op->before;
      m.executed -= block->count - op->index;
      return Left::due;
    }
  }
  ++op;
  FTLAB_NEXT;

do_skip_unless:
  op += m.g.holds(op->ra) ? 1 : op->imm;
  FTLAB_NEXT;

do_blx:
  target = m.g.r[op->rn];
  m.g.r[kLr] = (pc_of(*block, *op) + 2) | 1;
  goto jump_to_target;
do_bx:
  target = m.g.r[op->rn];
  goto jump_to_target;
do_jump_exchange:
  target = m.g.r[kScratch];
  goto jump_to_target;
do_jump:
  target = m.g.r[kScratch] | 1;
  goto jump_within_thumb;
do_jump_table:
  target = (op->imm + 2 * m.g.r[kScratch]) | 1;
jump_within_thumb:
  m.g.pc = target & ~1U;
  m.g.it = 0;
  left = Left::asked;
  goto jumped;
jump_to_target:
  if (!exchange(m.g, target, left)) {
    return left;
  }
jumped:
  if (m.leave) [[unlikely]] {
    return Left::asked;
  }
  // Most jumps by a register lead where one of the last two have led.
  if (block->taken != nullptr && block->taken->start == m.g.pc) {
    block = block->taken;
    goto enter;
  }
  if (block->earlier != nullptr && block->earlier->start == m.g.pc) {
    block = block->earlier;
    goto enter;
  }
  block->earlier = block->taken;
  block = follow(m, block->taken, m.g.pc, left);
  if (block == nullptr) {
    return left;
  }
  goto enter;
}

}  // namespace ftlab::iss::arm
