// Opening, appending, sealing.
#include "firmware/ftl/flexfs/log_writer.h"

namespace ftlab::flexfs {

FtlStatus LogWriter::open(Region region, std::uint32_t keep) {
  if (s_.checkpoints.due() || s_.store.must_record_reads()) {
    const FtlStatus kept = pool_.write_checkpoint();
    if (kept != FtlStatus::ok) return kept;
  }
  const auto segment = pool_.allocate(keep);
  if (!segment) return s_.segments.free_count() <= keep ? FtlStatus::no_space : FtlStatus::write_failed;
  // The summary keeps how many segments had been taken into use: the writing budget outlives a loss of power.
  if (!s_.store.open(*segment, mode_of(region), ++s_.sequence, s_.used_segments + 1)) {
    s_.segments.push_free(*segment);
    return FtlStatus::write_failed;
  }
  ++s_.used_segments;
  SegmentRow& row = s_.segments.row(*segment);
  s_.segments.set_state(*segment, SegmentState::open);
  row.stream = static_cast<StreamId>(region);
  row.mode = mode_of(region);
  row.opened_sequence = s_.sequence;
  row.opened_stamp = s_.used_segments;
  row.valid = row.used = 0;
  s_.log[index_of(region)] = *segment;
  s_.checkpoints.note_opening();
  return FtlStatus::ok;
}

Appended<FtlStatus> LogWriter::append_copy(Region region, const LogPage& page, const std::byte* data) {
  for (;;) {
    if (!s_.has_room(region)) {
      const FtlStatus opened = open(region, 0);
      const Region other = region == Region::slc ? Region::mlc : Region::slc;
      if (opened == FtlStatus::no_space && s_.has_room(other))
        region = other;
      else if (opened != FtlStatus::ok)
        return {opened};
    }
    if (const auto done = try_append(region, page, data)) return *done;
  }
}

std::optional<Appended<FtlStatus>> LogWriter::try_append(Region region, const LogPage& page, const std::byte* data) {
  const std::uint32_t segment = s_.log[index_of(region)];
  SegmentRow& row = s_.segments.row(segment);
  const std::uint32_t slot = row.used;
  nand::PageMetadata record;
  record.lpn = page.lpn;
  record.updates = nand::saturated(page.updates);
  record.sequence = ++s_.sequence;
  record.stamp = page.stamp;
  record.file = page.file;
  record.copied = page.copied;
  record.erase_count = row.erase_count;
  record.region = static_cast<std::uint8_t>(region);
  const FlashStatus status = s_.store.program(segment, slot, record, data).status;
  ++row.used;
  if (status == FlashStatus::ok) {
    const std::uint32_t ppn = s_.segments.ppn(segment, slot);
    s_.segments.lpn_at(ppn) = page.lpn;
    s_.segments.set_valid(segment, slot);
    s_.sequences[page.lpn] = record.sequence;
    if (row.used == s_.slots(region)) seal(segment);
    return Appended<FtlStatus>{FtlStatus::ok, ppn};
  }
  if (!is_media_failure(status)) return Appended<FtlStatus>{FtlStatus::write_failed};
  pool_.retire(segment);
  return std::nullopt;
}

void LogWriter::seal(std::uint32_t segment) {
  const CauseScope cause(s_.probe, Cause::metadata);
  if (is_media_failure(s_.store.seal(segment).status)) pool_.retire(segment);
  pool_.close(segment);
}

}  // namespace ftlab::flexfs
