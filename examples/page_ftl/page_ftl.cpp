// Requests and the map; where pages go and how room is made is in page_ftl_space.cpp.
#include "page_ftl.h"

#include <algorithm>
#include <cstring>

namespace example {

using ftlab::FlashOp;
using ftlab::FlashStatus;
using ftlab::FtlStatus;
using ftlab::SegmentState;
using ftlab::Work;

std::uint32_t PageFtl::usable_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config) {
  const std::uint32_t segments = geometry.usable_per_die() * geometry.dies;
  return segments > config.reserve ? (segments - config.reserve) * geometry.pages_per_segment : 0;
}

std::uint32_t PageFtl::max_logical_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config) {
  // Beside the reserve one segment is being filled, one may hold the newest page, and one more page must be
  // reclaimable.
  const std::uint32_t kept = 2 * geometry.pages_per_segment + 1;
  const std::uint32_t usable = usable_pages(geometry, config);
  return usable > kept ? usable - kept : 0;
}

std::size_t PageFtl::arena_words(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config) {
  return 2 * std::size_t{config.logical_pages} + std::size_t{geometry.segments} * geometry.pages_per_segment +
         geometry.segments * (sizeof(Segment) / 4) + geometry.page_bytes / 4;
}

PageFtl::PageFtl(ftlab::FlashPort& array, ftlab::ProbePort& probe, const PageFtlConfig& config,
                 std::span<std::uint32_t> arena)
    : array_(array), probe_(probe), config_(config), geometry_(array.geometry()) {
  const auto take = [&arena](std::size_t words) {
    const std::span<std::uint32_t> part = arena.first(words);
    arena = arena.subspan(words);
    return part;
  };
  l2p_ = take(config.logical_pages);
  numbers_ = take(config.logical_pages);
  p2l_ = take(std::size_t{geometry_.segments} * slots());
  table_ = {reinterpret_cast<Segment*>(take(geometry_.segments * (sizeof(Segment) / 4)).data()), geometry_.segments};
  merge_ = std::as_writable_bytes(take(geometry_.page_bytes / 4));
  forget_everything();
}

void PageFtl::forget_everything() {
  std::ranges::fill(l2p_, kNone);
  std::ranges::fill(p2l_, kNone);
  for (std::uint32_t s = 0; s < geometry_.segments; ++s)
    table_[s] = {geometry_.is_unused(s) ? SegmentState::fixed : SegmentState::sealed, 0, 0, 0, 0};
  frontier_ = newest_ = kNone;
  segments_opened_ = 0;
  free_ = next_free_ = programs_ = 0;
  stats_ = {};
}

std::uint64_t PageFtl::capacity_bytes() const { return std::uint64_t{config_.logical_pages} * geometry_.page_bytes; }

bool PageFtl::in_range(std::uint64_t offset, std::uint64_t length) const {
  return offset <= capacity_bytes() && length <= capacity_bytes() - offset;
}

FtlStatus PageFtl::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  probe_.count(Work::request, 1);
  if (!in_range(offset, into.size())) return FtlStatus::out_of_range;
  ++stats_.requests;
  stats_.bytes_read += into.size();
  while (!into.empty()) {
    const auto lpn = static_cast<std::uint32_t>(offset / geometry_.page_bytes);
    const auto from = static_cast<std::uint32_t>(offset % geometry_.page_bytes);
    const std::size_t length = std::min<std::size_t>(into.size(), geometry_.page_bytes - from);
    probe_.count(Work::page_read, 1);
    ++stats_.pages_read;
    if (!read_page(lpn, from, into.first(length))) return FtlStatus::read_failed;
    into = into.subspan(length);
    offset += length;
  }
  return FtlStatus::ok;
}

