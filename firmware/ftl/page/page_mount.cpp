// Format, mount and trims of the page-mapped layer, and pages that it writes for itself.
#include <algorithm>
#include <cstdint>

#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

FtlStatus PageFtl::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  log().tick(now_ns);
  come_to_rest();
  clear(true);
  mount_.format([this] { clear(true); });
  mounted_ = true;
  return FtlStatus::ok;
}

FtlStatus PageFtl::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  log().tick(now_ns);
  come_to_rest();
  const CauseScope cause(probe_, Cause::mount);
  clear(false);
  if (!array_.geometry().keeps_metadata) return FtlStatus::not_formatted;
  mount_.run([this] { clear(false); });
  checkpoints_.begin(mount_.programmed_since_checkpoint());
  mounted_ = true;
  found_moves_.move(mount_.must_move());
  if (array_.geometry().dies > 1) found_moves_.make_room();
  return FtlStatus::ok;
}

void PageFtl::come_to_rest() {
  if (!mounted_) return;
  // The copies of a refresh may be under way, whose reports nobody has taken; what fails among them queues more.
  do checkpoints_.come_to_rest();
  while (!log().is_at_rest());
}

void PageFtl::trim_pages(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  const auto end = static_cast<std::uint32_t>((request.offset + request.length) / page);
  auto lpn = static_cast<std::uint32_t>((request.offset + page - 1) / page);
  if (lpn >= end) return;
  // What waits for the rest of its page would be written over the trim.
  while (pages_.merges_in(lpn, end)) pages_.make_progress();
  log().stats().pages_trimmed += end - lpn;
  pages_.requests()[slot].trimmed = end - lpn;
  if (trims_.records() == 0) {
    for (; lpn < end; ++lpn) pages_.trim_page(lpn);
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
    if (log().ppn_of(lpn) != volume::kUnmapped || pages_.waits_to_be_written(lpn)) trims_.set(lpn, true);
    changed = changed || trims_.is_set(lpn);
  }
  if (!changed) return;
  if (trims_.has_written_again(first)) pages_.wait_for_all();
  // What was queued before is booked under its own cause.
  log().submit_queued();
  const CauseScope cause(probe_, Cause::metadata);
  std::uint16_t tag = 0;
  if (!pages_.write_own(slot, trims_.record_of(first), tag)) return;
  // Its program is queued and not handed over: what cleaning has copied meanwhile is older. The pages go only now, as
  // their segments may be erased then, and versions older still must not come back.
  for (std::uint32_t lpn = first; lpn < end; ++lpn) pages_.trim_page(lpn);
  trims_.make_record(first);
  array_.write_buffer(tag, 0, pages_.bench().page_buffer);
  log().submit_queued();
}

std::uint64_t PageFtl::idle(std::uint64_t now_ns, std::uint64_t until_ns) {
  if (!mounted_ || read_only()) return kNoIdleWork;
  log().tick(now_ns);
  if (buffers_writes() && log().is_at_work()) (void)pages_.in_flight().take_ended();
  if (pages_.in_flight().is_due()) pages_.go_on();
  record_reads();
  const std::uint64_t written_out = write_out_in_idle_time(now_ns);
  if (refreshing_ && log().is_at_work()) {
    const CauseScope cause(probe_, Cause::refresh);
    pages_.in_flight().take_next();
    return now_ns;
  }
  refreshing_ = log().refreshes().wanted() && cleaning().refresh_one();
  if (pages_.in_flight().is_due()) pages_.go_on();
  if (refreshing_) return now_ns;
  if (log().erases_ahead()) (void)pages_.in_flight().take_ended();
  catch_up();
  const std::uint64_t erased = std::min(written_out, log().erases_ahead() ? now_ns + kEraseStepNs : kNoIdleWork);
  if (until_ns < now_ns || !cleaning().cleans_in_idle_time(until_ns - now_ns)) return erased;
  if (log().is_at_work()) {
    // No longer than the host stays away: its requests are served beside the copies.
    const CauseScope cause(probe_, Cause::clean);
    log().submit_before_wait();
    if (pages_.in_flight().take_ended()) return now_ns;
    // Not every part stops to wait when a request comes.
    if (log().erases_ahead()) return now_ns + kEraseStepNs;
    array_.wait(until_ns);
    return now_ns;
  }
  const bool cleaned = cleaning().clean_in_idle_time();
  catch_up();
  if (pages_.in_flight().is_due()) pages_.go_on();
  return cleaned ? now_ns : erased;
}

std::uint64_t PageFtl::write_out_in_idle_time(std::uint64_t now_ns) {
  const std::uint64_t pause = config_.write_buffer_idle_ns;
  if (!buffers_writes() || pause == 0 || !log().has_waiting()) return kNoIdleWork;
  if (idle_since_ns_ == kNotIdle) idle_since_ns_ = now_ns;
  if (now_ns - idle_since_ns_ < pause) return idle_since_ns_ + pause;
  log().submit_before_wait();
  // Beside copies nothing is filled.
  return log().has_waiting() ? now_ns + pause : kNoIdleWork;
}

bool PageFtl::refresh_one() {
  const bool refreshed = !read_only() && log().refreshes().wanted() && cleaning().refresh_one();
  finish_all(Cause::refresh);
  return refreshed;
}

void PageFtl::finish_all(Cause cause) {
  const CauseScope scope(probe_, cause);
  do {
    if (pages_.in_flight().is_due()) pages_.go_on();
    if (!read_only()) cleaning().catch_up(cause);
    log().submit_queued();
    while (log().is_at_work() || log().is_erasing()) pages_.in_flight().take_next();
  } while (pages_.in_flight().is_due() || (!read_only() && log().may_erase()));
}

void PageFtl::refresh_if_urgent() {
  if (!read_only() && log().refreshes().urgent()) (void)cleaning().refresh_one();
}

}  // namespace ftlab
