#include "firmware/volume/requests_in_flight.h"

#include <algorithm>

#include "firmware/volume/request_pages.h"

namespace ftlab {
namespace {

/// Between two looks at the units while the host may send the next request.
constexpr std::uint64_t kLookNs = 10'000;

}  // namespace

void RequestsInFlight::clear() {
  pages_ = {};
  in_flight_ = {};
  failed_count_ = count_ = 0;
}

void RequestsInFlight::submit(const HostRequest& request, HostPort& host) {
  host_ = &host;
  const std::uint8_t id = take_request(request.tag);
  RequestPages parts(request.offset, request.length, v_.config.page_bytes);
  while (const auto part = parts.next()) {
    const FtlStatus status = request.kind == HostRequestKind::write
                                 ? write(part->lpn, request.from + part->done, id)
                                 : read(part->lpn, part->at, {request.into + part->done, part->length}, id);
    if (in_flight_[id].status == FtlStatus::ok) in_flight_[id].status = status;
    if (in_flight_[id].status != FtlStatus::ok) break;
  }
  in_flight_[id].more = false;
  complete_if_done(in_flight_[id]);
}

std::uint8_t RequestsInFlight::take_request(std::uint32_t tag) {
  const auto free = std::ranges::find(in_flight_, false, &Request::taken);
  *free = {.taken = true, .more = true, .tag = tag};
  ++count_;
  return static_cast<std::uint8_t>(free - in_flight_.begin());
}

void RequestsInFlight::page_ended(std::uint8_t request, FtlStatus status) {
  Request& r = in_flight_[request];
  --r.open_pages;
  if (r.status == FtlStatus::ok) r.status = status;
  complete_if_done(r);
}

void RequestsInFlight::complete_if_done(Request& request) {
  if (request.more || request.open_pages > 0) return;
  request.taken = false;
  --count_;
  host_->complete(request.tag, request.status);
}

void RequestsInFlight::start(std::uint32_t unit, const Page& page) {
  pages_[unit] = page;
  pages_[unit].busy = true;
  ++in_flight_[page.request].open_pages;
}

FtlStatus RequestsInFlight::read(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into, std::uint8_t request) {
  wait_for_page(lpn);
  const auto length = static_cast<std::uint32_t>(into.size());
  std::uint32_t ppn = v_.pages.ppn(lpn);
  // What waiting for a unit brings may move the page.
  while (ppn != kUnmapped && pages_[v_.geometry.unit_of(v_.segments.segment_of(ppn))].busy) {
    wait_for(v_.geometry.unit_of(v_.segments.segment_of(ppn)));
    ppn = v_.pages.ppn(lpn);
  }
  if (ppn != kUnmapped) {
    const std::uint32_t segment = v_.segments.segment_of(ppn);
    const std::uint32_t unit = v_.geometry.unit_of(segment);
    if (v_.store->start_read(unit, segment, v_.segments.slot_of(ppn), at, into)) {
      Page page;
      page.request = request;
      page.page.lpn = lpn;
      page.ppn = ppn;
      page.length = length;
      start(unit, page);
      return FtlStatus::ok;
    }
  }
  const FtlStatus status = requests_.read_page(lpn, at, into);
  if (status == FtlStatus::ok) requests_.count_read(length);
  return status;
}

FtlStatus RequestsInFlight::write(std::uint32_t lpn, const std::byte* data, std::uint8_t request) {
  wait_for_page(lpn);
  const Placement where = layer_.place(lpn);
  const std::uint32_t segment = v_.active[where.stream];
  if (segment != kNone) {
    const std::uint32_t unit = v_.geometry.unit_of(segment);
    wait_for(unit);
    Page page;
    page.is_write = true;
    page.request = request;
    page.stream = where.stream;
    page.page = where.page;
    page.data = data;
    page.length = v_.config.page_bytes;
    // What waiting for the unit brought may have filled the segment.
    if (v_.active[where.stream] == segment) {
      if (const auto ppn = frontier_.start_append(unit, segment, where.page, data)) {
        page.ppn = *ppn;
        start(unit, page);
        return FtlStatus::ok;
      }
    }
  }
  wait_for_all();
  const FtlStatus status = layer_.write(where, data);
  if (status == FtlStatus::ok) requests_.count_written(v_.config.page_bytes);
  return status;
}

void RequestsInFlight::wait_for(std::uint32_t unit) {
  if (!pages_[unit].busy) return;
  (void)finish(unit, true);
  rewrite_failed();
}

void RequestsInFlight::wait_for_all() {
  for (std::uint32_t unit = 0; unit < kMaxUnits; ++unit) wait_for(unit);
}

void RequestsInFlight::wait_for_page(std::uint32_t lpn) {
  for (std::uint32_t unit = 0; unit < kMaxUnits; ++unit)
    if (pages_[unit].busy && pages_[unit].page.lpn == lpn) wait_for(unit);
}

bool RequestsInFlight::finish(std::uint32_t unit, bool wait) {
  const Page page = pages_[unit];
  const std::uint32_t segment = v_.segments.segment_of(page.ppn);
  const auto status = [&] {
    return page.is_write ? v_.store->finish_append(unit, segment) : v_.store->finish_read(unit, segment);
  };
  auto ended = status();
  while (!ended && wait) ended = v_.io.collect_started(true) ? status() : FlashStatus::timeout;
  if (!ended) return false;
  pages_[unit].busy = false;
  if (page.is_write) {
    finish_write(page, *ended);
    return true;
  }
  if (*ended == FlashStatus::ok) requests_.count_read(page.length);
  page_ended(page.request, *ended == FlashStatus::ok ? FtlStatus::ok : FtlStatus::read_failed);
  return true;
}

void RequestsInFlight::finish_write(const Page& page, FlashStatus status) {
  if (is_media_failure(status)) {
    failed_[failed_count_++] = page;
    return;
  }
  if (status == FlashStatus::ok) {
    v_.segments.set_valid(v_.segments.segment_of(page.ppn), v_.segments.slot_of(page.ppn));
    layer_.written(page.page, page.ppn);
    requests_.count_written(page.length);
  }
  page_ended(page.request, to_ftl(status));
}

void RequestsInFlight::rewrite_failed() {
  if (failed_count_ == 0) return;
  // What a failure brings, checkpoints and cleaning, must not meet a page half way.
  for (std::uint32_t unit = 0; unit < kMaxUnits; ++unit)
    if (pages_[unit].busy) (void)finish(unit, true);
  for (std::uint32_t i = 0; i < failed_count_; ++i) pool_.retire(v_.segments.segment_of(failed_[i].ppn));
  for (std::uint32_t i = 0; i < failed_count_; ++i) {
    const FtlStatus status = layer_.write({failed_[i].stream, failed_[i].page}, failed_[i].data);
    if (status == FtlStatus::ok) requests_.count_written(failed_[i].length);
    page_ended(failed_[i].request, status);
  }
  failed_count_ = 0;
}

void RequestsInFlight::poll(HostPort& host, std::uint64_t until_ns) {
  host_ = &host;
  const auto busy = [this] { return std::ranges::any_of(pages_, &Page::busy); };
  const bool until_next_end = until_ns == UINT64_MAX;
  while (busy()) {
    const bool collected = v_.io.collect_started(until_next_end);
    bool any = false;
    for (std::uint32_t unit = 0; unit < kMaxUnits; ++unit)
      if (pages_[unit].busy) any = finish(unit, until_next_end && !collected) || any;
    rewrite_failed();
    if (any || host.now_ns() >= until_ns) return;
    if (!until_next_end) host.wait(std::min(until_ns, host.now_ns() + kLookNs));
  }
}

}  // namespace ftlab
