#include "platform/run/queued_ftl.h"

#include <algorithm>

namespace ftlab::platform {

using hw::host_queue::Kind;

static_assert(static_cast<int>(Kind::read) == static_cast<int>(HostRequestKind::read) &&
              static_cast<int>(Kind::write) == static_cast<int>(HostRequestKind::write) &&
              static_cast<int>(Kind::trim) == static_cast<int>(HostRequestKind::trim) &&
              static_cast<int>(Kind::flush) == static_cast<int>(HostRequestKind::flush));

FtlStatus QueuedFtl::format(std::uint64_t) { return run({.kind = Kind::format}); }
FtlStatus QueuedFtl::mount(std::uint64_t) { return run({.kind = Kind::mount}); }
FtlStatus QueuedFtl::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  return run({.kind = Kind::read, .offset = offset, .length = into.size(), .into = into.data()});
}
FtlStatus QueuedFtl::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t) {
  return run({.kind = Kind::write, .offset = offset, .length = from.size(), .from = from.data(), .hint = hint});
}
FtlStatus QueuedFtl::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t) {
  return run({.kind = Kind::trim, .offset = offset, .length = length});
}
FtlStatus QueuedFtl::flush(std::uint64_t) { return run({.kind = Kind::flush}); }

std::uint64_t QueuedFtl::idle(std::uint64_t, std::uint64_t until_ns) {
  processor_.queue().set_next_arrival(until_ns == UINT64_MAX ? kNever : from_ns(until_ns));
  return kNoIdleWork;
}

void QueuedFtl::submit(const HostRequest& request, HostPort&) {
  processor_.post({.kind = static_cast<Kind>(request.kind),
                   .tag = request.tag,
                   .offset = request.offset,
                   .length = request.length,
                   .into = request.into,
                   .from = request.from,
                   .hint = request.hint});
}

void QueuedFtl::poll(HostPort& host, std::uint64_t until_ns) {
  Ticks until = until_ns == UINT64_MAX ? kNever : from_ns(until_ns);
  // The clock of the firmware is coarser than the host's: what comes within this nanosecond is not there yet.
  until = std::max(until, processor_.now() + from_ns(1));
  processor_.queue().set_next_arrival(until);
  processor_.run_to_answer(until);
  while (const auto done = processor_.queue().take_done()) host.complete(done->tag, done->status);
}

FtlStatus QueuedFtl::run(HostQueue::Request request) {
  constexpr std::uint32_t kOwnTag = 0xFFFFFFFF;
  request.tag = kOwnTag;
  processor_.queue().set_next_arrival(kNever);
  processor_.post(request);
  for (;;) {
    processor_.run_to_answer(kNever);
    if (const auto done = processor_.queue().take_done()) return done->status;
  }
}

}  // namespace ftlab::platform
