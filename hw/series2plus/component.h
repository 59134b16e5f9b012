// One 28F016SA, or one die of a DD28F032SA: command user interface, status registers and write state machine.
// Two components of a pair that have had the same history are one object working for both lanes (see ComponentPair).
// Knows no bus timing, no other pair and no card register but the lock enable and Vpp it is supplied with.
//
// Invariants: bits are only cleared by programming; a component that works answers with status, not data; an error bit
// stays until cleared. Addresses are those of the component: card address of the pair / 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "hw/series2plus/card_context.h"
#include "hw/series2plus/lanes.h"
#include "hw/series2plus/operation_queue.h"

namespace ftlab::hw {

class ComponentPair;

class Component {
 public:
  Component(CardContext& card, ComponentPair& pair, Lanes lanes);

  // --- bus ---
  /// One write cycle at time t (its end). In the command phases even == odd when lanes() == both.
  void write(Ticks t, std::uint32_t address, std::uint8_t even, std::uint8_t odd);
  /// The next cycle carries data, so that the lanes may differ.
  [[nodiscard]] bool expects_data() const { return phase_ >= Phase::program_data; }
  /// The next cycle goes into a page buffer.
  [[nodiscard]] bool loads_buffer() const { return phase_ >= Phase::single_load; }
  /// Words that a burst may load at once.
  [[nodiscard]] std::uint32_t loadable_words() const { return phase_ == Phase::load_data ? words_left_ : 0; }
  void load_words(std::uint32_t address, const std::byte* from, std::uint32_t words);

  /// Reads are array data, for any block but one under suspended work.
  [[nodiscard]] bool reads_array(Ticks t, std::uint32_t address) const {
    return mode_ == Mode::array && !queue_.running() && t >= awake_at_ &&
           (queue_.empty() || !queue_.concerns(address >> block_shift_));
  }
  [[nodiscard]] bool reads_page_buffer(Ticks t) const {
    return mode_ == Mode::page_buffer && !queue_.running() && t >= awake_at_;
  }
  [[nodiscard]] bool reads_status(Ticks t, std::uint32_t address) const {
    return (mode_ != Mode::array && mode_ != Mode::page_buffer) || (!reads_array(t, address) && !reads_page_buffer(t));
  }
  /// What a read shows when it is neither array nor page buffer.
  [[nodiscard]] std::uint8_t status_at(Ticks t, std::uint32_t address) const;
  [[nodiscard]] std::uint8_t selected_buffer() const { return selected_; }

  // --- time ---
  [[nodiscard]] Ticks next_event() const { return queue_.next_event(); }
  /// Completes what ends up to and including t.
  void advance_to(Ticks t);
  [[nodiscard]] Ticks next_status_change(Ticks after) const;
  [[nodiscard]] const OperationQueue& queue() const { return queue_; }
  [[nodiscard]] std::uint8_t ready_mode() const { return ready_mode_; }
  /// End of the last RY/BY# pulse; of the last busy time.
  [[nodiscard]] Ticks pulse_end() const { return pulse_end_; }
  [[nodiscard]] Ticks last_rise() const { return last_rise_; }
  [[nodiscard]] Ticks pulse_width() const { return card_->spec.timing.ready_pulse; }

  // --- pins ---
  /// RP# low: work is left half done, all volatile state but the page buffers is lost.
  void reset(Ticks t);
  /// RP# high again.
  void release(Ticks t);
  /// Vpp went away: operations that need it fail.
  void lose_vpp(Ticks t);

  // --- for the pair ---
  [[nodiscard]] Lanes lanes() const { return lanes_; }
  void set_lanes(Lanes lanes) { lanes_ = lanes; }
  /// The pair is about to split: everything under way becomes two halves of one operation.
  void share_operations();
  /// Nothing under way and the same state as the other: both may go on as one.
  [[nodiscard]] bool same_state(const Component& other, Ticks t) const;
  [[nodiscard]] bool asleep() const { return asleep_; }
  /// Whether the operation can be accepted; otherwise sets the error bits.
  bool admit(const Request& request, Ticks t);
  /// The caller has announced it; `shared`: so has the other component.
  void start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared);
  /// The half of a shared operation, if it is still under way here.
  [[nodiscard]] Operation* find_shared(std::uint32_t id);

