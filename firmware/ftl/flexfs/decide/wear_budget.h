// Spreads the writes a medium stands over the lifetime it must reach (FlexFS paper, 4.2): a writing budget for each
// window of time (Eq. 7) and the wear index delta, the share of data for the SLC region that uses just this budget (Eq.
// 9). Knows no segments and no flash; time is lifetime, from the first format on. Invariant: delta <= 1.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/decide/fraction.h"
#include "firmware/ftl/flexfs/decide/windows.h"

namespace ftlab::flexfs {

class WearBudget {
 public:
  /// window_ns: T_s, at least 1; windows: n, at least 1.
  void configure(std::uint64_t window_ns, std::uint64_t windows);
  void clear();
  /// Starts in the window of this lifetime, as after a format or mount; the budget is that of Eq. 7. A new device
  /// begins with delta = 1, as the paper's does. After a mount the windows before are not known: until one has passed
  /// as a whole, delta is 1 while less has been used than an even use of the endurance over the lifetime would have by
  /// now, else 0, so that power cycles cannot spend a budget twice. `endurance`, `used`: as in advance().
  void resume(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used);

  /// Bytes the host gave.
  void add_incoming(std::uint64_t bytes) { incoming_ += bytes; }
  /// The host gave time: enters the window of `life_ns`, if it is a new one. `endurance`: bytes the medium stands in
  /// its life (C_total * E_cycles); `used`: bytes of it used so far (W).
  void advance(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used);

  [[nodiscard]] Q16 delta() const { return delta_; }
  /// Writing budget of the current window (Eq. 7 at its start), bytes; 0 before resume().
  [[nodiscard]] std::uint64_t budget() const { return budget_; }
  [[nodiscard]] std::uint64_t window() const { return window_; }

  /// Eq. 7.
  [[nodiscard]] static std::uint64_t budget_of(std::uint64_t endurance, std::uint64_t used, std::uint64_t windows,
                                               std::uint64_t window);
  /// Eq. 9 within 0 to 1; 1 when nothing is expected to come.
  [[nodiscard]] static Q16 index_of(std::uint64_t budget, std::uint64_t incoming);

 private:
  static constexpr std::size_t kEstimate = 3;  // the paper's number of windows that estimate IW

  /// In place of Eq. 9 while past windows are not known.
  [[nodiscard]] Q16 index_by_pace(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used) const;

  std::uint64_t window_ns_ = 1;
  std::uint64_t windows_ = 1;
  std::uint64_t window_ = 0;
  std::uint64_t incoming_ = 0;
  std::uint64_t budget_ = 0;
  bool known_ = true;  ///< a whole window has passed, or the device is new
  bool whole_ = true;  ///< this window was seen from its start
  Windows<kEstimate> past_;
  Q16 delta_ = kOne;
};

}  // namespace ftlab::flexfs
