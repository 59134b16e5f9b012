// Which exceptions are pending, enabled and active, and which priority counts. Knows neither their entry nor registers
// by address.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "platform/machine/iss/arm/fault.h"
#include "platform/machine/iss/arm/registers.h"

namespace ftlab::iss::arm {

/// A set of exceptions by number.
class ExceptionSet {
 public:
  [[nodiscard]] bool has(unsigned number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  void set(unsigned number, bool member) {
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    words_[number / 64] = member ? words_[number / 64] | bit : words_[number / 64] & ~bit;
  }
  [[nodiscard]] unsigned count() const {
    int sum = 0;
    for (const std::uint64_t word : words_) {
      sum += std::popcount(word);
    }
    return static_cast<unsigned>(sum);
  }
  /// Calls `see` with each member of both sets, from the smallest on.
  template <class See>
  friend void for_each_of_both(const ExceptionSet& a, const ExceptionSet& b, See see) {
    for (unsigned i = 0; i < a.words_.size(); ++i) {
      for (std::uint64_t word = a.words_[i] & b.words_[i]; word != 0; word &= word - 1) {
        see(i * 64 + static_cast<unsigned>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

class Nvic {
 public:
  static constexpr unsigned kMaxInterrupts = 240;
  static constexpr int kIdle = 256;  ///< the priority of code that no exception has interrupted

  /// `priority_bits`: of a priority that are there, from the uppermost on; 3 to 8.
  Nvic(unsigned interrupts, unsigned priority_bits);

  [[nodiscard]] unsigned interrupts() const { return interrupts_; }
  [[nodiscard]] bool exists(unsigned number) const;
  void reset();

  [[nodiscard]] bool pending(unsigned number) const { return pending_.has(number); }
  [[nodiscard]] bool enabled(unsigned number) const { return enabled_.has(number); }
  [[nodiscard]] bool active(unsigned number) const { return active_.has(number); }
  [[nodiscard]] unsigned active_count() const { return active_.count(); }
  void pend(unsigned number);
  /// An interrupt whose line is still high becomes pending again.
  void unpend(unsigned number) { pending_.set(number, line_.has(number)); }
  void enable(unsigned number, bool enabled) { enabled_.set(number, enabled); }
  /// Its handler begins: it is no longer pending.
  void activate(unsigned number);
  /// Its handler has ended: it is pending again when the line is still high.
  void deactivate(unsigned number);
  void set_active(unsigned number, bool active) { active_.set(number, active); }
  void set_line(unsigned interrupt, bool high);

  [[nodiscard]] int priority(unsigned number) const { return priority_[number]; }
  /// Of those that can be configured.
  void set_priority(unsigned number, std::uint8_t value) { priority_[number] = masked(value); }
  [[nodiscard]] std::uint8_t masked(std::uint8_t value) const {
    return static_cast<std::uint8_t>(value & 0xFF << (8 - priority_bits_));
  }
  [[nodiscard]] unsigned group() const { return group_; }
  void set_group(unsigned group) { group_ = group & 7; }
  /// The part of a priority that decides whether one exception interrupts another.
  [[nodiscard]] int group_priority(int priority) const;

  /// Pending, enabled and first by priority; 0: none.
  [[nodiscard]] unsigned first_pending() const;
  /// `masks`: PRIMASK included; without it, what would wake a sleeping core counts.
  [[nodiscard]] int execution_priority(const Registers& g, bool masks = true) const;
  /// The exception that interrupts what is being executed; 0: none.
  [[nodiscard]] unsigned preempting(const Registers& g, bool masks = true) const;

  /// Whether anything has become pending since the last question.
  bool take_news();

 private:
  unsigned interrupts_;
  unsigned priority_bits_;
  unsigned group_ = 0;
  bool news_ = false;
  ExceptionSet pending_, enabled_, active_, line_;
  std::array<std::int16_t, kFirstInterrupt + kMaxInterrupts> priority_{};
};

}  // namespace ftlab::iss::arm
