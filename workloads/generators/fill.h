// The initial data: every page written once, in address order, as the studies of cleaning begin.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/generators/layout.h"
#include "workloads/request.h"

namespace ftlab::workloads {

/// Writes U pages, one request each, closed loop. Pages that the workload will never rewrite carry read_only_data.
class FillSource final : public RequestSource {
 public:
  /// Same config, device and seed as the workload that follows: they agree on which pages are read-only.
  FillSource(const GeneratorConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return layout_.pages; }

 private:
  GeneratorLayout layout_;
  std::vector<std::uint32_t> read_only_;  ///< slots, ascending
  std::size_t next_read_only_ = 0;
  std::uint32_t next_page_ = 0;
};

}  // namespace ftlab::workloads
