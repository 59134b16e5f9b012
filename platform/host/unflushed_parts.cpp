#include "platform/host/unflushed_parts.h"

#include <algorithm>

namespace ftlab::platform {

using workloads::RequestKind;

void UnflushedParts::add(std::uint64_t offset, std::uint64_t end) {
  for (std::uint64_t sector = offset / kSector; sector * kSector < end; ++sector) sectors_.insert(sector);
}

void UnflushedParts::remove(std::uint64_t offset, std::uint64_t end) {
  const auto from = sectors_.lower_bound((offset + kSector - 1) / kSector);
  const auto to = sectors_.lower_bound(std::max(end / kSector, (offset + kSector - 1) / kSector));
  sectors_.erase(from, to);
}

void UnflushedParts::answered(const workloads::Request& request) {
  if (request.kind == RequestKind::flush) return sectors_.clear();
  if (request.kind != RequestKind::write) return;
  const std::uint64_t end = request.offset + request.length;
  const std::uint64_t whole_from = (request.offset + page_bytes_ - 1) / page_bytes_ * page_bytes_;
  const std::uint64_t whole_to = end / page_bytes_ * page_bytes_;
  if (whole_from >= whole_to) return add(request.offset, end);
  remove(whole_from, whole_to);
  add(request.offset, whole_from);
  add(whole_to, end);
}

void UnflushedParts::replace(std::uint64_t offset, std::uint64_t length) { remove(offset, offset + length); }

void UnflushedParts::forget(Payload& payload) {
  for (const std::uint64_t sector : sectors_) payload.forget(sector * kSector, kSector);
  sectors_.clear();
}

}  // namespace ftlab::platform
