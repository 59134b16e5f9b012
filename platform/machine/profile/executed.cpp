#include "platform/machine/profile/executed.h"

namespace ftlab::platform {

void Executed::begin() {
  next_pc_ = processor_.core().pc();
  instructions_ = processor_.instructions();
  exceptions_ = processor_.core().iss_core().exceptions();
}

std::optional<std::uint32_t> Executed::follow() {
  if (processor_.instructions() == instructions_) {
    // Asleep it may have been given another place to go on.
    next_pc_ = processor_.core().pc();
    return {};
  }
  const std::optional<std::uint32_t> executed = found();
  begin();
  return executed;
}

std::optional<std::uint32_t> Executed::found() const {
  if (processor_.core().iss_core().exceptions() == exceptions_) return next_pc_;
  // A handler has begun instead, unless it only begins now.
  const std::uint32_t pc = processor_.core().pc();
  if (pc == next_pc_) return {};
  const auto handler = processor_.memory().image().symbol_at(pc);
  return handler && handler->function && handler->address != pc ? handler->address : next_pc_;
}

}  // namespace ftlab::platform
