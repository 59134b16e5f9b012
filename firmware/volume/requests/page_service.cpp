#include "firmware/volume/requests/page_service.h"

#include <algorithm>

#include "firmware/base/erased.h"

namespace ftlab::volume {

PageService::PageService(FlashPort& array, ProbePort& probe, const VolumeConfig& config)
    : array_(array),
      probe_(probe),
      page_bytes_(array.geometry().page_bytes),
      has_data_(array.geometry().buffers != 0),
      two_regions_(config.regions == VolumeConfig::Regions::slc_and_mlc),
      log_(array, probe, with_own_pages(config, array.geometry())),
      in_flight_(array, probe, log_, config) {}

void PageService::layout(Arena& arena, std::uint32_t requests) {
  log_.layout(arena);
  cleaning_.layout(arena);
  writes_.layout(arena);
  in_flight_.layout(arena, requests);
}

void PageService::clear(bool fresh) {
  log_.clear();
  cleaning_.clear();
  writes_.clear();
  in_flight_.clear(fresh);
}

std::uint16_t PageService::take_page() {
  while (bench().free_pages.count == 0) make_progress();
  return bench().free_pages.take();
}

void PageService::write_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::uint32_t bytes,
                             const WriteHint& hint, const std::byte* from) {
  const std::uint16_t tag = take_page();
  begin_page(tag, slot);
  const bool whole = bytes == page_bytes_;
  bench().pages[tag] = {
      lpn, kUnmapped, skip, bytes, 0, slot, hint.data_class, whole ? PageState::writing : PageState::merging};
  bench().pages[tag].read_only = hint.read_only;
  if (!whole) return perform(merges().write_part(tag, from));
  if (merges().any() && merges().wait_behind(tag, from)) return;
  if (has_data_ && from != nullptr) array_.write_buffer(tag, 0, {from, bytes});
  begin_write(tag);
}

bool PageService::write_own(std::uint16_t slot, std::uint32_t lpn, std::uint16_t& tag) {
  tag = take_page();
  begin_page(tag, slot);
  bench().pages[tag] = {lpn, kUnmapped, 0, page_bytes_, 0, slot, own_class(), PageState::writing};
  if (!place(tag)) return false;
  if (buffer().on()) buffer().put_durable(tag);
  return true;
}

void PageService::begin_write(std::uint16_t tag) {
  ++log_.stats().pages_written;
  ++requests()[bench().pages[tag].request].written;
  probe_.count(Work::page_write, 1);
  if (place(tag)) in_flight_.queued(tag);
}

bool PageService::place(std::uint16_t tag) {
  if (begin_program(tag)) return true;
  in_flight_.page_ended(tag, FtlStatus::no_space);
  return false;
}

bool PageService::begin_program(std::uint16_t tag) {
  if (!place_again(tag)) return false;
  bench().pages[tag].epoch = log_.begin_write();
  if (!failed_writes().waiting()) return true;
  failed_writes().overtaken(bench().pages[tag].lpn);
  in_flight_.answer_overtaken();
  return true;
}

bool PageService::place_again(std::uint16_t tag) {
  PageInFlight& page = bench().pages[tag];
  // What was refused may have left versions that count again and that cleaning does not know of.
  if (read_only()) return false;
  page.ppn = writes_.write(page.lpn, page.data_class, tag, buffer_of(tag), page.read_only);
  page.before = writes_.replaced();
  return page.ppn != kUnmapped;
}

void PageService::read_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::byte* into,
                            std::uint32_t bytes) {
  if (log_.ppn_of(lpn) == kUnmapped && !failed_writes().waiting_of(lpn) && !buffer().has(lpn)) {
    if (into != nullptr && has_data_) std::fill_n(into, bytes, kErasedByte);
    return;
  }
  const std::uint16_t tag = take_page();
  bench().pages[tag] = {lpn, kUnmapped, skip, bytes, 0, slot, 0, PageState::reading, into};
  begin_page(tag, slot);
  if (merges().any() && merges().wait_behind(tag)) return;
  start_reading(tag);
}

