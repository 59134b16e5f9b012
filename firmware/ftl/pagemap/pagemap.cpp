#include "firmware/ftl/pagemap/pagemap.h"

#include <algorithm>
#include <array>

#include "firmware/volume/self_check.h"

namespace ftlab {

using namespace pagemap;

std::size_t PageMap::arena_bytes(const FlashGeometry& geometry, const PageMapConfig& config) {
  Arena measure(nullptr, 0);
  const VolumeConfig volume = volume_config(config, geometry);
  VolumeTables tables;
  tables.layout(measure, geometry, volume);
  CandidateIndex().layout(measure, geometry.segments, tables.cleaning_gains_below());
  Cleaner::measure(measure, tables.slots, 1);
  if (is_nand(geometry)) NandPageStore::measure(measure, geometry, volume);
  return measure.used();
}

PageMap::PageMap(FlashPort& flash, ProbePort& probe, const PageMapConfig& config, std::span<std::byte> arena)
    : volume_(flash, probe, volume_config(config, flash.geometry())),
      pool_(volume_),
      frontier_(volume_, pool_),
      cleaner_(volume_, frontier_, pool_, *this, {config.low_water, config.low_water, 1}),
      requests_(volume_),
      in_flight_(volume_, pool_, frontier_, requests_, *this),
      nor_(volume_, pool_, frontier_),
      nand_(volume_, pool_, frontier_),
      overlaps_(RequestsInFlight::possible(flash.geometry(), flash.capabilities()) &&
                flash.geometry().program_unit_bytes == config.page_bytes),
      host_streams_(host_streams(flash.geometry())) {
  volume_.store = is_nand(volume_.geometry) ? static_cast<PageStore*>(&nand_) : &nor_;
  config_error_ = check(config, flash.geometry(), flash.capabilities());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  volume_.layout(memory, volume_.geometry, volume_.config);
  candidates_.layout(memory, volume_.geometry.segments, volume_.cleaning_gains_below());
  cleaner_.layout(memory);
  if (is_nand(volume_.geometry)) nand_.layout(memory);
  if (!memory.fits()) {
    config_error_ = "the arena is smaller than arena_bytes()";
    return;
  }
  clear();
}

void PageMap::clear() {
  volume_.segments.watch(nullptr);
  volume_.clear();
  in_flight_.clear();
}

FtlStatus PageMap::began(FtlStatus status) {
  volume_.mounted = status == FtlStatus::ok;
  if (volume_.mounted) volume_.segments.join(candidates_, volume_.order);
  return status;
}

FtlStatus PageMap::format(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  clear();
  return began(volume_.store->format());
}

FtlStatus PageMap::mount(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  clear();
  const FtlStatus status = began(volume_.store->mount());
  if (volume_.mounted && !volume_.read_only) {
    const CauseScope cause(volume_.probe, Cause::mount);
    cleaner_.restore_reserve();
  }
  return status;
}

FtlStatus PageMap::admit(std::uint64_t offset, std::uint64_t length) const {
  return config_error_ != nullptr ? FtlStatus::bad_config : requests_.admit(offset, length);
}

FtlStatus PageMap::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  const FtlStatus admitted = admit(offset, into.size());
  if (admitted != FtlStatus::ok) return admitted;
  in_flight_.wait_for_all();
  requests_.begin();
  return requests_.read(offset, into);
}

FtlStatus PageMap::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint, std::uint64_t) {
  const FtlStatus admitted = admit(offset, from.size());
  if (admitted != FtlStatus::ok) return admitted;
  if (volume_.read_only) return FtlStatus::read_only;
  in_flight_.wait_for_all();
  requests_.begin();
  return requests_.write(offset, from, [this](std::uint32_t lpn, std::uint32_t count, const std::byte* data) {
    return write_pages(lpn, count, data);
  });
}

FtlStatus PageMap::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  if (volume_.read_only) return FtlStatus::read_only;
  in_flight_.wait_for_all();
  requests_.begin();
  return requests_.trim(offset, length,
                        [this](std::uint32_t lpn, const std::byte* data) { return write_pages(lpn, 1, data); });
}

