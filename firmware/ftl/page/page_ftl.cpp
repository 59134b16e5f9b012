#include "firmware/ftl/page/page_ftl.h"

#include <algorithm>
#include <bit>

#include "firmware/volume/log/log_check.h"

namespace ftlab {

using volume::Log;

namespace {

bool changes(const HostRequest& request) {
  return request.kind == HostRequestKind::write || request.kind == HostRequestKind::trim;
}

constexpr std::byte kErased{0xFF};
/// Requests of our own at once, beside those of the host.
constexpr std::uint32_t kOwn = 1;

}  // namespace

std::size_t PageFtl::arena_bytes(ArrayPort& array, const VolumeConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  PageFtl(array, probe, config, {}).layout(measure);
  return measure.used();
}

PageFtl::PageFtl(ArrayPort& array, ProbePort& probe, const VolumeConfig& config, std::span<std::byte> arena)
    : array_(array),
      page_bytes_(array.geometry().page_bytes),
      page_shift_(std::has_single_bit(page_bytes_) ? static_cast<std::uint32_t>(std::countr_zero(page_bytes_)) : 0),
      config_(config),
      probe_(probe),
      log_(array, probe, *this, volume::with_own_pages(config, array.geometry())),
      bench_(array, probe, log_, *this),
      trims_(bench_, config_.logical_pages),
      checkpoints_(bench_),
      mount_(bench_, trims_, checkpoints_, config_),
      found_moves_(bench_),
      failed_writes_(bench_),
      merges_(bench_, failed_writes_) {
  config_error_ = volume::check(config, array.geometry());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  layout(memory);
  if (!memory.fits()) config_error_ = "the arena is smaller than arena_bytes()";
}

void PageFtl::layout(Arena& arena) {
  bench_.host_pages = config_.logical_pages;
  log_.layout(arena);
  const std::uint32_t buffers = array_.geometry().buffers;
  const std::uint32_t pages = buffers == 0 ? kPages : std::min(kPages, buffers);
  bench_.pages = arena.take<volume::PageInFlight>(pages);
  bench_.free_pages.unused = arena.take<std::uint16_t>(pages);
  failed_writes_.layout(arena, pages);
  merges_.layout(arena, pages);
  requests_.layout(arena, kMaxRequests + kOwn);
  bench_.page_buffer = arena.take<std::byte>(array_.geometry().page_bytes);
  found_moves_.layout(arena);
  trims_.layout(arena);
  if (config_.checkpoint_every > 0) checkpoints_.layout(arena);
  mount_.layout(arena);
  bench_.done = arena.take<ArrayDone>(volume::Workbench::kCollected);
}

void PageFtl::clear() {
  log_.clear();
  bench_.free_pages.fill();
  requests_.clear();
  failed_writes_.clear();
  merges_.clear();
  trims_.clear();
  checkpoints_.clear();
  mounted_ = read_only_ = refreshing_ = false;
}

FtlStatus PageFtl::admit(std::uint64_t offset, std::uint64_t length) const {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  if (!mounted_) return FtlStatus::not_formatted;
  return offset > capacity_bytes() || length > capacity_bytes() - offset ? FtlStatus::out_of_range : FtlStatus::ok;
}

FtlStatus PageFtl::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  return run({HostRequestKind::read, 0, offset, into.size(), into.data(), nullptr, {}});
}

FtlStatus PageFtl::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  log_.tick(now_ns);
  return run({HostRequestKind::write, 0, offset, from.size(), nullptr, from.data(), hint});
}

FtlStatus PageFtl::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  log_.tick(now_ns);
  return run({HostRequestKind::trim, 0, offset, length, nullptr, nullptr, {}});
}

FtlStatus PageFtl::flush(std::uint64_t) { return run({HostRequestKind::flush, 0, 0, 0, nullptr, nullptr, {}}); }

