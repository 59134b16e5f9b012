// Everything FlexFS knows at run time, shared by its parts (pool, log writer, migrator, mount). Data, and sums over it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/flash_io.h"
#include "firmware/ftl/flexfs/decide/allocator.h"
#include "firmware/ftl/flexfs/decide/hot_cold_queues.h"
#include "firmware/ftl/flexfs/decide/idle_meter.h"
#include "firmware/ftl/flexfs/decide/victims.h"
#include "firmware/ftl/flexfs/decide/wear_budget.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/ftl/flexfs/write_buffer.h"
#include "firmware/ftl/ftl.h"
#include "firmware/map/lost_pages.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/port/clock_port.h"
#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_io.h"
#include "firmware/volume/status.h"

namespace ftlab::flexfs {

inline constexpr std::uint32_t kFtlName = 0x58454C46;  // "FLEX"

/// Volumes of another partition, or without MLC region, are not for this configuration.
[[nodiscard]] inline nand::VolumeIdentity identity_of(const FlexFsConfig& config) {
  return {kFtlName, config.data_segments << 1 | (config.mlc_region ? 1U : 0U), config.logical_pages,
          config.data_segments};
}

[[nodiscard]] constexpr PageMode mode_of(Region region) {
  return region == Region::slc ? PageMode::lsb_only : PageMode::full;
}
[[nodiscard]] constexpr std::size_t index_of(Region region) { return static_cast<std::size_t>(region); }

/// What lives in the caller's arena. `layout` is one code for measuring (arena without base) and laying out.
struct FlexFsTables {
  void layout(Arena& arena, const FlashGeometry& geometry, const FlexFsConfig& config) {
    segments.layout(arena, geometry.segments, slots_of(Region::mlc, geometry));
    pages.layout(arena, config.logical_pages);
    lost.layout(arena, config.logical_pages);
    files = arena.take<std::uint32_t>(config.logical_pages);
    sequences = arena.take<std::uint64_t>(config.logical_pages);
    queues.layout(arena, config.hot_files, config.cold_files);
    for (WriteBuffer& buffer : buffers) buffer.attach(arena.take<std::byte>(geometry.program_unit_bytes));
    copy_buffer = arena.take<std::byte>(geometry.program_unit_bytes);
  }

  SegmentTable segments;
  PageTable pages;
  LostPages lost;
  std::span<std::uint32_t> files;      ///< file of each logical page, as given with its last write
  std::span<std::uint64_t> sequences;  ///< of each page's newest copy: distinguishes copies at mount
  HotColdQueues queues;
  std::array<WriteBuffer, kRegions> buffers;
  std::span<std::byte> copy_buffer;  ///< one page on its way: migration, cleaning, filling up a partial page
};

struct FlexFsState : FlexFsTables, nand::CheckpointSource {
  FlexFsState(FlashPort& flash, ProbePort& probe_port, ClockPort* clock_port, const FlexFsConfig& flexfs_config)
      : config(flexfs_config),
        geometry(flash.geometry()),
        probe(probe_port),
        clock(clock_port),
        io(flash),
        store(io, geometry),
        checkpoints(store, identity_of(flexfs_config)) {}

  /// Everything as before the first mount, configuration and arena apart.
  void clear() {
    segments.clear();
    pages.clear();
    lost.clear();
    std::fill(files.begin(), files.end(), 0);
    std::fill(sequences.begin(), sequences.end(), 0);
    queues.clear();
    for (WriteBuffer& buffer : buffers) buffer.clear();
    store.clear();
    checkpoints.clear();
    allocator.clear();
    wear.clear();
    idle.clear();
    log = {kNone, kNone};
    energy_share = kOne;
    spent_before_nj = owed_before_nj = 0;
    sequence = life_ns = clock_offset = written = used_segments = 0;
    stats = {};
    flex = {};
    reserve = kReserve;
    mounted = read_only = write_lost = checkpoints_lost = halted = false;
  }

