#include "firmware/ftl/page/page_ftl.h"

#include <algorithm>
#include <bit>

#include "firmware/volume/log/log_check.h"

namespace ftlab {

namespace {

bool changes(const HostRequest& request) {
  return request.kind == HostRequestKind::write || request.kind == HostRequestKind::trim;
}

/// Requests of our own at once, beside those of the host.
constexpr std::uint32_t kOwn = 1;

}  // namespace

std::size_t PageFtl::arena_bytes(FlashPort& array, const VolumeConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  PageFtl(array, probe, config, {}).layout(measure);
  return measure.used();
}

PageFtl::PageFtl(FlashPort& array, ProbePort& probe, const VolumeConfig& config, std::span<std::byte> arena)
    : array_(array),
      page_bytes_(array.geometry().page_bytes),
      page_shift_(std::has_single_bit(page_bytes_) ? static_cast<std::uint32_t>(std::countr_zero(page_bytes_)) : 0),
      config_(config),
      probe_(probe),
      pages_(array, probe, config),
      trims_(pages_.bench(), config_.logical_pages),
      checkpoints_(pages_),
      mount_(pages_, trims_, checkpoints_, config_),
      found_moves_(pages_) {
  config_error_ = volume::check(config, array.geometry());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  layout(memory);
  if (!memory.fits()) config_error_ = "the arena is smaller than arena_bytes()";
}

void PageFtl::layout(Arena& arena) {
  pages_.layout(arena, kMaxRequests + kOwn);
  found_moves_.layout(arena);
  trims_.layout(arena);
  if (config_.checkpoint_every > 0) checkpoints_.layout(arena);
  mount_.layout(arena);
}

void PageFtl::clear(bool fresh) {
  pages_.clear(fresh);
  trims_.clear();
  checkpoints_.clear();
  mounted_ = refreshing_ = false;
}

FtlStatus PageFtl::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  return run({HostRequestKind::read, 0, offset, into.size(), into.data(), nullptr, {}});
}

FtlStatus PageFtl::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  log().tick(now_ns);
  return run({HostRequestKind::write, 0, offset, from.size(), nullptr, from.data(), hint});
}

FtlStatus PageFtl::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  log().tick(now_ns);
  return run({HostRequestKind::trim, 0, offset, length, nullptr, nullptr, {}});
}

FtlStatus PageFtl::flush(std::uint64_t) { return run({HostRequestKind::flush, 0, 0, 0, nullptr, nullptr, {}}); }

FtlStatus PageFtl::write_out(std::uint64_t now_ns) {
  if (!is_durable_in_ram()) return flush(now_ns);
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  pages_.wait_for_all();
  return pages_.left_any() ? FtlStatus::read_only : FtlStatus::ok;
}

void PageFtl::submit(const HostRequest& request, HostPort& host) {
  pages_.in_flight().set_host(host);
  if (log().has_histories()) log().tick(host.now_ns());
  const FtlStatus admitted = admit(request.offset, request.length);
  if (admitted != FtlStatus::ok) return host.complete(request.tag, admitted);
  if (read_only() && changes(request)) return host.complete(request.tag, FtlStatus::read_only);
  // Nobody polls where every write is answered at once.
  if (buffers_writes()) idle_since_ns_ = kNotIdle;
  if (buffers_writes() && log().is_at_work()) (void)pages_.in_flight().take_ended();
  start(pages_.requests().begin(request.tag), request);
  if (buffers_writes()) log().submit_queued();
}

FtlStatus PageFtl::run(const HostRequest& request) {
  const FtlStatus admitted = admit(request.offset, request.length);
  if (admitted != FtlStatus::ok) return admitted;
  if (read_only() && changes(request)) return FtlStatus::read_only;
  const std::uint16_t slot = pages_.requests().begin_own();
  start(slot, request);
  const FtlStatus status = pages_.end_own(slot);
  refresh_if_urgent();
  return status;
}

FtlStatus PageFtl::put(std::uint32_t lpn, std::span<const std::byte> from, std::uint32_t data_class) {
  if (read_only()) return FtlStatus::read_only;
  catch_up();
  const std::uint16_t slot = pages_.requests().begin_own();
  const auto hint = WriteHint{.data_class = static_cast<std::uint8_t>(data_class)};
  pages_.write_page(slot, lpn, 0, page_bytes_, hint, from.data());
  checkpoint_if_due();
  const FtlStatus status = pages_.end_own(slot);
  refresh_if_urgent();
  return status;
}

FtlStatus PageFtl::get(std::uint32_t lpn, std::uint32_t skip, std::span<std::byte> into) {
  catch_up();
  const std::uint16_t slot = pages_.requests().begin_own();
  pages_.requests()[slot].in_parts = true;
  pages_.read_page(slot, lpn, skip, into.data(), static_cast<std::uint32_t>(into.size()));
  const FtlStatus status = pages_.end_own(slot);
  refresh_if_urgent();
  return status;
}

void PageFtl::start(std::uint16_t slot, const HostRequest& request) {
  catch_up();
  ++log().stats().requests;
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
      if (!is_durable_in_ram()) pages_.wait_for_all();
      record_reads();
      if (pages_.left_any()) pages_.requests()[slot].status = FtlStatus::read_only;
      break;
  }
  pages_.started(slot);
}

void PageFtl::start_read(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  log().stats().bytes_read += request.length;
  for (std::uint64_t at = 0; at < request.length;) {
    const std::uint32_t skip = skip_of(request.offset + at);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(page - skip, request.length - at));
    pages_.read_page(slot, static_cast<std::uint32_t>(page_of(request.offset + at)), skip, request.into + at, bytes);
    ++log().stats().pages_read;
    ++pages_.requests()[slot].read;
    probe_.count(Work::page_read, 1);
    at += bytes;
  }
}

void PageFtl::start_write(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  log().stats().bytes_written += request.length;
  for (std::uint64_t at = 0; at < request.length;) {
    const auto lpn = static_cast<std::uint32_t>(page_of(request.offset + at));
    const std::uint32_t skip = skip_of(request.offset + at);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(page - skip, request.length - at));
    const std::byte* const from = request.from == nullptr ? nullptr : request.from + at;
    log().set_rewrite_distance(lpn, request.hint.rewritten_in);
    pages_.write_page(slot, lpn, skip, bytes, request.hint, from);
    at += bytes;
  }
}

void PageFtl::poll(HostPort& host, std::uint64_t until_ns) {
  pages_.in_flight().set_host(host);
  refresh_if_urgent();
  // The log may have taken reports itself since the last call.
  if (pages_.in_flight().is_due()) pages_.go_on();
  pages_.in_flight().submit_for_host();
  if (in_flight() == 0) return;
  array_.wait(until_ns);
  pages_.in_flight().take_ended();
}

const char* PageFtl::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (!mounted_) return nullptr;
  const char* broken = volume::LogCheck(log()).tables();
  return broken != nullptr ? broken : cleaning().self_check();
}

}  // namespace ftlab
