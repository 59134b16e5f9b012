// The host: takes requests from a source, hands them to the FTL in order, measures response times.
// Closed loop: the next request follows at once. Open loop: requests arrive at their own times and queue;
// while the queue is empty the FTL is told how long it may idle. Knows nothing of flash.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <cstdint>
#include <functional>

#include "firmware/ftl/ftl.h"
#include "platform/host/latency.h"
#include "platform/host/payload.h"
#include "platform/machine/firmware_cpu.h"
#include "workloads/request.h"

namespace ftlab::platform {

/// What a status that ends the writing means, in a sentence; null for the others.
const char* end_of_life(FtlStatus status);

struct HostOptions {
  bool open_loop = false;              ///< requests carry arrival times
  std::uint64_t idle_every = 0;        ///< closed loop: pause after every n requests; 0 = never
  Ticks idle{};                        ///< length of such a pause
  std::uint32_t self_check_every = 0;  ///< walk the FTL's invariants after every n requests; 0 = never
  double cache_hits = 0;               ///< share of the read requests that the host's page cache answers
  std::uint64_t seed = 1;              ///< of the draws for cache_hits
  Ticks sample_every{};                ///< period of `sample`; 0 = never
  /// Called at the start and then once in every period that begins, between requests; time counts from the start.
  std::function<void(Ticks since_start)> sample;
  /// Called now and then with the requests done; may be empty.
  std::function<void(std::uint64_t done)> progress;
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
  Ticks queued{};                     ///< sum of waiting times before service (open loop)
  Ticks write_service{};              ///< sum of the service times of writes and flushes, waiting excluded
  /// Why the host stopped before the workload's end; null: it did not. A device that takes no more writes is a result.
  const char* end_reason = nullptr;
  LatencyRecorder read_latency;
  LatencyRecorder write_latency;
  LatencyRecorder after_pause;  ///< writes whose caller let time pass first (Request::think above 0)
};

class HostModel {
 public:
  HostModel(FirmwareCpu& cpu, Ftl& ftl, Payload& payload, HostOptions options);

  /// Serves the source to its end; arrival times count from now. Stops early when the FTL takes no more writes.
  void serve(workloads::RequestSource& source);
  [[nodiscard]] const HostTotals& totals() const { return totals_; }

 private:
  void wait_for_arrival(Ticks arrival);
  void sample_if_due();
  [[nodiscard]] bool read_hits_cache();
  FtlStatus read(const workloads::Request& request);
  void check_invariants();
  FtlStatus dispatch(const workloads::Request& request);

  FirmwareCpu& cpu_;
  Ftl& ftl_;
  Payload& payload_;
  HostOptions options_;
  HostTotals totals_;
  std::vector<std::byte> read_buffer_;
  boost::random::mt19937 cache_draws_;
  Ticks start_{};
  Ticks next_sample_ = kNever;
};

}  // namespace ftlab::platform
