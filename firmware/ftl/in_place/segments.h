// The segments that updates in place change: which of their pages hold data, and how one is read into memory, erased
// and written back. Knows no request, and not which logical segment lies where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/ftl/in_place/segment_transfer.h"
#include "firmware/map/segment_info.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::in_place {

/// Pages of a segment, counted from its first.
struct Pages {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool contain(std::uint32_t page) const { return page >= first && page < end; }
};

class Segments {
 public:
  /// Erases, copies and failures are counted in `stats`; all outlive this.
  Segments(FlashPort& array, ProbePort& probe, std::uint32_t page_bytes, FtlStats& stats);

  /// The same code measures and lays out; the page size fits the part.
  void layout(Arena& arena);
  /// Nothing is known of any.
  void clear();
  [[nodiscard]] std::uint32_t segment_bytes() const { return geometry_.pages_per_segment * geometry_.page_bytes; }

  // --- finding them ---
  /// It carries a bad-block marker.
  bool find_bad(std::uint32_t segment);
  /// Where the part takes no marker: write_failed.
  FtlStatus mark_bad(std::uint32_t segment);
  /// It has a logical segment.
  void use(std::uint32_t segment) { rows_[segment].used = true; }
  /// Reads all of it.
  void find_written(std::uint32_t segment);

  // --- one of them ---
  /// It takes nothing more: an erase or a program failed there.
  [[nodiscard]] bool is_bad(std::uint32_t segment) const { return rows_[segment].bad; }
  /// Its content is gone, until it is written whole or trimmed.
  [[nodiscard]] bool is_lost(std::uint32_t segment, std::uint32_t page) const {
    return get(lost_, bit_of(segment, page));
  }
  void set_lost(std::uint32_t segment, const Pages& pages, bool lost);
  /// Known to hold ones and nothing else.
  [[nodiscard]] bool is_blank(std::uint32_t segment, const Pages& pages) const;
  /// No page of them was programmed, and the part takes a program there next.
  [[nodiscard]] bool takes(std::uint32_t segment, const Pages& pages) const;
  /// Where the pages to be written back end: all, or those that hold data without these; or these among them.
  [[nodiscard]] std::uint32_t end_without(std::uint32_t segment, const Pages& trimmed) const;
  [[nodiscard]] std::uint32_t end_with(std::uint32_t segment, const Pages& pages) const {
    return any_order_ ? pages_per_segment_ : pages.end > rows_[segment].written ? pages.end : rows_[segment].written;
  }
  FtlStatus read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into);
  FtlStatus erase(std::uint32_t segment);

  // --- by way of the buffer, which holds a segment ---
  [[nodiscard]] std::span<std::byte> buffer() const { return buffer_; }
  void make_blank(const Pages& pages);
  /// All pages into the buffer; those not written, or lost, as ones.
  FtlStatus load(std::uint32_t segment);
  /// These out of it, where the segment takes() them.
  FtlStatus program(std::uint32_t segment, const Pages& pages);
  /// Erases, and writes the pages before `end` out of it.
  FtlStatus write_back(std::uint32_t segment, const Pages& of_host, std::uint32_t end);

  [[nodiscard]] SegmentInfo info(std::uint32_t segment) const;
  /// Null, or the broken invariant.
  [[nodiscard]] const char* self_check(std::uint32_t segment) const;

 private:
  struct Row {
    std::uint32_t erases = 0;
    std::uint32_t written = 0;  ///< pages programmed since the erase
    bool bad = false;
    bool used = false;    ///< has a logical segment
    bool erased = false;  ///< since the mount: its blank pages are known to be
  };

  /// The first of the array's pages that make this one.
  [[nodiscard]] std::uint32_t first_of_page(std::uint32_t segment, std::uint32_t page) const {
    return segment * geometry_.pages_per_segment + page * parts_;
  }
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
  void set_lost(std::uint32_t segment, std::uint32_t page, bool lost) { put(lost_, bit_of(segment, page), lost); }
  void set_written(std::uint32_t segment, std::uint32_t page);
  // Of a page; both are under way until the transfer has ended.
  /// `into.size()` bytes of it from `skip` on.
  void begin_read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into);
  /// Out of the buffer.
  void begin_store(std::uint32_t segment, std::uint32_t page);
  /// How what was begun of so many bytes of the page from `skip` on has ended: as the first part of it that failed.
  [[nodiscard]] FlashStatus ended(std::uint32_t segment, std::uint32_t page, std::uint32_t skip,
                                  std::size_t bytes) const;
  [[nodiscard]] FlashStatus ended(std::uint32_t segment, std::uint32_t page) const {
    return ended(segment, page, 0, page_bytes_);
  }
  /// After begin_store().
  FtlStatus stored(std::uint32_t segment, std::uint32_t page);
  [[nodiscard]] std::span<std::byte> in_buffer(std::uint32_t page) const {
    return buffer_.subspan(std::size_t{page} * page_bytes_, page_bytes_);
  }
  FtlStatus fail(std::uint32_t segment);

  SegmentTransfer transfer_;
  ProbePort& probe_;
  FlashGeometry geometry_;
  FtlStats& stats_;
  std::uint32_t page_bytes_;
  std::uint32_t pages_per_segment_ = 0;
  std::uint32_t parts_ = 0;           ///< pages of the array in a page
  bool any_order_;                    ///< pages may be programmed in any order
  std::span<Row> rows_;               ///< of each segment
  std::span<std::uint64_t> written_;  ///< a bit for each page of the part
  std::span<std::uint64_t> lost_;     ///< the same; read_failed until written or trimmed
  std::span<std::byte> buffer_;       ///< a segment
};

}  // namespace ftlab::in_place
