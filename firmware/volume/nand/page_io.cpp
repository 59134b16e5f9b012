// Slots, page metadata and summaries over the port.
#include "firmware/volume/nand/page_io.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/erased.h"

namespace ftlab::nand {

PageIo::PageIo(FlashIo& io, const SlotGeometry& geometry, RefreshLimits limits)
    : io_(io), geometry_(geometry), limits_(limits) {
  if (geometry.program_unit_bytes == 0) return;
  pages_ = std::min(geometry.segment_bytes / geometry.program_unit_bytes, kMaxSlots);
  paired_ = !geometry.paired_page.empty() && pages_ <= kMaxPairedPages && geometry.paired_page.size() >= pages_;
  for (std::uint32_t page = 0; page < pages_; ++page) {
    if (paired_ && geometry.paired_page[page] < page) continue;
    if (paired_) lsb_page_[lsb_count_] = static_cast<std::uint8_t>(page);
    ++lsb_count_;
  }
  summary_pages_[0] = summary_pages(page_bytes(), lsb_count_);
  summary_pages_[1] = summary_pages(page_bytes(), pages_, geometry.slots_per_unit);
}

std::uint32_t PageIo::summary_pages(std::uint32_t page_bytes, std::uint32_t pages, std::uint32_t slots_per_unit) {
  for (std::uint32_t summary = 1; summary < pages; ++summary) {
    const std::size_t records = std::size_t{pages - summary} * slots_per_unit * sizeof(OobTag);
    if (sizeof(SummaryHead) + records <= std::size_t{summary} * page_bytes) return summary;
  }
  return 1;
}

std::uint32_t PageIo::slots_of(const SlotGeometry& geometry) {
  if (geometry.program_unit_bytes == 0) return 0;
  const std::uint32_t pages = geometry.segment_bytes / geometry.program_unit_bytes;
  if (pages == 0) return 0;
  return (pages - summary_pages(geometry.program_unit_bytes, pages, geometry.slots_per_unit)) * geometry.slots_per_unit;
}

const char* PageIo::check(const SlotGeometry& geometry) {
  if (geometry.spare_bytes < kSpareBytes) return "the part leaves too few spare bytes beside a page: 32 are needed";
  if (geometry.slots_per_unit > SlotGeometry::kMaxSlotsPerUnit) return "at most 8 pages can share a page of the part";
  if (geometry.spare_bytes < kSpareBytes * geometry.slots_per_unit)
    return "the part leaves too few spare bytes for pages that share one of its pages: each needs 32";
  const std::uint32_t page = geometry.program_unit_bytes;
  if (page < 128 || page % 16 != 0 || geometry.segment_bytes % page != 0)
    return "pages must be multiples of 16 bytes, at least 128, and divide the segment";
  const std::uint32_t pages = geometry.segment_bytes / page;
  if (pages * geometry.slots_per_unit > kMaxSlots) return "more than 8192 pages of the volume in a segment";
  if (!geometry.paired_page.empty() && pages > kMaxPairedPages) return "more than 256 pages in a segment with pairs";
  if (!geometry.paired_page.empty() && (geometry.paired_page.size() < pages || geometry.paired_page[0] == 0))
    return "the table of paired pages does not fit the segment, or page 0 is not an LSB page";
  return nullptr;
}

void PageIoTables::layout(Arena& arena, const SlotGeometry& geometry, std::uint32_t open_segments) {
  rows = arena.take<Row>(geometry.segments);
  open = arena.take<OpenSegment>(open_segments);
  const std::uint32_t page = std::max<std::uint32_t>(geometry.program_unit_bytes, 1);
  const std::size_t summary =
      std::size_t{PageIo::summary_pages(page, geometry.segment_bytes / page, geometry.slots_per_unit)} * page;
  summaries = arena.take<std::byte>(open_segments * summary);
  scratch = arena.take<std::byte>(summary);
  spare = arena.take<std::byte>(geometry.spare_bytes);
  unit = arena.take<std::byte>(geometry.slots_per_unit > 1 ? page : 0);
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
  place->last_lpn.fill(kNoneBefore);
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
  const std::uint32_t in_page = slot % slots_per_page(row.mode);
  if (row.buffer == PageIoTables::kNoBuffer || slot - in_page != row.used) return;
  const PageIoTables::OpenSegment& open_segment = t_.open[row.buffer];
  if (open_segment.last_lpn[in_page] >= kNoneBefore) return;
  const std::uint64_t distance = metadata.sequence - open_segment.last_sequence[in_page];
  metadata.before = open_segment.last_lpn[in_page];
  metadata.distance = static_cast<std::uint8_t>(distance <= kMaxDistance ? distance : 0);
}

void PageIo::note_program(std::uint32_t segment, std::uint32_t slot, std::span<const PageMetadata> metadata,
                          std::span<const std::byte> spare, FlashStatus status) {
  PageIoTables::Row& row = t_.rows[segment];
  ++programs_[row.mode == PageMode::full ? 1 : 0];
  if (row.buffer == PageIoTables::kNoBuffer) return;
  row.used = static_cast<std::uint16_t>(slot + slots_per_page(row.mode));
  PageIoTables::OpenSegment& open_segment = t_.open[row.buffer];
  open_segment.last_lpn.fill(kNoneBefore);
  if (status != FlashStatus::ok) return;
  for (std::uint32_t i = 0; i < metadata.size(); ++i) {
    open_segment.last_lpn[i] = metadata[i].lpn;
    open_segment.last_sequence[i] = metadata[i].sequence;
  }
  // The summary repeats what the spare bytes say.
  std::memcpy(buffer(row.buffer).data() + sizeof(SummaryHead) + std::size_t{slot} * sizeof(OobTag), spare.data(),
              metadata.size() * sizeof(OobTag));
}

const std::byte* PageIo::spare_of(std::span<const PageMetadata> metadata, std::span<std::byte> into) const {
  std::ranges::fill(into, std::byte{0xFF});
  for (std::size_t i = 0; i < metadata.size(); ++i) {
    const OobTag tag = encode(metadata[i], volume_);
    std::memcpy(into.data() + i * sizeof tag, &tag, sizeof tag);
  }
  return into.data();
}

PageResult PageIo::program(std::uint32_t segment, std::uint32_t slot, PageMetadata metadata, const std::byte* data) {
  if (slots_per_page(t_.rows[segment].mode) > 1) return program(segment, slot, std::span(&metadata, 1), data);
  complete_metadata(segment, slot, metadata);
  return program_page(segment, slot, {&metadata, 1}, {&metadata, 1}, data);
}

PageResult PageIo::program(std::uint32_t segment, std::uint32_t slot, std::span<const PageMetadata> metadata,
                           const std::byte* data) {
  std::array<PageMetadata, SlotGeometry::kMaxSlotsPerUnit> complete;
  std::ranges::copy(metadata, complete.begin());
  const std::span<PageMetadata> pages = std::span(complete).first(metadata.size());
  for (std::uint32_t i = 0; i < pages.size(); ++i) complete_metadata(segment, slot + i, pages[i]);
  const std::uint32_t per_page = slots_per_page(t_.rows[segment].mode);
  std::span<const PageMetadata> tags = pages;
  if (pages.size() < per_page) {
    tags = std::span(complete).first(per_page);
    for (auto i = static_cast<std::uint32_t>(pages.size()); i < std::min<std::size_t>(per_page, complete.size()); ++i) {
      complete[i] = {.lpn = kNone, .sequence = pages.back().sequence, .erase_count = pages.back().erase_count};
      complete[i].region = pages.back().region;
      complete_metadata(segment, slot + i, complete[i]);
    }
    const std::size_t bytes = page_bytes() / per_page * pages.size();
    std::ranges::fill(t_.unit, std::byte{0xFF});
    std::memcpy(t_.unit.data(), data, bytes);
    data = t_.unit.data();
  }
  return program_page(segment, slot, pages, tags, data);
}

PageResult PageIo::program_page(std::uint32_t segment, std::uint32_t slot, std::span<const PageMetadata> metadata,
                                std::span<const PageMetadata> tags, const std::byte* data) {
  const FlashStatus status =
      io_.program_page(segment, offset_of(segment, slot), data, page_bytes(), spare_of(tags, t_.spare));
  note_program(segment, slot, metadata, t_.spare, status);
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
  const std::uint32_t all = row.mode == PageMode::full ? 1 : 0;
  FlashStatus status = FlashStatus::ok;
  for (std::uint32_t part = 0; part < summary_pages_[all] && status == FlashStatus::ok; ++part) {
    metadata.file = part == 0 ? metadata.file : part;
    const std::uint32_t at = nth_page(segment, row.mode, data_pages(row.mode) + part);
    status = io_.program_page(segment, at * page_bytes(), page.data() + std::size_t{part} * page_bytes(), page_bytes(),
                              spare_of({&metadata, 1}, t_.spare));
    ++programs_[all];
  }
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
  const PageMode mode = t_.rows[segment].mode;
  const FoundPage first = read_metadata(segment, page_of(segment, mode, slot));
  if (metadata_of(slot % slots_per_page(mode), first.result).blank) result.status = FlashStatus::uncorrectable;
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
  return metadata_of(0, result);
}

PageIo::FoundPage PageIo::metadata_of(std::uint32_t slot_in_page, const PageResult& result) const {
  FoundPage found;
  found.result = result;
  if (!result.ok()) return found;
  OobTag tag;
  std::memcpy(&tag, t_.spare.data() + slot_in_page * sizeof tag, sizeof tag);
  found.blank = blank(tag);
  found.intact = !found.blank && decode(tag, volume_, found.metadata);
  PageMetadata other;
  for (std::uint32_t volume = 1; volume_ == 0 && !found.blank && !found.intact && volume <= kVolumesTried; ++volume)
    found.other_volume = found.other_volume || decode(tag, volume, other);
  return found;
}

bool PageIo::read_summary(std::uint32_t segment, PageMode mode, FoundPage& found) {
  const std::uint32_t parts = summary_pages_[mode == PageMode::full ? 1 : 0];
  for (std::uint32_t part = 0; part < parts; ++part) {
    count_read(segment);
    const std::uint32_t page = nth_page(segment, mode, data_pages(mode) + part);
    std::byte* const into = t_.scratch.data() + std::size_t{part} * page_bytes();
    const FlashStatus read = io_.read_page(segment, page * page_bytes(), into, page_bytes(), t_.spare.data());
    found = metadata_of(0, judge(segment, read));
    if (!found.intact || found.metadata.kind != PageKind::summary || found.metadata.mode != mode ||
        found.metadata.lpn != segment || (part > 0 && found.metadata.file != part))
      return false;
  }
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
