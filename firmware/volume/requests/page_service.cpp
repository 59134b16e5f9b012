#include "firmware/volume/requests/page_service.h"

#include <algorithm>

namespace ftlab::volume {
namespace {

constexpr std::byte kErased{0xFF};

}  // namespace

PageService::PageService(FlashPort& array, ProbePort& probe, const VolumeConfig& config)
    : array_(array),
      probe_(probe),
      page_bytes_(array.geometry().page_bytes),
      has_data_(array.geometry().buffers != 0),
      two_regions_(config.regions == VolumeConfig::Regions::slc_and_mlc),
      log_(array, probe, *this, with_own_pages(config, array.geometry())),
      bench_(array, probe, log_),
      failed_writes_(bench_),
      merges_(bench_, failed_writes_) {
  bench_.host_pages = config.logical_pages;
}

void PageService::layout(Arena& arena, std::uint32_t requests) {
  log_.layout(arena);
  const std::uint32_t buffers = array_.geometry().buffers;
  const std::uint32_t pages = buffers == 0 ? kPages : std::min(kPages, buffers);
  bench_.pages = arena.take<PageInFlight>(pages);
  bench_.free_pages.unused = arena.take<std::uint16_t>(pages);
  failed_writes_.layout(arena, pages);
  merges_.layout(arena, pages);
  requests_.layout(arena, requests);
  bench_.page_buffer = arena.take<std::byte>(page_bytes_);
  bench_.done = arena.take<FlashDone>(Workbench::kCollected);
}

void PageService::clear(bool fresh) {
  log_.clear();
  bench_.free_pages.fill();
  requests_.clear();
  failed_writes_.clear();
  merges_.clear();
  own_left_ = 0;
  own_failed_ = read_only_ = false;
  fresh_ = fresh;
}

std::uint16_t PageService::take_page() {
  while (bench_.free_pages.count == 0) make_progress();
  return bench_.free_pages.take();
}

void PageService::write_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::uint32_t bytes,
                             const WriteHint& hint, const std::byte* from) {
  const std::uint16_t tag = take_page();
  ++requests_[slot].pages;
  const bool whole = bytes == page_bytes_;
  bench_.pages[tag] = {
      lpn, kUnmapped, skip, bytes, 0, slot, hint.data_class, whole ? PageState::writing : PageState::merging};
  bench_.pages[tag].read_only = hint.read_only;
  if (!whole) return perform(merges_.write_part(tag, from));
  if (merges_.any() && merges_.wait_behind(tag, from)) return;
  if (has_data_ && from != nullptr) array_.write_buffer(tag, 0, {from, bytes});
  begin_write(tag);
}

bool PageService::write_own(std::uint16_t slot, std::uint32_t lpn, std::uint16_t& tag) {
  tag = take_page();
  ++requests_[slot].pages;
  bench_.pages[tag] = {lpn, kUnmapped, 0, page_bytes_, 0, slot, own_class(), PageState::writing};
  return place(tag);
}

void PageService::begin_write(std::uint16_t tag) {
  ++log_.stats().pages_written;
  ++requests_[bench_.pages[tag].request].written;
  probe_.count(Work::page_write, 1);
  (void)place(tag);
}

bool PageService::place(std::uint16_t tag) {
  if (begin_program(tag)) return true;
  page_ended(tag, FtlStatus::no_space);
  return false;
}

bool PageService::begin_program(std::uint16_t tag) {
  if (!place_again(tag)) return false;
  bench_.pages[tag].epoch = log_.begin_write();
  if (!failed_writes_.waiting()) return true;
  failed_writes_.overtaken(bench_.pages[tag].lpn);
  answer_overtaken();
  return true;
}

bool PageService::place_again(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  // What was refused may have left versions that count again and that cleaning does not know of.
  if (read_only()) return false;
  page.ppn = log_.write(page.lpn, page.data_class, tag, buffer_of(tag), page.read_only);
  page.before = log_.replaced();
  return page.ppn != kUnmapped;
}

void PageService::read_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::byte* into,
                            std::uint32_t bytes) {
  if (log_.ppn_of(lpn) == kUnmapped && !failed_writes_.waiting_of(lpn)) {
    if (into != nullptr) std::fill_n(into, bytes, kErased);
    return;
  }
  const std::uint16_t tag = take_page();
  bench_.pages[tag] = {lpn, kUnmapped, skip, bytes, 0, slot, 0, PageState::reading, into};
  ++requests_[slot].pages;
  if (merges_.any() && merges_.wait_behind(tag)) return;
  start_reading(tag);
}

void PageService::start_reading(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  page.ppn = log_.ppn_of(page.lpn);
  if (failed_writes_.waiting_of(page.lpn)) return merges_.read_again(tag);
  if (page.ppn == kUnmapped) {
    if (page.into != nullptr) std::fill_n(page.into, page.bytes, kErased);
    return page_ended(tag, FtlStatus::ok);
  }
  if (page.ppn == kLost) return page_ended(tag, FtlStatus::read_failed);
  const FlashMetadata wanted =
      requests_[page.request].in_parts ? FlashOp::bytes_wanted(page.skip, page.bytes) : FlashMetadata{};
  log_.queue({FlashOpKind::read, true, tag, page.ppn, FlashOp::kNoPage, buffer_of(tag), false, wanted});
}

void PageService::started(std::uint16_t slot) {
  requests_[slot].starting = false;
  complete_if_done(slot);
}

FtlStatus PageService::end_own(std::uint16_t slot) {
  while (requests_[slot].pages > 0) make_progress();
  return requests_.end(slot);
}

