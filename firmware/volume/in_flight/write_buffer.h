// Pages of the host in data RAM whose programs have not ended: which of them holds the newest content of a page, how
// many were answered before, and which wait for room to be. Knows neither flash nor requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/base/arena.h"

namespace ftlab::volume {

class WriteBuffer {
 public:
  static constexpr std::uint16_t kNone = 0xFFFF;

  /// `room`: pages that may be answered and not programmed; 0: none are, and nothing here is asked.
  explicit WriteBuffer(std::uint32_t room) : room_(room) {}

  /// The same code measures and lays out. `pages`: in flight at most.
  void layout(Arena& arena, std::uint32_t pages);
  void clear();
  [[nodiscard]] bool on() const { return room_ > 0; }

  /// Its program is queued: it is answered as soon as there is room, in this order.
  void put(std::uint16_t tag, std::uint32_t lpn);
  /// The same of a page that is answered once it is programmed, and that nobody reads.
  void put_durable(std::uint16_t tag);
  /// To be answered now.
  [[nodiscard]] std::optional<std::uint16_t> take_answered();
  /// It has ended, or was never put.
  void remove(std::uint16_t tag);
  /// It was refused: reads find what it was written over again, where that is here still.
  void refuse(std::uint16_t tag);
  /// Of one that was answered: nothing takes it any more, and it stays where it is.
  void keep_for_ever() { ++kept_; }

  /// What holds the newest content of the page; kNone: nothing here.
  [[nodiscard]] std::uint16_t find(std::uint32_t lpn) const;
  /// Something here does.
  [[nodiscard]] bool has(std::uint32_t lpn) const { return on() && find(lpn) != kNone; }
  /// The page was trimmed, or is written again: reads find nothing of it here.
  void forget(std::uint32_t lpn);
  [[nodiscard]] bool was_answered(std::uint16_t tag) const { return entries_[tag].state == State::answered; }
  /// Of pages that were answered and hold the newest content there is, their tags.
  template <class Act>
  void for_each_answered(Act&& act) const {
    for (std::size_t tag = 0; tag < entries_.size(); ++tag)
      if (entries_[tag].state == State::answered && entries_[tag].found) act(static_cast<std::uint16_t>(tag));
  }
  /// Somebody waits for a program to end.
  [[nodiscard]] bool is_waited_for() const { return first_waiting_ != kNone || durable_ > 0; }
  [[nodiscard]] std::uint32_t kept() const { return kept_; }

 private:
  enum class State : std::uint8_t { none, waiting, answered, durable };
  struct Entry {
    std::uint32_t lpn = 0;
    std::uint16_t next_in_bucket = kNone;
    std::uint16_t before = kNone;  ///< of those that wait
    std::uint16_t after = kNone;
    State state = State::none;
    bool found = false;          ///< by reads
    std::uint16_t over = kNone;  ///< what reads found before
    std::uint32_t order = 0;     ///< tags are used again
    std::uint32_t over_order = 0;
  };

  [[nodiscard]] std::uint16_t& bucket_of(std::uint32_t lpn) { return buckets_[lpn % buckets_.size()]; }
  void enter_bucket(std::uint16_t tag);
  void leave_bucket(std::uint16_t tag);
  void stop_waiting(std::uint16_t tag);

  std::uint32_t room_;
  std::uint32_t answered_ = 0;
  std::uint32_t durable_ = 0;
  std::uint32_t kept_ = 0;
  std::uint32_t put_ = 0;
  std::uint16_t first_waiting_ = kNone;
  std::uint16_t last_waiting_ = kNone;
  std::span<Entry> entries_;          ///< of each tag
  std::span<std::uint16_t> buckets_;  ///< by page, of each the newest alone
};

}  // namespace ftlab::volume
