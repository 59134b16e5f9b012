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
  explicit WorkLog(const Context& device)
      : keeps_content_(device.pages.content() != Content::none), dies_(device.spec.dies()) {}

  void add(Ticks now, std::uint32_t die, Work&& work) {
    Ring<Work>& ring = dies_[die].work;
    if (ring.full()) retire(now, die);
    ring.push(std::move(work));
  }
  /// Beside the work just added: the content that its page had.
  void add_content(std::uint32_t die, PageContent&& before) { dies_[die].before.push(std::move(before)); }

  [[nodiscard]] std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] Ring<Work>& of(std::uint32_t die) { return dies_[die].work; }
  /// The youngest work of a die leaves the log; its replaced content comes along.
  std::pair<Work, PageContent> take_youngest(std::uint32_t die);
  /// Nothing is under way.
  void clear();

 private:
  struct Die {
    Ring<Work> work;
    Ring<PageContent> before;  ///< one for each work that stores content
  };

  /// Forgets what has ended at the front.
  void retire(Ticks now, std::uint32_t die);
  bool keeps_content_;
  std::vector<Die> dies_;
};

}  // namespace ftlab::hw::array
