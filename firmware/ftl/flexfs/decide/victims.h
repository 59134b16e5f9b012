// Which segment is migrated or cleaned next, and which free one is taken: the exchangeable parts of FlexFS and the
// tables that list them. A part chooses; it never touches flash and keeps nothing between calls.
// A sealed segment without valid pages beats all others: it costs an erase alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "firmware/base/named.h"
#include "firmware/ftl/flexfs/decide/fraction.h"
#include "firmware/ftl/flexfs/decide/hot_cold_queues.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/map/segment_table.h"
#include "firmware/port/probe_port.h"

namespace ftlab::flexfs {

/// What a part may look at.
struct VictimView {
  const SegmentTable& segments;
  std::span<const std::uint32_t> files;  ///< of each logical page
  const HotColdQueues* queues;           ///< null: locality does not count
  ProbePort& probe;                      ///< count the work done
};

/// Whether work may take the segment: full, readable, of the region.
[[nodiscard]] inline bool is_sealed_in(const SegmentRow& row, Region region) {
  return row.state == SegmentState::sealed && !row.unreadable && row.stream == static_cast<StreamId>(region);
}

/// Which of two SLC segments migrates first; hot ones are left out before.
struct MigrationVictim {
  std::string_view name;
  std::string_view help;
  bool (*before)(const SegmentRow& a, const SegmentRow& b);
};

/// Which of two free segments is taken into use first.
struct FreeChoice {
  std::string_view name;
  std::string_view help;
  bool (*before)(const SegmentRow& a, const SegmentRow& b);
};

[[nodiscard]] std::span<const MigrationVictim> migration_victims();
[[nodiscard]] std::span<const FreeChoice> free_choices();

/// Share of a segment's valid pages whose files are hot (FlexFS paper, 4.1.3: average hotness).
[[nodiscard]] Q16 hotness(const VictimView& view, std::uint32_t segment);

/// SLC segment to migrate. With queues those whose hotness is not below the middle are left alone, unless `pressed`:
/// then the coldest of them goes when there is no other.
[[nodiscard]] std::optional<std::uint32_t> pick_migration(const VictimView& view, const MigrationVictim& order,
                                                          bool pressed);

/// The region's segment with the most invalid pages, if it has at least `least` of them; lowest number on ties.
[[nodiscard]] std::optional<std::uint32_t> pick_cleaning(const VictimView& view, Region region, std::uint32_t slots,
                                                         std::uint32_t least);

/// Segment that failed, or whose data should move; failed ones first.
[[nodiscard]] std::optional<std::uint32_t> pick_urgent(const VictimView& view);

/// The region's least erased segment, when another one has been erased at least `gap` times more often: its data is
/// cold, and moving it lets the segment wear like the others.
[[nodiscard]] std::optional<std::uint32_t> pick_leveling(const VictimView& view, Region region, std::uint32_t gap);

/// The free segment to take.
[[nodiscard]] std::optional<std::uint32_t> pick_free(const SegmentTable& segments, const FreeChoice& order);

}  // namespace ftlab::flexfs
