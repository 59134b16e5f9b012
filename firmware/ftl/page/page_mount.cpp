// Format, mount and trims of the page-mapped layer, and pages that it writes for itself.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "firmware/ftl/page/page_ftl.h"
#include "firmware/volume/log/log_found.h"

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
  found_since_ = mount_.programmed_since_checkpoint();
  mounted_ = true;
  formatted_ = false;
  move_found_pages();
  if (array_.geometry().dies > 1) make_room();
  return FtlStatus::ok;
}

void PageFtl::come_to_rest() {
  if (!mounted_) return;
  // The copies of a refresh may be under way, whose reports nobody has taken; what fails among them queues more.
  do checkpoints_.come_to_rest();
  while (!log_.is_at_rest());
}

void PageFtl::move_found_pages() {
  const CauseScope cause(probe_, Cause::refresh);
  std::span<std::uint32_t> left = volume::LogFound(log_).move(mount_.must_move());
  log_.submit_queued();
  while (log_.is_at_work()) take_next();
  // As many as fill a program unit, or each would be padded to one.
  while (!left.empty()) {
    const std::size_t together = std::min<std::size_t>(array_.geometry().pages_at_once, left.size());
    move_pages(left.first(together));
    left = left.subspan(together);
  }
  // A cleaning on the way may have taken some along.
  log_.submit_queued();
  while (log_.is_at_work()) take_next();
}

void PageFtl::make_room() {
  const CauseScope cause(probe_, Cause::clean);
  const ArrayGeometry& geometry = array_.geometry();
  std::array<std::uint32_t, 64> places{};
  const std::span<std::uint32_t> unit = std::span(places).first(geometry.pages_at_once);
  for (std::uint32_t die = 0; die < geometry.dies; ++die) {
    const std::uint32_t victim = volume::LogFound(log_).victim_without_room(die);
    if (victim == volume::kNoSegment) continue;
    for (std::uint32_t page = 0; page < geometry.pages_per_segment; page += geometry.pages_at_once) {
      std::iota(unit.begin(), unit.end(), victim * geometry.pages_per_segment + page);
      move_pages(unit);
    }
  }
}

void PageFtl::move_pages(std::span<std::uint32_t> places) {
  const auto data_of = [this](std::size_t i) { return moving_.subspan(i * page_bytes_, page_bytes_); };
  std::uint64_t readable = 0;  // of each a bit
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_newest = log_.is_mapped(places[i]);
    places[i] = log_.lpn_at(places[i]);
    if (!is_newest || !read_page_in(places[i])) continue;
    std::ranges::copy(bench_.page_buffer, data_of(i).begin());
    readable |= std::uint64_t{1} << i;
  }
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  for (std::size_t i = 0; i < places.size(); ++i)
    if ((readable >> i & 1) != 0 && put_page(slot, places[i], data_of(i))) ++log_.stats().pages_copied;
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
}

bool PageFtl::put_page(std::uint16_t slot, std::uint32_t lpn, std::span<const std::byte> from) {
  const std::uint16_t tag = take_page();
  ++requests_[slot].pages;
  bench_.pages[tag] = {lpn, volume::kUnmapped, 0, page_bytes_, 0, slot, 0, PageState::writing};
  if (array_.geometry().buffers != 0) array_.write_buffer(tag, 0, from);
  probe_.count(Work::page_write, 1);
  if (begin_program(tag)) return true;
  // It stays where it is: what the host trims first may make room.
  bench_.free_pages.put(tag);
  --requests_[slot].pages;
  return false;
}

bool PageFtl::read_page_in(std::uint32_t lpn) {
  if (!volume::has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  read_page(slot, lpn, 0, bench_.page_buffer.data(), page_bytes());
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
  return requests_[slot].status == FtlStatus::ok;
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
  bench_.pages[tag] = {trims_.record_of(first), volume::kUnmapped, 0, page_bytes_, 0, slot, 0, PageState::writing};
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
  if (log_.refreshes().must_record()) checkpoint_if_due();
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

void PageFtl::refresh_if_urgent() {
  if (!read_only_ && log_.refreshes().urgent()) (void)log_.refresh_one();
}

void PageFtl::checkpoint_if_due() {
  const std::uint64_t since = found_since_ + log_.stats().pages_written - checkpointed_at_;
  const bool due = since >= config_.checkpoint_every;
  if (config_.checkpoint_every == 0 || read_only_ || (!due && !log_.refreshes().must_record())) return;
  checkpointed_at_ = log_.stats().pages_written;
  found_since_ = 0;
  checkpoints_.write();
  log_.recorded_reads();
}

}  // namespace ftlab
