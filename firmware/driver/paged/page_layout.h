// Where the pages of an array lie on a part, and in which operations of its port they are read and programmed, one
// after another. Three kinds: pages with spare bytes (NAND), pages with a table at the head of their segment (NOR), and
// bare ones, which fill their segment (NOR). Knows geometry; submits nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/common/part_port.h"

namespace ftlab::paged {

[[nodiscard]] inline bool is_ok(PartStatus status) {
  return status == PartStatus::ok || status == PartStatus::corrected;
}

/// Operations that belong together; each starts when the one before has ended ok. Written field by field where they are
/// kept: every page takes some, and an operation copied as soon as it is written waits for its own bytes.
struct Steps {
  static constexpr std::uint32_t kMax = 2;
  std::array<PartOp, kMax> ops{};
  std::uint32_t count = 0;
  void clear() { count = 0; }
  PartOp& add(PartOpKind kind, std::uint32_t segment, std::uint32_t offset, std::uint32_t length) {
    PartOp& op = ops[count++];
    op = {};
    op.kind = kind;
    op.segment = SegmentId{segment};
    op.offset = offset;
    op.length = length;
    return op;
  }
};

struct NorPages {
  bool data_checksum = false;  ///< see page_tag.h
  bool bare = false;
};

class PageLayout {
 public:
  /// `page_bytes`: of a page; on NAND the part's, or a share of it.
  PageLayout(const PartGeometry& part, std::uint32_t page_bytes, const NorPages& nor = {});

  [[nodiscard]] bool spare() const { return spare_bytes_ != 0; }
  /// Nothing is kept beside a page, and a segment has no room for a bad-block marker.
  [[nodiscard]] bool bare() const { return bare_; }
  /// There is a table at the head of the segment.
  [[nodiscard]] bool entries() const { return !spare() && !bare_; }
  [[nodiscard]] std::uint32_t page_bytes() const { return page_bytes_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const { return pages_; }
  /// Of a program unit.
  [[nodiscard]] std::uint32_t pages_at_once() const { return at_once_; }
  /// Bytes beside a page as they go to the port and come from it.
  [[nodiscard]] std::uint32_t beside_bytes() const;

  // Bytes from the start of the segment.
  [[nodiscard]] std::uint32_t data_at(std::uint32_t page) const;
  /// NOR, not bare: of what is beside the page.
  [[nodiscard]] std::uint32_t entry_at(std::uint32_t page) const;

  // Each adds to `steps`.
  /// NAND and bare pages: so many bytes of a page from `first` on, and what is beside it.
  void read_part(Steps& steps, std::uint32_t segment, std::uint32_t page, std::uint32_t first, std::uint32_t bytes,
                 std::byte* data, std::byte* beside) const;
  /// `data` null: only what is beside the page.
  void read(Steps& steps, std::uint32_t segment, std::uint32_t page, std::byte* data, std::byte* beside) const;
  /// NAND: data of `pages` of one program unit from `page` on, maybe none, and what is beside the unit.
  void read_of_unit(Steps& steps, std::uint32_t segment, std::uint32_t page, std::uint32_t pages, std::byte* data,
                    std::byte* beside) const;
  /// A program unit from its first page on. On NOR the data first: a page without an intact entry was not written.
  void program(Steps& steps, std::uint32_t segment, std::uint32_t page, const std::byte* data,
               const std::byte* beside) const;
  /// NOR: what is beside the page alone.
  void program_entry(Steps& steps, std::uint32_t segment, std::uint32_t page, const std::byte* beside) const;
  void check_bad(Steps& steps, std::uint32_t segment, std::byte* beside) const;
  /// NOR, after check_bad(): an erase that failed may leave bits cleared that the marker has set.
  [[nodiscard]] bool can_mark(std::uint32_t segment, std::span<const std::byte> beside) const;
  void mark_bad(Steps& steps, std::uint32_t segment, std::byte* beside) const;
  /// After check_bad().
  [[nodiscard]] bool is_bad(std::uint32_t segment, PartStatus status, std::span<const std::byte> beside) const;

 private:
  std::uint32_t segment_bytes_;
  std::uint32_t spare_bytes_;
  std::uint32_t page_bytes_;
  bool bare_;
  std::uint32_t entry_bytes_;
  std::uint32_t pages_ = 0;
  std::uint32_t at_once_ = 1;
};

}  // namespace ftlab::paged
