// Sorts records by time as far as a bounded window reaches: tracers that log per CPU write blocks of lines, so that a
// line may stand some thousand lines behind its time. What is displaced by more than the window stays where it is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

class Reorder final : public TraceReader {
 public:
  /// Holds back `window` records. Equal times keep their order.
  Reorder(std::unique_ptr<TraceReader> inner, std::uint32_t window);

  std::size_t next(std::span<TraceRecord> batch) override;
  [[nodiscard]] std::string device_name(std::uint32_t device) const override { return inner_->device_name(device); }
  [[nodiscard]] std::string where(std::uint64_t place) const override { return inner_->where(place); }
  [[nodiscard]] bool last_line_open() const override { return inner_->last_line_open(); }

 private:
  struct Held {
    TraceRecord record;
    std::uint64_t sequence;
  };
  static bool later(const Held& a, const Held& b);

  std::unique_ptr<TraceReader> inner_;
  std::size_t window_;
  std::vector<Held> heap_;  ///< earliest on top
  std::uint64_t sequence_ = 0;
  bool ended_ = false;
};

}  // namespace ftlab::workloads
