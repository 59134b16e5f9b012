// When firmware last did something to the devices of the board, and when it last learnt something of them: reading what
// it has read before from the same address is neither. Knows addresses; no device.
#pragma once

#include <array>
#include <cstdint>

namespace ftlab::platform {

class AskedDevices {
 public:
  void see(std::uint64_t cycle, std::uint32_t address, std::uint32_t value, bool write) {
    last_ = cycle;
    last_read_ = write ? Read{} : Read{address, value};
    // Places are few, so that a loop over memory learns something each time, and one over some registers does not.
    Read& known = known_[address / sizeof(std::uint16_t) % known_.size()];
    if (!write && known.address == address && known.value == value) return;
    known = {address, value};
    news_ = cycle;
  }

  /// Whether the next read of something would be news to both.
  [[nodiscard]] bool knows_the_same(const AskedDevices& other) const { return known_ == other.known_; }
  /// What it has seen since then has come again and again, at last so many cycles later.
  void repeat(std::uint64_t since, std::uint64_t cycles) {
    if (last_ >= since) last_ += cycles;
    if (news_ >= since) news_ += cycles;
  }

  struct Read {
    std::uint32_t address = kNone;
    std::uint32_t value = 0;
    friend bool operator==(const Read&, const Read&) = default;
  };
  static constexpr std::uint32_t kNone = 1;  ///< an odd address, which no register has

  /// Cycle of the last access.
  [[nodiscard]] std::uint64_t last() const { return last_; }
  /// The same of the last write, and the last read of something new.
  [[nodiscard]] std::uint64_t news() const { return news_; }
  /// The last access, if it was a read.
  [[nodiscard]] const Read& last_read() const { return last_read_; }

 private:
  std::array<Read, 64> known_{};
  Read last_read_;
  std::uint64_t last_ = 0;
  std::uint64_t news_ = 0;
};

}  // namespace ftlab::platform
