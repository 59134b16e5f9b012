// Everything that is known of a mounted volume at run time, whatever the medium: tables, open segments, free segments,
// counters. Shared by the pool, the frontier, the page stores and the layer above. Data only; knows no policy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/flash_io.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/map/lost_pages.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/nor/media_format.h"
#include "firmware/volume/page_store.h"
#include "firmware/volume/status.h"
#include "firmware/volume/volume_config.h"

namespace ftlab {

/// The copy that a host write is replacing, for layers that drop it from the tables before the new one commits: until
/// then it is the only durable one.
struct ReplacedCopy {
  std::uint32_t ppn = kUnmapped;
  std::uint32_t deferred_victim = kNone;  ///< cleaned segment holding it: counts as free, erased after the commit
  std::uint32_t retired_victim = kNone;   ///< the same, but retired: marked bad after the commit
  bool rescued = false;                   ///< copied meanwhile: a valid page again, until the commit
};

/// What lives in the caller's arena.
struct VolumeTables {
  /// Hands out the tables; the same code measures (arena without base) and lays out.
  void layout(Arena& arena, const FlashGeometry& geometry, const VolumeConfig& config) {
    slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
    header_pages = is_nand(geometry) ? 0 : geometry.segment_bytes / config.page_bytes - slots;
    segments.layout(arena, geometry.segments, slots);
    pages.layout(arena, config.logical_pages);
    lost.layout(arena, config.logical_pages);
    header_buffer = arena.take<std::byte>(
        is_nand(geometry) ? 0 : nor::kEntriesOffset + nor::entry_bytes(config.data_checksum) * slots);
    copy_buffer = arena.take<std::byte>(config.page_bytes);
    merge_buffer = arena.take<std::byte>(config.page_bytes);
    rescue_buffer = arena.take<std::byte>(config.page_bytes);
    order = arena.take<std::uint32_t>(geometry.segments);
  }

  std::uint32_t slots = 0;
  std::uint32_t header_pages = 0;
  SegmentTable segments;
  PageTable pages;
  LostPages lost;
  std::span<std::byte> header_buffer;  ///< NOR: one segment header with its entries
  std::span<std::byte> copy_buffer;    ///< one page on its way during cleaning; mount checks
  std::span<std::byte> merge_buffer;   ///< one page of a partial host write
  std::span<std::byte> rescue_buffer;  ///< the replaced copy, when its victim must be erased early
  std::span<std::uint32_t> order;      ///< one number per segment, for mount and format
};

struct Volume : VolumeTables {
  Volume(FlashPort& flash, ProbePort& probe_port, const VolumeConfig& volume_config)
      : config(volume_config), geometry(flash.geometry()), probe(probe_port), io(flash) {}

  /// Everything as before the first mount, configuration and arena apart.
  void clear() {
    io.forget();
    segments.clear();
    segments.set_state(nor::kFixedSegment, SegmentState::fixed);
    pages.clear();
    lost.clear();
    active.fill(kNone);
    waiting = kNone;
    number = 0;
    clock = sequence = 0;
    replaced = {};
    stats = {};
    more_reserve = 0;
    mounted = read_only = halted = port_lost = refresh_wanted = false;
  }

  // NOR: where in its segment a slot and its entry begin.
  [[nodiscard]] std::uint32_t data_offset(std::uint32_t slot) const {
    return (header_pages + slot) * config.page_bytes;
  }
  [[nodiscard]] std::uint32_t entry_offset(std::uint32_t slot) const {
    return nor::kEntriesOffset + nor::entry_bytes(config.data_checksum) * slot;
  }
  /// Free segments that can be allocated at once; the deferred victim is still waiting for its erase.
  [[nodiscard]] std::uint32_t usable_free() const {
    return segments.free_count() - (replaced.deferred_victim != kNone ? 1U : 0U);
  }
  [[nodiscard]] std::uint64_t capacity_bytes() const { return std::uint64_t{config.logical_pages} * config.page_bytes; }

  VolumeConfig config;
  FlashGeometry geometry;
  ProbePort& probe;
  FlashIo io;
  PageStore* store = nullptr;

  std::array<std::uint32_t, kMaxStreams> active = each_stream(kNone);  ///< open segment of each stream
  std::uint32_t number = 0;                                            ///< of the format run that made this volume
  std::uint64_t clock = 0;     ///< the layer's; each page written keeps it as its stamp
  std::uint64_t sequence = 0;  ///< last one given away
  ReplacedCopy replaced;
  std::uint32_t waiting = kNone;  ///< stream for whose page room is made; kNone: cleaning in idle time, or at a mount
  /// Free segments beyond the layer's reserve. Copies need the reserve, and the segments that they take may fail, too;
  /// where some have failed, others will.
  std::uint32_t more_reserve = 0;
  FtlStats stats;
  bool mounted = false;
  bool read_only = false;
  bool halted = false;          ///< read-only whatever the space: no room for copies, or for checkpoints
  bool port_lost = false;       ///< the device stopped answering
  bool refresh_wanted = false;  ///< some row may have its refresh flag set
};

}  // namespace ftlab
