// What the rooms of one device share: parameters, what the array holds, models, data RAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/array/aging/error_model.h"
#include "hw/array/aging/exposure.h"
#include "hw/array/aging/read_retry.h"
#include "hw/array/aging/wear.h"
#include "hw/array/array/page_store.h"
#include "hw/array/array/segment_table.h"
#include "hw/array/array/unreadable_pages.h"
#include "hw/array/commands/costs.h"
#include "hw/array/commands/read_times.h"
#include "hw/array/spec/spec.h"
#include "hw/base/device_options.h"

namespace ftlab::hw::array {

struct Context {
  Context(const ArraySpec& part, const DeviceOptions& options)
      : spec(part),
        segments(spec),
        wear(spec, options.seed, segments),
        costs(spec),
        read_times(spec, options.seed),
        pages(spec, content_of(spec, options)),
        errors(spec, options.seed),
        exposure(spec),
        retry(spec),
        buffer(pages.content() == Content::bytes ? std::size_t{spec.buffer_slots} * spec.page_bytes : 0,
               std::byte{0xFF}) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] std::span<std::byte> slot(std::uint16_t index) {
    return std::span(buffer).subspan(std::size_t{index} * spec.page_bytes, spec.page_bytes);
  }
  /// What a read finds, apart from bit errors.
  [[nodiscard]] PageMark mark(const Segment& segment, std::uint32_t page) const {
    if (!segment.has(segment_flag::kTorn | segment_flag::kUnreadable)) return PageMark::none;
    return segment.has(segment_flag::kTorn) ? PageMark::lost : unreadable.mark(page, segment.erase_count);
  }
  [[nodiscard]] bool readable(const Segment& segment, std::uint32_t page) const {
    const PageMark found = mark(segment, page);
    return found == PageMark::none || found == PageMark::kept;
  }
  /// Well or not; pages that are left out are not.
  [[nodiscard]] bool programmed(const Segment& segment, std::uint32_t page) const {
    return page < segment.next_page && (!segment.has(segment_flag::kLsbAlone) || costs.type(page) == 0);
  }
  /// A page that is not the next one of its segment is to be: as the first of the second LSB unit it may behind the
  /// first one, and only LSB units follow. False: it may not, and nothing has changed.
  [[gnu::cold]] bool skip_to(Segment& segment, std::uint32_t page) const;
  /// With kLsbAlone: behind a whole program unit comes the next LSB unit.
  [[gnu::cold]] void leave_out(Segment& segment) const;
  /// The last page that was programmed never was.
  void take_back(Segment& segment, std::uint32_t page) const;
  /// Its first page, of a segment.
  [[nodiscard]] std::uint32_t second_lsb() const { return spec.bits_per_cell * spec.pages_at_once; }
  void spoil(Segment& segment, std::uint32_t page, PageMark mark = PageMark::lost) {
    unreadable.add(page, segment.erase_count, mark);
    segment.flags |= segment_flag::kUnreadable;
  }
  /// The program of the unit that begins with this page was interrupted: what shares its cells goes, too.
  void spoil_before(Segment& segment, std::uint32_t first) {
    const PageMark mark = spec.open_wordlines == OpenWordlines::lost ? PageMark::lost : PageMark::kept;
    const std::uint32_t at = segments.locate(first).page;
    for (std::uint32_t page = first - (at - spec.first_of_wordline(at)); page < first; ++page)
      if (readable(segment, page)) spoil(segment, page, mark);
  }

  const ArraySpec spec;
  SegmentTable segments;
  Wear wear;
  Costs costs;
  ReadTimes read_times;
  PageStore pages;
  UnreadablePages unreadable;
  ErrorModel errors;
  Exposure exposure;
  ReadRetry retry;
  std::vector<std::byte> buffer;  ///< data RAM; empty unless Content::bytes

 private:
  static Content content_of(const ArraySpec& spec, const DeviceOptions& options) {
    return spec.content == Content::bytes && !options.store_content ? Content::tag : spec.content;
  }
};

}  // namespace ftlab::hw::array
