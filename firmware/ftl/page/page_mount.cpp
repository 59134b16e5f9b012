// Format, mount and trims of the page-mapped layer, and pages that it writes for itself.
#include <algorithm>
#include <cstdint>

#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

FtlStatus PageFtl::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  log_.tick(now_ns);
  come_to_rest();
  clear();
  mount_.format([this] { clear(); });
  mounted_ = formatted_ = true;
  return FtlStatus::ok;
}

FtlStatus PageFtl::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  log_.tick(now_ns);
  come_to_rest();
  const CauseScope cause(probe_, Cause::mount);
  clear();
  if (!array_.geometry().keeps_metadata) return FtlStatus::not_formatted;
  mount_.run([this] { clear(); });
  checkpoints_.begin(mount_.programmed_since_checkpoint());
  mounted_ = true;
  formatted_ = false;
  found_moves_.move(mount_.must_move());
  if (array_.geometry().dies > 1) found_moves_.make_room();
  return FtlStatus::ok;
}

void PageFtl::come_to_rest() {
  if (!mounted_) return;
  // The copies of a refresh may be under way, whose reports nobody has taken; what fails among them queues more.
  do checkpoints_.come_to_rest();
  while (!log_.is_at_rest());
}

std::uint32_t PageFtl::put_pages(std::span<const std::uint32_t> lpns, std::span<const std::byte> data) {
  const std::uint16_t slot = requests_.begin_own();
  std::uint32_t put = 0;
  for (std::size_t i = 0; i < lpns.size(); ++i) {
    const std::uint16_t tag = take_page();
    ++requests_[slot].pages;
    bench_.pages[tag] = {lpns[i], volume::kUnmapped, 0, page_bytes_, 0, slot, own_class(), PageState::writing};
    if (array_.geometry().buffers != 0) array_.write_buffer(tag, 0, data.subspan(i * page_bytes_, page_bytes_));
    probe_.count(Work::page_write, 1);
    if (begin_program(tag)) {
      ++put;
      continue;
    }
    // It stays where it is: what the host trims first may make room.
    bench_.free_pages.put(tag);
    --requests_[slot].pages;
  }
  (void)end_own(slot);
  return put;
}

bool PageFtl::read_page_in(std::uint32_t lpn) {
  if (!volume::has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = requests_.begin_own();
  read_page(slot, lpn, 0, bench_.page_buffer.data(), page_bytes());
  return end_own(slot) == FtlStatus::ok;
}

void PageFtl::trim_pages(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  const auto end = static_cast<std::uint32_t>((request.offset + request.length) / page);
  auto lpn = static_cast<std::uint32_t>((request.offset + page - 1) / page);
  if (lpn >= end) return;
  // What waits for the rest of its page would be written over the trim.
  while (merges_.any_in(lpn, end)) make_progress();
  log_.stats().pages_trimmed += end - lpn;
  requests_[slot].trimmed = end - lpn;
  if (trims_.records() == 0) {
    for (; lpn < end; ++lpn) trim_page(lpn);
    return;
  }
  while (lpn < end) {
    const std::uint32_t left = trims_.covered() - lpn % trims_.covered();
    const std::uint32_t until = end - lpn < left ? end : lpn + left;
    trim_recorded(slot, lpn, until);
    lpn = until;
  }
}

void PageFtl::trim_recorded(std::uint16_t slot, std::uint32_t first, std::uint32_t end) {
  bool changed = false;
  for (std::uint32_t lpn = first; lpn < end; ++lpn) {
    // What was never written has no version that could come back; a program that failed may have left one.
    if (log_.ppn_of(lpn) != volume::kUnmapped || failed_writes_.waiting_of(lpn)) trims_.set(lpn, true);
    changed = changed || trims_.is_set(lpn);
  }
  if (!changed) return;
  if (trims_.has_written_again(first)) wait_for_all();
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(probe_, Cause::metadata);
  const std::uint16_t tag = take_page();
  ++requests_[slot].pages;
  bench_.pages[tag] = {trims_.record_of(first), volume::kUnmapped, 0, page_bytes_, 0, slot, own_class(),
                       PageState::writing};
  if (!place(tag)) return;
  // Its program is queued and not handed over: what cleaning has copied meanwhile is older. The pages go only now, as
  // their segments may be erased then, and versions older still must not come back.
  for (std::uint32_t lpn = first; lpn < end; ++lpn) trim_page(lpn);
  trims_.make_record(first);
  array_.write_buffer(tag, 0, bench_.page_buffer);
  log_.submit_queued();
}

void PageFtl::trim_page(std::uint32_t lpn) {
  log_.trim(lpn);
  if (failed_writes_.waiting()) failed_writes_.overtaken(lpn);
}

std::uint64_t PageFtl::idle(std::uint64_t now_ns, std::uint64_t until_ns) {
  if (!mounted_ || read_only_) return kNoIdleWork;
  log_.tick(now_ns);
  if (is_due()) go_on();
  record_reads();
  if (refreshing_ && log_.is_at_work()) {
    const CauseScope cause(probe_, Cause::refresh);
    take_next();
    return now_ns;
  }
  refreshing_ = log_.refreshes().wanted() && log_.refresh_one();
  if (is_due()) go_on();
  if (refreshing_) return now_ns;
  if (log_.erases_ahead()) (void)take_ended();
  catch_up();
  const std::uint64_t erased = log_.erases_ahead() ? now_ns + kEraseStepNs : kNoIdleWork;
  if (until_ns < now_ns || !log_.cleans_in_idle_time(until_ns - now_ns)) return erased;
  if (log_.is_at_work()) {
    // No longer than the host stays away: its requests are served beside the copies.
    const CauseScope cause(probe_, Cause::clean);
    log_.submit_before_wait();
    if (take_ended()) return now_ns;
    // Not every part stops to wait when a request comes.
    if (log_.erases_ahead()) return now_ns + kEraseStepNs;
    array_.wait(until_ns);
    return now_ns;
  }
  const bool cleaned = log_.clean_in_idle_time();
  catch_up();
  if (is_due()) go_on();
  return cleaned ? now_ns : erased;
}

bool PageFtl::refresh_one() {
  const bool refreshed = !read_only_ && log_.refreshes().wanted() && log_.refresh_one();
  finish_all(Cause::refresh);
  return refreshed;
}

void PageFtl::finish_all(Cause cause) {
  const CauseScope scope(probe_, cause);
  do {
    if (is_due()) go_on();
    if (!read_only_) log_.catch_up(cause);
    log_.submit_queued();
    while (log_.is_at_work() || log_.is_erasing()) take_next();
  } while (is_due() || (!read_only_ && log_.may_erase()));
}

void PageFtl::refresh_if_urgent() {
  if (!read_only_ && log_.refreshes().urgent()) (void)log_.refresh_one();
}

}  // namespace ftlab
