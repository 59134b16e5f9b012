// The host-side face of every flash translation layer, of one outside the tree, too.
// Knows bytes and logical offsets; nothing of segments' content, parts, buses or clocks (time is an argument).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/ids.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/map/segment_info.h"
#include "firmware/port/host_port.h"

namespace ftlab {

inline constexpr std::uint64_t kNoIdleWork = UINT64_MAX;

class Ftl;
/// Calls the member that the request asks for.
FtlStatus answer(Ftl& ftl, const HostRequest& request, std::uint64_t now_ns);

class Ftl {
 public:
  Ftl() = default;
  Ftl(const Ftl&) = delete;
  Ftl& operator=(const Ftl&) = delete;

  /// Erases the medium and writes the format. `now_ns`: host clock, nanoseconds. Format and mount come when nothing is
  /// in flight.
  virtual FtlStatus format(std::uint64_t now_ns) = 0;
  /// Rebuilds every table from the medium.
  virtual FtlStatus mount(std::uint64_t now_ns) = 0;
  /// Any offset and length; bytes never written read as 0xFF. Where the part keeps no data `into` may stay as it is.
  virtual FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) = 0;
  /// Any offset and length; partial pages are read-modify-write. Returned ok = durable, except parts of pages
  /// with an FTL that buffers them: those after flush().
  virtual FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint,
                          std::uint64_t now_ns) = 0;
  /// Whole pages inside the range become unmapped; the rest of the range is left as it is. Returned ok = durable, with
  /// some layers after the next flush() that returns ok.
  virtual FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) = 0;
  /// Returned ok = everything answered before is durable.
  virtual FtlStatus flush(std::uint64_t now_ns) = 0;
  /// The same where the drive holds itself up at a loss of power, whatever a flush has to do there. No request is in
  /// the middle of being taken.
  virtual FtlStatus write_out(std::uint64_t now_ns) { return flush(now_ns); }
  /// The host has nothing to do until `until_ns`: one step of background work, if any is due. Returns when the next
  /// step is due should the host still be idle: now_ns or earlier = at once, kNoIdleWork = not before new requests.
  virtual std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) = 0;

  /// Takes a request and completes it through host.complete(), at once or during any call to come. A layer that serves
  /// one request at a time answers at once, which is what this does unless it is overridden.
  virtual void submit(const HostRequest& request, HostPort& host) {
    host.complete(request.tag, answer(*this, request, host.now_ns()));
  }
  /// The host will soon write there: `ahead` requests from now. Tables that this needs may be brought nearer; nothing
  /// else changes.
  virtual void expect(std::uint64_t /*offset*/, std::uint32_t /*ahead*/) const {}
  /// Requests taken and not completed.
  [[nodiscard]] virtual std::uint32_t in_flight() const { return 0; }
  /// Pages of them that stats() counts as written, read and trimmed: whoever sends them again after a loss of power has
  /// them counted again. A layer that answers at once is asked in the middle of a request, of which it counts some.
  [[nodiscard]] virtual FtlStats unanswered() const { return {}; }
  /// Completes what has ended; lets time pass until some flash operation has, but not beyond `until_ns`.
  virtual void poll(HostPort& /*host*/, std::uint64_t /*until_ns*/) {}

  [[nodiscard]] virtual std::uint64_t capacity_bytes() const = 0;  ///< logical bytes offered to the host
  [[nodiscard]] virtual std::uint32_t page_bytes() const = 0;      ///< mapping unit
  [[nodiscard]] virtual const FtlStats& stats() const = 0;
  [[nodiscard]] virtual std::uint32_t segments() const = 0;
  [[nodiscard]] virtual SegmentInfo segment(SegmentId id) const = 0;
  /// Walks every invariant; null when all hold, else a sentence naming the broken one. Does not touch the flash.
  [[nodiscard]] virtual const char* self_check() const = 0;

 protected:
  /// What a request is answered that is not served at all; ok: it is.
  [[nodiscard]] static FtlStatus answered_before(bool works, bool mounted, std::uint64_t capacity, std::uint64_t offset,
                                                 std::uint64_t length) {
    if (!works) return FtlStatus::bad_config;
    if (!mounted) return FtlStatus::not_formatted;
    return offset > capacity || length > capacity - offset ? FtlStatus::out_of_range : FtlStatus::ok;
  }
  ~Ftl() = default;
};

}  // namespace ftlab