void PageFtl::submit(const HostRequest& request, HostPort& host) {
  host_ = &host;
  if (log_.has_histories()) log_.tick(host.now_ns());
  const FtlStatus admitted = admit(request.offset, request.length);
  if (admitted != FtlStatus::ok) return host.complete(request.tag, admitted);
  if (read_only_ && changes(request)) return host.complete(request.tag, FtlStatus::read_only);
  start(requests_.begin(request.tag), request);
}

FtlStatus PageFtl::run(const HostRequest& request) {
  const FtlStatus admitted = admit(request.offset, request.length);
  if (admitted != FtlStatus::ok) return admitted;
  if (read_only_ && changes(request)) return FtlStatus::read_only;
  const std::uint16_t slot = requests_.begin_own();
  start(slot, request);
  const FtlStatus status = end_own(slot);
  refresh_if_urgent();
  return status;
}

FtlStatus PageFtl::end_own(std::uint16_t slot) {
  while (requests_[slot].pages > 0) make_progress();
  return requests_.end(slot);
}

FtlStatus PageFtl::put(std::uint32_t lpn, std::span<const std::byte> from, std::uint32_t data_class) {
  if (read_only_) return FtlStatus::read_only;
  catch_up();
  const std::uint16_t slot = requests_.begin_own();
  const auto hint = WriteHint{.data_class = static_cast<std::uint8_t>(data_class)};
  write_page(slot, lpn, 0, page_bytes_, hint, from.data());
  checkpoint_if_due();
  const FtlStatus status = end_own(slot);
  refresh_if_urgent();
  return status;
}

FtlStatus PageFtl::get(std::uint32_t lpn, std::uint32_t skip, std::span<std::byte> into) {
  catch_up();
  const std::uint16_t slot = requests_.begin_own();
  requests_[slot].in_parts = true;
  read_page(slot, lpn, skip, into.data(), static_cast<std::uint32_t>(into.size()));
  const FtlStatus status = end_own(slot);
  refresh_if_urgent();
  return status;
}

void PageFtl::start(std::uint16_t slot, const HostRequest& request) {
  catch_up();
  ++log_.stats().requests;
  probe_.count(Work::request, 1);
  switch (request.kind) {
    case HostRequestKind::read:
      start_read(slot, request);
      break;
    case HostRequestKind::write:
      start_write(slot, request);
      checkpoint_if_due();
      break;
    case HostRequestKind::trim:
      trim_pages(slot, request);
      break;
    case HostRequestKind::flush:
      wait_for_all();
      record_reads();
      if (failed_writes_.left_any()) requests_[slot].status = FtlStatus::read_only;
      break;
  }
  requests_[slot].starting = false;
  complete_if_done(slot);
}

void PageFtl::start_read(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  log_.stats().bytes_read += request.length;
  for (std::uint64_t at = 0; at < request.length;) {
    const std::uint32_t skip = skip_of(request.offset + at);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(page - skip, request.length - at));
    read_page(slot, static_cast<std::uint32_t>(page_of(request.offset + at)), skip, request.into + at, bytes);
    ++log_.stats().pages_read;
    ++requests_[slot].read;
    probe_.count(Work::page_read, 1);
    at += bytes;
  }
}

void PageFtl::start_write(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  log_.stats().bytes_written += request.length;
  for (std::uint64_t at = 0; at < request.length;) {
    const auto lpn = static_cast<std::uint32_t>(page_of(request.offset + at));
    const std::uint32_t skip = skip_of(request.offset + at);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(page - skip, request.length - at));
    const std::byte* const from = request.from == nullptr ? nullptr : request.from + at;
    log_.foretell(lpn, request.hint.rewritten_in);
    write_page(slot, lpn, skip, bytes, request.hint, from);
    at += bytes;
  }
}

std::uint16_t PageFtl::take_page() {
  while (bench_.free_pages.count == 0) {
    make_progress();
  }
  return bench_.free_pages.take();
}

