// Recovery, in named steps.
#include "firmware/fms/nor/mount.h"

#include <algorithm>
#include <cstring>

namespace ftlab::fms {
namespace {

bool all_ones(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0xFF}; });
}

}  // namespace

FtlStatus Mount::run() {
  const CauseScope cause(s_.probe, Cause::mount);
  switch (journal_.load()) {
    case Journal::Found::formatting:
      return FtlStatus::not_formatted;
    case Journal::Found::other_layout:
      return FtlStatus::bad_config;
    case Journal::Found::complete:
      have_summary_ = true;
      break;
    case Journal::Found::nothing:
      break;
  }
  const FtlStatus status = read_headers();
  if (status != FtlStatus::ok) return status;
  if (!have_summary_ && !any_header_) return other_layout_ ? FtlStatus::bad_config : FtlStatus::not_formatted;
  choose_active();
  renew_lost();
  build_free_list();
  pool_.judge_space();
  s_.clock_offset = s_.clock;
  if (!have_summary_) (void)journal_.rewrite(SummaryKind::complete);
  return FtlStatus::ok;
}

FtlStatus Mount::read_headers() {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    const FtlStatus status = read_header(segment);
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

bool Mount::belongs(const SegmentHeader& header, std::uint32_t segment) {
  const BirthRecord& birth = header.birth;
  if (birth.magic != kSegmentMagic || !intact(birth) || birth.segment != segment) return false;
  if (birth.version != kFormatVersion || birth.page_bytes != s_.config.page_bytes ||
      birth.logical_pages != s_.config.logical_pages) {
    other_layout_ = true;
    return false;
  }
  if (!have_summary_ && !any_header_) s_.volume = birth.volume;
  return birth.volume == s_.volume;
}

FtlStatus Mount::read_header(std::uint32_t segment) {
  s_.probe.count(Work::header_scan, 1);
  if (s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size())) !=
      FlashStatus::ok)
    return FtlStatus::read_failed;
  SegmentHeader header;
  std::memcpy(&header, s_.header_buffer.data(), sizeof header);
  SegmentRow& row = s_.segments.row(segment);
  row.state = SegmentState::sealed;
  if (!belongs(header, segment)) {
    // Erased, or cut in an erase, and its birth record never written. The erase under way counts.
    if (row.erase_count != Journal::kUnknownCount) ++row.erase_count;
    s_.order[lost_++] = segment;
    return FtlStatus::ok;
  }
  any_header_ = true;
  row.erase_count = header.birth.erase_count;
  row.freed_sequence = header.birth.freed_sequence;
  row.retired = header.marks.retired != kBlank16;
  s_.sequence = std::max(s_.sequence, row.freed_sequence);
  const bool in_use = intact(header.open) && header.marks.dead == kBlank16;
  if (in_use) {
    row.stream = static_cast<StreamId>(header.open.stream < kStreams ? header.open.stream : kHot);
    row.opened_stamp = header.open.stamp;
    row.opened_sequence = header.open.sequence;
    s_.sequence = std::max(s_.sequence, row.opened_sequence);
    s_.clock = std::max(s_.clock, row.opened_stamp);
    read_entries(segment);
  } else if (row.retired) {
    row.state = SegmentState::bad;
    ++s_.stats.bad_segments;
  } else if (blank(header.open) && header.marks.dead == kBlank16) {
    row.state = SegmentState::free;
  } else {
    s_.order[lost_++] = segment;  // dead, or the opening was cut: nothing in it counts
  }
  return FtlStatus::ok;
}

void Mount::read_entries(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
    PageEntry entry;
    std::memcpy(&entry, s_.header_buffer.data() + FmsState::entry_offset(slot), sizeof entry);
    if (blank(entry)) continue;
    row.used = static_cast<std::uint16_t>(slot + 1);
    // Torn: never acknowledged. Or not of our making.
    if (!intact(entry) || entry.lpn >= s_.pages.size() || entry.updates == 0) continue;
    s_.sequence = std::max(s_.sequence, entry.sequence);
    s_.clock = std::max(s_.clock, entry.stamp);
    if (entry.valid == kBlank16)
      claim(segment, slot, entry);
    else if (entry.valid != kCleared)
      (void)s_.medium->invalidate(s_.segments.ppn(segment, slot));  // finish what a cut began
  }
  if (row.retired || row.used == s_.slots) row.used = static_cast<std::uint16_t>(s_.slots);
  // Not full: choose_active() decides whether it is still being filled.
  else
    row.state = SegmentState::open;
}

