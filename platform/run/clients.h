// The clients of a run and their requests, as the study wants them. Knows no machine and no firmware.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/host/host.h"
#include "platform/study/study.h"
#include "workloads/limited_source.h"
#include "workloads/workload_config.h"

namespace ftlab::platform {

/// One client makes the whole workload. Several ask without end, and what they write together ends the run: the last
/// of them would otherwise be alone for a while.
class Clients {
 public:
  /// `warm_up_bytes` are written before a generated workload, and are the first part of any other. Throws InputError
  /// for a workload that does not fit the device.
  Clients(const Study& study, const workloads::WorkloadConfig& workload, std::uint64_t warm_up_bytes,
          std::uint64_t device_bytes);

  /// For the bytes that are written before measuring: the client's requests up to there, or an end in `options`.
  [[nodiscard]] std::vector<HostClient> warm_up(HostOptions& options);
  [[nodiscard]] std::vector<HostClient> measured(HostOptions& options);
  /// Expected number of requests for a progress bar; 0 = unknown.
  [[nodiscard]] std::uint64_t size_hint() const { return size_hint_; }

 private:
  std::vector<std::unique_ptr<workloads::RequestSource>> sources_;
  std::unique_ptr<workloads::LimitedSource> first_;  ///< a single client's requests up to the end of the warm-up
  std::vector<HostClient> clients_;
  std::uint64_t warm_up_bytes_ = 0;
  std::uint64_t write_bytes_ = 0;  ///< after the warm-up; 0: a single client
  std::uint64_t size_hint_ = 0;
};

}  // namespace ftlab::platform
