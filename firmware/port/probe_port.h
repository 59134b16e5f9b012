// What firmware reports to an observer: why it works now, how much work it did, and which operations are whose.
// Nothing on a real target (see NullProbe); the platform books time, energy and CPU cost by it.
#pragma once

#include <cstdint>

namespace ftlab {

/// Why the firmware does what it does now. Latched by the platform for each device operation.
enum class Cause : std::uint8_t { host, clean, migrate, wear_level, refresh, metadata, mount, idle };
inline constexpr std::uint32_t kCauses = 8;

/// Countable pieces of firmware work. A host profile gives each a cost; no cost depends on policy or workload.
enum class Work : std::uint8_t {
  request,          ///< one host request handled
  page_write,       ///< one logical page accepted from the host and placed
  page_read,        ///< one logical page handed to the host
  page_copy,        ///< one valid page moved, by cleaning or leveling
  segment_clean,    ///< one victim reclaimed
  segment_compare,  ///< one integer comparison of a candidate (greedy, u = 0 shortcut), or of a sum by age
  segment_score,    ///< one victim score with an age or cost term evaluated
  page_rate,        ///< one hot degree evaluated
  header_scan,      ///< one segment header parsed at mount
  driver_call,      ///< one driver entry (command sequence set up and checked)
  buffer_program,   ///< one page-buffer load and program by the driver
  checksum_byte,    ///< one byte of page data through a checksum
};
inline constexpr std::uint32_t kWorkKinds = 12;

class ProbePort {
 public:
  ProbePort() = default;
  ProbePort(const ProbePort&) = delete;
  ProbePort& operator=(const ProbePort&) = delete;

  /// Returns the cause in force before.
  virtual Cause set_cause(Cause cause) = 0;
  [[nodiscard]] virtual Cause cause() const = 0;
  virtual void count(Work kind, std::uint32_t n) = 0;
  static constexpr std::uint32_t kNoRequest = 0xFFFFFFFF;
  /// A page of the host's request with that tag is on its way from now on; its operations have the tag `page`.
  virtual void page_begins(std::uint16_t /*page*/, std::uint32_t /*request*/) {}
  /// What comes now is done since the last operation with that tag was reported.
  virtual void page_reported(std::uint16_t /*page*/) {}

 protected:
  ~ProbePort() = default;
};

/// For targets and tests that do not observe.
class NullProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override {
    const Cause before = cause_;
    cause_ = cause;
    return before;
  }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work, std::uint32_t) override {}

 private:
  Cause cause_ = Cause::host;
};

/// Holds a cause for a scope.
class CauseScope {
 public:
  CauseScope(ProbePort& probe, Cause cause) : probe_(probe), before_(probe.set_cause(cause)) {}
  ~CauseScope() { probe_.set_cause(before_); }
  CauseScope(const CauseScope&) = delete;
  CauseScope& operator=(const CauseScope&) = delete;

 private:
  ProbePort& probe_;
  Cause before_;
};

}  // namespace ftlab