void PageFtl::write_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::uint32_t bytes,
                         const WriteHint& hint, const std::byte* from) {
  const std::uint16_t tag = take_page();
  ++requests_[slot].pages;
  const bool whole = bytes == page_bytes_;
  bench_.pages[tag] = {
      lpn, volume::kUnmapped, skip, bytes, 0, slot, hint.data_class, whole ? PageState::writing : PageState::merging};
  bench_.pages[tag].read_only = hint.read_only;
  if (!whole) return merges_.write_part(tag, from);
  if (merges_.any() && merges_.wait_behind(tag, from)) return;
  if (array_.geometry().buffers != 0 && from != nullptr) array_.write_buffer(tag, 0, {from, bytes});
  begin_write(tag);
}

void PageFtl::begin_write(std::uint16_t tag) {
  ++log_.stats().pages_written;
  ++requests_[bench_.pages[tag].request].written;
  probe_.count(Work::page_write, 1);
  (void)place(tag);
}

bool PageFtl::place(std::uint16_t tag) {
  if (begin_program(tag)) return true;
  page_ended(tag, FtlStatus::no_space);
  return false;
}

bool PageFtl::begin_program(std::uint16_t tag) {
  if (!place_again(tag)) return false;
  bench_.pages[tag].epoch = log_.begin_write();
  if (failed_writes_.waiting()) failed_writes_.overtaken(bench_.pages[tag].lpn);
  return true;
}

bool PageFtl::place_again(std::uint16_t tag) {
  volume::PageInFlight& page = bench_.pages[tag];
  // What was refused may have left versions that count again and that cleaning does not know of.
  if (read_only_) return false;
  const std::uint16_t buffer = array_.geometry().buffers != 0 ? tag : ArrayOp::kNoBuffer;
  page.ppn = log_.write(page.lpn, page.data_class, tag, buffer, page.read_only);
  page.before = log_.replaced();
  return page.ppn != volume::kUnmapped;
}

void PageFtl::read_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::byte* into,
                        std::uint32_t bytes) {
  if (log_.ppn_of(lpn) == volume::kUnmapped && !failed_writes_.waiting_of(lpn)) {
    if (into != nullptr) std::fill_n(into, bytes, kErased);
    return;
  }
  const std::uint16_t tag = take_page();
  bench_.pages[tag] = {lpn, volume::kUnmapped, skip, bytes, 0, slot, 0, PageState::reading, into};
  ++requests_[slot].pages;
  if (merges_.any() && merges_.wait_behind(tag)) return;
  start_reading(tag);
}

void PageFtl::start_reading(std::uint16_t tag) {
  volume::PageInFlight& page = bench_.pages[tag];
  page.ppn = log_.ppn_of(page.lpn);
  if (failed_writes_.waiting_of(page.lpn)) return merges_.read_again(tag);
  if (page.ppn == volume::kUnmapped) {
    if (page.into != nullptr) std::fill_n(page.into, page.bytes, kErased);
    return page_ended(tag, FtlStatus::ok);
  }
  if (page.ppn == volume::kLost) return page_ended(tag, FtlStatus::read_failed);
  const std::uint16_t buffer = array_.geometry().buffers != 0 ? tag : ArrayOp::kNoBuffer;
  const ArrayMetadata wanted =
      requests_[page.request].in_parts ? ArrayOp::bytes_wanted(page.skip, page.bytes) : ArrayMetadata{};
  log_.queue({ArrayOpKind::read, true, tag, page.ppn, ArrayOp::kNoPage, buffer, false, wanted});
}

void PageFtl::poll(HostPort& host, std::uint64_t until_ns) {
  host_ = &host;
  refresh_if_urgent();
  // The log may have taken reports itself since the last call.
  if (is_due()) go_on();
  log_.submit_before_wait();
  if (in_flight() == 0) return;
  array_.wait(until_ns);
  take_ended();
}

void PageFtl::make_progress() {
  if (is_due())
    go_on();
  else
    take_next();
}

void PageFtl::go_on() {
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(probe_, Cause::host);
  while (is_due()) {
    if (failed_writes_.waiting())
      failed_writes_.write_again();
    else
      merges_.go_on();
  }
  log_.submit_queued();
}

void PageFtl::take_next() {
  log_.submit_before_wait();
  do array_.wait(UINT64_MAX);
  while (!take_ended());
}

