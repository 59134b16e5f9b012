#include "firmware/target/queue_host.h"

#include "firmware/target/clock.h"
#include "firmware/target/queue_registers.h"

namespace ftlab::target {

using hw::host_queue::Kind;
namespace reg = hw::host_queue::reg;

HostPort::Next QueueHost::next(HostRequest& request) {
  if (queue_register(reg::kWaiting) == 0) return Next::later;
  const auto kind = static_cast<Kind>(queue_register(reg::kKind));
  request.tag = queue_register(reg::kTag);
  if (kind == Kind::format || kind == Kind::mount) {
    queue_register(reg::kNext) = 1;
    const CauseScope cause(probe_, kind == Kind::format ? Cause::metadata : Cause::mount);
    complete(request.tag, kind == Kind::format ? ftl_.format(now_ns()) : ftl_.mount(now_ns()));
    return Next::later;
  }
  auto* const data = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(queue_register(reg::kData)));
  request.kind = static_cast<HostRequestKind>(kind);
  request.offset = std::uint64_t{queue_register(reg::kOffsetHigh)} << 32 | queue_register(reg::kOffsetLow);
  request.length = queue_register(reg::kLength);
  request.into = kind == Kind::read ? data : nullptr;
  request.from = kind == Kind::write ? data : nullptr;
  request.hint = {};
  if (kind == Kind::write) {
    const std::uint32_t placement = queue_register(reg::kPlacement);
    request.hint.stream = queue_register(reg::kStream);
    request.hint.read_only = (placement & 1U) != 0;
    request.hint.data_class = static_cast<std::uint8_t>(placement >> 8);
    request.hint.rewritten_in = queue_register(reg::kRewritten);
  }
  queue_register(reg::kNext) = 1;
  return Next::request;
}

void QueueHost::complete(std::uint32_t tag, FtlStatus status) {
  queue_register(reg::kDoneTag) = tag;
  queue_register(reg::kDone) = static_cast<std::uint32_t>(status);
}

std::uint64_t QueueHost::now_ns() { return Clock::now_ns(); }

std::uint64_t QueueHost::next_arrival_ns() {
  const std::uint32_t until_us = queue_register(reg::kArrival);
  return until_us == hw::host_queue::kUnknown ? UINT64_MAX : now_ns() + std::uint64_t{until_us} * 1000;
}

void QueueHost::wait(std::uint64_t until_ns) {
  if (until_ns <= now_ns()) return;
  const InterruptsHeld held;
  if (queue_register(reg::kWaiting) == 0) Clock::wait_for_interrupt();
}

}  // namespace ftlab::target
