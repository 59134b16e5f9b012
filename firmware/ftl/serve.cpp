#include "firmware/ftl/serve.h"

namespace ftlab {

FtlStatus answer(Ftl& ftl, const HostRequest& request, std::uint64_t now_ns) {
  const auto bytes = static_cast<std::size_t>(request.length);
  switch (request.kind) {
    case HostRequestKind::read:
      return ftl.read(request.offset, {request.into, bytes}, now_ns);
    case HostRequestKind::write:
      return ftl.write(request.offset, {request.from, bytes}, request.hint, now_ns);
    case HostRequestKind::trim:
      return ftl.trim(request.offset, request.length, now_ns);
    case HostRequestKind::flush:
      return ftl.flush(now_ns);
  }
  return FtlStatus::bad_config;
}

void serve(Ftl& ftl, HostPort& host, ProbePort& probe) {
  for (;;) {
    HostRequest request;
    const HostPort::Next next = host.next(request);
    if (next == HostPort::Next::request) {
      ftl.submit(request, host);
    } else if (ftl.in_flight() > 0) {
      ftl.poll(host, host.next_arrival_ns());
    } else if (next == HostPort::Next::ended) {
      return;
    } else {
      const CauseScope cause(probe, Cause::idle);
      host.wait(ftl.idle(host.now_ns(), host.next_arrival_ns()));
    }
  }
}

}  // namespace ftlab
