// Everything the FMS knows at run time, shared by its parts (journal, frontier, collector, mount). Data only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/flash_io.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/ftl/fms/medium.h"
#include "firmware/ftl/ftl.h"
#include "firmware/ftl/status.h"
#include "firmware/map/lost_pages.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/policy/policies.h"
#include "firmware/volume/nor/media_format.h"

namespace ftlab::fms {

/// The page a host write is replacing: dropped from the tables already, but its old copy is the only durable one
/// until the new copy commits.
struct PendingOld {
  std::uint32_t ppn = kUnmapped;
  std::uint32_t deferred_victim = kNone;  ///< cleaned segment holding it: counts as free, erased after the commit
  std::uint32_t burial = kNone;           ///< the same, but retired: buried after the commit
  bool rescued = false;                   ///< copied meanwhile: a valid page again, until the commit
};

/// What lives in the caller's arena.
struct FmsTables {
  /// Hands out the tables; the same code measures (arena without base) and lays out.
  void layout(Arena& arena, const FlashGeometry& geometry, const FmsConfig& config) {
    slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
    header_pages = is_nand(geometry) ? 0 : geometry.segment_bytes / config.page_bytes - slots;
    segments.layout(arena, geometry.segments, slots);
    pages.layout(arena, config.logical_pages);
    lost.layout(arena, config.logical_pages);
    header_buffer =
        arena.take<std::byte>(is_nand(geometry) ? 0 : kEntriesOffset + entry_bytes(config.data_checksum) * slots);
    copy_buffer = arena.take<std::byte>(config.page_bytes);
    merge_buffer = arena.take<std::byte>(config.page_bytes);
    rescue_buffer = arena.take<std::byte>(config.page_bytes);
    moves = arena.take<PageMove>(slots);
    order = arena.take<std::uint32_t>(geometry.segments);
  }

  std::uint32_t slots = 0;
  std::uint32_t header_pages = 0;
  SegmentTable segments;
  PageTable pages;
  LostPages lost;
  std::span<std::byte> header_buffer;  ///< one segment header with its entries
  std::span<std::byte> copy_buffer;    ///< one page on its way during cleaning; mount checks
  std::span<std::byte> merge_buffer;   ///< one page of a partial host write
  std::span<std::byte> rescue_buffer;  ///< the pending old page, when its victim must be erased early
  std::span<PageMove> moves;
  std::span<std::uint32_t> order;  ///< one number per segment, for mount and format
};

struct FmsState : FmsTables {
  FmsState(FlashPort& flash, ProbePort& probe_port, const FmsConfig& fms_config)
      : config(fms_config), geometry(flash.geometry()), probe(probe_port), io(flash) {}

  /// Everything as before the first mount, configuration and arena apart.
  void clear() {
    segments.clear();
    segments.row(kFixedSegment).state = SegmentState::fixed;
    pages.clear();
    lost.clear();
    active = {kNone, kNone, kNone};
    volume = 0;
    clock = sequence = 0;
    clock_offset = 0;
    pending = {};
    stats = {};
    more_reserve = 0;
    mounted = read_only = halted = port_lost = refresh_wanted = false;
  }

  [[nodiscard]] std::uint32_t data_offset(std::uint32_t slot) const {
    return (header_pages + slot) * config.page_bytes;
  }
  [[nodiscard]] std::uint32_t entry_offset(std::uint32_t slot) const {
    return kEntriesOffset + entry_bytes(config.data_checksum) * slot;
  }
  [[nodiscard]] CleaningView view() { return {segments, pages, clock, data_segments(geometry), probe}; }
  /// Free segments that can be taken at once; the deferred victim is still waiting for its erase.
  [[nodiscard]] std::uint32_t usable_free() const {
    return segments.free_count() - (pending.deferred_victim != kNone ? 1U : 0U);
  }

  FmsConfig config;
  FlashGeometry geometry;
  ProbePort& probe;
  FlashIo io;
  Medium* medium = nullptr;
  const Selection* selection = nullptr;
  const Redistribution* redistribution = nullptr;
  const WearLeveling* wear_leveling = nullptr;

  std::array<std::uint32_t, kStreams> active{kNone, kNone, kNone};  ///< open segment of each stream
  std::uint32_t volume = 0;
  std::uint64_t clock = 0;         ///< policy clock
  std::uint64_t clock_offset = 0;  ///< added to the host's time so that the policy clock never runs backwards
  std::uint64_t sequence = 0;      ///< last one given away
  PendingOld pending;
  /// Free segments beyond the water marks. Copies need the reserve, and the segments that they take may fail, too;
  /// where some have failed, others will.
  std::uint32_t more_reserve = 0;
  FtlStats stats;
  bool mounted = false;
  bool read_only = false;
  bool halted = false;          ///< read-only whatever the space: no room for copies, or for checkpoints
  bool port_lost = false;       ///< the device stopped answering
  bool refresh_wanted = false;  ///< some row may have its refresh flag set
};

}  // namespace ftlab::fms
