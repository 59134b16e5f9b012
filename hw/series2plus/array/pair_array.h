// What the work of a pair's components does to cells, lock bits and page buffers, when it ends or is broken off.
// Knows no command, no status and no time passing. Addresses are those of a component, blocks are its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw/series2plus/array/lanes.h"
#include "hw/series2plus/array/page_buffers.h"
#include "hw/series2plus/commands/operation_queue.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

class PairArray {
 public:
  PairArray(CardContext& card, PageBuffers& buffers, std::uint32_t pair);

  /// Age and lock bit of the first lane; where both lanes work in step they agree on everything that matters.
  [[nodiscard]] const BlockCells& cells(Lanes lanes, std::uint32_t block) const {
    return card_.wear.cells(first_segment_ + block, first_lane(lanes));
  }
  [[nodiscard]] std::uint32_t blocks() const { return card_.spec.segments_per_pair; }
  /// Both lanes would take the same time for it and end the same way.
  [[nodiscard]] bool uniform(const Request& request) const;
  /// The block is left out: its lock bit counts and is set.
  [[nodiscard]] bool skips(Lanes lanes, const Request& request, std::uint32_t block) const {
    return request.honours_locks && cells(lanes, block).locked;
  }
  [[nodiscard]] Ticks duration_of(Lanes lanes, const Request& request) const;
  /// Asks the processor for the memory that a program will touch.
  void prefetch(const Request& request) const;

  void program(Lanes lanes, const Request& request) { program_first(lanes, request, request.length); }
  /// Some bytes are programmed, one has lost some of its bits, the rest is untouched.
  void program_partly(Lanes lanes, const Request& request, double done);
  /// False: the block is worn, its cells are left anywhere.
  bool erase(Lanes lanes, std::uint32_t block);
  void erase_partly(Lanes lanes, std::uint32_t block, double done);
  void set_lock_bits(Lanes lanes, std::uint32_t block);
  void upload_info(Lanes lanes, std::uint32_t buffer);

 private:
  /// Data of a program behind its first `done` words, as many as stand together.
  [[nodiscard]] std::span<const std::byte> words_of(const Request& request, std::uint32_t done,
                                                    std::uint32_t most) const;
  void program_first(Lanes lanes, const Request& request, std::uint32_t length);
  [[nodiscard]] std::uint32_t card_address(std::uint32_t address) const { return base_ + address * 2; }
  [[nodiscard]] std::uint32_t block_address(std::uint32_t block) const { return base_ + (block << block_shift_) * 2; }

  CardContext& card_;
  PageBuffers& buffers_;
  std::uint32_t first_segment_;
  std::uint32_t base_;         ///< of the pair in the card
  std::uint32_t block_shift_;  ///< log2 of the bytes of a component's block
};

}  // namespace ftlab::hw
