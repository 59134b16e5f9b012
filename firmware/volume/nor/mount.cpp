// Recovery, in named steps.
#include "firmware/volume/nor/mount.h"

#include <algorithm>
#include <cstring>

#include "firmware/volume/nor/marks.h"
#include "firmware/volume/nor/resume_streams.h"
#include "firmware/volume/nor/undo_copies.h"

namespace ftlab::nor {

FtlStatus Mount::run() {
  const CauseScope cause(v_.probe, Cause::mount);
  switch (log_.load()) {
    case Log::Found::formatting:
      return FtlStatus::not_formatted;
    case Log::Found::other_layout:
      return FtlStatus::bad_config;
    case Log::Found::complete:
      have_superblock_ = true;
      break;
    case Log::Found::nothing:
      find_volume();
      break;
  }
  FtlStatus status = read_headers();
  if (status == FtlStatus::ok && newest_volume_ > v_.number && have_superblock_) {
    take_newer_volume();
    status = read_headers();
  }
  if (status != FtlStatus::ok) return status;
  if (other_layout_) return FtlStatus::bad_config;
  // A superblock without a single header is a damaged volume, not a new one.
  if (!any_header_) return have_superblock_ ? FtlStatus::read_failed : FtlStatus::not_formatted;
  const std::uint32_t undone = UndoCopies(v_, entries_).run(to_erase_ > 0);
  if (undone != kNone) erase_later(undone);
  ResumeStreams(v_, pool_, entries_).run();
  fill_in_erase_counts();
  // First, because the log says what the erases that follow would leave.
  if (!have_superblock_) (void)log_.rewrite(SuperblockKind::complete);
  erase_garbage();
  build_free_list();
  for (std::uint32_t lpn = 0; entries_.pages_lost() && lpn < v_.pages.size(); ++lpn)
    if (v_.pages.ppn(lpn) == kUnmapped) v_.lost.add(lpn);
  if (v_.sequence >= kNumberLimit / 2) v_.halted = true;
  pool_.update_space();
  return FtlStatus::ok;
}

/// Without a superblock: the newest that a header names. Segments that were bad before a format still name an older
/// one.
void Mount::find_volume() {
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    EraseHeader erase;
    const FlashStatus read = v_.io.read_record(segment, 0, erase);
    if (read == FlashStatus::ok && readable(examine(erase, segment)) && !is_other_layout(erase))
      v_.number = std::max<std::uint32_t>(v_.number, erase.volume);
  }
}

/// The fixed segment may have refused the superblock of the last format, so that it still has the one before.
void Mount::take_newer_volume() {
  const std::uint32_t fixed_erases = v_.segments.row(kFixedSegment).erase_count;
  v_.clear();
  v_.segments.row(kFixedSegment).erase_count = fixed_erases;
  v_.number = newest_volume_;
  for (std::uint32_t i = 1; i < v_.segments.segments(); ++i) v_.segments.row(i).erase_count = Log::kUnknownCount;
  to_erase_ = 0;
  have_superblock_ = any_header_ = false;
  entries_.forget_lost();
}

