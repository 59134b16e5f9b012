#include "platform/machine/iss/arm/code_cache.h"

#include <algorithm>

#include "platform/machine/iss/arm/decoder.h"
#include "platform/machine/iss/arm/op_cycles.h"

namespace ftlab::iss::arm {
namespace {

/// Decodes the instruction there, behind a step of its line if that is another one than before. False: it does not lie
/// in the window.
bool decode_at(Decoder& decoder, const MemoryMap::Window& window, const FlashCache& flash) {
  const auto holds = [&](std::uint32_t address) { return address - window.base < window.size; };
  const auto halfword = [&](std::uint32_t address) { return window.load<std::uint16_t>(address - window.base); };
  const std::uint32_t at = decoder.pc();
  if (!holds(at)) {
    return false;
  }
  const std::uint32_t first = halfword(at);
  const bool wide = Decoder::is_wide(first);
  const std::uint32_t last = wide ? at + 2 : at;
  if (!holds(last)) {
    return false;
  }
  // The line that a block starts in is looked at when it is entered.
  if (flash.covers(last) && flash.line_of(last) != flash.line_of(decoder.count() == 0 ? at : at - 2)) {
    decoder.enter_line(flash.line_of(last));
  }
  if (wide) {
    decoder.decode(first << 16 | halfword(last), 4);
  } else {
    decoder.decode(first, 2);
  }
  return true;
}

/// Those of the first instruction.
std::span<const Op> instruction_of(std::span<const Op> steps) {
  const auto end =
      std::find_if(steps.begin(), steps.end(), [&](const Op& op) { return op.index != steps.front().index; });
  return {steps.begin(), end};
}

}  // namespace

CodeCache::CodeCache(const MemoryMap& memory, const CoreTiming& timing, const FlashCache& flash, bool dsp)
    : memory_(memory), timing_(timing), flash_(flash), tables_(memory.count()), dsp_(dsp) {
  ops_.reserve(kOps);
  blocks_.reserve(kBlocks);
  inside_ops_.reserve(kMaxSteps);
  first_ops_.reserve(kMaxSteps);
}

Block* CodeCache::find_slowly(std::uint32_t pc) {
  const Window* window = memory_.find_executable(pc);
  if (window == nullptr) {
    return nullptr;
  }
  std::vector<Block*>& table = tables_[memory_.number(*window)];
  table.resize(window->size / 2);
  latest_ = {.base = window->base, .size = window->size, .blocks = table.data()};
  Block*& block = table[(pc - window->base) / 2];
  if (block == nullptr) {
    const std::size_t before = ops_.size();
    const Block made = make(*window, pc, 0, ops_, kMaxCount);
    if (made.count == 0) {
      ops_.resize(before);
      return nullptr;
    }
    blocks_.push_back(made);
    block = &blocks_.back();
    block->ops = &ops_[before];
  }
  return block;
}

Block* CodeCache::inside_it(std::uint32_t pc, std::uint8_t it) {
  const Window* window = memory_.find_executable(pc);
  if (window == nullptr) {
    return nullptr;
  }
  inside_ops_.clear();
  inside_ = make(*window, pc, it, inside_ops_, 0);
  inside_.ops = inside_ops_.data();
  return inside_.count == 0 ? nullptr : &inside_;
}

Block CodeCache::make(const Window& window, std::uint32_t pc, std::uint8_t it, std::vector<Op>& ops, unsigned most) {
  Decoder decoder(ops, pc, it, dsp_);
  const std::size_t begin = ops.size();
  unsigned cycles = 0;
  while (!decoder.ended() && cycles + CoreTiming::kLongest <= kMaxCycles &&
         (decoder.count() < most || (most == 0 && decoder.in_it()))) {
    const std::uint32_t at = decoder.pc();
    const std::size_t first = ops.size();
    if ((at != pc && has_breakpoint(at)) || !decode_at(decoder, window, flash_)) {
      break;
    }
    cycles += cycles_of(instruction_of(std::span(ops).subspan(first)), false, timing_);
  }
  if (!decoder.ended()) {
    decoder.fall();
  }
  if (most != 0) {
    std::fill_n(window.marks + (pc - window.base) / 2, (decoder.pc() - pc) / 2, 1);
  }
  Block block{.start = pc,
              .count = static_cast<std::uint16_t>(decoder.count()),
              .bytes = static_cast<std::uint16_t>(decoder.pc() - pc),
              .breakpoint = has_breakpoint(pc)};
  block.there = flash_.mark_of(pc);
  charge(window, decoder.pc(), decoder.it(), std::span(ops).subspan(begin), block);
  return block;
}

void CodeCache::charge(const Window& window, std::uint32_t end, std::uint8_t it, std::span<Op> steps,
                       Block& block) const {
  unsigned cycles = 0;
  while (!steps.empty()) {
    const std::size_t own = instruction_of(steps).size();
    const std::span<Op> rest = steps.subspan(own);
    for (Op& op : steps.first(own)) {
      op.before = static_cast<std::uint8_t>(cycles);
    }
    const unsigned index = steps.front().index;
    if (index < block.count) {
      const bool follows = index + 1U < block.count ? is_single_access(instruction_of(rest))
                                                    : !rest.empty() && access_at(window, end, it);
      block.last = static_cast<std::uint16_t>(cycles);
      cycles += cycles_of(steps.first(own), follows, timing_);
    }
    steps = rest;
  }
  block.cycles = static_cast<std::uint16_t>(cycles);
}

bool CodeCache::access_at(const Window& window, std::uint32_t pc, std::uint8_t it) const {
  std::vector<Op> steps;
  Decoder decoder(steps, pc, it, dsp_);
  return decode_at(decoder, window, flash_) && is_single_access(instruction_of(steps));
}

Block* CodeCache::first_of(const Block& block, std::uint32_t count) {
  const Op* op = block.ops;
  while (op->index < count) {
    ++op;
  }
  first_ops_.assign(block.ops, op + 1);
  Op& end = first_ops_.back();
  end.code = OpCode::end;
  first_ = {.start = block.start,
            .count = static_cast<std::uint16_t>(count),
            .cycles = end.before,
            .last = first_ops_[first_ops_.size() - 2].before,
            .ops = first_ops_.data()};
  return &first_;
}

bool CodeCache::has_code(std::uint32_t address, std::uint32_t size) const {
  const std::uint64_t end = std::uint64_t{address} + size;
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.start < end && std::uint64_t{block.start} + block.bytes > address;
  });
}

void CodeCache::forget() {
  for (const Block& block : blocks_) {
    const Window* window = memory_.find_executable(block.start);
    const std::uint32_t first = (block.start - window->base) / 2;
    std::fill_n(window->marks + first, block.bytes / 2, 0);
    tables_[memory_.number(*window)][first] = nullptr;
  }
  ops_.clear();
  blocks_.clear();
}

bool CodeCache::has_breakpoint(std::uint32_t address) const {
  return std::find(breakpoints_.begin(), breakpoints_.end(), address) != breakpoints_.end();
}

void CodeCache::set_breakpoint(std::uint32_t address) {
  if (!has_breakpoint(address)) {
    breakpoints_.push_back(address);
    forget();
  }
}

void CodeCache::clear_breakpoint(std::uint32_t address) {
  std::erase(breakpoints_, address);
  forget();
}

}  // namespace ftlab::iss::arm
