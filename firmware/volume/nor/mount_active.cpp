// Recovery: the partly filled segments. One of each stream is filled further, the others are closed.
#include <algorithm>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/mount.h"

namespace ftlab::fms {

void Mount::choose_active() {
  std::array<std::uint32_t, kStreams> logged = s_.active;
  s_.active = {kNone, kNone, kNone};
  const auto fits = [&](std::uint32_t segment, StreamId stream) {
    const SegmentRow& row = s_.segments.row(segment);
    return row.state == SegmentState::open && row.stream == stream;
  };
  for (StreamId stream = 0; stream < kStreams; ++stream) {
    // A stream that this configuration does not write to would keep its room from the others.
    if (!uses_stream(s_.config, stream)) continue;
    std::uint32_t chosen = kNone;
    if (logged[stream] != kNone && fits(logged[stream], stream)) {
      chosen = logged[stream];
    } else {
      for (std::uint32_t i = 1; i < s_.geometry.segments; ++i)
        if (fits(i, stream) &&
            (chosen == kNone || s_.segments.row(i).opened_sequence > s_.segments.row(chosen).opened_sequence))
          chosen = i;
    }
    s_.active[stream] = chosen;
  }
  for (std::uint32_t i = 1; i < s_.geometry.segments; ++i) {
    const SegmentRow& row = s_.segments.row(i);
    if (row.state != SegmentState::open) continue;
    if (s_.active[row.stream] == i) {
      make_appendable(i);
      continue;
    }
    const bool damaged = holds_data(i, row.used + 1U);
    pool_.close(i);
    if (damaged) put_aside(i);
  }
}

bool Mount::slot_is_blank(std::uint32_t segment, std::uint32_t slot) {
  return s_.io.read(segment, s_.data_offset(slot), s_.copy_buffer.data(), s_.config.page_bytes) == FlashStatus::ok &&
         all_erased(s_.copy_buffer);
}

void Mount::make_appendable(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (!slot_is_blank(segment, row.used)) {
    // Data was on its way when power went; its entry never came. Void the slot.
    const FlashStatus status =
        s_.io.program(segment, s_.entry_offset(row.used) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
    ++row.used;
    if (is_media_failure(status)) pool_.retire(segment);
  }
  bool damaged = false;
  for (std::uint32_t slot = row.used; slot < s_.slots; ++slot) {
    if (slot_is_blank(segment, slot)) continue;
    damaged = holds_data(segment, slot);
    row.used = static_cast<std::uint16_t>(s_.slots);  // not of our making: leave the rest alone
    break;
  }
  if (row.used == s_.slots && row.state == SegmentState::open) pool_.close(segment);
  if (damaged) put_aside(segment);
}

}  // namespace ftlab::fms
