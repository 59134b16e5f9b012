#include "platform/machine/profile/call_stack.h"

#include <algorithm>

namespace ftlab::platform {
namespace {

/// Instructions are of two or four bytes.
bool is_behind(std::uint32_t pc, std::uint32_t before) { return pc - before == 2 || pc - before == 4; }

}  // namespace

void CallStack::begin(const Position& at) {
  frames_ = {{at.function, 0, at.sp, false}};
  last_pc_ = at.pc;
}

bool CallStack::has_returned(const Frame& frame, const Position& now) const {
  // A handler has executed an instruction when it is seen first, and may have put registers on the stack.
  if (frame.handler) return now.sp >= frame.sp && now.function != frame.function;
  return now.sp > frame.sp || (now.sp == frame.sp && now.pc == frame.return_address);
}

std::size_t CallStack::follow(const Position& now) {
  const std::uint32_t before = last_pc_;
  last_pc_ = now.pc;
  const std::size_t had = frames_.size();
  const bool jumped = !is_behind(now.pc, before);
  // A handler of one instruction has returned when it could be seen.
  if (now.interrupts && now.function != frames_.back().function) {
    frames_.push_back({now.function, 0, now.sp, true});
    return had;
  }
  if (now.begins && jumped && is_behind(now.return_address, before)) {
    frames_.push_back({now.function, now.return_address, now.sp, false});
    return had;
  }
  while (frames_.size() > 1 && jumped && has_returned(frames_.back(), now)) frames_.pop_back();
  // A jump to another function that returns for this one, or to a part of it that lies elsewhere.
  if (frames_.back().function == now.function) return frames_.size();
  frames_.back().function = now.function;
  return frames_.size() - 1;
}

}  // namespace ftlab::platform
