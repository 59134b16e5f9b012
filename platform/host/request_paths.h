// Follows each request of a host from its arrival to its completion and says what its time was made of. Hears of it
// from the host's side, of pages from the firmware, and of operations from the device; changes nothing.
//
// Of a request with several pages it follows the one that ended last, through all of its operations; where that page's
// program is another one's, or the request waited for somebody else's report, through that, from when it waited on.
// Invariant: the parts of a request add up to its latency, and none is less than nothing; completed() throws
// std::logic_error where that is not so.
#pragma once

#include <cstdint>
#include <vector>

#include "common/host_page_watcher.h"
#include "common/passage.h"
#include "firmware/port/probe_port.h"
#include "platform/host/latency_parts.h"
#include "platform/host/request_observer.h"

namespace ftlab::platform {

class RequestPaths final : public PassageObserver, public HostPageWatcher {
 public:
  /// `asleep`: for which the processor has waited, since the start; outlives this.
  explicit RequestPaths(const Ticks& asleep);

  /// The host hands the request out, for the first time or again.
  void sent(std::uint32_t tag, Ticks at);
  /// It has waited for the wires, was on them, and was in the front end so long.
  void crossed(std::uint32_t tag, Ticks waited, Ticks on_wires, Ticks in_front);
  /// The firmware has it.
  void taken(std::uint32_t tag, Ticks now);
  /// The firmware has answered it.
  void answered(std::uint32_t tag, Ticks now);
  /// The host has its completion. What it gives stays until the next request is sent.
  const LatencyParts& completed(const CompletedRequest& request);
  /// Power is lost.
  void drop();

  /// Some page was of a request: the firmware says which.
  [[nodiscard]] bool heard_of_pages() const { return heard_of_pages_; }

  void page_begins(std::uint16_t page, std::uint32_t request) override;
  void page_reported(std::uint16_t page, Ticks now) override;
  void reported(const Passage& passage) override;
  [[nodiscard]] Ticks mark() const override { return asleep_; }

 private:
  /// What is known of a request's time, up to `at`.
  struct Path {
    Ticks at{};
    Ticks asleep{};  ///< the processor, until then
    LatencyParts parts;
  };
  struct Flight {
    std::uint32_t tag = 0;
    bool under_way = false;
    bool answered = false;
    Ticks sent{};
    Path path;
  };
  struct Page {
    std::uint32_t request = ProbePort::kNoRequest;  ///< tag
    Path path;
    Passage passage;  ///< of the operation that was reported last
  };

  static constexpr std::uint32_t kNoPage = UINT32_MAX;
  static constexpr std::uint32_t kFlights = 1024;  ///< as many as a host has in flight

  [[nodiscard]] Flight& flight(std::uint32_t tag) { return flights_[tag % kFlights]; }
  /// The invariant.
  static void check(const CompletedRequest& request, const LatencyParts& parts);
  /// The processor works or sleeps until then; `asleep`: as it stands then.
  static void pass(Path& path, Ticks until, Ticks asleep);
  /// It was queued for somebody else so long before the path came there: that is none of it.
  [[gnu::noinline]] static void take_off(LatencyParts& parts, const Passage& passage, Ticks before);
  /// The path goes through the operation, and on until now.
  void follow(Path& path, const Passage& passage, Ticks now) const;

  const Ticks& asleep_;
  std::vector<Flight> flights_;
  std::vector<Page> pages_;
  std::uint32_t reported_last_ = kNoPage;  ///< of the pages
  bool heard_of_pages_ = false;
};

}  // namespace ftlab::platform
