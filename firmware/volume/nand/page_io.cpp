// Slots, page metadata and summaries over the port.
#include "firmware/volume/nand/page_io.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/erased.h"

namespace ftlab::nand {

PageIo::PageIo(FlashIo& io, const FlashGeometry& geometry, RefreshLimits limits)
    : io_(io), geometry_(geometry), limits_(limits) {
  if (geometry.program_unit_bytes == 0) return;
  pages_ = std::min(geometry.segment_bytes / geometry.program_unit_bytes, kMaxPages);
  paired_ = !geometry.paired_page.empty() && geometry.paired_page.size() >= pages_;
  for (std::uint32_t page = 0; page < pages_; ++page) {
    if (paired_ && geometry.paired_page[page] < page) continue;
    if (paired_) lsb_page_[lsb_count_] = static_cast<std::uint8_t>(page);
    ++lsb_count_;
  }
}

std::uint32_t PageIo::slots_of(const FlashGeometry& geometry) {
  if (geometry.program_unit_bytes == 0) return 0;
  const std::uint32_t pages = geometry.segment_bytes / geometry.program_unit_bytes;
  return pages > 0 ? pages - 1 : 0;
}

const char* PageIo::check(const FlashGeometry& geometry) {
  if (geometry.spare_bytes < kSpareBytes) return "the part leaves too few spare bytes beside a page: 32 are needed";
  const std::uint32_t page = geometry.program_unit_bytes;
  if (page < 128 || page % 16 != 0 || geometry.segment_bytes % page != 0)
    return "pages must be multiples of 16 bytes, at least 128, and divide the segment";
  const std::uint32_t pages = geometry.segment_bytes / page;
  if (pages > kMaxPages) return "more than 256 pages in a segment";
  if (sizeof(SummaryHead) + (pages - 1) * sizeof(OobTag) > page)
    return "what names the pages of a segment does not fit into one of them";
  if (!geometry.paired_page.empty() && (geometry.paired_page.size() < pages || geometry.paired_page[0] == 0))
    return "the table of paired pages does not fit the segment, or page 0 is not an LSB page";
  return nullptr;
}

void PageIoTables::layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t open_segments) {
  rows = arena.take<Row>(geometry.segments);
  open = arena.take<OpenSegment>(open_segments);
  const std::uint32_t page = std::max<std::uint32_t>(geometry.program_unit_bytes, 1);
  summaries = arena.take<std::byte>(std::size_t{open_segments} * page);
  scratch = arena.take<std::byte>(page);
  spare = arena.take<std::byte>(geometry.spare_bytes);
}

void PageIo::clear() {
  programs_[0] = programs_[1] = 0;
  std::fill(t_.rows.begin(), t_.rows.end(), PageIoTables::Row{});
  std::fill(t_.open.begin(), t_.open.end(), PageIoTables::OpenSegment{});
  volume_ = 0;
  must_record_reads_ = false;
}

bool PageIo::is_slc_segment(std::uint32_t segment) const {
  if (geometry_.slc_segments_per_unit == 0) return false;
  return segment % (geometry_.segments / geometry_.parallel_units) < geometry_.slc_segments_per_unit;
}

bool PageIo::open(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp) {
  return reopen(segment, mode, sequence, stamp, 0);
}

bool PageIo::reopen(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp,
                    std::uint32_t next_slot) {
  const auto place =
      std::find_if(t_.open.begin(), t_.open.end(), [](const PageIoTables::OpenSegment& o) { return !o.taken; });
  if (place == t_.open.end()) return false;
  *place = {.sequence = sequence, .stamp = stamp, .taken = true};
  PageIoTables::Row& row = t_.rows[segment];
  row.buffer = static_cast<std::uint8_t>(place - t_.open.begin());
  row.mode = mode;
  row.used = static_cast<std::uint16_t>(next_slot);
  std::ranges::fill(buffer(row.buffer), std::byte{0xFF});
  return true;
}

void PageIo::restore_metadata(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata) {
  const OobTag spare = encode(metadata, volume_);
  std::memcpy(buffer(t_.rows[segment].buffer).data() + sizeof(SummaryHead) + std::size_t{slot} * sizeof spare, &spare,
              sizeof spare);
}

PageResult PageIo::judge(std::uint32_t segment, FlashStatus status) const {
  PageResult result{status, io_.corrected_bits(), false};
  result.needs_refresh = result.corrected_bits >= limits_.bits || t_.rows[segment].reads >= limits_.reads;
  return result;
}

