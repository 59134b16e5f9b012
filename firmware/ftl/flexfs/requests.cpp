// The host's requests: split into pages, buffered, placed.
#include <algorithm>
#include <cstring>

#include "firmware/ftl/flexfs/flexfs.h"
#include "firmware/volume/request_pages.h"

namespace ftlab {

using namespace flexfs;

FtlStatus FlexFs::admit(std::uint64_t offset, std::uint64_t length) const {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  if (!state_.mounted) return FtlStatus::not_formatted;
  if (offset > capacity_bytes() || length > capacity_bytes() - offset) return FtlStatus::out_of_range;
  return FtlStatus::ok;
}

void FlexFs::begin_request(std::uint64_t now_ns) {
  answered_ = state_.stats;
  tick(now_ns);
  state_.idle.request_at(now_ns, state_.config.idle_beyond_wait ? state_.config.wait_ns : 0);
  state_.probe.count(Work::request, 1);
  ++state_.stats.requests;
}

FtlStatus FlexFs::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, into.size());
  if (admitted != FtlStatus::ok) return admitted;
  begin_request(now_ns);
  RequestPages parts(offset, into.size(), page_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = read_part(part->lpn, part->at, into.subspan(part->done, part->length));
    if (status != FtlStatus::ok) return status;
    state_.probe.count(Work::page_read, 1);
    ++state_.stats.pages_read;
    state_.stats.bytes_read += part->length;
  }
  return FtlStatus::ok;
}

FtlStatus FlexFs::read_part(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into) {
  for (WriteBuffer& buffer : state_.buffers) {
    if (!buffer.holds(lpn)) continue;
    if (!buffer.covers(at, into.size())) {
      if (fill(buffer) != FlashStatus::ok) return FtlStatus::read_failed;
    }
    std::memcpy(into.data(), buffer.data() + at, into.size());
    return FtlStatus::ok;
  }
  return load(lpn, at, into) == FlashStatus::ok ? FtlStatus::ok : FtlStatus::read_failed;
}

FlashStatus FlexFs::load(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into) {
  FlexFsState& s = state_;
  const std::uint32_t ppn = s.pages.ppn(lpn);
  if (ppn == kUnmapped) {
    if (s.lost.has(lpn)) return FlashStatus::uncorrectable;
    std::fill(into.begin(), into.end(), std::byte{0xFF});
    return FlashStatus::ok;
  }
  const std::uint32_t segment = s.segments.segment_of(ppn);
  const nand::PageResult result = s.store.read(segment, s.segments.slot_of(ppn), into, at);
  if (result.needs_refresh) s.segments.row(segment).refresh = true;
  return result.status;
}

std::uint32_t FlexFs::file_of(std::uint32_t lpn, WriteHint hint) const {
  // Neighbouring pages of a host that names no stream are taken for one file; names with the top bit are ours.
  constexpr std::uint32_t kUnnamed = 0x80000000;
  return hint.stream != 0 ? hint.stream & ~kUnnamed : kUnnamed | lpn / state_.config.extent_pages;
}

FtlStatus FlexFs::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, from.size());
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.read_only) return FtlStatus::read_only;
  begin_request(now_ns);
  RequestPages parts(offset, from.size(), page_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = write_part(part->lpn, part->at, from.subspan(part->done, part->length), hint);
    if (status != FtlStatus::ok) return status;
    state_.stats.bytes_written += part->length;
  }
  return FtlStatus::ok;
}

FtlStatus FlexFs::write_part(std::uint32_t lpn, std::uint32_t at, std::span<const std::byte> part, WriteHint hint) {
  FlexFsState& s = state_;
  const auto length = static_cast<std::uint32_t>(part.size());
  for (const Region region : {Region::slc, Region::mlc}) {
    WriteBuffer& buffer = s.buffers[index_of(region)];
    if (!buffer.holds(lpn)) continue;
    if (!buffer.fits(at, length)) {
      const FlashStatus filled = fill(buffer);
      if (filled != FlashStatus::ok) return is_media_failure(filled) ? FtlStatus::read_failed : FtlStatus::write_failed;
    }
    buffer.put(at, part);
    ++s.flex.coalesced_writes;
    return buffer.whole() ? evict(region) : FtlStatus::ok;
  }

  if (s.allocator.window_full()) {
    s.allocator.close_window(s.idle.take());
    update_energy_share();
  }
  const std::uint32_t file = file_of(lpn, hint);
  bool hot = false;
  if (s.config.locality_aware) {
    s.queues.touch(file, s.pages.ppn(lpn) != kUnmapped, ++s.written, s.config.forget_after_pages);
    hot = s.queues.is_hot(file);
  }
  const Region region = s.allocator.place(hot, share_limit());
  if (length == page_bytes()) return place(region, lpn, file, hot, part.data());
  const FtlStatus evicted = evict(region);
  if (evicted != FtlStatus::ok) return evicted;
  WriteBuffer& buffer = s.buffers[index_of(region)];
  buffer.begin(lpn, file, hot);
  buffer.put(at, part);
  return FtlStatus::ok;
}

