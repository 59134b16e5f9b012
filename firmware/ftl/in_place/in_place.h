// Update in place with a system buffer, what flash translation layers are measured against (the Flash Memory Server's
// Fig. 1): each logical segment has a segment of its own; to change what was written there, all of it is read into the
// buffer, the segment is erased, and everything is written back.
//
// Keeps no mapping and levels no wear. Power lost between erase and write-back may lose what the segment held, and so
// may an erase or a program that fails; nothing else is lost. A segment of which one failed takes no writes until a
// mount. Knows FlashPort and ProbePort. Allocates nothing: all tables lie in the arena given to the constructor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/ftl/ftl.h"
#include "firmware/ftl/in_place/in_place_config.h"
#include "firmware/ftl/in_place/segments.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class InPlace final : public Ftl {
 public:
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(const FlashPort& array, const InPlaceConfig& config);

  /// Port, probe and arena must outlive the object. An impossible configuration, or too small an arena, makes every
  /// call answer bad_config.
  InPlace(FlashPort& array, ProbePort& probe, const InPlaceConfig& config, std::span<std::byte> arena);

  /// Null when the configuration works, else why not.
  [[nodiscard]] const char* config_error() const { return in_place::check(config_, geometry_); }
  /// Segments whose erase fails are marked as bad; write_failed where the part does not take the marker.
  FtlStatus format(std::uint64_t now_ns) override;
  /// Reads everything: pages of ones alone count as blank, unless metadata say that they were written. Any medium is of
  /// this format, since there is none.
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  /// A segment with one of the pages is written anew without them.
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  FtlStatus flush(std::uint64_t) override { return admit(0, 0); }
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return kNoIdleWork; }

  [[nodiscard]] std::uint64_t capacity_bytes() const override {
    return std::uint64_t{config_.logical_segments} * segments_.segment_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return config_.page_bytes; }
  [[nodiscard]] FtlStats unanswered() const override { return host_pages_between(answered_, stats_); }
  [[nodiscard]] const FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return geometry_.segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return segments_.info(id.value()); }
  [[nodiscard]] const char* self_check() const override;

 private:
  void layout(Arena& arena);
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const {
    return answered_before(works_, mounted_, capacity_bytes(), offset, length);
  }
  /// A request that is counted, if it is admitted.
  FtlStatus begin(std::uint64_t offset, std::uint64_t length);
  /// Those that hold data get a logical segment each, in order; no_space: there are too few. `erased`: each is, and
  /// what cannot be erased is marked.
  FtlStatus place_all(bool erased);
  /// That so many bytes of a segment from `begin` on lie in.
  [[nodiscard]] in_place::Pages pages_of(std::uint32_t begin, std::size_t bytes) const {
    const auto end = static_cast<std::uint32_t>(begin + bytes - 1);
    return {begin / config_.page_bytes, end / config_.page_bytes + 1};
  }
  // Of one segment.
  FtlStatus write_part(std::uint32_t segment, std::uint32_t begin, std::span<const std::byte> from);
  FtlStatus rewrite(std::uint32_t segment, std::uint32_t begin, std::span<const std::byte> from);
  FtlStatus trim_pages(std::uint32_t segment, const in_place::Pages& pages);

  in_place::Segments segments_;
  ProbePort& probe_;
  FlashGeometry geometry_;
  InPlaceConfig config_;
  bool mounted_ = false;
  bool works_ = false;
  std::span<std::uint32_t> place_;  ///< of each logical segment
  FtlStats stats_;
  FtlStats answered_;  ///< when the request that is served began
};

}  // namespace ftlab
