// Sectors that hold an answered part of a page which a loss of power may still undo, for firmware that buffers parts;
// of a page larger than the device for firmware that buffers all. Knows what the host was promised, not what the
// firmware has written meanwhile: whole pages are durable when they are answered, parts of pages when a flush is.
#pragma once

#include <cstdint>
#include <set>

#include "platform/host/payload.h"
#include "workloads/request.h"

namespace ftlab::platform {

class UnflushedParts {
 public:
  explicit UnflushedParts(std::uint64_t page_bytes) : page_bytes_(page_bytes) {}

  /// A request was answered ok.
  void answered(const workloads::Request& request);
  /// Whole sectors in the range will be written again.
  void replace(std::uint64_t offset, std::uint64_t length);
  /// Power was lost: what they hold is not known until they are written whole.
  void forget(Payload& payload);

 private:
  static constexpr std::uint64_t kSector = Payload::kSector;

  void add(std::uint64_t offset, std::uint64_t end);
  /// Those wholly inside the range are none any more.
  void remove(std::uint64_t offset, std::uint64_t end);

  std::uint64_t page_bytes_;
  std::set<std::uint64_t> sectors_;
};

}  // namespace ftlab::platform
