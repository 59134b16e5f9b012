#include "firmware/volume/host_requests.h"

#include <algorithm>
#include <cstring>

namespace ftlab {

FtlStatus HostRequests::admit(std::uint64_t offset, std::uint64_t length) const {
  if (!v_.mounted) return FtlStatus::not_formatted;
  const std::uint64_t capacity = v_.capacity_bytes();
  return offset > capacity || length > capacity - offset ? FtlStatus::out_of_range : FtlStatus::ok;
}

void HostRequests::begin() {
  v_.probe.count(Work::request, 1);
  ++v_.stats.requests;
}

FtlStatus HostRequests::read(std::uint64_t offset, std::span<std::byte> into) {
  RequestPages parts(offset, into.size(), v_.config.page_bytes);
  while (const auto part = parts.next()) {
    const FtlStatus status = read_page(part->lpn, part->at, into.subspan(part->done, part->length));
    if (status != FtlStatus::ok) return status;
    count_read(part->length);
  }
  return FtlStatus::ok;
}

FtlStatus HostRequests::read_page(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into) {
  const std::uint32_t ppn = v_.pages.ppn(lpn);
  if (ppn == kUnmapped) {
    if (v_.lost.has(lpn)) return FtlStatus::read_failed;
    std::fill(into.begin(), into.end(), std::byte{0xFF});
    return FtlStatus::ok;
  }
  const FlashStatus status = v_.store->read(v_.segments.segment_of(ppn), v_.segments.slot_of(ppn), at, into);
  return status == FlashStatus::ok ? FtlStatus::ok : FtlStatus::read_failed;
}

FtlStatus HostRequests::merge(const RequestPages::Part& part, const std::byte* data) {
  const FtlStatus status = read_page(part.lpn, 0, v_.merge_buffer);
  if (status == FtlStatus::ok) std::memcpy(v_.merge_buffer.data() + part.at, data, part.length);
  return status;
}

std::optional<FtlStatus> HostRequests::trim_page(std::uint32_t lpn) {
  const std::uint32_t ppn = v_.pages.ppn(lpn);
  if (ppn == kUnmapped) {
    if (!v_.lost.has(lpn)) return FtlStatus::ok;
    if (is_media_failure(v_.store->trim_lost())) return std::nullopt;
    v_.lost.drop(lpn);
    return FtlStatus::ok;
  }
  const FlashStatus status = v_.store->trim(ppn);
  if (is_media_failure(status)) return std::nullopt;
  if (status != FlashStatus::ok) return to_ftl(status);
  v_.segments.drop_valid(v_.segments.segment_of(ppn), v_.segments.slot_of(ppn));
  v_.pages.unmap(lpn);
  ++v_.stats.pages_trimmed;
  return FtlStatus::ok;
}

const std::byte* HostRequests::erased_page() {
  std::ranges::fill(v_.merge_buffer, std::byte{0xFF});
  return v_.merge_buffer.data();
}

void HostRequests::count_read(std::uint32_t bytes) {
  v_.probe.count(Work::page_read, 1);
  ++v_.stats.pages_read;
  v_.stats.bytes_read += bytes;
}

void HostRequests::count_written(std::uint32_t bytes) {
  v_.probe.count(Work::page_write, 1);
  ++v_.stats.pages_written;
  v_.stats.bytes_written += bytes;
}

}  // namespace ftlab
