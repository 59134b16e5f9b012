// The host's queue as firmware sees it: requests of a Host, time of the processor.
// Knows when to sample and to check invariants; nothing of what a request means.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "firmware/ftl/ftl.h"
#include "firmware/port/host_port.h"
#include "platform/host/host.h"
#include "platform/host/linked_host.h"
#include "platform/machine/processor.h"

namespace ftlab::platform {

struct ClientOptions {
  std::uint32_t self_check_every = 0;  ///< walk the FTL's invariants after every n requests; 0 = never
  Ticks sample_every{};                ///< period of `sample`; 0 = never
  /// Called at the start and then once in every period that begins, between requests; time counts from the start.
  std::function<void(Ticks since_start)> sample;
  /// Called when a request has completed, with the number of those that have; may be empty, and may throw.
  std::function<void(std::uint64_t requests)> completed;
  RequestPaths* paths = nullptr;  ///< follows the requests; may be null
};

class StorageClient final : public HostPort {
 public:
  /// `link`: what lies between both; null: nothing.
  StorageClient(Processor& processor, Host& host, const Ftl& ftl, ClientOptions options,
                const LinkTiming* link = nullptr);

  /// The device has lost power: nothing is on its way to it, or from it.
  void drop() { requests_.drop(); }
  /// Another FTL serves the same requests from now on.
  void serve_by(const Ftl& ftl);

  Next next(HostRequest& request) override;
  void complete(std::uint32_t tag, FtlStatus status) override;
  std::uint64_t now_ns() override { return processor_.now_ns(); }
  std::uint64_t next_arrival_ns() override;
  void wait(std::uint64_t until_ns) override;

  /// Pages of requests in flight that the FTL counts.
  [[nodiscard]] FtlStats unanswered() const;
  /// Bytes of write requests completed when the FTL had first taken a segment out of use since it was begun, those of
  /// the request that lost it included; nothing: it took none.
  [[nodiscard]] std::optional<std::uint64_t> written_to_first_loss() const { return written_to_first_loss_; }

  /// As LinkedHost::link_times_by().
  [[nodiscard]] std::optional<LinkTimes> link_times_by(Ticks until) const { return requests_.link_times_by(until); }

 private:
  /// Power was lost, and the device has not noticed.
  [[nodiscard]] bool is_cut_off() const { return processor_.failed_at() != kNever; }
  void sample_if_due();
  void check_if_due();
  /// What a read that the page cache answers costs the processor.
  void answer_from_cache(const HostRequest& request);

  Processor& processor_;
  Host& host_;
  LinkedHost requests_;
  const Ftl* ftl_;
  const FtlStats* counted_;  ///< the FTL's, kept: asked for at each completion
  bool serving_ = false;     ///< a request was taken, and none completed since
  std::uint64_t bad_before_;
  std::optional<std::uint64_t> written_to_first_loss_;
  ClientOptions options_;
  Ticks start_;
  Ticks next_sample_ = kNever;
  bool check_due_ = false;  ///< completions come in the middle of the firmware's work, where invariants do not hold
};

}  // namespace ftlab::platform
