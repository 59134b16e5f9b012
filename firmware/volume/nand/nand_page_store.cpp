// Pages, and opening to erasing of segments, on NAND.
#include "firmware/volume/nand/nand_page_store.h"

#include "firmware/volume/nand/format.h"
#include "firmware/volume/nand/mount.h"

namespace ftlab {

FtlStatus NandPageStore::format() { return nand::Format(nand_, frontier_).run(); }

FtlStatus NandPageStore::mount() { return nand::Mount(nand_).run(); }

FlashStatus NandPageStore::read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset,
                                std::span<std::byte> into) {
  const nand::PageResult result = nand_.store.read(segment, slot, into, offset);
  if (result.needs_refresh) nand_.want_refresh(segment);
  return result.status;
}

nand::PageMetadata NandPageStore::next_metadata(std::uint32_t segment, const PageMetadata& page) {
  const SegmentRow& row = v_.segments.row(segment);
  nand::PageMetadata record;
  record.lpn = page.lpn;
  record.updates = nand::saturated(page.updates);
  record.stamp = nand_.to_stamp(page.stamp);
  record.sequence = ++v_.sequence;
  record.erase_count = row.erase_count;
  record.copied = page.copied;
  record.region = row.stream;
  return record;
}

FlashStatus NandPageStore::append(std::uint32_t segment, std::uint32_t slot, const PageMetadata& page,
                                  const std::byte* data) {
  const FlashStatus status = nand_.store.program(segment, slot, next_metadata(segment, page), data).status;
  // No summary for a segment that failed: its last page may be as bad.
  if (is_media_failure(status)) nand_.store.drop(segment);
  return status;
}

FlashStatus NandPageStore::trim(std::uint32_t ppn) {
  v_.segments.row(v_.segments.segment_of(ppn)).trimmed = true;
  nand_.checkpoints.note_change();
  return FlashStatus::ok;
}

FlashStatus NandPageStore::open(std::uint32_t segment, StreamId stream) {
  SegmentRow& row = v_.segments.row(segment);
  row.stream = stream;
  row.opened_stamp = v_.clock;
  row.opened_sequence = ++v_.sequence;
  const std::uint64_t stamp = nand_.to_stamp(row.opened_stamp);
  return nand_.store.open(segment, PageMode::full, row.opened_sequence, stamp) ? FlashStatus::ok : FlashStatus::timeout;
}

void NandPageStore::opened(std::uint32_t, bool) {
  nand_.checkpoints.note_opening();
  if (nand_.checkpoints.due() || nand_.store.must_record_reads()) (void)nand_.write_checkpoint();
}

void NandPageStore::close(std::uint32_t segment) {
  if (!nand_.store.is_open(segment)) return;
  if (v_.segments.row(segment).retired) {
    nand_.store.drop(segment);
    return;
  }
  const CauseScope cause(v_.probe, Cause::metadata);
  const bool recorded = nand_.store.used(segment) < v_.slots && nand_.write_checkpoint();
  // The page shares cells with the last LSB page: a failure may have spoiled it.
  if (is_media_failure(nand_.store.seal(segment, recorded).status)) pool_.retire(segment);
}

FlashStatus NandPageStore::may_erase(std::uint32_t segment) {
  const SegmentRow& row = v_.segments.row(segment);
  // Power may have been lost after the bad-block marker and before a checkpoint that knows of it.
  if (row.needs_erase && nand_.store.is_marked_bad(segment)) return FlashStatus::erase_failed;
  // Power lost in the erase that comes before a bad-block marker leaves what looks like a segment still being filled.
  const bool unrecorded = row.trimmed || (row.retired && nand_.checkpoints.failure_unrecorded());
  return !unrecorded || nand_.write_checkpoint() ? FlashStatus::ok : FlashStatus::write_protected;
}

FlashStatus NandPageStore::erased(std::uint32_t segment) {
  nand_.store.erased(segment);
  SegmentRow& row = v_.segments.row(segment);
  row.needs_erase = row.refresh = row.trimmed = false;
  row.freed_sequence = ++v_.sequence;
  return FlashStatus::ok;
}

void NandPageStore::retired(std::uint32_t segment) {
  nand_.store.drop(segment);
  nand_.checkpoints.note_failure();
  nand_.want_refresh(segment);
}

void NandPageStore::marked_bad(std::uint32_t segment) {
  (void)nand_.store.mark_bad(segment);
  nand_.checkpoints.note_failure();
}

void NandPageStore::record_reads() {
  if (nand_.store.must_record_reads() && !nand_.checkpoints_lost) (void)nand_.write_checkpoint();
}

FtlStatus NandPageStore::flush() {
  // Also when read-only: what was trimmed before is kept by a checkpoint alone.
  if (!nand_.checkpoints.changed()) {
    record_reads();
    return FtlStatus::ok;
  }
  if (!nand_.checkpoints_lost && nand_.write_checkpoint()) return FtlStatus::ok;
  return nand_.checkpoints_lost ? FtlStatus::read_only : FtlStatus::write_failed;
}

}  // namespace ftlab
