// Times at which programs of the host begin, two of which are told apart, and when all that began in one have ended.
#pragma once

#include <cstdint>

namespace ftlab::volume {

/// Of a segment that was released. Another die may not have programmed yet what took the place of its pages, so it
/// is erased once every program of the host that was under way by then has ended: when two epochs have passed.
class Epochs {
 public:
  [[nodiscard]] std::uint32_t begin() {
    ++under_way_[now_ & 1U];
    return now_;
  }
  void end(std::uint32_t epoch) {
    --under_way_[epoch & 1U];
    advance();
  }
  void advance() {
    if (under_way_[(now_ + 1) & 1U] == 0) ++now_;
  }
  [[nodiscard]] std::uint32_t now() const { return now_; }
  [[nodiscard]] std::uint32_t under_way() const { return under_way_[0] + under_way_[1]; }
  /// Or everything has ended but `held` programs that failed, which wait for a place themselves.
  [[nodiscard]] bool passed(std::uint32_t epoch, std::uint32_t held) const {
    return now_ - epoch >= 2 || under_way() == held;
  }

 private:
  std::uint32_t now_ = 0;
  std::uint32_t under_way_[2] = {};
};

}  // namespace ftlab::volume