void PageService::start_reading(std::uint16_t tag) {
  PageInFlight& page = bench().pages[tag];
  if (buffer().has(page.lpn)) return read_buffered(tag);
  page.ppn = log_.place_to_read(page.lpn);
  if (failed_writes().waiting_of(page.lpn)) return merges().read_again(tag);
  if (page.ppn == kUnmapped) {
    if (page.into != nullptr && has_data_) std::fill_n(page.into, page.bytes, kErasedByte);
    return in_flight_.page_ended(tag, FtlStatus::ok);
  }
  if (page.ppn == kLost) return in_flight_.page_ended(tag, FtlStatus::read_failed);
  const FlashMetadata wanted =
      requests()[page.request].in_parts ? FlashOp::bytes_wanted(page.skip, page.bytes) : FlashMetadata{};
  log_.queue({FlashOpKind::read, true, tag, page.ppn, FlashOp::kNoPage, buffer_of(tag), false, wanted});
}

void PageService::read_buffered(std::uint16_t tag) {
  const PageInFlight& page = bench().pages[tag];
  ++log_.stats().pages_read_buffered;
  if (page.into != nullptr && has_data_)
    array_.read_buffer(buffer().find(page.lpn), page.skip, {page.into, page.bytes});
  in_flight_.page_ended(tag, FtlStatus::ok);
}

void PageService::started(std::uint16_t slot) {
  requests()[slot].starting = false;
  in_flight_.complete_if_done(slot);
}

FtlStatus PageService::end_own(std::uint16_t slot) {
  while (requests()[slot].pages > 0) make_progress();
  return requests().end(slot);
}

bool PageService::read_page_in(std::uint32_t lpn) {
  if (!has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = requests().begin_own();
  read_page(slot, lpn, 0, bench().page_buffer.data(), page_bytes_);
  return end_own(slot) == FtlStatus::ok;
}

std::uint32_t PageService::put_pages(std::span<const std::uint32_t> lpns, std::span<const std::byte> data) {
  const std::uint16_t slot = requests().begin_own();
  std::uint32_t put = 0;
  for (std::size_t i = 0; i < lpns.size(); ++i) {
    const std::uint16_t tag = take_page();
    begin_page(tag, slot);
    bench().pages[tag] = {lpns[i], kUnmapped, 0, page_bytes_, 0, slot, own_class(), PageState::writing};
    if (has_data_) array_.write_buffer(tag, 0, data.subspan(i * page_bytes_, page_bytes_));
    probe_.count(Work::page_write, 1);
    if (begin_program(tag)) {
      ++put;
      continue;
    }
    // It stays where it is: what the host trims first may make room.
    bench().free_pages.put(tag);
    --requests()[slot].pages;
  }
  (void)end_own(slot);
  return put;
}

void PageService::trim_page(std::uint32_t lpn) {
  log_.trim(lpn);
  if (buffer().on()) buffer().forget(lpn);
  if (!failed_writes().waiting()) return;
  failed_writes().overtaken(lpn);
  in_flight_.answer_overtaken();
}

void PageService::go_on() {
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(probe_, Cause::host);
  while (in_flight_.is_due()) {
    if (failed_writes().waiting())
      write_failed_again();
    else
      perform(merges().go_on());
  }
  log_.submit_queued();
}

void PageService::perform(const Merges::Step& step) {
  switch (step.kind) {
    case Merges::Step::Kind::none:
      return;
    case Merges::Step::Kind::read:
      return start_reading(step.tag);
    case Merges::Step::Kind::write:
      return begin_write(step.tag);
    case Merges::Step::Kind::fail:
      return in_flight_.page_ended(step.tag, FtlStatus::read_failed);
  }
}

void PageService::write_failed_again() {
  while (failed_writes().waiting()) {
    const std::uint16_t tag = failed_writes().next();
    if (place_again(tag)) {
      failed_writes().placed(tag);
      continue;
    }
    failed_writes().not_placed(tag);
    in_flight_.page_ended(tag, FtlStatus::no_space);
    while (const auto overtaken = failed_writes().take_overtaken())
      in_flight_.page_ended(*overtaken, FtlStatus::no_space);
  }
  // Nothing may be under way that would be reported.
  in_flight_.answer_overtaken();
}

void PageService::wait_for_all() {
  log_.submit_queued();
  while (bench().free_pages.count + buffer().kept() < bench().free_pages.unused.size()) make_progress();
}

}  // namespace ftlab::volume