FlashStatus FlexFs::fill(WriteBuffer& buffer) {
  const FlashStatus status = load(buffer.lpn(), 0, state_.copy_buffer);
  if (status != FlashStatus::ok) return status;
  buffer.fill(state_.copy_buffer);
  ++state_.flex.filled_pages;
  return FlashStatus::ok;
}

FtlStatus FlexFs::evict(Region region) {
  WriteBuffer& buffer = state_.buffers[index_of(region)];
  if (buffer.empty()) return FtlStatus::ok;
  if (!buffer.complete()) {
    const FlashStatus filled = fill(buffer);
    if (is_media_failure(filled)) {
      // The rest of the page is lost, and with it what the host wrote. Other pages need the buffer: the next flush
      // reports it.
      buffer.clear();
      state_.write_lost = true;
      ++state_.flex.lost_writes;
      return FtlStatus::ok;
    }
    if (filled != FlashStatus::ok) return FtlStatus::write_failed;
  }
  const FtlStatus status = place(region, buffer.lpn(), buffer.file(), buffer.hot(), buffer.data());
  if (status == FtlStatus::ok) buffer.clear();
  answered_.pages_written += status == FtlStatus::ok ? 1 : 0;
  return status;
}

FtlStatus FlexFs::reported(FtlStatus status) const {
  const bool failed = std::ranges::any_of(state_.segments.rows(), [](const SegmentRow& row) { return row.retired; });
  return status == FtlStatus::no_space && failed ? FtlStatus::read_only : status;
}

FtlStatus FlexFs::place(Region wish, std::uint32_t lpn, std::uint32_t file, bool hot, const std::byte* data) {
  FlexFsState& s = state_;
  Region region = wish;
  const FtlStatus room = mover_.make_room(region);
  if (room != FtlStatus::ok) return reported(room);
  if (region != wish) {
    s.allocator.moved(wish, hot);
    ++s.flex.diverted_pages;
  }
  const LogPage page{lpn, s.pages.next_updates(lpn), s.stamp(), file};
  const auto appended = mover_.append(region, page, data);
  if (!appended.ok()) return reported(appended.status);
  // Durable: only now the old copy stops counting. Cleaning may have moved it meanwhile, so it is looked up here.
  const std::uint32_t old = s.pages.ppn(lpn);
  if (old != kUnmapped) s.segments.drop_valid(s.segments.segment_of(old), s.segments.slot_of(old));
  s.pages.map(Lpn{lpn}, Ppn{appended.ppn}, page.updates, page.stamp);
  s.lost.drop(lpn);
  s.files[lpn] = file;
  s.probe.count(Work::page_write, 1);
  ++s.stats.pages_written;
  ++(region == Region::slc ? s.flex.pages_to_slc : s.flex.pages_to_mlc);
  if (hot && region == Region::slc) ++s.flex.hot_pages_to_slc;
  s.wear.add_incoming(page_bytes());  // a page in part costs a whole one
  return FtlStatus::ok;
}

FtlStatus FlexFs::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.read_only) return FtlStatus::read_only;
  begin_request(now_ns);
  const auto [first, end] = RequestPages::whole(offset, length, page_bytes());
  for (std::uint32_t lpn = first; lpn < end; ++lpn) trim_page(lpn);
  return FtlStatus::ok;
}

void FlexFs::trim_page(std::uint32_t lpn) {
  FlexFsState& s = state_;
  bool had = false;
  for (WriteBuffer& buffer : s.buffers) {
    if (!buffer.holds(lpn)) continue;
    buffer.clear();
    had = true;
  }
  const std::uint32_t ppn = s.pages.ppn(lpn);
  if (ppn != kUnmapped) {
    const std::uint32_t segment = s.segments.segment_of(ppn);
    s.segments.drop_valid(segment, s.segments.slot_of(ppn));
    s.segments.row(segment).trimmed = true;
    s.pages.unmap(lpn);
    s.checkpoints.note_change();
    had = true;
  }
  if (s.lost.drop(lpn)) {
    s.checkpoints.note_change();
    had = true;
  }
  if (had) ++s.stats.pages_trimmed;
}

FtlStatus FlexFs::flush(std::uint64_t now_ns) {
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  begin_request(now_ns);
  FtlStatus result = FtlStatus::ok;
  // Asked first: the checkpoint that an eviction needs does not know what it evicts.
  const bool keep = state_.checkpoints.changed();
  const auto keep_first = [&result](FtlStatus status) {
    if (result == FtlStatus::ok) result = status;
  };
  if (!state_.read_only) {
    for (const Region region : {Region::slc, Region::mlc}) keep_first(evict(region));
  } else if (!state_.buffers[0].empty() || !state_.buffers[1].empty()) {
    result = FtlStatus::read_only;
  }
  if (keep || state_.checkpoints.changed())
    keep_first(state_.checkpoints_lost ? FtlStatus::read_only : pool_.write_checkpoint());
  else
    pool_.record_reads();
  if (result == FtlStatus::ok && state_.write_lost) {
    state_.write_lost = false;
    return FtlStatus::read_failed;
  }
  return result;
}

}  // namespace ftlab
