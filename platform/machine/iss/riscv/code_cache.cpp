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
      befores_(std::make_unique_for_overwrite<std::uint16_t[]>(kSteps)),
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

bool CodeCache::add(const Instruction& instruction, Block& block, Step* steps, std::uint16_t* before) const {
  block.last = block.cycles;
  block.cycles += cycles_of(instruction, timing_);
  before[block.count] = static_cast<std::uint16_t>(block.last);
  before[block.count + 1] = static_cast<std::uint16_t>(block.cycles);
  Step& step = steps[block.count];
  step = step_of(instruction, block.end);
  step.halfwords = static_cast<std::uint8_t>((block.end - block.pc) / 2);
  ++block.count;
  block.end += instruction.bytes;
  const auto halfwords = static_cast<std::uint8_t>((block.end - block.pc) / 2);
  steps[block.count] = {.place = places_[kEndPlace], .halfwords = halfwords};
  return ends_block(instruction.op);
}

Block* CodeCache::make(std::uint32_t pc) {
  if (used_blocks_ == kBlocks || used_steps_ + kMaxCount + 1 > kSteps) forget_all();
  Step* const steps = &steps_[used_steps_];
  std::uint16_t* const before = &befores_[used_steps_];
  Block block{.steps = steps, .pc = pc, .end = pc, .before = before};
  steps[0] = {};
  bool ended = false;
  while (!ended && block.count < kMaxCount) {
    const auto instruction = fetch(block.end);
    if (!instruction) break;
    if (has_breakpoint(block.end)) {
      steps[block.count].place = places_[kBreakpointPlace];
      break;
    }
    ended = add(*instruction, block, steps, before);
  }
  if (steps[0].place == nullptr) return nullptr;
  if (block.count > 0 && flash_.covers(pc)) block.generation = 0;
  const MemoryMap::Window& window = *memory_.find_executable(pc);
  auto& starts = starts_[memory_.number(window)];
  if (starts.empty()) starts.resize(window.size / 2);
  used_steps_ += block.count + 1;
  blocks_[used_blocks_] = block;
  starts[(pc - window.base) / 2] = static_cast<std::uint32_t>(++used_blocks_);
  mark(block, true);
  return &blocks_[used_blocks_ - 1];
}

Block* CodeCache::beginning_of(const Block& block, std::uint32_t count) {
  std::copy_n(block.steps, count + 1, scratch_steps_.begin());
  Step& end = scratch_steps_[count];
  end.place = places_[kEndPlace];
  scratch_ = {.steps = scratch_steps_.data(),
              .count = count,
              .pc = block.pc,
              .end = block.pc + 2U * end.halfwords,
              .cycles = block.before[count],
              .last = block.before[count - 1],
              .before = block.before};
  return &scratch_;
}

std::uint32_t CodeCache::fetched(const Block& block) const {
  if (flash_.holds_all(block.pc, block.end - block.pc)) return block.count;
  const auto begin = [&block](std::uint32_t at) {
    return at == block.count ? block.end : block.pc + 2U * block.steps[at].halfwords;
  };
  std::uint32_t count = 1;
  while (count < block.count && flash_.holds(begin(count), begin(count + 1) - begin(count))) ++count;
  return count;
}

Block* CodeCache::single(std::uint32_t pc) {
  const auto instruction = fetch(pc);
  if (!instruction) return nullptr;
  scratch_ = {.steps = scratch_steps_.data(), .pc = pc, .end = pc, .before = scratch_before_.data()};
  if (flash_.covers(pc)) scratch_.generation = 0;
  add(*instruction, scratch_, scratch_steps_.data(), scratch_before_.data());
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