FtlStatus PageMap::flush(std::uint64_t) {
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  in_flight_.wait_for_all();
  return volume_.store->flush();
}

std::uint64_t PageMap::idle(std::uint64_t now_ns, std::uint64_t) {
  if (admit(0, 0) != FtlStatus::ok || volume_.read_only) return kNoIdleWork;
  in_flight_.wait_for_all();
  volume_.store->record_reads();
  return cleaner_.refresh_one() ? now_ns : kNoIdleWork;
}

StreamId PageMap::next_stream() {
  turn_ = (turn_ + 1) % host_streams_;
  return static_cast<StreamId>(kFirstHost + turn_);
}

bool PageMap::may_overlap(const HostRequest& request) const {
  if (!overlaps_) return false;
  if (request.kind == HostRequestKind::read) return true;
  const std::uint32_t page = volume_.config.page_bytes;
  return request.kind == HostRequestKind::write && request.offset % page == 0 && request.length % page == 0;
}

void PageMap::submit(const HostRequest& request, HostPort& host) {
  // A part of a page is read and put together first: that waits for everything.
  if (!may_overlap(request)) return Ftl::submit(request, host);
  FtlStatus admitted = admit(request.offset, request.length);
  if (admitted == FtlStatus::ok && request.kind == HostRequestKind::write && volume_.read_only)
    admitted = FtlStatus::read_only;
  if (admitted != FtlStatus::ok) return host.complete(request.tag, admitted);
  requests_.begin();
  in_flight_.submit(request, host);
}

PageMetadata PageMap::next_version(std::uint32_t lpn) {
  if (volume_.clock < nor::kNumberLimit - 1) ++volume_.clock;
  return {lpn, volume_.pages.next_updates(lpn), volume_.clock};
}

FtlStatus PageMap::write(const Placement& where, const std::byte* data) {
  return write(where.stream, {&where.page, 1}, data);
}

FtlStatus PageMap::write_pages(std::uint32_t lpn, std::uint32_t count, const std::byte* data) {
  std::array<PageMetadata, SlotGeometry::kMaxSlotsPerUnit> pages;
  for (std::uint32_t i = 0; i < count; ++i) pages[i] = next_version(lpn + i);
  return write(next_stream(), std::span<const PageMetadata>(pages).first(count), data);
}

FtlStatus PageMap::write(StreamId stream, std::span<const PageMetadata> pages, const std::byte* data) {
  const auto appended = cleaner_.append(stream, pages, data);
  for (std::uint32_t i = 0; appended.ok() && i < pages.size(); ++i) written(pages[i], appended.ppn + i);
  return appended.status;
}

void PageMap::written(const PageMetadata& page, std::uint32_t ppn) {
  Volume& v = volume_;
  // Durable: only now the old copy stops counting. Cleaning may have moved it meanwhile.
  const std::uint32_t old = v.pages.ppn(page.lpn);
  if (old != kUnmapped) v.segments.drop_valid(v.segments.segment_of(old), v.segments.slot_of(old));
  v.pages.map(Lpn{page.lpn}, Ppn{ppn}, page.updates, page.stamp);
  if (v.lost.drop(page.lpn)) pool_.release_damaged();
  if (old != kUnmapped) (void)v.store->invalidate(old);  // should this not reach the flash the newer sequence decides
}

std::optional<std::uint32_t> PageMap::pick_victim() {
  volume_.probe.count(Work::segment_compare, 1);
  const std::uint32_t victim = candidates_.fewest();
  return victim == kNone ? std::nullopt : std::optional(victim);
}

void PageMap::plan(std::span<PageMove> moves) {
  for (PageMove& move : moves) move.stream = kCopies;
}

const char* PageMap::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (!volume_.mounted) return nullptr;
  if (const char* reason = candidates_.self_check(volume_.segments)) return reason;
  return check_volume(volume_);
}

}  // namespace ftlab
