// The bare-metal image: the Flash Memory Server's policies on the page-mapped layer, on the Series 2+ driver, serving
// the host queue. Puts things together as the handover says; no behaviour of its own.
#include <algorithm>
#include <cstddef>
#include <span>

#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/ftl/serve.h"
#include "firmware/target/clock.h"
#include "firmware/target/handover.h"
#include "firmware/target/mark_probe.h"
#include "firmware/target/pointer_port.h"
#include "firmware/target/queue_host.h"
#include "firmware/target/queue_registers.h"
#include "firmware/target/report.h"

extern "C" {
[[gnu::section(".handover"),
  gnu::used]] alignas(ftlab::target::Handover) std::byte ftlab_handover[sizeof(ftlab::target::Handover)];
/// Enough for a 24 MB card in pages of 4 KiB; what needs more is refused.
[[gnu::section(".arena"), gnu::used]] alignas(std::max_align_t) std::byte ftlab_arena[896 * 1024];
}

namespace ftlab::target {
namespace {

constinit Report report;
constinit const PageFtl* inspected = nullptr;

std::uint32_t address_of(const void* at) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at)); }

void publish() { queue_register(hw::host_queue::reg::kReport) = address_of(&report); }

/// Serves nothing.
void refuse(FtlStatus status, const char* reason) {
  report.status = static_cast<std::uint32_t>(status);
  report.reason = address_of(reason);
  publish();
  for (;;) Clock::wait_for_interrupt();
}

Series2PlusDriverConfig driver_config(const Handover& handover) {
  Series2PlusDriverConfig config;
  config.program_method = static_cast<ProgramMethod>(handover.program_method);
  config.program_wait = static_cast<DriverWait>(handover.program_wait);
  config.erase_wait = static_cast<DriverWait>(handover.erase_wait);
  config.background_erase = handover.background_erase != 0;
  config.suspend_erase = handover.suspend_erase != 0;
  if (handover.program_poll_ns != 0) config.program_poll_ns = handover.program_poll_ns;
  if (handover.erase_poll_ns != 0) config.erase_poll_ns = handover.erase_poll_ns;
  if (handover.rated_erase_cycles != 0) config.rated_erase_cycles = handover.rated_erase_cycles;
  return config;
}

FmsConfig fms_config(const Handover& handover) {
  FmsConfig config;
  config.seed = handover.seed;
  if (handover.bytes == 0) return config;
  from_numbers(fms::kFmsFields, handover.fms, config);
  from_numbers(fms::kSharedFields, handover.shared, config.shared);
  config.params = handover.params;
  return config;
}

/// Sizes the volume. Null, or why there is none.
const char* set_size(const Handover& handover, FlashPort& flash, VolumeConfig& volume) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  const FlashGeometry& geometry = flash.geometry();
  report.bad_at_format = handover.bad_at_format >= 0 ? static_cast<std::uint32_t>(handover.bad_at_format)
                                                     : std::max(volume::bad_segments(flash), handover.bad_reserve);
  const std::uint64_t bad = std::uint64_t{report.bad_at_format} * geometry.pages_per_segment;
  report.usable_pages = volume::usable_pages(volume, geometry) - bad;
  const std::uint64_t most = volume::max_logical_pages(volume, geometry);
  const std::uint64_t wanted = (report.usable_pages * handover.utilization_ppb + kWhole / 2) / kWhole;
  volume.logical_pages = static_cast<std::uint32_t>(wanted);
  if (most > bad && wanted > most - bad) return "utilization leaves cleaning nothing to reclaim; use a lower one";
  if (const char* reason = volume::check(volume, geometry)) return reason;
  const std::uint64_t full =
      (volume.logical_pages / geometry.dies + geometry.pages_per_segment - 1) / geometry.pages_per_segment;
  const std::uint64_t in_use = full + volume::streams_of(volume) + geometry.unused_per_die;
  const bool has_free = in_use < geometry.segments_per_die();
  if (volume.policies->idle_water > 0 &&
      (!has_free || volume.policies->idle_water >= geometry.segments_per_die() - in_use))
    return "idle_water is more free segments than a die has at this utilization; use less";
  return nullptr;
}

