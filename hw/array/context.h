// What the rooms of one device share: parameters, what the array holds, models, data RAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/array/aging/error_model.h"
#include "hw/array/aging/exposure.h"
#include "hw/array/aging/wear.h"
#include "hw/array/array/page_store.h"
#include "hw/array/array/segment_table.h"
#include "hw/array/array/unreadable_pages.h"
#include "hw/array/commands/costs.h"
#include "hw/array/spec/spec.h"
#include "hw/base/device_options.h"

namespace ftlab::hw::array {

struct Context {
  Context(const ArraySpec& part, const DeviceOptions& options)
      : spec(part),
        segments(spec),
        wear(spec, options.seed, segments),
        costs(spec),
        pages(spec, content_of(spec, options)),
        errors(spec, options.seed),
        exposure(spec),
        buffer(pages.content() == Content::bytes ? std::size_t{spec.buffer_slots} * spec.page_bytes : 0,
               std::byte{0xFF}) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] std::span<std::byte> slot(std::uint16_t index) {
    return std::span(buffer).subspan(std::size_t{index} * spec.page_bytes, spec.page_bytes);
  }
  /// What a read finds, apart from bit errors.
  [[nodiscard]] bool readable(const Segment& segment, std::uint32_t page) const {
    return !segment.has(segment_flag::kTorn | segment_flag::kUnreadable) ||
           !(segment.has(segment_flag::kTorn) || unreadable.contains(page, segment.erase_count));
  }
  void spoil(Segment& segment, std::uint32_t page, bool has_metadata = false) {
    unreadable.add(page, segment.erase_count, has_metadata);
    segment.flags |= segment_flag::kUnreadable;
  }

  const ArraySpec spec;
  SegmentTable segments;
  Wear wear;
  Costs costs;
  PageStore pages;
  UnreadablePages unreadable;
  ErrorModel errors;
  Exposure exposure;
  std::vector<std::byte> buffer;  ///< data RAM; empty unless Content::bytes

 private:
  static Content content_of(const ArraySpec& spec, const DeviceOptions& options) {
    return spec.content == Content::bytes && !options.store_content ? Content::tag : spec.content;
  }
};

}  // namespace ftlab::hw::array
