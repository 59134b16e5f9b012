// One request of a host to a storage device, and where requests come from.
// Knows nothing of flash: offsets are bytes of the logical device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/units.h"

namespace ftlab::workloads {

enum class RequestKind : std::uint8_t { read, write, trim, flush };

struct Request {
  RequestKind kind = RequestKind::write;
  bool read_only_data = false;  ///< write of data that will never be rewritten
  std::uint8_t data_class = 0;  ///< by how often it is written, from 1, the most often, on; 0 when unknown
  std::uint32_t stream = 0;     ///< file or stream id; 0 when unknown
  std::uint32_t length = 0;     ///< bytes
  /// Write of one page: so many pages are written from here until it is written again; 0: never, or unknown.
  std::uint32_t rewritten_in = 0;
  std::uint64_t offset = 0;  ///< bytes
  Ticks arrival{};           ///< since the start of the workload; ascending; 0 for closed-loop sources
  /// The caller waits for the request before this one, then lets this much time pass; below 0: it does not wait, and
  /// requests queue. A request comes when both arrival and think allow.
  Ticks think{-1};
};

/// A finite stream of requests in order. Same parameters and seed: same stream on every machine.
class RequestSource {
 public:
  RequestSource() = default;
  RequestSource(const RequestSource&) = delete;
  RequestSource& operator=(const RequestSource&) = delete;
  virtual ~RequestSource() = default;

  /// Fills up to batch.size() requests; returns how many. 0 = end.
  virtual std::size_t next(std::span<Request> batch) = 0;

  /// Expected number of requests for a progress bar; 0 = unknown.
  [[nodiscard]] virtual std::uint64_t size_hint() const { return 0; }
};

}  // namespace ftlab::workloads
