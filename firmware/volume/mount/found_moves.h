// Pages that a mount has found and that must not stay where they are: those that the part may not be able to read
// again, and those of a die that has no room for its next cleaning. Copies first; what these cannot do the layer writes
// as it writes pages of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/requests/page_service.h"

namespace ftlab::volume {

class FoundMoves {
 public:
  explicit FoundMoves(PageService& pages) : pages_(pages), bench_(pages.bench()) {}

  /// The same code measures and lays out.
  void layout(Arena& arena);
  /// Elsewhere, since the part may not be able to read them again in those places.
  void move(std::span<std::uint32_t> places);
  /// Where a die has no place for copies of any of its segments, other dies take them.
  void make_room();

 private:
  /// As many as a program unit holds, at most.
  void rewrite(std::span<const std::uint32_t> places);
  void wait_for_copies();

  PageService& pages_;
  Workbench& bench_;
  std::span<std::byte> data_;      ///< of a program unit
  std::span<std::uint32_t> lpns_;  ///< the same
};

}  // namespace ftlab::volume
