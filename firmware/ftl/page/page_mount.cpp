// Format and mount of the page-mapped layer, and pages that it writes for itself.
#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

FtlStatus PageFtl::format(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  clear();
  mount_.format();
  mounted_ = true;
  return FtlStatus::ok;
}

FtlStatus PageFtl::mount(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  const CauseScope cause(probe_, Cause::mount);
  clear();
  if (!array_.geometry().keeps_metadata) return FtlStatus::not_formatted;
  mount_.run([this] { clear(); });
  mounted_ = true;
  move_found_pages();
  return FtlStatus::ok;
}

std::uint32_t PageFtl::bad_segments(ArrayPort& array) {
  const ArrayGeometry& geometry = array.geometry();
  std::uint32_t bad = 0;
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (geometry.is_unused(segment)) continue;
    const ArrayOp op{ArrayOpKind::check_bad, true, page::Log::kTag, segment * geometry.pages_per_segment};
    array.submit({&op, 1});
    ArrayDone done;
    while (array.collect({&done, 1}) == 0) array.wait(UINT64_MAX);
    bad += done.status == ArrayStatus::bad_segment ? 1 : 0;
  }
  return bad;
}

void PageFtl::move_found_pages() {
  const CauseScope cause(probe_, Cause::refresh);
  for (const std::uint32_t lpn : mount_.must_move()) {
    if (!read_page_in(lpn) || put_page(lpn, bench_.page_buffer) != FtlStatus::ok) continue;
    ++log_.stats().pages_copied;
  }
}

FtlStatus PageFtl::put_page(std::uint32_t lpn, std::span<const std::byte> from) {
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  write_page(slot, lpn, 0, from, false);
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
  return requests_[slot].status;
}

bool PageFtl::read_page_in(std::uint32_t lpn) {
  if (!page::has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  read_page(slot, lpn, 0, bench_.page_buffer.data(), page_bytes());
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
  return requests_[slot].status == FtlStatus::ok;
}

void PageFtl::checkpoint_if_due() {
  if (log_.stats().pages_written - checkpointed_at_ < config_.checkpoint_every || read_only_) return;
  checkpointed_at_ = log_.stats().pages_written;
  checkpoints_.write();
}

}  // namespace ftlab
