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
  /// `label`: see DeviceObserver::label().
  WorkLog(const Context& device, const std::uint8_t* label)
      : content_(device.pages.content()), label_(label), dies_(device.spec.dies()) {}

  /// A place for the youngest work of a die, to be written over.
  Work& add(Ticks now, std::uint32_t die) {
    Ring<Work>& ring = dies_[die].work;
    if (ring.full()) retire(now, die);
    if (label_ != nullptr) dies_[die].labels.append() = *label_;
    return ring.append();
  }
  /// Beside a work just added that stores: what its page had, as far as such is kept.
  void add_metadata(std::uint32_t die, const Metadata& before) { dies_[die].metadata.append() = before; }
  void add_data(std::uint32_t die, PageData&& before) { dies_[die].data.push(std::move(before)); }

  [[nodiscard]] std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] Ring<Work>& of(std::uint32_t die) { return dies_[die].work; }
  /// Of the same place.
  [[nodiscard]] std::uint8_t label_of(std::uint32_t die, std::size_t i) const {
    return label_ != nullptr ? dies_[die].labels[i] : std::uint8_t{0};
  }
  /// The youngest of a die leaves the log; content for works that store, where it is kept.
  Work take_youngest(std::uint32_t die) {
    if (label_ != nullptr) (void)dies_[die].labels.pop_back();
    return dies_[die].work.pop_back();
  }
  Metadata take_metadata(std::uint32_t die) { return dies_[die].metadata.pop_back(); }
  PageData take_data(std::uint32_t die) { return dies_[die].data.pop_back(); }
  /// What is under way will not be undone.
  void clear() {
    for (Die& die : dies_) die = Die{};
  }

 private:
  struct Die {
    Ring<Work> work;
    Ring<std::uint8_t> labels;  ///< one for each work, where there are any
    Ring<Metadata> metadata;    ///< one for each work that stores, where it is kept
    Ring<PageData> data;        ///< the same
  };

  /// Forgets what has ended at the front.
  void retire(Ticks now, std::uint32_t die);

  Content content_;
  const std::uint8_t* label_;
  std::vector<Die> dies_;
};

}  // namespace ftlab::hw::array
