// The bare-metal image: the driver of the part in the socket, the volume with the layer that decides on it, serving the
// host queue. Puts things together as the handover says; no behaviour of its own.
#include <algorithm>
#include <cstddef>
#include <span>

#include "firmware/driver/onenand/driver.h"
#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/ftl/serve.h"
#include "firmware/target/clock.h"
#include "firmware/target/handover.h"
#include "firmware/target/layer.h"
#include "firmware/target/mark_probe.h"
#include "firmware/target/pointer_port.h"
#include "firmware/target/queue_host.h"
#include "firmware/target/queue_registers.h"
#include "firmware/target/report.h"

extern "C" {
[[gnu::section(".handover"),
  gnu::used]] alignas(ftlab::target::Handover) std::byte ftlab_handover[sizeof(ftlab::target::Handover)];
/// All of RAM but what static data and the stack take; a part that needs more is refused.
[[gnu::section(".arena"),
  gnu::used]] alignas(std::max_align_t) std::byte ftlab_arena[ftlab::target::kRamBytes - 128 * 1024];
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

void describe(const PageFtl& ftl, const PartGeometry& part, const FlashGeometry& volume, const VolumeConfig& config) {
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
  if (config.separation != "none") report.classified = address_of(&ftl.classified());
  if (config.slc_segments > 0) report.slc = address_of(&ftl.slc_counts());
  inspected = &ftl;
}

/// Keys that mean nothing on such a part.
const char* check_keys(const Handover& handover, const PartPort& part) {
  if (handover.background_erase != 0 && (!part.capabilities().background_erase || part.geometry().parallel_units < 2))
    return "erase: \"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"";
  if (handover.data_checksum != 0 && part.geometry().spare_bytes != 0)
    return "data_checksum: a checksum of each page is for NOR parts: the pages of NAND parts have ECC; leave the key "
           "out";
  return nullptr;
}

void serve_part(PartPort& part, ProbePort& probe, const Handover& handover) {
  constexpr std::uint32_t kNorPageBytes = 4096;
  constexpr const char* kTooLarge = "part: needs more memory than the board has; use a smaller one, or larger pages";
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  if (const char* reason = check_keys(handover, part)) refuse(FtlStatus::bad_config, reason);
  Layer layer(handover);
  PagedFlashConfig served = layer.part();
  if (served.page_bytes == 0 && part.geometry().spare_bytes == 0) served.page_bytes = kNorPageBytes;
  if (const char* reason = PagedFlash::check(part, served)) refuse(FtlStatus::bad_config, reason);
  const std::size_t of_part = (PagedFlash::arena_bytes(part, served) + kAlign - 1) / kAlign * kAlign;
  if (of_part > sizeof ftlab_arena) refuse(FtlStatus::bad_config, kTooLarge);
  const std::span<std::byte> arena(ftlab_arena);
  PagedFlash flash(part, probe, served, arena.first(of_part));
  report.bad_at_format = handover.bad_at_format >= 0 ? static_cast<std::uint32_t>(handover.bad_at_format)
                                                     : std::max(volume::bad_segments(flash), handover.bad_reserve);
  if (const char* reason = layer.set_size(flash.geometry(), report.bad_at_format))
    refuse(FtlStatus::bad_config, reason);
  report.usable_pages = layer.usable_pages();
  const std::size_t of_layer = PageFtl::arena_bytes(flash, layer.volume());
  if (of_layer > arena.size() - of_part) refuse(FtlStatus::bad_config, kTooLarge);
  report.arena_used = static_cast<std::uint32_t>(of_part + of_layer);
  PageFtl ftl(flash, probe, layer.volume(), arena.subspan(of_part));
  if (ftl.config_error() != nullptr) refuse(FtlStatus::bad_config, ftl.config_error());
  describe(ftl, part.geometry(), flash.geometry(), layer.volume());
  QueueHost host(ftl, probe);
  publish();
  serve(ftl, host, probe);
}

void run_on_card(const Handover& handover) {
  Series2PlusDriverConfig config;
  config.program_method = static_cast<ProgramMethod>(handover.program_method);
  config.program_wait = static_cast<DriverWait>(handover.program_wait);
  config.erase_wait = static_cast<DriverWait>(handover.erase_wait);
  config.background_erase = handover.background_erase != 0;
  config.suspend_erase = handover.suspend_erase != 0;
  if (handover.program_poll_ns != 0) config.program_poll_ns = handover.program_poll_ns;
  if (handover.erase_poll_ns != 0) config.erase_poll_ns = handover.erase_poll_ns;
  if (handover.rated_erase_cycles != 0) config.rated_erase_cycles = handover.rated_erase_cycles;
  PointerPort common(kCommonWindow);
  PointerPort attribute(kAttributeWindow);
  MarkProbe probe;
  Series2PlusDriver driver(common, attribute, probe, config);
  if (driver.attach() != AttachStatus::ok) refuse(FtlStatus::read_failed, "the driver cannot use this card");
  serve_part(driver, probe, handover);
}

void run_on_onenand(const Handover& handover) {
  OneNandDriverConfig config;
  config.program_wait = static_cast<DriverWait>(handover.program_wait);
  config.erase_wait = static_cast<DriverWait>(handover.erase_wait);
  config.background_erase = handover.background_erase != 0;
  config.segments_per_die = handover.segments_per_die;
  config.rated_erase_cycles = handover.rated_erase_cycles;
  PointerPort bus(kOneNandWindow);
  MarkProbe probe;
  OneNandDriver driver(bus, probe, config);
  if (driver.attach() != OneNandAttachStatus::ok) refuse(FtlStatus::read_failed, "the driver cannot use this part");
  serve_part(driver, probe, handover);
}

void run() {
  const Handover handover = handed_over();
  if (handover.part == SocketedPart::flexonenand)
    run_on_onenand(handover);
  else
    run_on_card(handover);
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