std::uint64_t Mount::sequence_of(std::uint32_t ppn) {
  PageEntry entry;
  const std::uint32_t slot = s_.segments.slot_of(ppn);
  (void)s_.io.read(s_.segments.segment_of(ppn), FmsState::entry_offset(slot), reinterpret_cast<std::byte*>(&entry),
                   sizeof entry);
  return entry.sequence;
}

void Mount::claim(std::uint32_t segment, std::uint32_t slot, const PageEntry& entry) {
  const std::uint32_t ppn = s_.segments.ppn(segment, slot);
  s_.segments.lpn_at(ppn) = entry.lpn;
  const std::uint32_t other = s_.pages.ppn(entry.lpn);
  if (other != kUnmapped) {
    if (sequence_of(other) > entry.sequence) {
      (void)s_.medium->invalidate(ppn);
      return;
    }
    s_.segments.drop_valid(s_.segments.segment_of(other), s_.segments.slot_of(other));
    (void)s_.medium->invalidate(other);
  }
  s_.segments.set_valid(segment, slot);
  s_.pages.map(entry.lpn, ppn, entry.updates, entry.stamp);
}

void Mount::choose_active() {
  std::array<std::uint32_t, kStreams> logged = s_.active;
  s_.active = {kNone, kNone, kNone};
  const auto fits = [&](std::uint32_t segment, StreamId stream) {
    const SegmentRow& row = s_.segments.row(segment);
    return row.state == SegmentState::open && row.stream == stream;
  };
  for (StreamId stream = 0; stream < kStreams; ++stream) {
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
    if (s_.active[row.stream] == i)
      make_appendable(i);
    else
      pool_.close(i);
  }
}

bool Mount::slot_is_blank(std::uint32_t segment, std::uint32_t slot) {
  return s_.io.read(segment, s_.data_offset(slot), s_.copy_buffer.data(), s_.config.page_bytes) == FlashStatus::ok &&
         all_ones(s_.copy_buffer);
}

void Mount::make_appendable(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (!slot_is_blank(segment, row.used)) {
    // Data was on its way when power went; its entry never came. Void the slot.
    const FlashStatus status = s_.io.program(segment, FmsState::entry_offset(row.used) + offsetof(PageEntry, valid),
                                             &kCleared, sizeof kCleared);
    ++row.used;
    if (is_media_failure(status)) pool_.retire(segment);
  }
  for (std::uint32_t slot = row.used; slot < s_.slots; ++slot) {
    if (slot_is_blank(segment, slot)) continue;
    row.used = static_cast<std::uint16_t>(s_.slots);  // not of our making: leave the rest alone
    break;
  }
  if (row.used == s_.slots && row.state == SegmentState::open) pool_.close(segment);
}

std::uint32_t Mount::mean_erase_count() const {
  std::uint64_t sum = 0;
  std::uint64_t known = 0;
  for (std::uint32_t i = 1; i < s_.geometry.segments; ++i) {
    const std::uint32_t count = s_.segments.row(i).erase_count;
    if (count == Journal::kUnknownCount) continue;
    sum += count;
    ++known;
  }
  return known == 0 ? 0 : static_cast<std::uint32_t>((sum + known / 2) / known);
}

void Mount::renew_lost() {
  const std::uint32_t mean = mean_erase_count();
  for (std::uint32_t i = 1; i < s_.geometry.segments; ++i)
    if (s_.segments.row(i).erase_count == Journal::kUnknownCount) s_.segments.row(i).erase_count = mean;
  for (std::uint32_t i = 0; i < lost_; ++i) {
    const std::uint32_t segment = s_.order[i];
    if (pool_.renew(segment) == FlashStatus::ok)
      s_.segments.row(segment).state = SegmentState::free;
    else
      pool_.bury(segment);
  }
}

void Mount::build_free_list() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 1; i < s_.geometry.segments; ++i)
    if (s_.segments.row(i).state == SegmentState::free) s_.order[count++] = i;
  std::sort(s_.order.begin(), s_.order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    return s_.segments.row(a).freed_sequence < s_.segments.row(b).freed_sequence;
  });
  for (std::uint32_t i = 0; i < count; ++i) s_.segments.push_free(s_.order[i]);
}

}  // namespace ftlab::fms
