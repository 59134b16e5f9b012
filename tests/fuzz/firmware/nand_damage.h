// A NAND part as a thing to damage: the state of pages, fields beside them, words of their bodies. A Format gives
//   Format(geometry, config)
//   fields()                            where the fields beside a page begin, and the last of them ends
//   seal(data, spare)                   checksums of a page are made to fit; data goes on to the end of the segment
#pragma once

#include <cstddef>
#include <cstring>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fuzz/firmware/damage.h"

namespace ftlab::fuzz {

template <class Format>
class NandDamage {
 public:
  using Flash = tests::EmulatedNand;
  using Page = Flash::PageState;

  template <class Config>
  NandDamage(const PartGeometry& geometry, const Config& config)
      : format_(geometry, config),
        page_bytes_(geometry.program_unit_bytes),
        pages_(geometry.segment_bytes / geometry.program_unit_bytes),
        spare_bytes_(geometry.spare_bytes),
        segments_(geometry.segments) {}

  [[nodiscard]] std::span<std::byte> bytes(Flash& flash, std::uint32_t segment) const {
    return flash.at_rest(segment).data;
  }
  /// Blank pages that got bytes are programmed pages now.
  void touched(Flash& flash, std::uint32_t segment) const {
    Flash::Segment& s = flash.at_rest(segment);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      if (s.state[page] != Page::blank || is_blank(data_of(s, page))) continue;
      s.state[page] = Page::whole;
      s.next_page = std::max(s.next_page, page + 1);
    }
  }

  void field(Flash& flash, std::uint32_t segment, Input& in) const {
    Flash::Segment& s = flash.at_rest(segment);
    const std::uint32_t page = in.below(pages_);
    switch (in.below(6)) {
      case 0:
        s.state[page] = static_cast<Page>(in.below(5));
        if (s.state[page] != Page::blank) s.next_page = std::max(s.next_page, page + 1);
        return;
      case 1:
        return segment_state(s, in);
      case 2: {
        // Body of a checkpoint, by words.
        const std::uint32_t at = 4 * in.below(page_bytes_ / 4);
        put_number(data_of(s, page).subspan(at, 4), draw_number(in, segments_));
        return touched(flash, segment);
      }
      default: {
        const std::span<const std::uint8_t> fields = format_.fields();
        const std::uint32_t field = in.below(static_cast<std::uint32_t>(fields.size() - 1));
        const auto spare = spare_of(s, page);
        const std::size_t length = std::size_t{fields[field + 1]} - fields[field];
        put_number(spare.subspan(fields[field], length), draw_number(in, segments_));
        if (s.state[page] == Page::blank) s.state[page] = Page::whole;
        s.next_page = std::max(s.next_page, page + 1);
      }
    }
  }

  void seal(Flash& flash, std::uint32_t segment) const {
    Flash::Segment& s = flash.at_rest(segment);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      if (s.state[page] == Page::blank) continue;
      format_.seal(std::span(s.data).subspan(std::size_t{page} * page_bytes_), spare_of(s, page));
    }
  }

 private:
  static void segment_state(Flash::Segment& s, Input& in) {
    const std::uint8_t flags = in.byte();
    s.must_erase = (flags & 1) != 0;
    s.failed = s.refuses = (flags & 2) != 0;
    s.bad = (flags & 4) != 0;
    if ((flags & 8) != 0) s.bits[in.below(static_cast<std::uint32_t>(s.bits.size()))] = flags >> 4;
  }

  [[nodiscard]] std::span<std::byte> data_of(Flash::Segment& s, std::uint32_t page) const {
    return std::span(s.data).subspan(std::size_t{page} * page_bytes_, page_bytes_);
  }
  [[nodiscard]] std::span<std::byte> spare_of(Flash::Segment& s, std::uint32_t page) const {
    return std::span(s.spare).subspan(std::size_t{page} * spare_bytes_, spare_bytes_);
  }
  [[nodiscard]] static bool is_blank(std::span<const std::byte> bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0xFF}; });
  }

  Format format_;
  std::uint32_t page_bytes_;
  std::uint32_t pages_;
  std::uint32_t spare_bytes_;
  std::uint32_t segments_;
};

}  // namespace ftlab::fuzz
