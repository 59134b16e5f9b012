// The host: queues requests of its clients, hands them out, any number in flight, and measures response times, from
// arrival in the queue to completion. Those of one client are in order. Closed loop: a client has as many requests
// queued or in flight as its depth says, and the next one arrives when one completes. Open loop: requests arrive at
// their own times. Knows no processor, no firmware and no clock: time is an argument.
// Invariants: a request is handed out once, and once more after each loss of power, and completes once; requests in
// flight that touch the same bytes only read them, and a flush is in flight alone, so what a read must return is known;
// check_queue().
#pragma once

#include <array>
#include <boost/circular_buffer.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/counters.h"
#include "common/sums.h"
#include "firmware/port/host_port.h"
#include "platform/host/byte_ranges.h"
#include "platform/host/latency.h"
#include "platform/host/parts_recorder.h"
#include "platform/host/payload.h"
#include "platform/host/queue_time.h"
#include "platform/host/request_observer.h"
#include "platform/host/unflushed_parts.h"
#include "workloads/request.h"

namespace ftlab::platform {

class RequestPaths;

/// What a status that ends the writing means, in a sentence; null for the others.
const char* end_of_life(FtlStatus status);

struct HostOptions {
  bool open_loop = false;         ///< requests carry arrival times
  Ticks arrivals_from{};          ///< open loop: the arrival time that is the start
  std::uint64_t idle_every = 0;   ///< closed loop: pause after every n requests; 0 = never
  Ticks idle{};                   ///< length of such a pause
  double cache_hits = 0;          ///< share of the read requests that the host's page cache answers
  std::uint64_t seed = 1;         ///< of the draws for cache_hits
  std::uint64_t write_bytes = 0;  ///< nothing more is asked for when so much was written; 0: no such end
  /// Called now and then with the requests done; may be empty.
  std::function<void(std::uint64_t done)> progress;
  RequestObserver* observer = nullptr;  ///< may be null
  /// Aligned ranges of this size are durable when they are answered whole, parts of them only after a flush that is;
  /// 0: all is when it is answered.
  std::uint64_t durable_bytes = 0;
  RequestPaths* paths = nullptr;  ///< follows the requests; may be null
};

/// A program on the host that makes requests.
struct HostClient {
  workloads::RequestSource* source = nullptr;
  /// Requests queued or in flight, in an open loop those in flight at most; 1 to 1024, of all clients together.
  std::uint32_t queue_depth = 1;
};

struct HostTotals {
  std::uint64_t requests = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t trims = 0;
  std::uint64_t flushes = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t failed_requests = 0;  ///< the FTL gave up (worn out, unreadable): a result, not an error
  std::uint64_t wrong_reads = 0;      ///< data differed from what was acknowledged
  std::uint64_t cached_reads = 0;     ///< answered by the host's page cache, counted in reads, too
  QueueTime queue;                    ///< of all requests, from arrival to completion
  TickSum write_service{};            ///< sum of the service times of writes and flushes, waiting excluded
  /// Why the host stopped before the workload's end; null: it did not. A device that takes no more writes is a result.
  const char* end_reason = nullptr;
  std::uint32_t max_in_flight = 0;  ///< most requests that were in flight together
  LatencyRecorder read_latency;
  LatencyRecorder write_latency;
  PartsRecorder read_parts;  ///< nothing where nobody follows requests
  PartsRecorder write_parts;
  LatencyRecorder after_pause;  ///< writes whose caller let time pass first (Request::think above 0)
};

/// Where they stand in result.json.
inline constexpr Counter<HostTotals> kHostCounters[] = {
    flow<&HostTotals::requests>("host.requests", "", "requests served"),
    flow<&HostTotals::reads>("host.reads", "", "read requests"),
    flow<&HostTotals::writes>("host.writes", "", "write requests"),
    flow<&HostTotals::trims>("host.trims", "", "trim requests"),
    flow<&HostTotals::flushes>("host.flushes", "", "flush requests"),
    flow<&HostTotals::bytes_written>("host.bytes_written", "B", "bytes of write requests"),
    flow<&HostTotals::bytes_read>("host.bytes_read", "B", "bytes of read requests"),
    flow<&HostTotals::cached_reads>("host.cached_reads", "",
                                    "reads that the host's page cache answered; counted in reads, too"),
    flow<&HostTotals::failed_requests>("host.failed_requests", "",
                                       "requests that the firmware refused: device worn out, data unreadable"),
    state<&HostTotals::max_in_flight>("host.max_in_flight", "", "most requests that were in flight together"),
};

class Host {
 public:
  enum class State : std::uint8_t {
    request,  ///< one may be taken now
    waiting,  ///< nothing before next_arrival()
    blocked,  ///< nothing before a request in flight completes
    ended,    ///< nothing any more
  };

  /// Requests in flight at most: they are found by the tag alone.
  static constexpr std::uint32_t kMaxDepth = 1024;

