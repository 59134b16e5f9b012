// What every die has queued and not ended, in its order, with the content that programs replaced.
// Knows what to forget when it has ended; what is done with the rest is up to others.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/array/commands/ring.h"
#include "hw/array/commands/work.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

class WorkLog {
 public:
  explicit WorkLog(const Context& device) : content_(device.pages.content()), dies_(device.spec.dies()) {}

  /// A place for the youngest work of a die, to be written over.
  Work& add(Ticks now, std::uint32_t die) {
    Ring<Work>& ring = dies_[die].work;
    if (ring.full()) retire(now, die);
    return ring.append();
  }
  /// Beside a work just added that stores: what its page had, as far as such is kept.
  void add_metadata(std::uint32_t die, const Metadata& before) { dies_[die].metadata.append() = before; }
  void add_data(std::uint32_t die, PageData&& before) { dies_[die].data.push(std::move(before)); }

  [[nodiscard]] std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] Ring<Work>& of(std::uint32_t die) { return dies_[die].work; }
  /// The youngest of a die leaves the log; content for works that store, where it is kept.
  Work take_youngest(std::uint32_t die) { return dies_[die].work.pop_back(); }
  Metadata take_metadata(std::uint32_t die) { return dies_[die].metadata.pop_back(); }
  PageData take_data(std::uint32_t die) { return dies_[die].data.pop_back(); }
  /// What is under way will not be undone.
  void clear() {
    for (Die& die : dies_) die = Die{};
  }

 private:
  struct Die {
    Ring<Work> work;
    Ring<Metadata> metadata;  ///< one for each work that stores, where it is kept
    Ring<PageData> data;      ///< the same
  };

  /// Forgets what has ended at the front.
  void retire(Ticks now, std::uint32_t die);
  Content content_;
  std::vector<Die> dies_;
};

}  // namespace ftlab::hw::array
