// Recovery, in named steps.
#include "firmware/volume/nor/mount.h"

#include <algorithm>
#include <cstring>

namespace ftlab::fms {

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
      find_volume();
      break;
  }
  FtlStatus status = read_headers();
  if (status == FtlStatus::ok && newest_volume_ > s_.volume && have_summary_) {
    take_newer_volume();
    status = read_headers();
  }
  if (status != FtlStatus::ok) return status;
  if (other_layout_) return FtlStatus::bad_config;
  // A summary without a single header is a damaged volume, not a new one.
  if (!any_header_) return have_summary_ ? FtlStatus::read_failed : FtlStatus::not_formatted;
  undo_copies();
  choose_active();
  renew_lost();
  build_free_list();
  for (std::uint32_t lpn = 0; pages_lost_ && lpn < s_.pages.size(); ++lpn)
    if (s_.pages.ppn(lpn) == kUnmapped) s_.lost.add(lpn);
  if (s_.sequence >= kNumberLimit / 2) s_.halted = true;
  pool_.judge_space();
  s_.clock_offset = s_.clock;
  if (!have_summary_) (void)journal_.rewrite(SummaryKind::complete);
  return FtlStatus::ok;
}

/// Without a summary: the newest that a header names. Segments that were bad before a format still name an older one.
void Mount::find_volume() {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    BirthRecord birth;
    const FlashStatus read = s_.io.read(segment, 0, reinterpret_cast<std::byte*>(&birth), sizeof birth);
    if (read == FlashStatus::ok && readable(examine(birth, segment)) && !is_other_layout(birth))
      s_.volume = std::max(s_.volume, birth.volume);
  }
}

/// The fixed segment may have refused the summary of the last format, so that it still has the one before.
void Mount::take_newer_volume() {
  const std::uint32_t fixed_erases = s_.segments.row(kFixedSegment).erase_count;
  s_.clear();
  s_.segments.row(kFixedSegment).erase_count = fixed_erases;
  s_.volume = newest_volume_;
  for (std::uint32_t i = 1; i < s_.segments.segments(); ++i) s_.segments.row(i).erase_count = Journal::kUnknownCount;
  lost_ = 0;
  have_summary_ = any_header_ = pages_lost_ = false;
}

FtlStatus Mount::read_headers() {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    const FtlStatus status = read_header(segment);
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

BirthRecord Mount::expected_birth(std::uint32_t segment) const {
  BirthRecord birth;
  birth.entry_bytes = static_cast<std::uint16_t>(entry_bytes(s_.config.data_checksum));
  birth.volume = s_.volume;
  birth.segment = segment;
  birth.page_bytes = s_.config.page_bytes;
  birth.logical_pages = s_.config.logical_pages;
  return birth;
}

bool Mount::is_other_layout(const BirthRecord& birth) const {
  return birth.version != kFormatVersion || birth.entry_bytes != entry_bytes(s_.config.data_checksum) ||
         birth.page_bytes != s_.config.page_bytes || birth.logical_pages != s_.config.logical_pages;
}

FtlStatus Mount::read_header(std::uint32_t segment) {
  s_.probe.count(Work::header_scan, 1);
  SegmentRow& row = s_.segments.row(segment);
  row.state = SegmentState::sealed;
  const FlashStatus read =
      s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size()));
  if (is_media_failure(read)) {
    put_aside(segment);
    return FtlStatus::ok;
  }
  if (read != FlashStatus::ok) return FtlStatus::read_failed;
  SegmentHeader header;
  std::memcpy(&header, s_.header_buffer.data(), sizeof header);
  const RecordState birth_state = examine(header.birth, segment);
  // Segments that failed before a format keep their headers.
  if (readable(birth_state) && !is_other_layout(header.birth) && !is_cleared(header.marks.retired))
    newest_volume_ = std::max(newest_volume_, header.birth.volume);
  if (!readable(birth_state) || header.birth.volume != s_.volume) {
    without_birth(segment, birth_state, header);
    return FtlStatus::ok;
  }
  if (is_other_layout(header.birth)) {
    other_layout_ = true;
    return FtlStatus::ok;
  }
  any_header_ = true;
  row.erase_count = header.birth.erase_count;
  row.freed_sequence = header.birth.freed_sequence;
  row.retired = is_cleared(header.marks.retired);
  row.refresh = birth_state == RecordState::repaired;
  s_.sequence = std::max(s_.sequence, row.freed_sequence);
  by_open_record(segment, header);
  s_.refresh_wanted = s_.refresh_wanted || row.refresh;
  return FtlStatus::ok;
}

void Mount::without_birth(std::uint32_t segment, RecordState birth_state, SegmentHeader& header) {
  SegmentRow& row = s_.segments.row(segment);
  if (readable(birth_state)) {  // of another volume
    if (!have_summary_ && s_.volume == 0) other_layout_ = other_layout_ || is_other_layout(header.birth);
    if (is_cleared(header.marks.retired)) {
      row.erase_count = header.birth.erase_count;
      return out_of_use(segment);
    }
  }
  const bool erase_cut = readable(birth_state) || may_be_interrupted_erase(header, expected_birth(segment));
  if (!(erase_cut && is_cleared(header.marks.dead)) && any_page()) {
    any_header_ = true;
    row.retired = erase_cut && is_cleared(header.marks.retired);
    row.refresh = s_.refresh_wanted = true;
    open_from_entries(segment);
    return read_entries(segment);
  }
  if (!erase_cut && holds_data(segment, 0)) return put_aside(segment);
  // Erased, or cut in an erase, and its birth record never written. The erase under way counts.
  if (row.erase_count != Journal::kUnknownCount) ++row.erase_count;
  renew_later(segment);
}

void Mount::by_open_record(std::uint32_t segment, SegmentHeader& header) {
  SegmentRow& row = s_.segments.row(segment);
  const bool dead = is_cleared(header.marks.dead);
  const RecordState open_state = examine(header.open, s_.volume);
  if (!dead && readable(open_state)) {
    row.stream = static_cast<StreamId>(header.open.stream < kStreams ? header.open.stream : kHot);
    row.opened_stamp = header.open.stamp;
    row.opened_sequence = header.open.sequence;
    row.refresh = row.refresh || open_state == RecordState::repaired;
    s_.sequence = std::max(s_.sequence, row.opened_sequence);
    s_.clock = std::max(s_.clock, row.opened_stamp);
    return read_entries(segment);
  }
  if (!dead && any_page()) {
    row.refresh = true;
    open_from_entries(segment);
    return read_entries(segment);
  }
  if (row.retired) return out_of_use(segment);
  // Before a segment is open nothing is written to it.
  if (!dead && (used_slots() > 0 || holds_data(segment, 0))) return put_aside(segment);
  if (!dead && open_state == RecordState::blank && !row.refresh) {
    row.state = SegmentState::free;
    row.unchecked = true;
    return;
  }
  row.refresh = false;
  renew_later(segment);  // dead, or the opening was cut, or the header is damaged: nothing in it counts
}

void Mount::put_aside(std::uint32_t segment) {
  s_.segments.row(segment).used = static_cast<std::uint16_t>(s_.slots);
  s_.segments.put_aside(segment);
  pages_lost_ = true;
}

void Mount::out_of_use(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  row.retired = true;
  row.state = SegmentState::bad;
  ++s_.stats.bad_segments;
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
  for (std::uint32_t i = 0; i < count; ++i) {
    s_.segments.row(s_.order[i]).stream = kHot;
    s_.segments.push_free(s_.order[i]);
  }
}

}  // namespace ftlab::fms
