// The host's requests: split into pages, buffered, placed.
#include <algorithm>
#include <array>
#include <cstring>

#include "firmware/ftl/flexfs/flexfs.h"
#include "firmware/volume/request_pages.h"

namespace ftlab {

using namespace flexfs;

void FlexFs::begin_request(std::uint64_t now_ns) {
  answered_ = host_;
  tick(now_ns);
  state_.idle.request_at(now_ns, state_.config.idle_beyond_wait ? state_.config.wait_ns : 0);
  ++host_.requests;
}

FtlStatus FlexFs::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, into.size());
  if (admitted != FtlStatus::ok) return admitted;
  begin_request(now_ns);
  state_.probe.count(Work::request, 1);
  RequestPages parts(offset, into.size(), page_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = read_part(part->lpn, part->at, into.subspan(part->done, part->length));
    if (status != FtlStatus::ok) return status;
    state_.probe.count(Work::page_read, 1);
    ++host_.pages_read;
    host_.bytes_read += part->length;
  }
  return FtlStatus::ok;
}

FtlStatus FlexFs::read_part(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into) {
  for (WriteBuffer& buffer : state_.buffers) {
    if (!buffer.holds(lpn)) continue;
    if (!buffer.covers(at, into.size())) {
      if (const FtlStatus filled = fill(buffer); filled != FtlStatus::ok) return filled;
    }
    std::memcpy(into.data(), buffer.data() + at, into.size());
    return FtlStatus::ok;
  }
  return state_.volume.get(lpn, at, into);
}

FtlStatus FlexFs::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, from.size());
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.volume.read_only()) return FtlStatus::read_only;
  begin_request(now_ns);
  state_.probe.count(Work::request, 1);
  RequestPages parts(offset, from.size(), page_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = write_part(part->lpn, part->at, from.subspan(part->done, part->length), hint);
    if (status != FtlStatus::ok) return status;
    host_.bytes_written += part->length;
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
      if (const FtlStatus filled = fill(buffer); filled != FtlStatus::ok) return filled;
    }
    buffer.put(at, part);
    ++s.flex.coalesced_writes;
    return buffer.whole() ? evict(region) : FtlStatus::ok;
  }

  if (s.allocator.window_full()) {
    s.allocator.close_window(s.idle.take());
    update_energy_share();
  }
  // Names with the top bit are ours.
  const std::uint32_t named = hint.stream & ~FlexFsState::kUnnamed;
  const std::uint32_t file = hint.stream != 0 ? named : s.unnamed_file(lpn);
  bool hot = false;
  if (s.config.locality_aware) {
    s.queues.touch(file, volume::has_place(s.volume.log().ppn_of(lpn)), ++s.written, s.config.forget_after_pages);
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

FtlStatus FlexFs::fill(WriteBuffer& buffer) {
  const FtlStatus status = state_.volume.get(buffer.lpn(), 0, state_.page);
  if (status != FtlStatus::ok) return status;
  buffer.fill(state_.page);
  ++state_.flex.filled_pages;
  return FtlStatus::ok;
}

FtlStatus FlexFs::evict(Region region) {
  WriteBuffer& buffer = state_.buffers[index_of(region)];
  if (buffer.empty()) return FtlStatus::ok;
  if (!buffer.complete() && fill(buffer) != FtlStatus::ok) {
    // The rest of the page is lost, and with it what the host wrote. Other pages need the buffer: the next flush
    // reports it.
    buffer.clear();
    state_.write_lost = true;
    ++state_.flex.lost_writes;
    return FtlStatus::ok;
  }
  const FtlStatus status = place(region, buffer.lpn(), buffer.file(), buffer.hot(), buffer.data());
  if (status == FtlStatus::ok) buffer.clear();
  answered_.pages_written += status == FtlStatus::ok ? 1 : 0;
  return status;
}

FtlStatus FlexFs::place(Region wish, std::uint32_t lpn, std::uint32_t file, bool hot, const std::byte* data) {
  FlexFsState& s = state_;
  Region region = wish;
  mover_.make_room(region);
  if (region != wish) {
    s.allocator.moved(wish, hot);
    ++s.flex.diverted_pages;
  }
  const FtlStatus put = s.volume.put(lpn, {data, page_bytes()}, s.stream_of(region));
  if (put != FtlStatus::ok) return put;
  s.files[lpn] = file;
  ++host_.pages_written;
  ++(region == Region::slc ? s.flex.pages_to_slc : s.flex.pages_to_mlc);
  if (hot && region == Region::slc) ++s.flex.hot_pages_to_slc;
  s.wear.add_incoming(page_bytes());  // a page in part costs a whole one
  return FtlStatus::ok;
}

FtlStatus FlexFs::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.volume.read_only()) return FtlStatus::read_only;
  begin_request(now_ns);
  const auto [first, end] = RequestPages::whole(offset, length, page_bytes());
  std::uint64_t had = 0;
  for (std::uint32_t lpn = first; lpn < end; ++lpn) had += holds(lpn) ? 1 : 0;
  const auto is_mapped = [this](const WriteBuffer& buffer) {
    return !buffer.empty() && state_.volume.log().ppn_of(buffer.lpn()) != volume::kUnmapped;
  };
  const std::array<bool, kRegions> before{is_mapped(state_.buffers[0]), is_mapped(state_.buffers[1])};
  const FtlStatus status = state_.volume.trim(offset, length, now_ns);
  for (std::size_t i = 0; i < kRegions; ++i) {
    WriteBuffer& buffer = state_.buffers[i];
    if (buffer.empty() || buffer.lpn() < first || buffer.lpn() >= end) continue;
    // A trim that was refused may have taken some of its pages.
    if (status == FtlStatus::ok || (before[i] && !is_mapped(buffer))) buffer.clear();
  }
  host_.pages_trimmed += status == FtlStatus::ok ? had : 0;
  return status;
}

bool FlexFs::holds(std::uint32_t lpn) const {
  const auto holds = [lpn](const WriteBuffer& buffer) { return buffer.holds(lpn); };
  return state_.volume.log().ppn_of(lpn) != volume::kUnmapped || std::ranges::any_of(state_.buffers, holds);
}

FtlStatus FlexFs::flush(std::uint64_t now_ns) {
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  begin_request(now_ns);
  FtlStatus result = FtlStatus::ok;
  const auto keep_first = [&result](FtlStatus status) {
    if (result == FtlStatus::ok) result = status;
  };
  if (!state_.volume.read_only()) {
    for (const Region region : {Region::slc, Region::mlc}) keep_first(evict(region));
  } else if (!state_.buffers[0].empty() || !state_.buffers[1].empty()) {
    result = FtlStatus::read_only;
  }
  keep_first(state_.volume.flush(now_ns));
  // Idle time does it sooner, where there is any.
  record_lifetime(2);
  if (result == FtlStatus::ok && state_.write_lost) {
    state_.write_lost = false;
    return FtlStatus::read_failed;
  }
  return result;
}

}  // namespace ftlab
