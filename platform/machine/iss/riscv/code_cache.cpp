#include "platform/machine/iss/riscv/code_cache.h"

#include <algorithm>

#include "platform/machine/iss/riscv/decode.h"
#include "platform/machine/iss/riscv/op_cycles.h"

namespace ftlab::iss::riscv {
namespace {

constexpr bool is_jump(Op op) { return between(op, Op::jal, Op::bgeu); }
constexpr bool is_atomic(Op op) { return between(op, Op::lr_w, Op::amomaxu_w); }
constexpr bool ends_block(Op op) { return is_jump(op) || between(op, Op::fence_i, Op::illegal); }

}  // namespace

CodeCache::CodeCache(MemoryMap& memory, const CoreTiming& timing, const FlashCache& flash, const void* const* places,
                     bool atomics)
    : memory_(memory),
      timing_(timing),
      flash_(flash),
      places_(places),
      atomics_(atomics),
      steps_(std::make_unique_for_overwrite<Step[]>(kSteps)),
      befores_(std::make_unique_for_overwrite<Passed[]>(kSteps)),
      blocks_(std::make_unique_for_overwrite<Block[]>(kBlocks)),
      starts_(memory.count()) {}

Block* CodeCache::find(std::uint32_t pc) {
  const MemoryMap::Window* const window = memory_.find(pc);
  if (window == nullptr) return nullptr;
  const auto& starts = starts_[memory_.number(*window)];
  const std::size_t half = (pc - window->base) / 2;
  return half < starts.size() && starts[half] != 0 ? &blocks_[starts[half] - 1] : nullptr;
}

std::optional<Instruction> CodeCache::fetch(std::uint32_t pc) const {
  const auto half = [this](std::uint32_t address) {
    const MemoryMap::Window* const window = memory_.find_executable(address);
    return window != nullptr ? std::optional<std::uint32_t>(window->load<std::uint16_t>(address - window->base))
                             : std::nullopt;
  };
  const auto low = half(pc);
  if (!low) return std::nullopt;
  if (is_compressed(*low)) return decode_any(*low);
  const auto high = half(pc + 2);
  if (!high) return std::nullopt;
  const std::uint32_t code = *low | *high << 16;
  const Instruction instruction = decode(code);
  return is_atomic(instruction.op) && !atomics_ ? Instruction{.imm = code} : instruction;
}

Step CodeCache::step_of(const Instruction& instruction, std::uint32_t pc) const {
  Op op = instruction.op;
  Step step{.imm = instruction.imm, .rd = instruction.rd, .rs1 = instruction.rs1, .rs2 = instruction.rs2};
  if (op == Op::auipc) op = Op::lui;
  if (instruction.op == Op::auipc || (is_jump(op) && op != Op::jalr)) step.imm += pc;
  if (step.rd == 0) step.rd = kSink;
  step.place = places_[static_cast<unsigned>(op)];
  return step;
}

bool CodeCache::add(const Instruction& instruction, Block& block, Room& room) const {
  const auto halfwords = [&block] { return static_cast<std::uint8_t>((block.end - block.pc) / 2); };
  const auto write = [&](Step step) {
    *room.step = step;
    room.step->halfwords = halfwords();
    *room.before = {static_cast<std::uint16_t>(block.cycles), static_cast<std::uint16_t>(block.count)};
  };
  // The line that a block starts in is looked at when it is entered.
  const std::uint32_t known = block.count == 0 ? block.pc : block.end - 2;
  const std::uint32_t last = block.end + instruction.bytes - 2;
  if (flash_.covers(last) && flash_.line_of(last) != flash_.line_of(known)) {
    write({.place = places_[kLinePlace], .imm = flash_.line_of(last)});
    ++room.step;
    ++room.before;
  }
  write(step_of(instruction, block.end));
  ++room.step;
  ++room.before;
  block.last = block.cycles;
  block.cycles += cycles_of(instruction, timing_);
  ++block.count;
  block.end += instruction.bytes;
  write({.place = places_[kEndPlace]});
  return ends_block(instruction.op);
}

Block* CodeCache::make(std::uint32_t pc) {
  if (used_blocks_ == kBlocks || used_steps_ + kMaxSteps > kSteps) forget_all();
  Step* const steps = &steps_[used_steps_];
  Room room{steps, &befores_[used_steps_]};
  Block block{.steps = steps, .pc = pc, .end = pc, .before = room.before, .there = flash_.mark_of(pc)};
  steps[0] = {};
  bool ended = false;
  while (!ended && block.count < kMaxCount) {
    const auto instruction = fetch(block.end);
    if (!instruction) break;
    if (has_breakpoint(block.end)) {
      room.step->place = places_[kBreakpointPlace];
      break;
    }
    ended = add(*instruction, block, room);
  }
  if (steps[0].place == nullptr) return nullptr;
  // A breakpoint at its start comes before its line.
  if (block.count == 0) block.there = &FlashCache::kThere;
  const MemoryMap::Window& window = *memory_.find_executable(pc);
  auto& starts = starts_[memory_.number(window)];
  if (starts.empty()) starts.resize(window.size / 2);
  used_steps_ += static_cast<std::size_t>(room.step - steps) + 1;
  blocks_[used_blocks_] = block;
  starts[(pc - window.base) / 2] = static_cast<std::uint32_t>(++used_blocks_);
  mark(block, true);
  return &blocks_[used_blocks_ - 1];
}

Block* CodeCache::beginning_of(const Block& block, std::uint32_t steps) {
  std::copy_n(block.steps, steps + 1, scratch_steps_.begin());
  Step& end = scratch_steps_[steps];
  end.place = places_[kEndPlace];
  scratch_ = {.steps = scratch_steps_.data(),
              .count = block.before[steps].count,
              .pc = block.pc,
              .end = block.pc + 2U * end.halfwords,
              .cycles = block.before[steps].cycles,
              .last = block.before[steps - 1].cycles,
              .before = block.before};
  return &scratch_;
}

Block* CodeCache::single(std::uint32_t pc) {
  const auto instruction = fetch(pc);
  if (!instruction) return nullptr;
  Room room{scratch_steps_.data(), scratch_before_.data()};
  scratch_ = {.steps = room.step, .pc = pc, .end = pc, .before = room.before, .there = flash_.mark_of(pc)};
  add(*instruction, scratch_, room);
  return &scratch_;
}

void CodeCache::forget_all() {
  for (std::size_t i = 0; i < used_blocks_; ++i) mark(blocks_[i], false);
  used_steps_ = 0;
  used_blocks_ = 0;
  ++generation_;
}

void CodeCache::mark(const Block& block, bool decoded) {
  for (std::uint32_t at = block.pc; at != block.end; at += 2) {
    const MemoryMap::Window& window = *memory_.find_executable(at);
    window.marks[(at - window.base) / 2] = decoded ? 1 : 0;
  }
  if (decoded) return;
  const MemoryMap::Window& window = *memory_.find_executable(block.pc);
  starts_[memory_.number(window)][(block.pc - window.base) / 2] = 0;
}

bool CodeCache::holds(std::uint32_t address, std::uint32_t size) const {
  const std::uint64_t end = std::uint64_t{address} + size;
  for (std::uint64_t at = address & ~1U; at < end; at += 2) {
    const auto half = static_cast<std::uint32_t>(at);
    const MemoryMap::Window* const window = memory_.find_executable(half);
    if (window != nullptr && window->marks[(half - window->base) / 2] != 0) return true;
  }
  return false;
}

void CodeCache::set_breakpoint(std::uint32_t address, bool set) {
  if (set) {
    breakpoints_.insert(address);
  } else {
    breakpoints_.erase(address);
  }
  forget_all();
}

}  // namespace ftlab::iss::riscv
