// The segments that updates in place change: which of their pages hold data, and how one is read into memory, erased
// and written back. Knows no request, and not which logical segment lies where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/map/segment_info.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/in_flight/segment_buffer.h"

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
  [[nodiscard]] std::uint32_t pages_per_segment() const { return pages_per_segment_; }

  // --- finding them ---
  /// It carries a bad-block marker.
  bool find_bad(std::uint32_t segment);
  /// Where the part takes no marker: write_failed.
  FtlStatus mark_bad(std::uint32_t segment);
  /// It has a logical segment.
  void use(std::uint32_t segment) { rows_[segment].info.state = SegmentState::sealed; }
  /// Reads all of it.
  void find_written(std::uint32_t segment);

  // --- one of them ---
  /// It takes nothing more: an erase or a program failed there.
  [[nodiscard]] bool is_bad(std::uint32_t segment) const { return rows_[segment].info.state == SegmentState::bad; }
  /// Its content is gone, until it is written whole or trimmed.
  [[nodiscard]] bool is_lost(std::uint32_t segment, std::uint32_t page) const { return of(segment)[page].lost; }
  void set_lost(std::uint32_t segment, const Pages& pages, bool lost);
  /// Known to hold ones and nothing else.
  [[nodiscard]] bool is_blank(std::uint32_t segment, const Pages& pages) const;
  /// No page of them was programmed, and the part takes a program there next.
  [[nodiscard]] bool takes(std::uint32_t segment, const Pages& pages) const;
  /// Where the pages to be written back end: all, or those that hold data without these; or these among them.
  [[nodiscard]] std::uint32_t end_without(std::uint32_t segment, const Pages& trimmed) const;
  [[nodiscard]] std::uint32_t end_with(std::uint32_t segment, const Pages& pages) const;
  FtlStatus read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into);
  FtlStatus erase(std::uint32_t segment);

  // --- by way of the buffer, which holds a segment ---
  [[nodiscard]] std::span<std::byte> buffer() const { return buffer_.bytes(); }
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
    SegmentInfo info;     ///< used_pages: programmed since the erase
    bool erased = false;  ///< since the mount: its blank pages are known to be
  };
  struct Page {
    bool written = false;
    bool lost = false;  ///< read_failed until written or trimmed
  };

  [[nodiscard]] std::span<Page> of(std::uint32_t segment) const {
    return pages_.subspan(std::size_t{segment} * pages_per_segment_, pages_per_segment_);
  }
  [[nodiscard]] std::span<Page> of(std::uint32_t segment, const Pages& pages) const {
    return of(segment).subspan(pages.first, pages.end - pages.first);
  }
  void set_written(std::uint32_t segment, std::uint32_t page);
  /// Of a page of the buffer, until it has ended.
  void begin_store(std::uint32_t segment, std::uint32_t page);
  FtlStatus stored(std::uint32_t segment, std::uint32_t page);
  FlashStatus run(FlashOpKind kind, std::uint32_t segment);
  FtlStatus fail(std::uint32_t segment);

  FlashPort& array_;
  ProbePort& probe_;
  FlashGeometry geometry_;
  FtlStats& stats_;
  std::uint32_t page_bytes_;
  std::uint32_t pages_per_segment_ = 0;
  bool any_order_;         ///< pages may be programmed in any order
  std::span<Row> rows_;    ///< of each segment
  std::span<Page> pages_;  ///< of the part
  volume::SegmentBuffer buffer_;
};

}  // namespace ftlab::in_place
