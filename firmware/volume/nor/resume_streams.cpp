#include "firmware/volume/nor/resume_streams.h"

#include <array>

#include "firmware/base/erased.h"

namespace ftlab::nor {

void ResumeStreams::run() {
  std::array<std::uint32_t, kMaxStreams> logged = v_.active;
  v_.active.fill(kNone);
  const auto fits = [&](std::uint32_t segment, StreamId stream) {
    const SegmentRow& row = v_.segments.row(segment);
    return row.state == SegmentState::open && row.stream == stream;
  };
  for (StreamId stream = 0; stream < kMaxStreams; ++stream) {
    // A stream that this configuration does not write to would keep its room from the others.
    if (!v_.config.writes_to[stream]) continue;
    std::uint32_t chosen = kNone;
    if (logged[stream] != kNone && fits(logged[stream], stream)) {
      chosen = logged[stream];
    } else {
      for (std::uint32_t i = 1; i < v_.geometry.segments; ++i)
        if (fits(i, stream) &&
            (chosen == kNone || v_.segments.row(i).opened_sequence > v_.segments.row(chosen).opened_sequence))
          chosen = i;
    }
    v_.active[stream] = chosen;
  }
  for (std::uint32_t i = 1; i < v_.geometry.segments; ++i) {
    const SegmentRow& row = v_.segments.row(i);
    if (row.state != SegmentState::open) continue;
    if (v_.active[row.stream] == i) {
      make_appendable(i);
      continue;
    }
    const bool damaged = entries_.holds_data(i, row.used + 1U);
    pool_.close(i);
    if (damaged) entries_.put_aside(i);
  }
}

bool ResumeStreams::slot_is_blank(std::uint32_t segment, std::uint32_t slot) {
  return v_.io.read(segment, v_.data_offset(slot), v_.copy_buffer) == FlashStatus::ok && all_erased(v_.copy_buffer);
}

void ResumeStreams::make_appendable(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  if (!slot_is_blank(segment, row.used)) {
    // Data was on its way when power went; its entry never came. Void the slot.
    const FlashStatus status =
        v_.io.program(segment, v_.entry_offset(row.used) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
    ++row.used;
    if (is_media_failure(status)) pool_.retire(segment);
  }
  bool damaged = false;
  for (std::uint32_t slot = row.used; slot < v_.slots; ++slot) {
    if (slot_is_blank(segment, slot)) continue;
    damaged = entries_.holds_data(segment, slot);
    row.used = static_cast<std::uint16_t>(v_.slots);  // not of our making: leave the rest alone
    break;
  }
  if (row.used == v_.slots && row.state == SegmentState::open) pool_.close(segment);
  if (damaged) entries_.put_aside(segment);
}

}  // namespace ftlab::nor
