// A pair's operations as the observer sees them: begin and end, two halves of one operation as one.
// Knows no cells; energy of an operation is what its times and powers say.
#pragma once

#include <array>
#include <cstdint>

#include "hw/series2plus/commands/operation_queue.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

class OperationReports {
 public:
  OperationReports(CardContext& card, std::uint32_t pair)
      : observer_(card.observer), pair_(pair), base_(pair * card.spec.pair_bytes()) {}

  /// The observer's tag.
  std::uint32_t begin(const Request& request, Ticks t, std::uint32_t components);
  /// It is executed from now on; of a shared operation one half says so.
  void began(const Operation& operation, Ticks t);
  /// How the work of some components ended.
  struct Ended {
    bool failed = false;
    bool torn = false;  ///< see DeviceOp
  };
  /// Work of `components` components ended; of a shared operation the first half waits here for the other.
  void end(const Operation& operation, std::uint32_t components, Ticks t, const Ended& ended);

 private:
  /// What ended of an operation.
  struct Part {
    std::uint32_t id = 0;
    Ticks worked{};
    Ticks end{};
    Picojoules energy{};
    Ended ended;
  };
  /// Takes the other half of a shared operation out, when it has ended already.
  bool join_other_half(Part& part);
  [[nodiscard]] DeviceOp record_of(const Request& request, Ticks t, std::uint32_t components) const;

  DeviceObserver* observer_;
  std::uint32_t pair_;
  std::uint32_t base_;
  std::uint32_t waiting_ = 0;
  std::array<Part, std::size_t{2} * OperationQueue::kSlots> halves_{};
};

}  // namespace ftlab::hw
