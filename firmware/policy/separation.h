// Which open segment a page goes to, so that pages that live equally long lie together.
//
// A stream has an open segment on each die. Streams of one pool are cleaned as one: a victim comes from a pool, and the
// pool choice says from which.
#pragma once

#include <cstdint>

#include "firmware/policy/params.h"
#include "firmware/policy/policy.h"

namespace ftlab::fms {

/// A page that the host writes. Times are counted in pages written by the host, and wrap around.
struct PageWrite {
  std::uint32_t lpn = 0;
  std::uint32_t data_class = 0;  ///< as the host tells; 0: it does not
  std::uint32_t now = 0;
  bool was_mapped = false;
  std::uint32_t old_stream = 0;  ///< of the segment that holds the version before
};

class Separation : public Policy {
 public:
  using Family = Separation;
  static constexpr std::uint32_t kStreams = 0;  ///< see Traits

  /// What the host tells of the page that comes next: see WriteHint::rewritten_in.
  virtual void set_rewrite_distance(std::uint32_t /*lpn*/, std::uint32_t /*rewritten_in*/, std::uint32_t /*now*/) {}
  virtual std::uint32_t host_stream(const PageWrite& write) = 0;
  virtual std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_stream, std::uint32_t now) = 0;
  /// A segment of the stream is cleaned, so many pages written by the host after it was opened.
  virtual void collected(std::uint32_t /*stream*/, std::uint32_t /*lifespan*/) {}

  /// What is known of a member beside what is of all policies.
  struct Traits {
    std::uint32_t (*classes)(const ParamBlock&) = nullptr;
    /// Each class is a pool of its own. Its copies go to its stream or, where copies lie apart, to one more for each
    /// class. A member without pools has copies in its classes.
    bool has_pools = false;
    std::uint32_t copies_to = 1;  ///< streams that pages of one victim may go to

    [[nodiscard]] std::uint32_t streams_of(const ParamBlock& block, bool copies_apart) const {
      return classes(block) * (has_pools && copies_apart ? 2 : 1);
    }
    /// `as_one`: the pool choice cleans all as one.
    [[nodiscard]] std::uint32_t pools(const ParamBlock& block, bool as_one) const {
      return has_pools && !as_one ? classes(block) : 1;
    }
  };
  template <class P>
  static constexpr Traits traits() {
    Traits traits;
    if constexpr (requires { P::kClasses; })
      traits.classes = [](const ParamBlock&) { return P::kClasses; };
    else
      traits.classes = [](const ParamBlock& block) { return P::classes(block.as<typename P::Params>()); };
    traits.has_pools = P::kHasPools;
    traits.copies_to = P::kCopiesTo;
    return traits;
  }

 protected:
  ~Separation() = default;

  /// Pool p: the host's pages go to stream p, copies to stream p too or, where they lie apart, to pools + p.
  [[nodiscard]] static std::uint32_t copies_of(bool copies_apart, std::uint32_t pools, std::uint32_t pool) {
    return copies_apart ? pools + pool : pool;
  }
};

}  // namespace ftlab::fms
