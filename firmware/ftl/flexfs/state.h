// Everything FlexFS knows at run time beside its volume, shared by its parts. Data, and sums over it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/ftl/flexfs/decide/allocator.h"
#include "firmware/ftl/flexfs/decide/hot_cold_queues.h"
#include "firmware/ftl/flexfs/decide/idle_meter.h"
#include "firmware/ftl/flexfs/decide/victims.h"
#include "firmware/ftl/flexfs/decide/wear_budget.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/ftl/flexfs/write_buffer.h"
#include "firmware/ftl/page/page_ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/volume/reclaim/page_by_page.h"

namespace ftlab::flexfs {

[[nodiscard]] constexpr std::size_t index_of(Region region) { return static_cast<std::size_t>(region); }

/// What lives in the caller's arena, beside the volume's. The same code measures and lays out.
struct FlexFsTables {
  void layout(Arena& arena, const FlashGeometry& geometry, const FlexFsConfig& config) {
    files = arena.take<std::uint32_t>(config.logical_pages);
    facts = arena.take<SegmentFacts>(geometry.segments);
    queues.layout(arena, config.hot_files, config.cold_files);
    for (WriteBuffer& buffer : buffers) buffer.attach(arena.take<std::byte>(geometry.page_bytes));
    page = arena.take<std::byte>(geometry.page_bytes);
  }

  std::span<std::uint32_t> files;  ///< of each logical page, as given with its last write; 0: not since the mount
  std::span<SegmentFacts> facts;   ///< as of the last look()
  HotColdQueues queues;
  std::array<WriteBuffer, kRegions> buffers;
  std::span<std::byte> page;  ///< to fill up a partial one
};

struct FlexFsState : FlexFsTables, private HotPages {
  FlexFsState(FlashPort& array, ProbePort& probe_port, ClockPort* clock_port, const FlexFsConfig& flexfs_config,
              std::span<std::byte> arena)
      : config(flexfs_config),
        geometry(array.geometry()),
        volume_config(volume_of(flexfs_config, geometry)),
        slc_slots(slots_of(Region::slc, geometry)),
        probe(probe_port),
        clock(clock_port),
        volume(array, probe_port, volume_config, arena),
        segments(volume.log(), volume.moves(), volume.cleaning()) {}

  /// Everything as before the first mount, configuration, arena and volume apart.
  void clear() {
    std::ranges::fill(files, 0);
    queues.clear();
    for (WriteBuffer& buffer : buffers) buffer.clear();
    allocator.clear();
    wear.clear();
    idle.clear();
    energy_share = kOne;
    spent_before_nj = owed_before_nj = 0;
    life_ns = recorded_life_ns = clock_offset = written = recorded_written = 0;
    flex = {};
    mounted = write_lost = false;
  }

  /// Neighbouring pages of a host that names no stream are taken for one file; names with the top bit are ours.
  static constexpr std::uint32_t kUnnamed = 0x80000000;
  [[nodiscard]] std::uint32_t unnamed_file(std::uint32_t lpn) const { return kUnnamed | lpn / config.extent_pages; }
  [[nodiscard]] std::uint32_t file_of(std::uint32_t lpn) const {
    return files[lpn] != 0 ? files[lpn] : unnamed_file(lpn);
  }

  [[nodiscard]] std::uint32_t slots(Region region) const {
    return region == Region::slc ? slc_slots : geometry.pages_per_segment;
  }
  [[nodiscard]] bool two_regions() const { return config.slc_region && config.mlc_region; }
  /// Where migrated and cleaned pages go.
  [[nodiscard]] Region copy_region() const { return config.mlc_region ? Region::mlc : Region::slc; }
  /// The stream of the volume that the region's pages go to.
  [[nodiscard]] std::uint32_t stream_of(Region region) const {
    return two_regions() ? static_cast<std::uint32_t>(region) : 0;
  }
  [[nodiscard]] bool has_room(Region region) const { return segments.has_room(stream_of(region)); }
  /// Free segments that data may fill: checkpoints have the rest.
  [[nodiscard]] std::uint32_t free_segments() const {
    const auto held = static_cast<std::uint32_t>(volume.checkpoints().held().size());
    const std::uint32_t kept = 2 * volume.checkpoints().shape().segments_needed() - held;
    return segments.free_segments() - std::min(kept, segments.free_segments());
  }

