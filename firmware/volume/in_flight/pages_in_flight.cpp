#include "firmware/volume/in_flight/pages_in_flight.h"

namespace ftlab::volume {

PagesInFlight::PagesInFlight(FlashPort& array, ProbePort& probe, Log& log, const VolumeConfig& config)
    : array_(array),
      has_data_(array.geometry().buffers != 0),
      log_(log),
      bench_(array, probe, log),
      failed_writes_(bench_),
      buffer_(config.write_buffer),
      merges_(bench_, failed_writes_, buffer_) {
  bench_.host_pages = config.logical_pages;
  bench_.pages_at_once = pages_in_flight(config, array.geometry());
}

void PagesInFlight::layout(Arena& arena, std::uint32_t requests) {
  const FlashGeometry& geometry = array_.geometry();
  const std::uint32_t pages = bench_.pages_at_once;
  bench_.pages = arena.take<PageInFlight>(pages);
  bench_.free_pages.unused = arena.take<std::uint16_t>(pages);
  failed_writes_.layout(arena, pages);
  buffer_.layout(arena, pages);
  merges_.layout(arena, pages);
  requests_.layout(arena, requests);
  bench_.page_buffer = arena.take<std::byte>(geometry.page_bytes);
  bench_.done = arena.take<FlashDone>(Workbench::kCollected);
}

void PagesInFlight::clear(bool fresh) {
  bench_.free_pages.fill();
  requests_.clear();
  failed_writes_.clear();
  buffer_.clear();
  merges_.clear();
  own_left_ = 0;
  own_failed_ = was_refused_ = false;
  fresh_ = fresh;
}

void PagesInFlight::take_next() {
  log_.submit_before_wait();
  do array_.wait(UINT64_MAX);
  while (!take_ended());
}

bool PagesInFlight::take_ended() {
  const std::size_t ended = array_.collect(bench_.done);
  for (const FlashDone& done : bench_.done.first(ended)) take(done);
  answer_overtaken();
  if (buffer_.on()) answer_buffered();
  return ended > 0;
}

void PagesInFlight::take(const FlashDone& done) {
  if (done.tag == Log::kOwn) return own_ended(done);
  if (done.kind == FlashOpKind::copy) {
    log_.filled(done.target);
    // A source that cannot be read is lost, wherever it lies.
    if (!is_ok(done.status) && done.status != FlashStatus::uncorrectable)
      failed_writes_.copy_failed(done.page, done.target);
  }
  if (done.kind == FlashOpKind::erase) {
    if (done.tag == Log::kErasedAhead) log_.erased_ahead(done.page);
    if (done.status != FlashStatus::ok) log_.erase_failed(done.page);
    return;
  }
  if (done.tag == Log::kLastCopy) return log_.copied(log_.segment_of(done.page));
  if (done.tag == Log::kSettled) return log_.settled(log_.segment_of(done.page));
  if (done.tag == Log::kTag) {
    // Padding.
    if (done.kind == FlashOpKind::program) log_.filled(done.page);
    return;
  }
  bench_.probe.page_reported(done.tag);
  if (done.kind == FlashOpKind::read) return page_read(done.tag, done);
  page_written(done.tag, done);
}

void PagesInFlight::own_ended(const FlashDone& done) {
  --own_left_;
  if (done.kind != FlashOpKind::program || done.status == FlashStatus::ok) return;
  own_failed_ = true;
  log_.erase_failed(done.page);
}

void PagesInFlight::page_read(std::uint16_t tag, const FlashDone& done) {
  log_.read_ended(done);
  const PageInFlight& page = bench_.pages[tag];
  const bool readable = is_ok(done.status);
  const bool right = !array_.geometry().keeps_metadata || lpn_of(done.metadata) == page.lpn;
  if (FailedWrites::is_given_up(page)) return merges_.read_again(tag);
  if (page.state == PageState::merging) return merges_.rest_read(tag, readable && right);
  if (readable && has_data_ && page.into != nullptr) array_.read_buffer(tag, page.skip, {page.into, page.bytes});
  page_ended(tag, readable && right ? FtlStatus::ok : FtlStatus::read_failed);
}

void PagesInFlight::page_written(std::uint16_t tag, const FlashDone& done) {
  log_.programmed(done.page);
  if (!is_ok(done.status)) return failed_writes_.take(tag);
  log_.written(bench_.pages[tag].epoch);
  log_.count_written(done.page);
  page_ended(tag, FtlStatus::ok);
}

void PagesInFlight::page_ended(std::uint16_t tag, FtlStatus status) {
  if (bench_.pages[tag].state == PageState::shared)
    merges_.for_each_that_shares(tag, [&](std::uint16_t other) { one_ended(other, status); });
  one_ended(tag, status);
}

void PagesInFlight::one_ended(std::uint16_t tag, FtlStatus status) {
  if (status == FtlStatus::no_space && (!fresh_ || log_.has_failures() || log_.stats().bad_segments > 0)) {
    status = FtlStatus::read_only;
    was_refused_ = true;
  }
  const bool answered = buffer_.on() && buffer_.was_answered(tag);
  // What the host was told is written lies nowhere else.
  if (answered && status != FtlStatus::ok) return buffer_.keep_for_ever();
  if (buffer_.on()) status == FtlStatus::ok ? buffer_.remove(tag) : buffer_.refuse(tag);
  bench_.free_pages.put(tag);
  if (!answered) page_answered(bench_.pages[tag].request, status);
}

void PagesInFlight::page_answered(std::uint16_t slot, FtlStatus status) {
  ServedRequest& request = requests_[slot];
  if (status != FtlStatus::ok) request.status = status;
  --request.pages;
  complete_if_done(slot);
}

void PagesInFlight::answer_buffered() {
  while (const auto tag = buffer_.take_answered()) answer(*tag);
}

void PagesInFlight::answer(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  // Their bytes are in its buffer.
  if (page.state == PageState::shared)
    merges_.for_each_that_shares(tag, [&](std::uint16_t other) { one_ended(other, FtlStatus::ok); });
  page.state = PageState::writing;
  // What its operation does from now on is no part of the request's time.
  bench_.probe.page_begins(tag, ProbePort::kNoRequest);
  page_answered(page.request, FtlStatus::ok);
}

void PagesInFlight::complete_if_done(std::uint16_t slot) {
  const ServedRequest& request = requests_[slot];
  if (request.is_done() && !request.ours) host_->complete(request.tag, requests_.end(slot));
}

void PagesInFlight::await(std::uint32_t reports) {
  own_left_ += reports;
  while (own_left_ > 0) take_next();
}

}  // namespace ftlab::volume
