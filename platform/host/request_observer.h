// Who wants to know of every request: when it is handed out and when it completes. The host names no observer.
#pragma once

#include <cstdint>

#include "common/units.h"
#include "firmware/port/host_port.h"
#include "platform/host/latency_parts.h"

namespace ftlab::platform {

/// A request as it completes.
struct CompletedRequest {
  std::uint32_t tag = 0;
  HostRequestKind kind = HostRequestKind::read;
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t length = 0;  ///< bytes
  FtlStatus status = FtlStatus::ok;
  bool cached = false;  ///< the page cache answered
  Ticks arrived{};      ///< in the host's queue
  Ticks begun{};        ///< when it was handed out
  Ticks ended{};
  const LatencyParts* parts = nullptr;  ///< of its time, where it was followed; does not outlive the call
};

class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// The phase whose requests are observed begins.
  virtual void begin_measuring(Ticks) {}
  /// The request of this tag is handed out now.
  virtual void taken(std::uint32_t tag) = 0;
  virtual void completed(const CompletedRequest& request) = 0;
};

}  // namespace ftlab::platform
