// The requests that a layer serves at once: what is left of each, what it answers, and which of its pages are counted
// before it is answered. Knows no page and no flash.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/port/host_port.h"
#include "firmware/volume/in_flight/slots.h"

namespace ftlab::volume {

struct ServedRequest {
  std::uint32_t tag = 0;
  std::uint32_t pages = 0;  ///< under way
  bool ours = false;        ///< nobody is told when it is done
  bool starting = false;    ///< not all of its pages were started
  bool in_parts = false;    ///< reads no more of a page than it wants
  FtlStatus status = FtlStatus::ok;
  // Its pages that are counted as served, until it is complete.
  std::uint32_t written = 0;
  std::uint32_t read = 0;
  std::uint32_t trimmed = 0;

  [[nodiscard]] bool is_done() const { return pages == 0 && !starting; }
};

class ServedRequests {
 public:
  /// The same code measures and lays out.
  void layout(Arena& arena, std::uint32_t most) {
    requests_ = arena.take<ServedRequest>(most);
    free_.unused = arena.take<std::uint16_t>(most);
  }
  void clear() {
    free_.fill();
    in_flight_ = 0;
  }

  [[nodiscard]] ServedRequest& operator[](std::uint16_t slot) { return requests_[slot]; }
  /// Of the host.
  [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }
  /// Slot of one of the host's.
  std::uint16_t begin(std::uint32_t tag) {
    ++in_flight_;
    return take({.tag = tag, .starting = true});
  }
  std::uint16_t begin_own() { return take({.ours = true, .starting = true}); }
  /// The slot is another one's from now on; what its request answered.
  FtlStatus end(std::uint16_t slot) {
    ServedRequest& request = requests_[slot];
    request.written = request.read = request.trimmed = 0;
    in_flight_ -= request.ours ? 0 : 1;
    free_.put(slot);
    return request.status;
  }
  /// As Ftl::unanswered().
  [[nodiscard]] FtlStats unanswered() const {
    FtlStats counted;
    for (const ServedRequest& request : requests_) {
      if (request.ours) continue;
      counted.pages_written += request.written;
      counted.pages_read += request.read;
      counted.pages_trimmed += request.trimmed;
    }
    return counted;
  }

 private:
  std::uint16_t take(const ServedRequest& request) {
    const std::uint16_t slot = free_.take();
    requests_[slot] = request;
    return slot;
  }

  std::span<ServedRequest> requests_;
  Slots free_;
  std::uint32_t in_flight_ = 0;
};

}  // namespace ftlab::volume