FtlStatus PageFtl::write(std::uint64_t offset, std::span<const std::byte> from, ftlab::WriteHint, std::uint64_t) {
  probe_.count(Work::request, 1);
  if (!in_range(offset, from.size())) return FtlStatus::out_of_range;
  ++stats_.requests;
  stats_.bytes_written += from.size();
  while (!from.empty()) {
    const auto lpn = static_cast<std::uint32_t>(offset / geometry_.page_bytes);
    const auto at = static_cast<std::uint32_t>(offset % geometry_.page_bytes);
    const std::size_t length = std::min<std::size_t>(from.size(), geometry_.page_bytes - at);
    std::span<const std::byte> data = from.first(length);
    if (length != geometry_.page_bytes) {
      if (!read_page(lpn, 0, merge_)) return FtlStatus::read_failed;
      std::memcpy(merge_.data() + at, from.data(), length);
      data = merge_;
    }
    probe_.count(Work::page_write, 1);
    ++stats_.pages_written;
    if (const FtlStatus status = write_page(lpn, data); status != FtlStatus::ok) return status;
    from = from.subspan(length);
    offset += length;
  }
  return FtlStatus::ok;
}

/// A page of ones takes the place of each that is trimmed, so that no mount finds what was there before.
FtlStatus PageFtl::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t) {
  probe_.count(Work::request, 1);
  if (!in_range(offset, length)) return FtlStatus::out_of_range;
  ++stats_.requests;
  const std::uint64_t page = geometry_.page_bytes;
  for (std::uint64_t lpn = (offset + page - 1) / page; (lpn + 1) * page <= offset + length; ++lpn) {
    if (l2p_[lpn] == kNone) continue;
    std::ranges::fill(merge_, std::byte{0xFF});
    if (const FtlStatus status = write_page(static_cast<std::uint32_t>(lpn), merge_); status != FtlStatus::ok)
      return status;
    ++stats_.pages_trimmed;
  }
  return FtlStatus::ok;
}

bool PageFtl::read_page(std::uint32_t lpn, std::uint32_t from, std::span<std::byte> into) {
  std::ranges::fill(into, std::byte{0xFF});
  if (l2p_[lpn] == kNone) return true;
  const auto length = static_cast<std::uint32_t>(into.size());
  const ftlab::FlashDone done = run_to_end(array_, {.kind = ftlab::FlashOpKind::read,
                                                    .page = l2p_[lpn],
                                                    .buffer = buffer(kHostBuffer),
                                                    .metadata = FlashOp::bytes_wanted(from, length)});
  if (done.status != FlashStatus::ok && done.status != FlashStatus::corrected) return false;
  if (geometry_.buffers > 0) array_.read_buffer(kHostBuffer, from, into);
  return true;
}

FtlStatus PageFtl::write_page(std::uint32_t lpn, std::span<const std::byte> data) {
  if (geometry_.buffers > 0) array_.write_buffer(kHostBuffer, 0, data);
  return place(lpn, kHostBuffer, false);
}

ftlab::SegmentInfo PageFtl::segment(ftlab::SegmentId id) const {
  const Segment& segment = table_[id.value()];
  return {segment.state, segment.erase_count, segment.valid, segment.used, 0};
}

const char* PageFtl::self_check() const {
  for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) {
    if (l2p_[lpn] != kNone && p2l_[l2p_[lpn]] != lpn) return "a logical page maps to one that holds another page";
  }
  std::uint32_t free = 0;
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    std::uint32_t valid = 0;
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
      const std::uint32_t lpn = p2l_[s * slots() + slot];
      if (lpn == kNone) continue;
      if (l2p_[lpn] != s * slots() + slot) return "a valid page is not where its logical page maps to";
      ++valid;
    }
    if (valid != table_[s].valid) return "a segment counts its valid pages wrongly";
    if (table_[s].used < valid) return "a segment has more valid pages than used ones";
    if (table_[s].state == SegmentState::free) ++free;
  }
  return free == free_ ? nullptr : "free segments are counted wrongly";
}

}  // namespace example
