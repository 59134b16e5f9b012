// Operations of PartOps that are under way in the arrays, one per die at most, and how they end.
// Knows nothing of the order in which operations may be submitted.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/driver/common/done_ring.h"
#include "firmware/driver/onenand/page_buffer.h"
#include "firmware/driver/onenand/sequences.h"

namespace ftlab {

class OneNandDies {
 public:
  static constexpr std::uint32_t kMaxDies = 2;

  /// `finished`: where operations go that have ended.
  OneNandDies(OneNandSequences& sequences, OneNandPageBuffer& buffer, const OneNandLayout& layout, DoneRing& finished)
      : sequences_(sequences), buffer_(buffer), layout_(layout), finished_(finished) {}

  /// Forgets what was under way.
  void clear();
  [[nodiscard]] std::uint32_t under_way() const { return under_way_; }

  /// A read, program or erase on an idle die.
  void start(const PartOp& op);
  /// Waits for what the die does, if anything; its status.
  PartStatus await_die(std::uint16_t die);
  /// One look at each die.
  void poll();
  /// Waits until an operation has ended, if any is under way. `turn_ns`: how long for one die before a look at the
  /// other.
  void await_any(std::uint64_t turn_ns);

 private:
  struct Die {
    bool busy = false;
    std::uint32_t order = 0;  ///< start number
    OneNandWork work = OneNandWork::load;
    OneNandPlace place;
    PartOp op;
  };

  [[nodiscard]] bool is_lsb(const Die& die) const { return layout_.is_lsb(die.place); }
  [[nodiscard]] Die* oldest();
  PartStatus ended(Die& die, OneNandResult result);
  PartStatus finish(Die& die) { return ended(die, sequences_.finish(die.work, die.place, is_lsb(die))); }

  OneNandSequences& sequences_;
  OneNandPageBuffer& buffer_;
  const OneNandLayout& layout_;
  DoneRing& finished_;
  std::array<Die, kMaxDies> dies_{};
  std::uint32_t under_way_ = 0;
  std::uint32_t next_order_ = 0;
};

}  // namespace ftlab