void PageIo::complete_metadata(std::uint32_t segment, std::uint32_t slot, PageMetadata& metadata) const {
  const PageIoTables::Row& row = t_.rows[segment];
  metadata.mode = row.mode;
  metadata.before = kNoneBefore;
  if (row.buffer == PageIoTables::kNoBuffer || slot != row.used) return;
  const PageIoTables::OpenSegment& open_segment = t_.open[row.buffer];
  if (open_segment.last_lpn >= kNoneBefore) return;
  const std::uint64_t distance = metadata.sequence - open_segment.last_sequence;
  metadata.before = open_segment.last_lpn;
  metadata.distance = static_cast<std::uint8_t>(distance <= kMaxDistance ? distance : 0);
}

void PageIo::note_program(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, FlashStatus status) {
  PageIoTables::Row& row = t_.rows[segment];
  ++programs_[row.mode == PageMode::full ? 1 : 0];
  if (row.buffer == PageIoTables::kNoBuffer) return;
  row.used = static_cast<std::uint16_t>(slot + 1);
  PageIoTables::OpenSegment& open_segment = t_.open[row.buffer];
  open_segment.last_lpn = kNoneBefore;
  if (status != FlashStatus::ok) return;
  open_segment.last_lpn = metadata.lpn;
  open_segment.last_sequence = metadata.sequence;
  // The summary repeats what the spare bytes say.
  std::memcpy(buffer(row.buffer).data() + sizeof(SummaryHead) + std::size_t{slot} * sizeof(OobTag), t_.spare.data(),
              sizeof(OobTag));
}

const std::byte* PageIo::spare_of(const PageMetadata& metadata) const {
  std::ranges::fill(t_.spare, std::byte{0xFF});
  const OobTag tag = encode(metadata, volume_);
  std::memcpy(t_.spare.data(), &tag, sizeof tag);
  return t_.spare.data();
}

PageResult PageIo::program(std::uint32_t segment, std::uint32_t slot, PageMetadata metadata, const std::byte* data) {
  complete_metadata(segment, slot, metadata);
  const FlashStatus status =
      io_.program_page(segment, offset_of(segment, slot), data, page_bytes(), spare_of(metadata));
  note_program(segment, slot, metadata, status);
  return {status, 0, false};
}

PageResult PageIo::seal(std::uint32_t segment, bool recorded) {
  PageIoTables::Row& row = t_.rows[segment];
  if (row.buffer == PageIoTables::kNoBuffer) return {FlashStatus::ok, 0, false};
  if (row.used < slots(row.mode) && !recorded) {
    drop(segment);
    return {FlashStatus::ok, 0, false};
  }
  const std::span<std::byte> page = buffer(row.buffer);
  const PageIoTables::OpenSegment& open = t_.open[row.buffer];
  const std::uint32_t records = slots(row.mode);
  SummaryHead head{};
  head.magic = kSummaryMagic;
  head.slots = static_cast<std::uint16_t>(records);
  head.used = row.used;
  head.opened_sequence = open.sequence;
  head.opened_stamp = open.stamp;
  head.records_check = crc32c(page.data() + sizeof head, records * sizeof(OobTag));
  head.check = crc32c(&head, offsetof(SummaryHead, check), volume_);
  std::memcpy(page.data(), &head, sizeof head);

  PageMetadata metadata;
  for (std::uint32_t slot = 0; slot < row.used; ++slot) {
    OobTag spare;
    std::memcpy(&spare, page.data() + sizeof head + slot * sizeof spare, sizeof spare);
    if (decode(spare, volume_, metadata)) break;  // erase count and region are those of any page
  }
  metadata.kind = PageKind::summary;
  metadata.lpn = segment;
  metadata.sequence = open.sequence & kMax40;
  metadata.stamp = open.stamp & kMax40;
  metadata.mode = row.mode;
  const std::uint32_t at = page_of(segment, row.mode, records);
  const FlashStatus status =
      io_.program_page(segment, at * page_bytes(), page.data(), page_bytes(), spare_of(metadata));
  ++programs_[row.mode == PageMode::full ? 1 : 0];
  drop(segment);
  return {status, 0, false};
}

