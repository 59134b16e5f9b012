// Slots, records and summaries over the port.
#include "firmware/volume/nand/nand_store.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/erased.h"

namespace ftlab::nand {

NandStore::NandStore(FlashIo& io, const FlashGeometry& geometry, RefreshLimits limits)
    : io_(io), geometry_(geometry), limits_(limits) {
  if (geometry.program_unit_bytes == 0) return;
  pages_ = std::min(geometry.segment_bytes / geometry.program_unit_bytes, kMaxPages);
  const bool pairs = geometry.paired_page.size() >= pages_;
  for (std::uint32_t page = 0; page < pages_; ++page)
    if (!pairs || geometry.paired_page[page] >= page) lsb_page_[lsb_count_++] = static_cast<std::uint8_t>(page);
}

const char* NandStore::check(const FlashGeometry& geometry) {
  if (geometry.spare_bytes < kSpareBytes) return "the part leaves too few spare bytes beside a page: 32 are needed";
  const std::uint32_t page = geometry.program_unit_bytes;
  if (page < 128 || page % 16 != 0 || geometry.segment_bytes % page != 0)
    return "pages must be multiples of 16 bytes, at least 128, and divide the segment";
  const std::uint32_t pages = geometry.segment_bytes / page;
  if (pages > kMaxPages) return "more than 256 pages in a segment";
  if (sizeof(SummaryHead) + std::size_t{pages - 1} * sizeof(SpareRecord) > page)
    return "the records of a segment do not fit into one page";
  if (!geometry.paired_page.empty() && (geometry.paired_page.size() < pages || geometry.paired_page[0] == 0))
    return "the table of paired pages does not fit the segment, or page 0 is not an LSB page";
  return nullptr;
}

void NandTables::layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t open_segments) {
  rows = arena.take<Row>(geometry.segments);
  open = arena.take<OpenSegment>(open_segments);
  summaries = arena.take<std::byte>(std::size_t{open_segments} * geometry.program_unit_bytes);
  scratch = arena.take<std::byte>(geometry.program_unit_bytes);
}

void NandStore::clear() {
  programs_[0] = programs_[1] = 0;
  std::fill(t_.rows.begin(), t_.rows.end(), NandTables::Row{});
  std::fill(t_.open.begin(), t_.open.end(), NandTables::OpenSegment{});
  volume_ = 0;
}

bool NandStore::is_msb(PageMode mode, std::uint32_t slot) const {
  return mode == PageMode::full && !geometry_.paired_page.empty() && geometry_.paired_page[slot] < slot;
}

bool NandStore::is_slc_segment(std::uint32_t segment) const {
  if (geometry_.slc_segments_per_unit == 0) return false;
  return segment % (geometry_.segments / geometry_.parallel_units) < geometry_.slc_segments_per_unit;
}

bool NandStore::open(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp) {
  return reopen(segment, mode, sequence, stamp, 0);
}

bool NandStore::reopen(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp,
                       std::uint32_t next_slot) {
  const auto place =
      std::find_if(t_.open.begin(), t_.open.end(), [](const NandTables::OpenSegment& o) { return !o.taken; });
  if (place == t_.open.end()) return false;
  *place = {.sequence = sequence, .stamp = stamp, .taken = true};
  NandTables::Row& row = t_.rows[segment];
  row.buffer = static_cast<std::uint8_t>(place - t_.open.begin());
  row.mode = mode;
  row.used = static_cast<std::uint16_t>(next_slot);
  std::ranges::fill(buffer(row.buffer), std::byte{0xFF});
  return true;
}

void NandStore::restore_record(std::uint32_t segment, std::uint32_t slot, const PageRecord& record) {
  const SpareRecord spare = encode(record, volume_);
  std::memcpy(buffer(t_.rows[segment].buffer).data() + sizeof(SummaryHead) + std::size_t{slot} * sizeof spare, &spare,
              sizeof spare);
}

NandResult NandStore::judge(std::uint32_t segment, FlashStatus status) {
  NandResult result{status, io_.corrected_bits(), false};
  result.needs_refresh = result.corrected_bits >= limits_.bits || t_.rows[segment].reads >= limits_.reads;
  return result;
}

NandResult NandStore::program(std::uint32_t segment, std::uint32_t slot, PageRecord record, const std::byte* data) {
  NandTables::Row& row = t_.rows[segment];
  record.mode = row.mode;
  const bool open = row.buffer != NandTables::kNoBuffer;
  record.before = kNoneBefore;
  if (open && slot == row.used && t_.open[row.buffer].last_lpn < kNoneBefore) {
    const NandTables::OpenSegment& open_segment = t_.open[row.buffer];
    const std::uint64_t distance = record.sequence - open_segment.last_sequence;
    record.before = open_segment.last_lpn;
    record.distance = static_cast<std::uint8_t>(distance <= kMaxDistance ? distance : 0);
  }
  const SpareRecord spare = encode(record, volume_);
  const std::uint32_t page = page_of(segment, row.mode, slot);
  const FlashStatus status = io_.program_page(segment, page * page_bytes(), data, page_bytes(), &spare);
  ++programs_[row.mode == PageMode::full ? 1 : 0];
  if (open) {
    row.used = static_cast<std::uint16_t>(slot + 1);
    t_.open[row.buffer].last_lpn = status == FlashStatus::ok ? record.lpn : kNoneBefore;
    t_.open[row.buffer].last_sequence = record.sequence;
    if (status == FlashStatus::ok) restore_record(segment, slot, record);
  }
  return {status, 0, false};
}

