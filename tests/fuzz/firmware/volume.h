// A translation layer on its emulated part, kept between inputs: the part and the tables' memory are made once, an
// input starts with a medium given to the part and a layer constructed in place.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "tests/fixtures/mount_session.h"
#include "tests/fuzz/firmware/pairs.h"
#include "tests/fuzz/support/require.h"

namespace ftlab::fuzz {

template <class Pair>
class Volume {
 public:
  using Layer = typename Pair::Layer;
  using Config = typename Pair::Config;
  using Flash = typename Pair::Flash;
  using Image = typename Flash::Image;

  Volume() : flash_(Pair::part()), blank_(flash_.snapshot()) {}

  /// The medium as `image`, and everything else as at the beginning.
  void start(const Image& image) {
    layer_.reset();
    flash_.reset(image);
  }
  void start() { start(blank_); }

  /// A new session on the medium as it is. False: the firmware refuses this configuration.
  bool open(const Config& config) {
    layer_.reset();
    if (tests::arena_bytes_of<Layer>(flash_, config) > arena_.size()) return false;
    layer_.emplace(flash_, probe_, config, std::span(arena_));
    return layer_->config_error() == nullptr;
  }

  Layer& layer() { return *layer_; }
  Flash& flash() { return flash_; }

 private:
  static constexpr std::size_t kArenaBytes = 512 * 1024;

  Flash flash_;
  Image blank_;
  NullProbe probe_;
  alignas(std::max_align_t) std::array<std::byte, kArenaBytes> arena_{};
  std::optional<Layer> layer_;
};

/// Idle time from `now_ns` on: steps of background work, no more than a few.
inline void let_idle(Ftl& ftl, std::uint64_t now_ns, std::uint64_t until_ns) {
  constexpr int kSteps = 24;
  for (int step = 0; step < kSteps && now_ns < until_ns; ++step) {
    const std::uint64_t next = ftl.idle(now_ns, until_ns);
    if (next == kNoIdleWork) return;
    now_ns = std::max(next, now_ns + 1000);
  }
}

}  // namespace ftlab::fuzz