void PageIo::drop(std::uint32_t segment) {
  PageIoTables::Row& row = t_.rows[segment];
  if (row.buffer != PageIoTables::kNoBuffer) t_.open[row.buffer].taken = false;
  row.buffer = PageIoTables::kNoBuffer;
}

void PageIo::refuse_vanished(std::uint32_t segment, std::uint32_t slot, std::span<const std::byte> data,
                             PageResult& result) {
  if (!result.ok() || !all_erased(data)) return;
  if (read_metadata(segment, page_of(segment, t_.rows[segment].mode, slot)).blank)
    result.status = FlashStatus::uncorrectable;
}

PageResult PageIo::read(std::uint32_t segment, std::uint32_t slot, std::span<std::byte> into, std::uint32_t offset) {
  count_read(segment);
  PageResult result = judge(segment, io_.read(segment, offset_of(segment, slot) + offset, into));
  refuse_vanished(segment, slot, into, result);
  return result;
}

PageIo::FoundPage PageIo::read_metadata(std::uint32_t segment, std::uint32_t page) {
  count_read(segment);
  const PageResult result = judge(segment, io_.read_page(segment, page * page_bytes(), nullptr, 0, t_.spare.data()));
  return found_page(result);
}

PageIo::FoundPage PageIo::found_page(const PageResult& result) const {
  FoundPage found;
  found.result = result;
  if (!result.ok()) return found;
  OobTag tag;
  std::memcpy(&tag, t_.spare.data(), sizeof tag);
  found.blank = blank(tag);
  found.intact = !found.blank && decode(tag, volume_, found.metadata);
  PageMetadata other;
  for (std::uint32_t volume = 1; volume_ == 0 && !found.blank && !found.intact && volume <= kVolumesTried; ++volume)
    found.other_volume = found.other_volume || decode(tag, volume, other);
  return found;
}

bool PageIo::read_summary(std::uint32_t segment, PageMode mode, FoundPage& found) {
  count_read(segment);
  const std::uint32_t page = page_of(segment, mode, slots(mode));
  const FlashStatus read =
      io_.read_page(segment, page * page_bytes(), t_.scratch.data(), page_bytes(), t_.spare.data());
  found = found_page(judge(segment, read));
  if (!found.intact || found.metadata.kind != PageKind::summary || found.metadata.mode != mode ||
      found.metadata.lpn != segment)
    return false;
  std::memcpy(&head_, t_.scratch.data(), sizeof head_);
  return head_.magic == kSummaryMagic && head_.slots == slots(mode) &&
         head_.check == crc32c(&head_, offsetof(SummaryHead, check), volume_) &&
         head_.records_check == crc32c(t_.scratch.data() + sizeof head_, head_.slots * sizeof(OobTag));
}

bool PageIo::summary_entry(std::uint32_t slot, PageMetadata& metadata) const {
  OobTag spare;
  std::memcpy(&spare, t_.scratch.data() + sizeof head_ + slot * sizeof spare, sizeof spare);
  return !blank(spare) && decode(spare, volume_, metadata) && metadata.kind == PageKind::data;
}

FlashStatus PageIo::erase(std::uint32_t segment) {
  const FlashStatus status = io_.erase(segment);
  if (status == FlashStatus::ok) erased(segment);
  return status;
}

void PageIo::erased(std::uint32_t segment) {
  drop(segment);
  forget_reads(segment);
}

void PageIo::count_read(std::uint32_t segment) {
  PageIoTables::Row& row = t_.rows[segment];
  ++row.reads;
  must_record_reads_ = must_record_reads_ || ++row.unrecorded >= unrecorded_reads(limits_.reads);
}

void PageIo::found_reads(std::uint32_t segment, std::uint32_t recorded) {
  const std::uint32_t missed = unrecorded_reads(limits_.reads);
  t_.rows[segment].reads = recorded + missed;
  t_.rows[segment].unrecorded = missed - unrecorded_reads_after_mount(limits_.reads);
}

void PageIo::recorded_reads() {
  for (PageIoTables::Row& row : t_.rows) row.unrecorded = 0;
  must_record_reads_ = false;
}

bool PageIo::is_marked_bad(std::uint32_t segment) {
  return io_.mark(FlashOpKind::check_bad, segment) == FlashStatus::bad_segment;
}

FlashStatus PageIo::mark_bad(std::uint32_t segment) {
  drop(segment);
  return io_.mark(FlashOpKind::mark_bad, segment);
}

}  // namespace ftlab::nand
