// Which open segment a page goes to, so that pages that live equally long lie together. A member is one file in
// separate/ and its entry in separations.cpp.
//
// A stream has an open segment on each die. Streams of one pool are cleaned as one: a victim comes from a pool, and the
// pool choice says from which.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "firmware/base/arena.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// A page that the host writes. Times are counted in pages written by the host, and wrap around.
struct PageWrite {
  std::uint32_t lpn = 0;
  std::uint32_t data_class = 0;  ///< as the host tells; 0: it does not
  std::uint32_t now = 0;
  bool was_mapped = false;
  std::uint32_t old_stream = 0;  ///< of the segment that holds the version before
};

/// What a separation made of pages whose class the host told: for its judgement.
struct ClassifiedWrites {
  std::uint64_t hot_as_hot = 0;
  std::uint64_t hot_as_cold = 0;
  std::uint64_t cold_as_hot = 0;
  std::uint64_t cold_as_cold = 0;
};

class Separation {
 public:
  Separation() = default;
  Separation(const Separation&) = delete;
  Separation& operator=(const Separation&) = delete;

  virtual void clear() {}
  /// What the host tells of the page that comes next: see WriteHint::rewritten_in.
  virtual void set_rewrite_distance(std::uint32_t /*lpn*/, std::uint32_t /*rewritten_in*/, std::uint32_t /*now*/) {}
  virtual std::uint32_t host_stream(const PageWrite& write) = 0;
  virtual std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_stream, std::uint32_t now) = 0;
  /// A segment of the stream is cleaned, so many pages written by the host after it was opened.
  virtual void collected(std::uint32_t /*stream*/, std::uint32_t /*lifespan*/) {}

 protected:
  ~Separation() = default;
};

struct SeparationEntry {
  std::string_view name;
  std::string_view help;
  std::uint32_t (*pools)(const VolumeConfig&) = nullptr;
  std::uint32_t (*streams)(const VolumeConfig&) = nullptr;
  std::uint32_t (*pool_of)(const VolumeConfig&, std::uint32_t stream) = nullptr;
  std::uint32_t copies_to = 1;  ///< streams that pages of one victim may go to
  Separation* (*make)(Arena& arena, const VolumeConfig& config) = nullptr;
};

[[nodiscard]] std::span<const SeparationEntry> separations();

/// Pool p: the host's pages go to stream p, copies to stream p too or, with frontiers of their own, to pools + p.
[[nodiscard]] inline std::uint32_t copies_of(const VolumeConfig& config, std::uint32_t pools, std::uint32_t pool) {
  return config.frontiers == VolumeConfig::Frontiers::one ? pool : pools + pool;
}

template <class S>
inline constexpr auto make_separation = make_laid_out<Separation, S, VolumeConfig>;

}  // namespace ftlab::volume