  /// Stamps of page metadata count lifetime in units of 2^20 ns, about a millisecond.
  static constexpr unsigned kStampShift = 20;
  [[nodiscard]] std::uint64_t stamp() const { return life_ns >> kStampShift; }

  [[nodiscard]] std::uint32_t slots(Region region) const { return store.slots(mode_of(region)); }
  [[nodiscard]] bool two_regions() const { return config.slc_region && config.mlc_region; }
  /// Where migrated and cleaned pages go.
  [[nodiscard]] Region copy_region() const { return config.mlc_region ? Region::mlc : Region::slc; }
  [[nodiscard]] bool has_room(Region region) const { return log[index_of(region)] != kNone; }
  [[nodiscard]] VictimView view() { return {segments, files, config.locality_aware ? &queues : nullptr, probe}; }

  /// C_total * E_cycles of Eq. 7, over segments that still carry data.
  [[nodiscard]] std::uint64_t endurance_bytes() const {
    const std::uint32_t cycles = config.erase_cycles != 0 ? config.erase_cycles : geometry.rated_erase_cycles;
    return std::uint64_t{usable_segments} * geometry.segment_bytes * cycles;
  }
  /// W: a segment taken into use costs all its bytes, however many of its pages the region uses (Fig. 8).
  [[nodiscard]] std::uint64_t used_bytes() const { return used_segments * geometry.segment_bytes; }

  // For checkpoints.
  [[nodiscard]] nand::CheckpointRow checkpoint_row(std::uint32_t segment) const override {
    const SegmentRow& row = segments.row(segment);
    return {row.erase_count, store.reads(segment), store.used(segment), row.state, row.mode, row.retired};
  }
  [[nodiscard]] std::uint32_t checkpoint_mapped(std::uint32_t first, std::uint32_t count) const override {
    return mapped_or_lost(pages, lost, first, count);
  }
  [[nodiscard]] std::uint32_t checkpoint_valid(std::uint32_t segment, std::uint32_t first,
                                               std::uint32_t count) const override {
    return segments.valid_bits(segment, first, count);
  }
  /// From outside the partition if there is one, else a free one.
  std::uint32_t replace_checkpoint_segment(std::uint32_t failed) override;

  FlexFsConfig config;
  FlashGeometry geometry;
  ProbePort& probe;
  ClockPort* clock;  ///< null: nothing is paced
  FlashIo io;
  nand::PageIo store;
  nand::Checkpoints checkpoints;
  const MigrationVictim* migration_victim = nullptr;
  const FreeChoice* free_choice = nullptr;

  Allocator allocator;
  WearBudget wear;
  IdleMeter idle;
  std::array<std::uint32_t, kRegions> log{kNone, kNone};  ///< log segment of each region: open, with room
  std::uint32_t usable_segments = 0;                      ///< that carry data and are not bad
  /// Free segments for copies. The segments that these take may fail, too; where some have failed, others will.
  std::uint32_t reserve = kReserve;
  std::uint64_t sequence = 0;         ///< last one given away
  std::uint64_t life_ns = 0;          ///< time of service since the format; never backwards
  std::uint64_t clock_offset = 0;     ///< lifetime minus the host's clock, modulo 2^64
  std::uint64_t written = 0;          ///< host pages accepted: clock of the file queues
  Q16 energy_share = kOne;            ///< what the energy budget leaves to the SLC region; computed with each window
  std::uint64_t owed_before_nj = 0;   ///< what a mount found in the SLC region: its host pages had their budget
  std::uint64_t spent_before_nj = 0;  ///< energy of format or mount, which no budget pays
  std::uint64_t used_segments = 0;    ///< segments taken into use since the format: SegmentRow::opened_stamp
  FtlStats stats;
  FlexFsStats flex;
  bool mounted = false;
  bool read_only = false;
  bool write_lost = false;        ///< a buffered page could not be completed since the last flush
  bool halted = false;            ///< the reserve failed: nothing can be copied, so nothing can be erased
  bool checkpoints_lost = false;  ///< neither checkpoint segment takes another one: trims cannot be kept
};

}  // namespace ftlab::flexfs
