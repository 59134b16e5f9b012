#include "firmware/volume/volume_config.h"

#include <algorithm>

#include "firmware/policy/policies.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/format/trim_record.h"
#include "firmware/volume/lists/lsb_places.h"

namespace ftlab::volume {

std::uint32_t pools_of(const VolumeConfig& config) {
  const fms::SeparationEntry* separation = fms::separations().find(config.separation);
  const fms::PoolChoiceEntry* pool_choice = fms::pool_choices().find(config.pool_choice);
  if (separation == nullptr || pool_choice == nullptr) return 1;
  return separation->pools(config.params.of(*separation), pool_choice->one_pool);
}

std::uint32_t streams_of(const VolumeConfig& config) {
  if (config.policies != nullptr) return config.policies->streams();
  const fms::SeparationEntry* separation = fms::separations().find(config.separation);
  return separation->streams_of(config.params.of(*separation), config.copies_apart());
}

std::uint32_t begun_units_of(const VolumeConfig& config) { return streams_of(config) + 1; }

std::uint32_t copy_streams_of(const VolumeConfig& config) {
  if (config.policies != nullptr) return config.policies->copy_streams();
  const fms::SeparationEntry* separation = fms::separations().find(config.separation);
  return separation == nullptr ? 1 : separation->copies_to;
}

std::uint32_t reserve_of(const VolumeConfig& config) {
  // A victim's copies take one of each stream at most and give theirs back; power losses in the middle of that waste
  // places.
  return std::max(copy_streams_of(config) + 1, config.low_water);
}

std::uint32_t free_segments_of(const VolumeConfig& config) {
  const std::uint32_t needed = reserve_of(config);
  if (config.policies == nullptr) return needed;
  return std::max({needed, config.policies->low_water, config.policies->high_water});
}

namespace {

std::uint32_t segments_of_die(const VolumeConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t usable = geometry.usable_per_die();
  return config.used_segments == 0 ? usable : std::min(usable, config.used_segments);
}

/// Of pages that cleaning copies to, or any where that is less.
std::uint32_t pages_of_segment(const VolumeConfig& config, const FlashGeometry& geometry) {
  return config.regions == VolumeConfig::Regions::slc ? LsbPlaces(geometry).pages() : geometry.pages_per_segment;
}

}  // namespace

std::uint64_t usable_pages(const VolumeConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t per_die = segments_of_die(config, geometry);
  const std::uint32_t reserve = std::min(per_die, free_segments_of(config));
  const std::uint64_t segments = std::uint64_t{per_die - reserve} * geometry.dies;
  return (segments - std::min<std::uint64_t>(segments, checkpoint_segments(config, geometry))) *
         pages_of_segment(config, geometry);
}

std::uint64_t max_logical_pages(const VolumeConfig& config, const FlashGeometry& geometry) {
  // Of each die's full segments one has an invalid page, whatever is still to be written to the open ones. Where
  // program units hold several pages, it has more than padding behind its copies takes.
  const std::uint32_t per_die = segments_of_die(config, geometry);
  const std::uint32_t pages = pages_of_segment(config, geometry);
  // Of a single die the stream that asks for cleaning has none open.
  const std::uint32_t open = streams_of(config) - (geometry.dies == 1 ? 1 : 0);
  const std::uint32_t held_back = free_segments_of(config) + open;
  if (per_die <= held_back + 1) return 0;
  const std::uint32_t padding = copy_streams_of(config) * (geometry.pages_at_once - 1);
  if (padding >= pages) return 0;
  const std::uint64_t full = std::uint64_t{per_die - held_back} * (pages - padding);
  const std::uint64_t left_out = pages_left_out(config, geometry);
  if (full <= left_out + 1) return 0;
  const std::uint32_t checkpoints = checkpoint_segments(config, geometry);
  if (per_die <= held_back + checkpoints + 1) return 0;
  const std::uint64_t of_checkpoints = std::uint64_t{checkpoints} * pages;
  if ((full - left_out - 1) * geometry.dies <= of_checkpoints) return 0;
  const std::uint64_t most = (full - left_out - 1) * geometry.dies - of_checkpoints;
  return most - std::min<std::uint64_t>(most, trim_records(most, geometry));
}

std::uint64_t pages_left_out(const VolumeConfig& config, const FlashGeometry& geometry) {
  const bool regions = config.regions == VolumeConfig::Regions::slc_and_mlc;
  if (config.slc_segments == 0 && !regions) return 0;
  // A power loss may bring back one whose pages were being copied while the host had begun the next one. Of regions
  // each full one gains room when its pages are copied.
  const std::uint64_t segments = std::uint64_t{regions ? 1 : config.slc_segments} + reserve_of(config);
  return segments * (geometry.pages_per_segment - LsbPlaces(geometry).pages());
}

std::uint32_t trim_records(std::uint64_t logical_pages, const FlashGeometry& geometry) {
  const std::uint32_t covered = geometry.buffers == 0 ? 0 : TrimRecord::covered(geometry.page_bytes);
  return covered == 0 || !geometry.keeps_metadata ? 0
                                                  : static_cast<std::uint32_t>((logical_pages + covered - 1) / covered);
}

namespace {

CheckpointLayout checkpoint_of(const VolumeConfig& config, const FlashGeometry& geometry, std::uint64_t pages) {
  return {pages,
          geometry.segments,
          geometry.page_bytes,
          geometry.pages_per_segment,
          config.policies != nullptr,
          config.keeps_lifetime};
}

}  // namespace

std::uint32_t checkpoint_segments(const VolumeConfig& config, const FlashGeometry& geometry) {
  if (config.checkpoint_every == 0) return 0;
  const std::uint32_t segments = config.used_segments == 0 ? geometry.segments : config.used_segments * geometry.dies;
  const std::uint64_t places = std::uint64_t{segments} * geometry.pages_per_segment;
  return 2 * checkpoint_of(config, geometry, places).segments_needed();
}

std::uint32_t pages_in_flight(const VolumeConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t most = 2048 + config.write_buffer;
  return geometry.buffers == 0 ? most : std::min(most, geometry.buffers);
}

std::uint32_t checkpoint_pages(const VolumeConfig& config, const FlashGeometry& geometry) {
  return checkpoint_of(config, geometry, config.logical_pages).pages();
}

VolumeConfig with_own_pages(VolumeConfig config, const FlashGeometry& geometry) {
  config.logical_pages += trim_records(config.logical_pages, geometry);
  return config;
}

namespace {

/// Whether the policies named exist and go together.
const char* check_names(const VolumeConfig& config) {
  const fms::SelectionEntry* selection = fms::selections().find(config.selection);
  if (selection == nullptr) return "no selection of this name";
  if (fms::separations().find(config.separation) == nullptr) return "no separation of this name";
  if (fms::pool_choices().find(config.pool_choice) == nullptr) return "no pool choice of this name";
  if (selection->partitioned)
    return "selection over partitions works with trigger \"partition_full\" and a redistribution over partitions "
           "alone: use ftl.firmware = \"fms\", which has them";
  if (config.policies == nullptr && !selection->listed.exists())
    return "selection has no lists, and no policies are given that look at all segments";
  const bool by_lists =
      config.policies == nullptr || (config.policies->by_pools && config.policies->chosen.selection->listed.exists());
  if (!by_lists && pools_of(config) > 1) return fms::kPoolsNeedLists;
  return nullptr;
}

}  // namespace

const char* check_choices(const VolumeConfig& config, const FlashGeometry& geometry) {
  if (config.policies != nullptr && !config.policies->chosen.complete()) return "a policy is not chosen";
  if (const char* reason = check_names(config)) return reason;
  if (std::uint64_t{geometry.segments} * geometry.pages_per_segment >= FlashOp::kNoPage)
    return "more than 2^32 - 1 pages: use larger pages or a smaller part";
  if (geometry.pages_per_segment > 65000) return "more than 65000 pages in a segment";
  if (geometry.buffers != 0 && geometry.buffers < geometry.pages_at_once)
    return "the data RAM has fewer pages than a program unit: set part_overrides.controller.buffer_slots higher";
  if (geometry.segments % geometry.dies != 0) return "segments do not divide over the dies";
  if (config.checkpoint_every > 0 && (geometry.buffers == 0 || !geometry.keeps_metadata))
    return "a checkpoint is data, and this part keeps none: leave the key out, or set part_overrides.content to "
           "\"bytes\"";
  if (config.write_buffer >= pages_in_flight(config, geometry))
    return "ftl.write_buffer has to leave pages of the data RAM to reads and to writes that wait: lower it, or set "
           "part_overrides.controller.buffer_slots higher";
  if (config.slc_segments > 0) {
    if (LsbPlaces(geometry).pages() == 0)
      return "ftl.slc_segments needs a part whose cells hold several bits and whose pages are programmed one by one: "
             "leave it out, or "
             "use another part";
    if (config.policies != nullptr)
      return "slc_segments hold fewer pages than others, and this selection compares segments as if all had as many: "
             "use selection = \"greedy\" or another one that `ftlab policies` says has lists, or leave the key out";
    if (config.separation != "none")
      return "ftl.slc_segments fills segments of one class of pages as SLC, all that the host writes: set "
             "ftl.separation = \"none\"";
    if (config.frontiers != VolumeConfig::Frontiers::host_and_cleaning)
      return "ftl.slc_segments needs copies in segments of their own: set ftl.frontiers = \"host_and_cleaning\"";
  }
  return nullptr;
}

const char* check(const VolumeConfig& config, const FlashGeometry& geometry) {
  if (const char* reason = check_choices(config, geometry)) return reason;
  // `segments` of the part is the key at fault.
  if (max_logical_pages(config, geometry) == 0 && config.slc_segments > 0)
    return "segments of a die are too few for its open and free ones and those filled as SLC: use more segments, fewer "
           "dies, or a lower ftl.slc_segments";
  if (max_logical_pages(config, geometry) == 0 && config.policies != nullptr)
    return "segments of a die are too few for its open and free ones: use more segments or fewer dies, or lower "
           "ftl.low_water, ftl.high_water, ftl.regions or ftl.partitions";
  if (max_logical_pages(config, geometry) == 0)
    return config.low_water > copy_streams_of(config) + 1
               ? "segments of a die are too few for its open and free ones: use more segments, fewer dies, or a lower "
                 "ftl.low_water"
               : "segments of a die are too few for its open and free ones: use more segments or fewer dies";
  if (config.logical_pages == 0) return "no logical pages: the utilisation is too low";
  if (config.logical_pages > max_logical_pages(config, geometry))
    return "the spare factor leaves cleaning nothing to reclaim: raise it, or use more segments";
  return nullptr;
}

}  // namespace ftlab::volume
