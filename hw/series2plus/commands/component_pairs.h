// All component pairs of a card, side by side in the address range.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/series2plus/commands/component_pair.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

class ComponentPairs {
 public:
  explicit ComponentPairs(CardContext& card)
      : card_(card), shift_(static_cast<std::uint32_t>(std::countr_zero(card.spec.pair_bytes()))) {
    pairs_.reserve(card.spec.pairs);
    for (std::uint32_t i = 0; i < card.spec.pairs; ++i) pairs_.push_back(std::make_unique<ComponentPair>(card, i));
  }

  [[nodiscard]] std::uint32_t index_of(std::uint32_t address) const { return address >> shift_; }
  [[nodiscard]] ComponentPair& at(std::uint32_t address) { return *pairs_[index_of(address)]; }
  [[nodiscard]] std::uint32_t offset(std::uint32_t address) const { return address & (bytes() - 1); }
  /// Of one pair.
  [[nodiscard]] std::uint32_t bytes() const { return 1U << shift_; }

  void advance_to(Ticks now) {
    for (auto& pair : pairs_) pair->advance_to(now);
  }
  [[nodiscard]] auto begin() const { return pairs_.begin(); }
  [[nodiscard]] auto end() const { return pairs_.end(); }

  /// See CardContext.
  [[nodiscard]] std::uint64_t work_changes() const { return card_.work_changes; }

 private:
  const CardContext& card_;
  std::uint32_t shift_;
  std::vector<std::unique_ptr<ComponentPair>> pairs_;
};

}  // namespace ftlab::hw
