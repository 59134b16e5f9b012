#include "firmware/target/layers.h"

#include <algorithm>
#include <optional>

#include "firmware/ftl/flexfs/flexfs.h"
#include "firmware/ftl/in_place/in_place.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/ftl/serve.h"
#include "firmware/target/inspection.h"
#include "firmware/target/layer.h"
#include "firmware/target/queue_host.h"
#include "firmware/volume/mount/mount.h"

namespace ftlab::target {
namespace {

[[noreturn]] void serve_requests(Ftl& ftl, const Ground& ground, const FlexFs* flexfs) {
  const FlashGeometry& flash = ground.flash.geometry();
  report.pages_per_segment = flash.pages_per_segment;
  QueueHost host(ftl, ground.probe);
  publish(ftl, flexfs);
  for (;;) serve(ftl, host, ground.probe);
}

/// Of what the part has left.
void take_memory(const Ground& ground, std::size_t bytes) {
  if (bytes > ground.memory.size()) refuse(FtlStatus::bad_config, kTooLarge);
  report.arena_used = static_cast<std::uint32_t>(ground.memory_of_part + bytes);
}

/// Of the part as it is formatted.
std::uint32_t bad_segments_of(const Handover& handover, const Ground& ground) {
  return handover.bad_at_format >= 0 ? static_cast<std::uint32_t>(handover.bad_at_format)
                                     : volume::bad_segments(ground.flash);
}

[[noreturn]] void serve_volume(const Handover& handover, const Ground& ground) {
  Layer layer(handover);
  report.bad_at_format = bad_segments_of(handover, ground);
  if (handover.bad_at_format < 0) report.bad_at_format = std::max(report.bad_at_format, handover.bad_reserve);
  if (handover.part == SocketedPart::array && layer.part().segment_units != 1)
    refuse(
        FtlStatus::bad_config,
        "segment_units: segments of several erase units are for NOR parts; ftl.clean_at_once cleans several segments "
        "of a die together");
  if (const char* reason = layer.set_size(ground.flash.geometry(), report.bad_at_format))
    refuse(FtlStatus::bad_config, reason);
  report.usable_pages = layer.usable_pages();
  take_memory(ground, PageFtl::arena_bytes(ground.flash, layer.volume()));
  PageFtl ftl(ground.flash, ground.probe, layer.volume(), ground.memory);
  if (ftl.config_error() != nullptr) refuse(FtlStatus::bad_config, ftl.config_error());
  report.stats = address_of(&ftl.stats());
  report.victims = address_of(ftl.victims_by_valid().data());
  report.victim_counters = static_cast<std::uint32_t>(ftl.victims_by_valid().size());
  if (layer.volume().separation != "none") report.classified = address_of(&ftl.classified());
  if (layer.volume().slc_segments > 0) report.slc = address_of(&ftl.slc_counts());
  serve_requests(ftl, ground, nullptr);
}

[[noreturn]] void serve_flexfs(const Handover& handover, const Ground& ground) {
  const FlashGeometry& flash = ground.flash.geometry();
  FlexFsConfig config;
  from_numbers(flexfs::kFlexFsFields, handover.flexfs, config);
  config.energy = handover.energy;
  flexfs::apply_scheme(config.scheme, config);
  const std::uint64_t segment_bytes = std::uint64_t{flash.pages_per_segment} * flash.page_bytes;
  if (config.partition_bytes % segment_bytes != 0)
    refuse(FtlStatus::bad_config, "partition_mib is no whole number of segments; use a multiple of their size, or 0");
  config.data_segments = static_cast<std::uint32_t>(config.partition_bytes / segment_bytes);
  // As natively: an array says which segments are bad, and of other parts as many are counted as may be.
  if (handover.part == SocketedPart::array) report.bad_at_format = bad_segments_of(handover, ground);
  config.logical_pages = flexfs::choose_logical_pages(config, flash, handover.utilization_ppb,
                                                      handover.bad_reserve + report.bad_at_format);
  if (const char* reason = flexfs::check(config, flash)) refuse(FtlStatus::bad_config, reason);
  take_memory(ground, FlexFs::arena_bytes(ground.flash, config));
  FlexFs ftl(ground.flash, ground.probe, config, ground.memory, &ground.clock);
  if (ftl.config_error() != nullptr) refuse(FtlStatus::bad_config, ftl.config_error());
  serve_requests(ftl, ground, &ftl);
}

[[noreturn]] void serve_in_place(const Handover& handover, const Ground& ground) {
  const FlashGeometry& flash = ground.flash.geometry();
  if (handover.keeps_content == 0 && !flash.keeps_metadata)
    refuse(FtlStatus::bad_config,
           "store_content: what is updated in place is read to be written anew, so the part has to keep it");
  const InPlaceConfig config =
      in_place::choose(handover.page_bytes, handover.utilization_ppb, flash, handover.bad_reserve);
  if (const char* reason = in_place::check(config, flash)) refuse(FtlStatus::bad_config, reason);
  take_memory(ground, InPlace::arena_bytes(ground.flash, config));
  InPlace ftl(ground.flash, ground.probe, config, ground.memory);
  report.stats = address_of(&ftl.stats());
  serve_requests(ftl, ground, nullptr);
}

}  // namespace

PagedFlashConfig wish_of(const Handover& handover) {
  if (handover.layer == ServedLayer::fms || handover.layer == ServedLayer::page) return Layer(handover).part();
  PagedFlashConfig wish;
  wish.data_checksum = handover.data_checksum != 0;
  wish.keeps_content = handover.keeps_content != 0;
  if (handover.layer == ServedLayer::flexfs) {
    wish.page_bytes = handover.page_bytes;
    wish.slc = wish.one_die = wish.erase_ahead = true;
  } else {
    wish.bare = true;
    wish.resumes = false;
  }
  return wish;
}

void serve_layer(const Handover& handover, const Ground& ground) {
  if (handover.layer == ServedLayer::flexfs) serve_flexfs(handover, ground);
  if (handover.layer == ServedLayer::in_place) serve_in_place(handover, ground);
  serve_volume(handover, ground);
}

}  // namespace ftlab::target
