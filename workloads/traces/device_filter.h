// Which devices or sections of a trace take part. Names are compared as the format writes them, and as numbers where
// both are numbers ("0x08000008" = "134217736").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

class DeviceFilter {
 public:
  /// Empty: every device takes part.
  explicit DeviceFilter(std::vector<std::string> wanted);

  /// Traces stay on one device for long runs, so the last answer is kept.
  bool accepts(const TraceReader& reader, std::uint32_t device) {
    if (wanted_.empty()) return true;
    if (!known_ || device != last_) decide(reader, device);
    return last_accepted_;
  }
  /// "device 0x0800000e, 0x0800000f" for messages.
  [[nodiscard]] std::string wanted() const;
  [[nodiscard]] bool active() const { return !wanted_.empty(); }
  /// Devices refused so far, for the message that nothing was left ("0x0800000e, 0x0800000f"); at most eight.
  [[nodiscard]] const std::string& refused() const { return refused_; }

 private:
  void decide(const TraceReader& reader, std::uint32_t device);

  std::vector<std::string> wanted_;
  std::string refused_;
  std::uint32_t refused_count_ = 0;
  std::uint32_t last_ = 0;
  bool last_accepted_ = false;
  bool known_ = false;
};

}  // namespace ftlab::workloads