bool PageFtl::take_ended() {
  const std::size_t ended = array_.collect(bench_.done);
  for (const ArrayDone& done : bench_.done.first(ended)) take(done);
  failed_writes_.answer();
  return ended > 0;
}

void PageFtl::take(const ArrayDone& done) {
  if (done.tag == Log::kOwn) return checkpoints_.ended(done);
  if (done.kind == ArrayOpKind::copy) {
    log_.filled(done.target);
    // A source that cannot be read is lost, wherever it lies.
    const bool copied = done.status == ArrayStatus::ok || done.status == ArrayStatus::corrected ||
                        done.status == ArrayStatus::uncorrectable;
    if (!copied) failed_writes_.copy_failed(done.page, done.target);
  }
  if (done.kind == ArrayOpKind::erase) {
    if (done.tag == Log::kErasedAhead) log_.erased_ahead(done.page);
    if (done.status != ArrayStatus::ok) log_.erase_failed(done.page);
    return;
  }
  if (done.tag == Log::kLastCopy) return log_.copied(log_.segment_of(done.page));
  if (done.tag == Log::kSettled) return log_.settled(log_.segment_of(done.page));
  if (done.tag == Log::kTag) {
    // Padding.
    if (done.kind == ArrayOpKind::program) log_.filled(done.page);
    return;
  }
  if (done.kind == ArrayOpKind::read) return page_read(done.tag, done);
  page_written(done.tag, done);
}

void PageFtl::page_read(std::uint16_t tag, const ArrayDone& done) {
  log_.read_ended(done);
  const volume::PageInFlight& page = bench_.pages[tag];
  const bool readable = done.status == ArrayStatus::ok || done.status == ArrayStatus::corrected;
  const bool right = !array_.geometry().keeps_metadata || volume::lpn_of(done.metadata) == page.lpn;
  if (volume::FailedWrites::is_given_up(page)) return merges_.read_again(tag);
  if (page.state == PageState::merging) return merges_.rest_read(tag, readable && right);
  if (readable && page.into != nullptr) {
    if (array_.geometry().buffers != 0)
      array_.read_buffer(tag, page.skip, {page.into, page.bytes});
    else
      std::fill_n(page.into, page.bytes, kErased);
  }
  page_ended(tag, readable && right ? FtlStatus::ok : FtlStatus::read_failed);
}

void PageFtl::page_written(std::uint16_t tag, const ArrayDone& done) {
  log_.programmed(done.page);
  if (done.status != ArrayStatus::ok && done.status != ArrayStatus::corrected) return failed_writes_.take(tag);
  log_.written(bench_.pages[tag].epoch);
  log_.count_written(done.page);
  page_ended(tag, FtlStatus::ok);
}

void PageFtl::page_ended(std::uint16_t tag, FtlStatus status) {
  if (bench_.pages[tag].state == PageState::shared)
    merges_.for_each_that_shares(tag, [&](std::uint16_t other) { one_ended(other, status); });
  one_ended(tag, status);
}

void PageFtl::one_ended(std::uint16_t tag, FtlStatus status) {
  const std::uint16_t slot = bench_.pages[tag].request;
  bench_.free_pages.put(tag);
  if (status == FtlStatus::no_space && (!formatted_ || log_.has_failures() || log_.stats().bad_segments > 0)) {
    status = FtlStatus::read_only;
    read_only_ = true;
  }
  volume::ServedRequest& request = requests_[slot];
  if (status != FtlStatus::ok) request.status = status;
  --request.pages;
  complete_if_done(slot);
}

void PageFtl::complete_if_done(std::uint16_t slot) {
  const volume::ServedRequest& request = requests_[slot];
  if (request.is_done() && !request.ours) host_->complete(request.tag, requests_.end(slot));
}

void PageFtl::wait_for_all() {
  log_.submit_queued();
  while (bench_.free_pages.count < bench_.free_pages.unused.size()) {
    make_progress();
  }
}

const char* PageFtl::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  return mounted_ ? volume::LogCheck(log_).tables() : nullptr;
}

}  // namespace ftlab