FtlStatus Mount::read_headers() {
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    const FtlStatus status = read_header(segment);
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

EraseHeader Mount::expected_erase_header(std::uint32_t segment) const {
  EraseHeader erase;
  erase.entry_bytes = static_cast<std::uint16_t>(entry_bytes(v_.config.data_checksum));
  erase.volume = v_.number;
  erase.segment = segment;
  erase.page_bytes = v_.config.page_bytes;
  erase.logical_pages = v_.config.logical_pages;
  return erase;
}

bool Mount::is_other_layout(const EraseHeader& erase) const {
  return erase.version != kFormatVersion || erase.entry_bytes != entry_bytes(v_.config.data_checksum) ||
         erase.page_bytes != v_.config.page_bytes || erase.logical_pages != v_.config.logical_pages;
}

FtlStatus Mount::read_header(std::uint32_t segment) {
  v_.probe.count(Work::header_scan, 1);
  SegmentRow& row = v_.segments.row(segment);
  v_.segments.set_state(segment, SegmentState::sealed);
  const FlashStatus read = v_.io.read(segment, 0, v_.header_buffer);
  if (is_media_failure(read)) {
    entries_.put_aside(segment);
    return FtlStatus::ok;
  }
  if (read != FlashStatus::ok) return FtlStatus::read_failed;
  SegmentHeader header;
  std::memcpy(&header, v_.header_buffer.data(), sizeof header);
  look_twice(segment, header.marks);
  const RecordState header_state = examine(header.erase, segment);
  // Segments that failed before a format keep their headers.
  if (readable(header_state) && !is_other_layout(header.erase) && !is_cleared(header.marks.retired))
    newest_volume_ = std::max<std::uint32_t>(newest_volume_, header.erase.volume);
  if (!readable(header_state) || header.erase.volume != v_.number) {
    without_erase_header(segment, header_state, header);
    return FtlStatus::ok;
  }
  if (is_other_layout(header.erase)) {
    other_layout_ = true;
    return FtlStatus::ok;
  }
  any_header_ = true;
  row.erase_count = header.erase.erase_count;
  row.freed_sequence = header.erase.freed_sequence;
  row.retired = is_cleared(header.marks.retired);
  row.refresh = header_state == RecordState::repaired || is_one_bit_off(header.marks.retired) ||
                is_one_bit_off(header.marks.dead);
  v_.sequence = std::max(v_.sequence, row.freed_sequence);
  by_open_record(segment, header);
  v_.refresh_wanted = v_.refresh_wanted || row.refresh;
  return FtlStatus::ok;
}

/// What this mount takes for cleared stays so, and what it does not does not become so.
void Mount::look_twice(std::uint32_t segment, SegmentMarks& marks) {
  constexpr auto kAt = static_cast<std::uint32_t>(offsetof(SegmentHeader, marks));
  marks.retired = settled_mark(v_.io, segment, kAt + offsetof(SegmentMarks, retired), marks.retired);
  marks.dead = settled_mark(v_.io, segment, kAt + offsetof(SegmentMarks, dead), marks.dead);
}

void Mount::without_erase_header(std::uint32_t segment, RecordState header_state, SegmentHeader& header) {
  SegmentRow& row = v_.segments.row(segment);
  if (readable(header_state)) {  // of another volume
    if (!have_superblock_ && v_.number == 0) other_layout_ = other_layout_ || is_other_layout(header.erase);
    if (is_cleared(header.marks.retired)) {
      row.erase_count = header.erase.erase_count;
      return out_of_use(segment);
    }
  }
  // An erase may clear every bit before it sets them, and then leaves anything. As long as it clears, the mark is
  // there; once it sets, no entry is.
  if (!readable(header_state) && row.erase_recorded && (is_cleared(header.marks.dead) || !entries_.any_page()))
    return erase_again(segment);
  const bool interrupted_erase =
      readable(header_state) || may_be_interrupted_erase(header, expected_erase_header(segment));
  if (!(interrupted_erase && is_cleared(header.marks.dead)) && entries_.any_page()) {
    any_header_ = true;
    row.retired = interrupted_erase && is_cleared(header.marks.retired);
    row.refresh = v_.refresh_wanted = true;
    entries_.open_from_entries(segment);
    return entries_.read(segment);
  }
  if (!interrupted_erase && entries_.holds_data(segment, 0)) return entries_.put_aside(segment);
  erase_again(segment);
}

/// Erased, or interrupted in an erase, and its erase header never written. The erase under way counts.
void Mount::erase_again(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  if (row.erase_count != Log::kUnknownCount) ++row.erase_count;
  erase_later(segment);
}

void Mount::by_open_record(std::uint32_t segment, SegmentHeader& header) {
  SegmentRow& row = v_.segments.row(segment);
  const bool dead = is_cleared(header.marks.dead);
  const RecordState open_state = examine(header.open, v_.number);
  if (!dead && readable(open_state)) {
    row.stream = header.open.stream < kMaxStreams ? static_cast<StreamId>(header.open.stream) : StreamId{0};
    row.opened_stamp = header.open.stamp;
    row.opened_sequence = header.open.sequence;
    row.refresh = row.refresh || open_state == RecordState::repaired;
    v_.sequence = std::max(v_.sequence, row.opened_sequence);
    v_.clock = std::max(v_.clock, row.opened_stamp);
    return entries_.read(segment);
  }
  if (!dead && entries_.any_page()) {
    row.refresh = true;
    entries_.open_from_entries(segment);
    return entries_.read(segment);
  }
  if (row.retired) {
    // Otherwise its pages may be back at the next mount.
    if (is_half_cleared(header.marks.dead)) v_.store->marked_bad(segment);
    return out_of_use(segment);
  }
  // Before a segment is open nothing is written to it.
  if (!dead && (entries_.used_slots() > 0 || entries_.holds_data(segment, 0))) return entries_.put_aside(segment);
  if (!dead && open_state == RecordState::blank && !row.refresh) {
    v_.segments.set_state(segment, SegmentState::free);
    row.unchecked = true;
    return;
  }
  row.refresh = false;
  erase_later(segment);  // dead, or power was lost while it was opened, or the header is damaged: nothing in it counts
}

void Mount::out_of_use(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  row.retired = true;
  v_.segments.set_state(segment, SegmentState::bad);
  ++v_.stats.bad_segments;
}

std::uint32_t Mount::mean_erase_count() const {
  std::uint64_t sum = 0;
  std::uint64_t known = 0;
  for (std::uint32_t i = 1; i < v_.geometry.segments; ++i) {
    const std::uint32_t count = v_.segments.row(i).erase_count;
    if (count == Log::kUnknownCount) continue;
    sum += count;
    ++known;
  }
  return known == 0 ? 0 : static_cast<std::uint32_t>((sum + known / 2) / known);
}

void Mount::fill_in_erase_counts() {
  const std::uint32_t mean = mean_erase_count();
  for (std::uint32_t i = 1; i < v_.geometry.segments; ++i)
    if (v_.segments.row(i).erase_count == Log::kUnknownCount) v_.segments.row(i).erase_count = mean;
}

void Mount::erase_garbage() {
  // What the log names comes first: the others' entries may need a new log, which must not be written while an erase
  // is incomplete.
  const auto to_erase = v_.order.first(to_erase_);
  std::partition(to_erase.begin(), to_erase.end(),
                 [&](std::uint32_t segment) { return v_.segments.row(segment).erase_recorded; });
  for (const std::uint32_t segment : to_erase) {
    if (pool_.erase(segment) == FlashStatus::ok)
      v_.segments.set_state(segment, SegmentState::free);
    else
      pool_.mark_bad(segment);
  }
}

void Mount::build_free_list() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 1; i < v_.geometry.segments; ++i)
    if (v_.segments.row(i).state == SegmentState::free) v_.order[count++] = i;
  std::sort(v_.order.begin(), v_.order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    return v_.segments.row(a).freed_sequence < v_.segments.row(b).freed_sequence;
  });
  for (std::uint32_t i = 0; i < count; ++i) {
    v_.segments.row(v_.order[i]).stream = 0;
    v_.segments.push_free(v_.order[i]);
  }
}

}  // namespace ftlab::nor