  /// Several clients take turns. At `start` arrival times stand at arrivals_from; requests that have some come from one
  /// client.
  Host(std::span<const HostClient> clients, Payload& payload, HostOptions options, Ticks start);

  [[nodiscard]] State state(Ticks now);
  /// While waiting: when the next request arrives or a pause ends. kNever while blocked or at the end.
  [[nodiscard]] Ticks next_arrival() const { return next_arrival_; }
  /// Only in state request: of the request that take() gives.
  [[nodiscard]] Ticks arrival() const;
  /// Only in state request. True: the page cache answers, so that it never reaches the device, and completes all the
  /// same.
  bool take(Ticks now, HostRequest& request);
  /// Throws std::logic_error for a tag that is not in flight, and for an answer that no workload may get.
  void complete(std::uint32_t tag, FtlStatus status, Ticks now);
  /// The device has lost power: what is in flight is handed out again, with the same tag and content and in the same
  /// order, before anything else. What was answered and need not be durable may read as either version from now on.
  void resend();
  /// The device comes back no more: what is in flight fails, and nothing more is asked for. `reason` outlives the host.
  void give_up(const char* reason, Ticks now);
  /// At the end, when nothing is in flight: throws std::logic_error unless latencies sum to the integral of the number
  /// of requests over time.
  void check_queue() const;

  /// The request that comes so many after the next one, if it is known already.
  [[nodiscard]] const workloads::Request* ahead(std::size_t by) const {
    const Client& client = clients_[turn_];
    return client.at + by < client.batched ? &client.batch[client.at + by] : nullptr;
  }
  [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }
  [[nodiscard]] const HostTotals& totals() const { return totals_; }

 private:
  struct Client {
    workloads::RequestSource* source = nullptr;
    std::uint32_t queue_depth = 1;
    std::uint32_t in_flight = 0;
    bool ended = false;
    std::size_t batched = 0;
    std::size_t at = 0;
    std::array<workloads::Request, 256> batch{};
    std::uint64_t waits_since = 0;  ///< its next request waits for bytes in use: number among those; 0: does not
    boost::circular_buffer<Ticks> arrivals;  ///< closed loop: of its requests that wait in the queue, in order
  };
  struct Slot {
    workloads::Request request;
    std::uint32_t tag = 0;
    std::uint32_t client = 0;
    bool busy = false;
    bool cached = false;
    Ticks arrived{};
    Ticks begun{};
    const std::byte* from = nullptr;  ///< write: its content, in data
    std::vector<std::byte> data;
  };

  /// The client has a next request; false: it has ended.
  bool fetch(Client& client);
  void next_turn() { turn_ = turn_ + 1 == clients_.size() ? 0 : turn_ + 1; }
  [[nodiscard]] State state_of(Client& client, Ticks now);
  /// Closed loop: the client's queue is filled up to its depth, with requests that arrive then.
  void fill_queue(Client& client, Ticks arrival);
  /// Nothing of the client is in the queue: its requests are asked for anew, or are no more.
  void empty_queue(Client& client);
  /// What is in the queue is not asked for any more.
  void stop_asking();
  void pause_if_due(Ticks now);
  [[nodiscard]] bool conflicts(const workloads::Request& request);
  /// The next request of another client has waited longer for bytes that this one uses: whoever keeps them busy lets it
  /// pass first.
  [[nodiscard]] bool waits_behind(const Client& client) const;
  [[nodiscard]] bool read_hits_cache();
  /// What the firmware gets of a request in a slot.
  void hand_out(Slot& slot, HostRequest& out);
  /// `parts`: null where nobody has followed it.
  void book(const Slot& slot, FtlStatus status, Ticks now, const LatencyParts* parts);
  /// The same, for who follows requests or observes them.
  void book_and_tell(const Slot& slot, FtlStatus status, Ticks now);

  std::vector<Client> clients_;
  std::size_t turn_ = 0;  ///< the client that is asked first
  Payload& payload_;
  HostOptions options_;
  Ticks start_;
  HostTotals totals_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;  ///< the last one is taken next
  std::vector<std::uint32_t> resend_;      ///< slots to be handed out again, the last one next
  std::optional<UnflushedParts> unflushed_;
  ByteRanges used_;            ///< by requests in flight
  std::uint32_t flushes_ = 0;  ///< in flight
  std::uint32_t in_flight_ = 0;
  std::uint32_t taken_ = 0;
  std::uint64_t waited_ = 0;    ///< requests that waited for bytes in use
  std::uint32_t waiting_ = 0;   ///< clients whose next request waits for such
  bool asking_ = true;          ///< closed loop: what completes is followed by another request
  bool arrival_known_ = false;  ///< open loop: of the next request
  Ticks arrived_{};
  Ticks not_before_{};          ///< end of a pause
  bool pause_pending_ = false;  ///< begins when nothing is in flight
  Ticks next_arrival_ = kNever;
  boost::random::mt19937 cache_draws_;
};

}  // namespace ftlab::platform
