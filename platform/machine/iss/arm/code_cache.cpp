#include "platform/machine/iss/arm/code_cache.h"

#include <algorithm>

#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {

CodeCache::CodeCache(const MemoryMap& memory, bool dsp) : memory_(memory), tables_(memory.count()), dsp_(dsp) {
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
  const auto holds = [&](std::uint32_t address) { return address - window.base < window.size; };
  const auto halfword = [&](std::uint32_t address) { return window.load<std::uint16_t>(address - window.base); };
  while (!decoder.ended() && (decoder.count() < most || (most == 0 && decoder.in_it()))) {
    const std::uint32_t at = decoder.pc();
    if (!holds(at) || (at != pc && has_breakpoint(at))) {
      break;
    }
    const std::uint32_t first = halfword(at);
    if (!Decoder::is_wide(first)) {
      decoder.decode(first, 2);
    } else if (holds(at + 2)) {
      decoder.decode(first << 16 | halfword(at + 2), 4);
    } else {
      break;
    }
  }
  if (!decoder.ended()) {
    decoder.fall();
  }
  if (most != 0) {
    std::fill_n(window.marks + (pc - window.base) / 2, (decoder.pc() - pc) / 2, 1);
  }
  return {.start = pc,
          .count = static_cast<std::uint16_t>(decoder.count()),
          .bytes = static_cast<std::uint16_t>(decoder.pc() - pc),
          .breakpoint = has_breakpoint(pc)};
}

Block* CodeCache::first_of(const Block& block, std::uint64_t count) {
  first_ops_.clear();
  const Op* op = block.ops;
  for (; op->index < count; ++op) {
    first_ops_.push_back(*op);
  }
  Op end = *op;
  end.code = OpCode::end;
  first_ops_.push_back(end);
  first_ = {.start = block.start, .count = static_cast<std::uint16_t>(count), .ops = first_ops_.data()};
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
