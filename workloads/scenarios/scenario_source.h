// A scenario as a source of requests: the whole list is made at once, so that its totals and its fit to the device are
// known before the run. Memory: 48 bytes a request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/request.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::workloads {

class ScenarioSource final : public RequestSource {
 public:
  explicit ScenarioSource(std::vector<Request> requests) : requests_(std::move(requests)) {}

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return requests_.size(); }

 private:
  std::vector<Request> requests_;
  std::size_t next_ = 0;
};

/// `timed` = false: as fast as the device takes them. Throws InputError naming the key of the scenario.
std::unique_ptr<RequestSource> make_scenario(const ScenarioConfig& config, std::uint64_t device_bytes,
                                             std::uint64_t seed, bool timed);

}  // namespace ftlab::workloads