 private:
  enum class Mode : std::uint8_t { array, identifier, status, extended_status, page_buffer };
  enum class Phase : std::uint8_t {
    command,
    erase_confirm,
    erase_all_confirm,
    lock_confirm,
    upload_locks_confirm,
    upload_info_confirm,
    ready_mode,
    load_count_first,
    load_count_second,
    write_count_first,
    write_count_second,
    // From here on the cycle carries data.
    program_data,
    two_byte_first,
    two_byte_second,
    single_load,
    load_data,
  };

  // command user interface (component.cpp)
  void command(Ticks t, std::uint8_t code);
  void command_while_idle(Ticks t, std::uint8_t code);
  void command_while_asleep(Ticks t, std::uint8_t code);
  void begin_load(Phase phase);
  void confirm(Ticks t, std::uint32_t address, std::uint8_t code, OperationKind kind);
  void take_count(Ticks t, std::uint32_t address, std::uint8_t value);
  void end_count(Ticks t, std::uint32_t address);
  void submit_program(Ticks t, std::uint32_t address, std::uint32_t length);
  void submit(Ticks t, const Request& request);
  void set_ready_mode(std::uint8_t value);
  void abort(Ticks t);
  void fall_asleep(Ticks t);
  void wake(Ticks t);
  void clear_status();
  void wrong_sequence();

  // write state machine (component_work.cpp)
  void finish(Operation& operation, Ticks t);
  bool finish_program(const Operation& operation);
  bool finish_erase(std::uint32_t block);
  bool finish_erase_all(const Request& request);
  void set_lock_bits(std::uint32_t block);
  void upload_locks();
  void upload_info(std::uint32_t buffer);
  void leave_half_done(const Operation& operation);
  /// Stops everything; `csr_bits` and `bsr_bits` are left on what was under way, beside its own error bit.
  void cut(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits);
  void report(Operation& operation, Ticks t, bool failed);
  void fail(std::uint32_t block, std::uint8_t csr_bits, std::uint8_t bsr_bits);
  void set_power(Operation& operation, Ticks t) const;
  [[nodiscard]] Ticks duration_of(const Request& request) const;
  [[nodiscard]] bool skips(const Request& request, std::uint32_t block) const {
    return request.honours_locks && cells(block).locked;
  }
  /// Of the first lane; when both lanes work in step they agree on everything that matters.
  [[nodiscard]] BlockCells& cells(std::uint32_t block) const;
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t block) const;
  [[nodiscard]] std::uint32_t card_address(std::uint32_t address) const;
  [[nodiscard]] std::uint32_t blocks() const { return card_->spec.segments_per_pair; }

  // status registers (component_status.cpp)
  [[nodiscard]] bool ready(Ticks t) const { return !queue_.running() && t >= awake_at_; }
  [[nodiscard]] bool buffer_free(std::uint32_t buffer) const { return buffer_users_[buffer] == 0; }
  [[nodiscard]] std::uint8_t csr(Ticks t) const;
  [[nodiscard]] std::uint8_t gsr(Ticks t) const;
  [[nodiscard]] std::uint8_t bsr(Ticks t, std::uint32_t block) const;
  [[nodiscard]] std::uint8_t identifier(std::uint32_t address) const;

  CardContext* card_;
  ComponentPair* pair_;
  std::uint32_t block_shift_;  ///< log2 of the bytes of a block
  Lanes lanes_;

  Mode mode_ = Mode::array;
  Phase phase_ = Phase::command;
  bool asleep_ = false;
  bool discard_load_ = false;  ///< no buffer was free: data cycles are swallowed
  bool general_error_ = false;
  bool locks_uploaded_ = false;  ///< BSR.6 tells the true lock bits
  std::uint8_t csr_errors_ = 0;
  std::uint8_t selected_ = 0;  ///< page buffer that loads and reads go to
  std::uint8_t ready_mode_;
  std::uint8_t count_low_ = 0;
  std::uint8_t count_high_ = 0;
  bool low_count_first_ = true;
  std::uint32_t words_left_ = 0;
  std::uint32_t first_address_ = 0;  ///< of a two-byte program
  std::array<std::byte, 4> program_data_{};
  std::array<std::uint8_t, 2> buffer_users_{};  ///< operations that read or fill the buffer
  Ticks awake_at_{};
  Ticks pulse_end_{};                      ///< end of the last RY/BY# pulse
  Ticks last_rise_{};                      ///< when work last came to rest
  std::vector<std::uint8_t> block_flags_;  ///< latched BSR bits, uploaded lock bit included
  OperationQueue queue_;
};

}  // namespace ftlab::hw
