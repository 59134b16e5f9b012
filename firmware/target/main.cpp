// The bare-metal image: the driver of the part in the socket, and on its flash the layer that the handover names.
// Puts things together; no behaviour of its own.
#include <cstddef>
#include <span>

#include "firmware/driver/array/driver.h"
#include "firmware/driver/onenand/driver.h"
#include "firmware/driver/paged/paged_flash.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/target/board_clock.h"
#include "firmware/target/handover.h"
#include "firmware/target/inspection.h"
#include "firmware/target/layers.h"
#include "firmware/target/mark_probe.h"
#include "firmware/target/pointer_port.h"

extern "C" {
[[gnu::section(".handover"),
  gnu::used]] alignas(ftlab::target::Handover) std::byte ftlab_handover[sizeof(ftlab::target::Handover)];
/// All of RAM but what static data and the stack take; a part that needs more is refused.
[[gnu::section(".arena"),
  gnu::used]] alignas(std::max_align_t) std::byte ftlab_arena[ftlab::target::kRamBytes - 128 * 1024];
}

namespace ftlab::target {
namespace {

/// Keys that mean nothing on such a part.
const char* check_keys(const Handover& handover, const PartPort& part) {
  if (handover.background_erase != 0 && (!part.capabilities().background_erase || part.geometry().parallel_units < 2))
    return "erase: \"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"";
  if (handover.data_checksum != 0 && part.geometry().spare_bytes != 0)
    return "data_checksum: a checksum of each page is for NOR parts: the pages of NAND parts have ECC; leave the key "
           "out";
  return nullptr;
}

const char* check_array_keys(const Handover& handover, const FlashGeometry& flash) {
  if (handover.background_erase != 0) return "erase: an array erases on its dies by itself; leave the key out";
  if (handover.data_checksum != 0)
    return "data_checksum: a checksum of each page is for NOR parts: the pages of NAND parts have ECC; leave the key "
           "out";
  if (handover.page_bytes != 0 && handover.page_bytes != flash.page_bytes && handover.layer != ServedLayer::in_place)
    return "page_bytes: this layer maps pages of the part; leave the key out";
  return nullptr;
}

void serve_part(PartPort& part, ProbePort& probe, const Handover& handover) {
  constexpr std::uint32_t kNorPageBytes = 4096;
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  if (const char* reason = check_keys(handover, part)) refuse(FtlStatus::bad_config, reason);
  const bool nor = part.geometry().spare_bytes == 0;
  PagedFlashConfig served = wish_of(handover);
  if (nor) served.page_bytes = handover.page_bytes != 0 ? handover.page_bytes : kNorPageBytes;
  if (const char* reason = PagedFlash::check(part, served)) refuse(FtlStatus::bad_config, reason);
  const std::size_t of_part = (PagedFlash::arena_bytes(part, served) + kAlign - 1) / kAlign * kAlign;
  if (of_part > sizeof ftlab_arena) refuse(FtlStatus::bad_config, kTooLarge);
  const std::span<std::byte> arena(ftlab_arena);
  PagedFlash flash(part, probe, served, arena.first(of_part));
  report.segments = part.geometry().segments;
  report.segment_bytes = part.geometry().segment_bytes;
  report.parallel_units = part.geometry().parallel_units;
  report.rated_erase_cycles = part.geometry().rated_erase_cycles;
  BoardClock clock;
  serve_layer(handover, {flash, probe, clock, arena.subspan(of_part), of_part});
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
  PointerPort common(kCommonWindow, handover.dma != 0);
  PointerPort attribute(kAttributeWindow, false);
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
  PointerPort bus(kOneNandWindow, handover.dma != 0);
  MarkProbe probe;
  OneNandDriver driver(bus, probe, config);
  if (driver.attach() != OneNandAttachStatus::ok) refuse(FtlStatus::read_failed, "the driver cannot use this part");
  serve_part(driver, probe, handover);
}

void run_on_array(const Handover& handover) {
  ArrayDriverConfig config;
  from_numbers(kArrayDriverFields, handover.array, config);
  // Its controller takes descriptors whole.
  PointerPort registers(kCommonWindow, true);
  PointerPort data(kDataWindow, true);
  MarkProbe probe;
  BoardClock clock;
  ArrayDriver driver(registers, &data, clock, config);
  if (driver.attach() != ArrayAttachStatus::ok) refuse(FtlStatus::read_failed, "the driver cannot use this array");
  const FlashGeometry& flash = driver.geometry();
  if (const char* reason = check_array_keys(handover, flash)) refuse(FtlStatus::bad_config, reason);
  report.segments = flash.segments;
  report.segment_bytes = flash.pages_per_segment * flash.page_bytes;
  report.parallel_units = flash.dies;
  report.rated_erase_cycles = flash.rated_erase_cycles;
  serve_layer(handover, {driver, probe, clock, std::span(ftlab_arena)});
}

void run() {
  const Handover handover = handed_over();
  switch (handover.part) {
    case SocketedPart::series2plus:
      return run_on_card(handover);
    case SocketedPart::flexonenand:
      return run_on_onenand(handover);
    case SocketedPart::array:
      return run_on_array(handover);
  }
}

}  // namespace
}  // namespace ftlab::target

extern "C" {
void ftlab_main() { ftlab::target::run(); }
}
