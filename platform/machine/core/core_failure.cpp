// How a core's run ends when its firmware cannot go on, or calls for it: one line with cause, place and registers.
#include <fmt/format.h>

#include "common/input_error.h"
#include "firmware/target/board.h"
#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/semihosting.h"

namespace ftlab::platform {
namespace {

/// Firmware that somebody waits for asks the part or the queue at least so often, in seconds: the longest operation
/// that a part's driver waits for, and as much again.
constexpr std::uint64_t kSilence = 20;

}  // namespace

void CoreProcessor::check_progress(std::uint64_t waiting_since) {
  // Without a request it may look into the queue as often as it likes.
  const bool owes = !queue_.report() || queue_.unanswered() > 0;
  const std::uint64_t now = core_->cycles();
  const std::uint64_t quiet_since = std::max(waiting_since, owes ? asked_.news() : asked_.last());
  if (now - std::min(now, quiet_since) < kSilence * options_.core.hz) return;
  const bool polls = asked_.last() > quiet_since && asked_.last_read().address != AskedDevices::kNone;
  if (polls)
    fail(
        fmt::format("waits for what does not come: it has read the same for {} s of simulated time, at last 0x{:x} at "
                    "0x{:x}{}",
                    kSilence, asked_.last_read().value, asked_.last_read().address, left_undone()));
  fail(
      fmt::format("has asked neither the part nor the host queue for {} s of simulated time, though it is waited for{}",
                  kSilence, left_undone()));
}

std::string CoreProcessor::left_undone() const {
  const std::uint32_t requests = queue_.unanswered();
  std::string text =
      !queue_.report() ? ", before it has written its report"
      : requests == 0  ? ""
                       : fmt::format(", with {} request{} of the host unanswered", requests, requests == 1 ? "" : "s");
  const std::string interrupts = core_->about_interrupts();
  return interrupts.empty() ? text : text + "; " + interrupts;
}

bool CoreProcessor::serve_semihosting() {
  const std::optional<SemihostingCall> call = semihosting_call(*core_, *memory_);
  if (!call) return false;
  std::string text;
  switch (call->operation) {
    case SemihostingCall::kWriteCharacter:
      text = static_cast<char>(memory_->value<std::uint8_t>(call->argument));
      break;
    case SemihostingCall::kWriteText:
      text = memory_->text(call->argument);
      break;
    case SemihostingCall::kExit:
    case SemihostingCall::kExitExtended: {
      const std::uint32_t why =
          call->operation == SemihostingCall::kExit ? call->argument : memory_->value<std::uint32_t>(call->argument);
      fail(fmt::format("has ended by semihosting, {}", why == SemihostingCall::kApplicationExit
                                                           ? "as a program does that is done"
                                                           : fmt::format("for the reason 0x{:x}", why)));
    }
    default:
      fail(fmt::format("asks for operation 0x{:x} of semihosting; the board has 0x3, 0x4, 0x18 and 0x20",
                       call->operation));
  }
  for (const char character : text) uart_.put(character);
  answer_semihosting(*core_, *memory_);
  return true;
}

void CoreProcessor::fail(const std::string& what, iss::StopReason reason) {
  uart_.flush();
  const std::uint32_t pc = core_->pc();
  const auto symbol = memory_->image().symbol_at(pc);
  std::string came;
  if (!symbol || (symbol->size > 0 && !symbol->function)) {
    // What an ARM core enters a handler with is no place.
    const std::uint32_t from = core_->return_address();
    const std::string handler = memory_->image().symbol_at(from) ? "" : core_->about_interrupts();
    came = handler.empty() ? ", come from " + memory_->place(from) : "; " + handler;
  }
  const std::string message = fmt::format("{}: the firmware {}; at {}{}, {:f} s after power-on: {}", memory_->name(),
                                          what, memory_->place(pc), came, to_seconds(bus_now()), core_->registers());
  if (core_watcher_ != nullptr) core_watcher_->fails(message, reason);
  throw InputError(message);
}

void CoreProcessor::fail_at(const iss::CoreStop& stop) {
  if (memory_->is_below_stack(core_->stack_pointer()) || memory_->is_right_below_stack(stop.address))
    fail("needs more stack than there is", stop.reason);
  if (memory_->is_below_stack(stop.address))
    fail(fmt::format("reaches beyond the end of its static data, at 0x{:x}", stop.address), stop.reason);
  if (stop.reason == iss::StopReason::bus_error && stop.address - target::kFlash < target::kFlashBytes)
    fail("stores to " + memory_->place(stop.address) + ", which is flash, and cannot be written", stop.reason);
  std::string what = iss::name_of(stop.reason);
  if (stop.reason == iss::StopReason::bus_error || stop.reason == iss::StopReason::misaligned)
    what += " at " + memory_->place(stop.address);
  fail("stops by itself: " + what + ": " + core_->why(stop), stop.reason);
}

}  // namespace ftlab::platform