bool PageService::read_page_in(std::uint32_t lpn) {
  if (!has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = requests_.begin_own();
  read_page(slot, lpn, 0, bench_.page_buffer.data(), page_bytes_);
  return end_own(slot) == FtlStatus::ok;
}

std::uint32_t PageService::put_pages(std::span<const std::uint32_t> lpns, std::span<const std::byte> data) {
  const std::uint16_t slot = requests_.begin_own();
  std::uint32_t put = 0;
  for (std::size_t i = 0; i < lpns.size(); ++i) {
    const std::uint16_t tag = take_page();
    ++requests_[slot].pages;
    bench_.pages[tag] = {lpns[i], kUnmapped, 0, page_bytes_, 0, slot, own_class(), PageState::writing};
    if (has_data_) array_.write_buffer(tag, 0, data.subspan(i * page_bytes_, page_bytes_));
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

void PageService::trim_page(std::uint32_t lpn) {
  log_.trim(lpn);
  if (!failed_writes_.waiting()) return;
  failed_writes_.overtaken(lpn);
  answer_overtaken();
}

void PageService::go_on() {
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(probe_, Cause::host);
  while (is_due()) {
    if (failed_writes_.waiting())
      write_failed_again();
    else
      perform(merges_.go_on());
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
      return page_ended(step.tag, FtlStatus::read_failed);
  }
}

void PageService::write_failed_again() {
  while (failed_writes_.waiting()) {
    const std::uint16_t tag = failed_writes_.next();
    if (place_again(tag)) {
      failed_writes_.placed(tag);
      continue;
    }
    failed_writes_.not_placed(tag);
    page_ended(tag, FtlStatus::no_space);
    while (const auto overtaken = failed_writes_.take_overtaken()) page_ended(*overtaken, FtlStatus::no_space);
  }
  // Nothing may be under way that would be reported.
  answer_overtaken();
}

void PageService::take_next() {
  log_.submit_before_wait();
  do array_.wait(UINT64_MAX);
  while (!take_ended());
}

bool PageService::take_ended() {
  const std::size_t ended = array_.collect(bench_.done);
  for (const FlashDone& done : bench_.done.first(ended)) take(done);
  answer_overtaken();
  return ended > 0;
}

void PageService::take(const FlashDone& done) {
  if (done.tag == Log::kOwn) return own_ended(done);
  if (done.kind == FlashOpKind::copy) {
    log_.filled(done.target);
    // A source that cannot be read is lost, wherever it lies.
    const bool copied = done.status == FlashStatus::ok || done.status == FlashStatus::corrected ||
                        done.status == FlashStatus::uncorrectable;
    if (!copied) failed_writes_.copy_failed(done.page, done.target);
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
  if (done.kind == FlashOpKind::read) return page_read(done.tag, done);
  page_written(done.tag, done);
}

void PageService::own_ended(const FlashDone& done) {
  --own_left_;
  if (done.kind != FlashOpKind::program || done.status == FlashStatus::ok) return;
  own_failed_ = true;
  log_.erase_failed(done.page);
}

void PageService::page_read(std::uint16_t tag, const FlashDone& done) {
  log_.read_ended(done);
  const PageInFlight& page = bench_.pages[tag];
  const bool readable = done.status == FlashStatus::ok || done.status == FlashStatus::corrected;
  const bool right = !array_.geometry().keeps_metadata || lpn_of(done.metadata) == page.lpn;
  if (FailedWrites::is_given_up(page)) return merges_.read_again(tag);
  if (page.state == PageState::merging) return merges_.rest_read(tag, readable && right);
  if (readable && page.into != nullptr) {
    if (has_data_)
      array_.read_buffer(tag, page.skip, {page.into, page.bytes});
    else
      std::fill_n(page.into, page.bytes, kErased);
  }
  page_ended(tag, readable && right ? FtlStatus::ok : FtlStatus::read_failed);
}

void PageService::page_written(std::uint16_t tag, const FlashDone& done) {
  log_.programmed(done.page);
  if (done.status != FlashStatus::ok && done.status != FlashStatus::corrected) return failed_writes_.take(tag);
  log_.written(bench_.pages[tag].epoch);
  log_.count_written(done.page);
  page_ended(tag, FtlStatus::ok);
}

void PageService::page_ended(std::uint16_t tag, FtlStatus status) {
  if (bench_.pages[tag].state == PageState::shared)
    merges_.for_each_that_shares(tag, [&](std::uint16_t other) { one_ended(other, status); });
  one_ended(tag, status);
}

void PageService::one_ended(std::uint16_t tag, FtlStatus status) {
  const std::uint16_t slot = bench_.pages[tag].request;
  bench_.free_pages.put(tag);
  if (status == FtlStatus::no_space && (!fresh_ || log_.has_failures() || log_.stats().bad_segments > 0)) {
    status = FtlStatus::read_only;
    read_only_ = true;
  }
  ServedRequest& request = requests_[slot];
  if (status != FtlStatus::ok) request.status = status;
  --request.pages;
  complete_if_done(slot);
}

void PageService::complete_if_done(std::uint16_t slot) {
  const ServedRequest& request = requests_[slot];
  if (request.is_done() && !request.ours) host_->complete(request.tag, requests_.end(slot));
}

void PageService::wait_for_all() {
  log_.submit_queued();
  while (bench_.free_pages.count < bench_.free_pages.unused.size()) make_progress();
}

void PageService::await(std::uint32_t reports) {
  own_left_ += reports;
  while (own_left_ > 0) take_next();
}

}  // namespace ftlab::volume
