// One 28F016SA, or one die of a DD28F032SA: command user interface, modes of reading, sleep.
// Two components of a pair that have had the same history are one object working for both lanes (see ComponentPair).
// Knows no bus timing, no other component and no card register but the lock enable and Vpp it is supplied with.
//
// Invariants: bits are only cleared by programming; a component that works answers with status, not data; an error bit
// stays until cleared. Addresses are those of the component: card address of the pair / 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/units.h"
#include "hw/series2plus/array/page_buffers.h"
#include "hw/series2plus/commands/command_sequence.h"
#include "hw/series2plus/commands/write_state_machine.h"

namespace ftlab::hw {

class Component {
 public:
  Component(const PairWork& pair, PageBuffers& buffers, Lanes lanes);

  // --- bus ---
  /// One write cycle at time t (its end). In the command phases even == odd when lanes() == both.
  /// The request that it completed, which the pair has to submit; null as a rule.
  [[nodiscard]] const Request* write(Ticks t, std::uint32_t address, std::uint8_t even, std::uint8_t odd);
  [[nodiscard]] const CommandSequence& sequence() const { return sequence_; }
  /// Words of both lanes into the selected page buffer.
  void load_words(std::uint32_t address, std::span<const std::byte> from);

  /// Reads are array data, for any block but one under suspended work.
  [[nodiscard]] bool reads_array(Ticks t, std::uint32_t address) const {
    return mode_ == Mode::array && ready(t) && (queue().empty() || !queue().concerns(address >> block_shift_));
  }
  [[nodiscard]] bool reads_page_buffer(Ticks t) const { return mode_ == Mode::page_buffer && ready(t); }
  [[nodiscard]] bool reads_status(Ticks t, std::uint32_t address) const {
    return (mode_ != Mode::array && mode_ != Mode::page_buffer) || (!reads_array(t, address) && !reads_page_buffer(t));
  }
  /// What a read shows when it is neither array nor page buffer.
  [[nodiscard]] std::uint8_t status_at(Ticks t, std::uint32_t address) const;
  [[nodiscard]] std::uint8_t selected_buffer() const { return selected_; }

  // --- work ---
  [[nodiscard]] const WriteStateMachine& machine() const { return machine_; }
  [[nodiscard]] Ticks next_event() const { return machine_.next_event(); }
  /// Completes what ends up to and including t.
  void advance_to(Ticks t) { machine_.advance_to(t); }
  [[nodiscard]] Ticks next_status_change(Ticks after) const;
  /// Whether the operation can be accepted; otherwise sets the error bits.
  bool admit(const Request& request, Ticks t) { return machine_.admit(request, t); }
  /// The caller has announced it; `shared`: so has the other component.
  void start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared);

  // --- pins ---
  /// RP# low: work is left half done, all volatile state but the page buffers is lost.
  void reset(Ticks t);
  /// RP# high again.
  void release(Ticks t);
  /// Vpp went away: operations that need it fail.
  void lose_vpp(Ticks t);

  // --- lanes in step ---
  [[nodiscard]] Lanes lanes() const { return machine_.lanes(); }
  void set_lanes(Lanes lanes) { machine_.set_lanes(lanes); }
  /// The pair is about to split: everything under way becomes two halves of one operation.
  void share_operations() { machine_.share_operations(); }
  /// Nothing under way and the same state as the other: both may go on as one.
  [[nodiscard]] bool same_state(const Component& other, Ticks t) const;

 private:
  enum class Mode : std::uint8_t { array, identifier, status, extended_status, page_buffer };
  using Phase = CommandSequence::Phase;

  // Commands.
  void command(Ticks t, std::uint8_t code);
  void command_while_idle(Ticks t, std::uint8_t code);
  void command_while_asleep(Ticks t, std::uint8_t code);
  void begin_load(Phase phase);
  void set_ready_mode(std::uint8_t value);
  const Request* ask(const Request& request);
  void abort(Ticks t);
  void fall_asleep(Ticks t);
  void wake(Ticks t);
  void wrong_sequence();
  void stop(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits);

  // Status.
  [[nodiscard]] const OperationQueue& queue() const { return machine_.queue(); }
  [[nodiscard]] bool ready(Ticks t) const { return !queue().running() && t >= awake_at_; }
  [[nodiscard]] std::uint8_t csr(Ticks t) const;
  [[nodiscard]] std::uint8_t gsr(Ticks t) const;
  [[nodiscard]] std::uint8_t bsr(Ticks t, std::uint32_t block) const;

  CardContext* card_;
  PageBuffers* buffers_;
  std::uint32_t block_shift_;  ///< log2 of the bytes of a block

  Mode mode_ = Mode::array;
  bool asleep_ = false;
  bool discard_load_ = false;  ///< no buffer was free: data cycles are swallowed
  std::uint8_t selected_ = 0;  ///< page buffer that loads and reads go to
  Ticks awake_at_{};
  CommandSequence sequence_;
  Request request_;  ///< the last one handed to the pair
  WriteStateMachine machine_;
};

}  // namespace ftlab::hw