NandResult NandStore::seal(std::uint32_t segment, bool recorded) {
  NandTables::Row& row = t_.rows[segment];
  if (row.buffer == NandTables::kNoBuffer) return {FlashStatus::ok, 0, false};
  if (row.used < slots(row.mode) && !recorded) {
    drop(segment);
    return {FlashStatus::ok, 0, false};
  }
  const std::span<std::byte> page = buffer(row.buffer);
  const NandTables::OpenSegment& open = t_.open[row.buffer];
  const std::uint32_t records = slots(row.mode);
  SummaryHead head{};
  head.magic = kSummaryMagic;
  head.slots = static_cast<std::uint16_t>(records);
  head.used = row.used;
  head.opened_sequence = open.sequence;
  head.opened_stamp = open.stamp;
  head.records_check = crc32c(page.data() + sizeof head, records * sizeof(SpareRecord));
  head.check = crc32c(&head, offsetof(SummaryHead, check), volume_);
  std::memcpy(page.data(), &head, sizeof head);

  PageRecord record;
  for (std::uint32_t slot = 0; slot < row.used; ++slot) {
    SpareRecord spare;
    std::memcpy(&spare, page.data() + sizeof head + slot * sizeof spare, sizeof spare);
    if (decode(spare, volume_, record)) break;  // erase count and region are those of any page
  }
  record.kind = PageKind::summary;
  record.lpn = segment;
  record.sequence = open.sequence & kMax40;
  record.stamp = open.stamp & kMax40;
  record.mode = row.mode;
  const SpareRecord spare = encode(record, volume_);
  const std::uint32_t at = page_of(segment, row.mode, records);
  const FlashStatus status = io_.program_page(segment, at * page_bytes(), page.data(), page_bytes(), &spare);
  ++programs_[row.mode == PageMode::full ? 1 : 0];
  drop(segment);
  return {status, 0, false};
}

void NandStore::drop(std::uint32_t segment) {
  NandTables::Row& row = t_.rows[segment];
  if (row.buffer != NandTables::kNoBuffer) t_.open[row.buffer].taken = false;
  row.buffer = NandTables::kNoBuffer;
}

NandResult NandStore::read(std::uint32_t segment, std::uint32_t slot, std::byte* into, std::uint32_t offset,
                           std::uint32_t length) {
  NandTables::Row& row = t_.rows[segment];
  ++row.reads;
  const std::uint32_t page = page_of(segment, row.mode, slot);
  NandResult result = judge(segment, io_.read_page(segment, page * page_bytes() + offset, into, length, nullptr));
  // Data may be like that; a page that has vanished has no record either.
  if (result.ok() && all_erased({into, length}) && read_record(segment, page).blank)
    result.status = FlashStatus::uncorrectable;
  return result;
}

NandStore::FoundRecord NandStore::read_record(std::uint32_t segment, std::uint32_t page) {
  ++t_.rows[segment].reads;
  SpareRecord spare;
  FoundRecord found;
  found.result = judge(segment, io_.read_page(segment, page * page_bytes(), nullptr, 0, &spare));
  if (!found.result.ok()) return found;
  found.blank = blank(spare);
  found.intact = !found.blank && decode(spare, volume_, found.record);
  PageRecord other;
  for (std::uint32_t volume = 1; volume_ == 0 && !found.blank && !found.intact && volume <= kVolumesTried; ++volume)
    found.other_volume = found.other_volume || decode(spare, volume, other);
  return found;
}

bool NandStore::read_summary(std::uint32_t segment, PageMode mode, FoundRecord& found) {
  ++t_.rows[segment].reads;
  SpareRecord spare;
  const std::uint32_t page = page_of(segment, mode, slots(mode));
  found = {};
  found.result = judge(segment, io_.read_page(segment, page * page_bytes(), t_.scratch.data(), page_bytes(), &spare));
  if (!found.result.ok()) return false;
  found.blank = blank(spare);
  found.intact = !found.blank && decode(spare, volume_, found.record);
  if (!found.intact || found.record.kind != PageKind::summary || found.record.mode != mode ||
      found.record.lpn != segment)
    return false;
  std::memcpy(&head_, t_.scratch.data(), sizeof head_);
  return head_.magic == kSummaryMagic && head_.slots == slots(mode) &&
         head_.check == crc32c(&head_, offsetof(SummaryHead, check), volume_) &&
         head_.records_check == crc32c(t_.scratch.data() + sizeof head_, head_.slots * sizeof(SpareRecord));
}

bool NandStore::summary_record(std::uint32_t slot, PageRecord& record) const {
  SpareRecord spare;
  std::memcpy(&spare, t_.scratch.data() + sizeof head_ + slot * sizeof spare, sizeof spare);
  return !blank(spare) && decode(spare, volume_, record) && record.kind == PageKind::data;
}

FlashStatus NandStore::erase(std::uint32_t segment) {
  const FlashStatus status = io_.erase(segment);
  if (status == FlashStatus::ok) erased(segment);
  return status;
}

void NandStore::erased(std::uint32_t segment) {
  drop(segment);
  t_.rows[segment].reads = 0;
}

bool NandStore::is_marked_bad(std::uint32_t segment) {
  return io_.mark(FlashOpKind::check_bad, segment) == FlashStatus::bad_segment;
}

FlashStatus NandStore::mark_bad(std::uint32_t segment) {
  drop(segment);
  return io_.mark(FlashOpKind::mark_bad, segment);
}

}  // namespace ftlab::nand