void describe(const PageFtl& ftl, const PartGeometry& part, const FlashGeometry& volume) {
  report.page_bytes = ftl.page_bytes();
  report.capacity_bytes = ftl.capacity_bytes();
  report.segments = part.segments;
  report.segment_bytes = part.segment_bytes;
  report.parallel_units = part.parallel_units;
  report.rated_erase_cycles = part.rated_erase_cycles;
  report.volume_segments = ftl.segments();
  report.pages_per_segment = volume.pages_per_segment;
  report.stats = address_of(&ftl.stats());
  report.victims = address_of(ftl.victims_by_valid().data());
  report.victim_counters = static_cast<std::uint32_t>(ftl.victims_by_valid().size());
  report.classified = address_of(&ftl.classified());
  inspected = &ftl;
}

void run() {
  const Handover handover = handed_over();
  PointerPort common(kCommonWindow);
  PointerPort attribute(kAttributeWindow);
  MarkProbe probe;
  Series2PlusDriver driver(common, attribute, probe, driver_config(handover));
  if (driver.attach() != AttachStatus::ok) refuse(FtlStatus::read_failed, "the driver cannot use this card");
  const FmsConfig config = fms_config(handover);
  const fms::PolicyChoice policies = fms::choice_of(config);
  VolumeConfig volume = fms::volume_of(config, policies);
  PagedFlashConfig part;
  part.page_bytes = handover.page_bytes;
  part.begun_units = volume::begun_units_of(volume);
  part.segment_units = config.segment_units;
  part.fixed_segments = 1;
  part.data_checksum = handover.data_checksum != 0;
  part.keeps_content = handover.keeps_content != 0;
  if (const char* reason = PagedFlash::check(driver, part)) refuse(FtlStatus::bad_config, reason);
  constexpr const char* kTooLarge = "part: needs more memory than the board has; use a smaller one, or larger pages";
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  const std::size_t of_part = (PagedFlash::arena_bytes(driver, part) + kAlign - 1) / kAlign * kAlign;
  if (of_part > sizeof ftlab_arena) refuse(FtlStatus::bad_config, kTooLarge);
  const std::span<std::byte> arena(ftlab_arena);
  PagedFlash flash(driver, probe, part, arena.first(of_part));
  if (const char* reason = fms::check(config, flash.geometry())) refuse(FtlStatus::bad_config, reason);
  if (const char* reason = set_size(handover, flash, volume)) refuse(FtlStatus::bad_config, reason);
  const std::size_t of_layer = PageFtl::arena_bytes(flash, volume);
  if (of_layer > arena.size() - of_part) refuse(FtlStatus::bad_config, kTooLarge);
  report.arena_used = static_cast<std::uint32_t>(of_part + of_layer);
  PageFtl ftl(flash, probe, volume, arena.subspan(of_part));
  if (ftl.config_error() != nullptr) refuse(FtlStatus::bad_config, ftl.config_error());
  describe(ftl, driver.geometry(), flash.geometry());
  QueueHost host(ftl, probe);
  publish();
  serve(ftl, host, probe);
}

}  // namespace
}  // namespace ftlab::target

extern "C" {
void ftlab_main() { ftlab::target::run(); }

[[gnu::used]] void ftlab_inspect_segment(std::uint32_t segment, std::uint32_t fields[5]) {
  const ftlab::SegmentInfo info = ftlab::target::inspected->segment(ftlab::SegmentId{segment});
  fields[0] = static_cast<std::uint32_t>(info.state);
  fields[1] = info.erase_count;
  fields[2] = info.valid_pages;
  fields[3] = info.used_pages;
  fields[4] = info.stream;
}

[[gnu::used]] const char* ftlab_inspect_invariants() { return ftlab::target::inspected->self_check(); }

[[gnu::used]] void ftlab_inspect_unanswered(ftlab::FtlStats* stats) { *stats = ftlab::target::inspected->unanswered(); }
}
