// Which branches backward may close a loop that waits: those that come several times in a row with the registers as
// they were. Knows neither an instruction set nor memory: whether nothing has changed is for others to prove.
//
// A core asks where it follows a branch for the first time. While a branch is watched the core keeps no link along it,
// so that it asks each time; one whose registers change is soon linked, and costs nothing from then on.
#pragma once

#include <array>
#include <cstdint>

namespace ftlab::iss {

/// Of a branch backward.
enum class BackEdge : std::uint8_t {
  link,     ///< no wait: it need not be asked about again
  watch,    ///< it may be one
  repeats,  ///< so it looks
};

template <class Registers>
class LoopFinder {
 public:
  /// So often in a row, so that short waits are left alone.
  static constexpr std::uint8_t kRepeats = 3;
  /// So often the registers may have changed before the branch is linked.
  static constexpr std::uint8_t kChanges = 8;

  void look(bool on) { looks_ = on; }
  [[nodiscard]] bool looks() const { return looks_; }

  /// A branch that ends at `from` leads back to `to`. `changes`: how often its registers had changed, kept with it.
  BackEdge see(std::uint32_t from, std::uint32_t to, const Registers& registers, std::uint8_t& changes) {
    Seen& seen = seen_[from / 2 % seen_.size()];
    if (seen.dismissed && seen.from == from && seen.to == to) return BackEdge::link;
    if (seen.from != from || seen.to != to || !(seen.registers == registers)) {
      seen = {from, to, registers, 0, false};
      return ++changes < kChanges ? BackEdge::watch : BackEdge::link;
    }
    if (++seen.repeats < kRepeats) return BackEdge::watch;
    seen.repeats = kRepeats;
    changes = 0;
    latest_ = &seen;
    return BackEdge::repeats;
  }
  /// The branch that repeated last is no wait after all.
  void dismiss() { latest_->dismissed = true; }

 private:
  struct Seen {
    std::uint32_t from = 1;  ///< odd: where no branch ends
    std::uint32_t to = 0;
    Registers registers{};
    std::uint8_t repeats = 0;
    bool dismissed = false;
  };

  std::array<Seen, 8> seen_{};
  Seen* latest_ = seen_.data();
  bool looks_ = false;
};

}  // namespace ftlab::iss