  /// What is known of all segments by now.
  VictimView look() {
    for (std::uint32_t id = 0; id < geometry.segments; ++id) facts[id] = facts_of(id);
    return {facts, config.locality_aware ? this : nullptr, probe};
  }
  [[nodiscard]] SegmentFacts facts_of(std::uint32_t id) const {
    return {segments.is_full(id), segments.is_used(id), region_of(id),
            segments.valid(id),   segments.erases(id),  segments.opened_at(id)};
  }
  [[nodiscard]] Region region_of(std::uint32_t id) const { return segments.is_slc(id) ? Region::slc : Region::mlc; }

  /// C_total * E_cycles of Eq. 7, over segments that still carry data or checkpoints.
  [[nodiscard]] std::uint64_t endurance_bytes() const {
    const std::uint32_t cycles = config.erase_cycles != 0 ? config.erase_cycles : geometry.rated_erase_cycles;
    return std::uint64_t{segments_left()} * segment_bytes() * cycles;
  }
  /// W: a segment taken into use costs all its bytes, however many of its pages are used (Fig. 8).
  [[nodiscard]] std::uint64_t used_bytes() const { return volume.log().openings() * segment_bytes(); }
  [[nodiscard]] std::uint64_t segment_bytes() const {
    return std::uint64_t{geometry.pages_per_segment} * geometry.page_bytes;
  }
  [[nodiscard]] std::uint32_t segments_left() const {
    const std::uint32_t used = volume_config.used_segments;
    const std::uint32_t usable = geometry.usable_per_die();
    const std::uint32_t good = usable - std::min(usable, static_cast<std::uint32_t>(volume.stats().bad_segments));
    return used == 0 ? good : std::min(used, good);
  }

  FlexFsConfig config;
  FlashGeometry geometry;
  VolumeConfig volume_config;
  std::uint32_t slc_slots;  ///< pages of a segment of the SLC region
  ProbePort& probe;
  ClockPort* clock;  ///< null: nothing is paced
  PageFtl volume;
  volume::PageByPage segments;
  const MigrationVictim* migration_victim = nullptr;

  Allocator allocator;
  WearBudget wear;
  IdleMeter idle;
  std::uint64_t life_ns = 0;           ///< time of service since the format; never backwards
  std::uint64_t recorded_life_ns = 0;  ///< the same, when a checkpoint was last asked for to keep it
  std::uint64_t recorded_written = 0;  ///< host pages then
  std::uint64_t clock_offset = 0;      ///< lifetime minus the host's clock, modulo 2^64
  std::uint64_t written = 0;           ///< host pages accepted: clock of the file queues
  Q16 energy_share = kOne;             ///< what the energy budget leaves to the SLC region; computed with each window
  std::uint64_t owed_before_nj = 0;    ///< what a mount found in the SLC region: its host pages had their budget
  std::uint64_t spent_before_nj = 0;   ///< energy of format or mount, which no budget pays
  FlexFsStats flex;
  bool mounted = false;
  bool write_lost = false;  ///< a buffered page could not be completed since the last flush

 private:
  [[nodiscard]] Q16 hotness(std::uint32_t segment) const override {
    std::uint32_t valid = 0;
    std::uint32_t hot = 0;
    segments.for_each_page(segment, [&](std::uint32_t lpn) {
      ++valid;
      if (lpn < files.size() && queues.is_hot(file_of(lpn))) ++hot;
    });
    probe.count(Work::page_rate, valid);
    return valid == 0 ? 0 : fraction(hot, valid);
  }
};

}  // namespace ftlab::flexfs
