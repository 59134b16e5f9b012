// The cycles that follow the first one of a command: confirmations, counts, data. Gathers them into a request.
// Knows no state of the component; which commands are legal when is the component's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/series2plus/commands/operation_queue.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

class CommandSequence {
 public:
  /// What the next write cycle is taken for.
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
  /// What a cycle came to.
  enum class Outcome : std::uint8_t { more, request, ready_mode, wrong };

  explicit CommandSequence(const CardSpec& spec);

  void expect(Phase phase) {
    phase_ = phase;
    words_left_ = 1;  // of a single load; counts of others come later
  }
  void reset() { phase_ = Phase::command; }
  [[nodiscard]] bool at_command() const { return phase_ == Phase::command; }
  /// The next cycle carries data, so that the lanes may differ.
  [[nodiscard]] bool expects_data() const { return phase_ >= Phase::program_data; }
  /// The next cycle goes into a page buffer.
  [[nodiscard]] bool loads_buffer() const { return phase_ >= Phase::single_load; }
  /// Words that a burst may load at once.
  [[nodiscard]] std::uint32_t loadable_words() const { return phase_ == Phase::load_data ? words_left_ : 0; }
  void count_loaded(std::uint32_t words) {
    words_left_ -= words;
    if (words_left_ == 0) reset();
  }

  /// A cycle that is neither a command nor a word for a page buffer. `bytes`: of both lanes.
  Outcome take(std::uint32_t address, std::uint8_t value, std::array<std::byte, 2> bytes);
  /// What the cycles asked for, after Outcome::request; the page buffer is the component's to say.
  [[nodiscard]] const Request& request() const { return request_; }

 private:
  Outcome confirm(std::uint32_t address, std::uint8_t code, OperationKind kind, std::uint32_t length);
  Outcome take_count(std::uint32_t address, std::uint8_t value);
  Outcome end_count(std::uint32_t address);
  void keep_data(std::uint32_t half, std::array<std::byte, 2> bytes);
  Outcome ask(OperationKind kind, std::uint32_t address, std::uint32_t length);
  Outcome end(Outcome outcome) {
    reset();
    return outcome;
  }

  std::uint32_t block_shift_;  ///< log2 of the bytes of a block
  std::uint32_t array_bytes_;  ///< of the component
  Phase phase_ = Phase::command;
  std::uint8_t count_low_ = 0;
  std::uint8_t count_high_ = 0;
  bool low_count_first_ = true;
  std::uint32_t words_left_ = 0;
  std::uint32_t first_half_ = 0;  ///< of a two-byte program: address bit 0 of what came first
  Request request_;
};

}  // namespace ftlab::hw
