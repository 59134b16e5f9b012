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
#include "firmware/ftl/in_place/segment_transfer.h"
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
    return std::uint64_t{config_.logical_segments} * segment_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return config_.page_bytes; }
  [[nodiscard]] FtlStats unanswered() const override { return host_pages_between(answered_, stats_); }
  [[nodiscard]] const FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return geometry_.segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override;
  [[nodiscard]] const char* self_check() const override;

 private:
  /// Bytes of one logical segment.
  struct Range {
    std::uint32_t segment = 0;  ///< logical
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct Row {
    std::uint32_t erases = 0;
    std::uint32_t written = 0;  ///< pages programmed since the erase
    bool bad = false;
    bool used = false;    ///< has a logical segment
    bool erased = false;  ///< since the mount: its blank pages are known to be
  };
  /// Pages of a segment, all of one host request.
  struct Pages {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    [[nodiscard]] bool contain(std::uint32_t page) const { return page >= first && page < end; }
  };

  void layout(Arena& arena);
  [[nodiscard]] std::uint32_t segment_bytes() const { return geometry_.pages_per_segment * geometry_.page_bytes; }
  /// The first of the array's pages that make this one.
  [[nodiscard]] std::uint32_t first_of_page(std::uint32_t segment, std::uint32_t page) const {
    return segment * geometry_.pages_per_segment + page * parts_;
  }
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  /// Those that hold data get a logical segment each, in order; no_space: there are too few. `erased`: each is, and
  /// what cannot be erased is marked.
  FtlStatus place_all(bool erased);
  /// Where the part takes no marker: write_failed.
  FtlStatus mark_bad(std::uint32_t segment);
  void find_written(std::uint32_t segment);
  /// The part of [offset, offset + length) in the segment where it begins.
  [[nodiscard]] Range first_of(std::uint64_t offset, std::uint64_t length) const;
  [[nodiscard]] std::uint32_t page_of(std::uint32_t byte) const { return byte / config_.page_bytes; }
  [[nodiscard]] std::size_t bit_of(std::uint32_t segment, std::uint32_t page) const {
    return std::size_t{segment} * pages_per_segment_ + page;
  }
  static bool get(std::span<const std::uint64_t> bits, std::size_t bit) {
    return (bits[bit / 64] >> bit % 64 & 1U) != 0;
  }
  static void put(std::span<std::uint64_t> bits, std::size_t bit, bool value);
  [[nodiscard]] bool is_written(std::uint32_t segment, std::uint32_t page) const {
    return get(written_, bit_of(segment, page));
  }
  [[nodiscard]] bool is_lost(std::uint32_t segment, std::uint32_t page) const {
    return get(lost_, bit_of(segment, page));
  }
  void set_lost(std::uint32_t segment, std::uint32_t page, bool lost) { put(lost_, bit_of(segment, page), lost); }
  void set_written(std::uint32_t segment, std::uint32_t page);
  /// No page of them was programmed, and the part takes a program there next.
  [[nodiscard]] bool takes(std::uint32_t segment, const Pages& pages) const;
  FtlStatus write_range(const Range& range, std::span<const std::byte> from);
  FtlStatus trim_range(const Range& range);
  /// All pages into the buffer; those not written, or lost, as ones.
  FtlStatus load(std::uint32_t segment);
  // Of a page; both are under way until the transfer has ended.
  /// `into.size()` bytes of it from `skip` on.
  void begin_read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into);
  /// Out of the buffer.
  void begin_store(std::uint32_t segment, std::uint32_t page);
  /// How what was begun of so many bytes of the page from `skip` on has ended: as the first part of it that failed.
  [[nodiscard]] FlashStatus ended(std::uint32_t segment, std::uint32_t page, std::uint32_t skip,
                                  std::size_t bytes) const;
  [[nodiscard]] FlashStatus ended(std::uint32_t segment, std::uint32_t page) const {
    return ended(segment, page, 0, config_.page_bytes);
  }
  /// After begin_store().
  FtlStatus stored(std::uint32_t segment, std::uint32_t page);
  [[nodiscard]] std::span<std::byte> in_buffer(std::uint32_t page) const {
    return buffer_.subspan(std::size_t{page} * config_.page_bytes, config_.page_bytes);
  }
  FtlStatus rewrite(const Range& range, std::span<const std::byte> from);
  /// Erases, and writes the pages before `end` out of the buffer.
  FtlStatus write_back(std::uint32_t segment, const Pages& of_host, std::uint32_t end);
  FtlStatus erase(std::uint32_t segment);
  FtlStatus fail(std::uint32_t segment);

  in_place::SegmentTransfer transfer_;
  ProbePort& probe_;
  FlashGeometry geometry_;
  InPlaceConfig config_;
  std::uint32_t pages_per_segment_ = 0;
  std::uint32_t parts_ = 0;  ///< pages of the array in a page
  bool any_order_;           ///< pages may be programmed in any order
  bool mounted_ = false;
  bool works_ = false;
  std::span<std::uint32_t> place_;    ///< of each logical segment
  std::span<Row> rows_;               ///< of each segment
  std::span<std::uint64_t> written_;  ///< a bit for each page of the part
  std::span<std::uint64_t> lost_;     ///< the same; read_failed until written or trimmed
  std::span<std::byte> buffer_;       ///< a segment
  FtlStats stats_;
  FtlStats answered_;  ///< when the request that is served began
};

}  // namespace ftlab
