// Which segment is migrated or cleaned next: the exchangeable parts of FlexFS and the tables that list them. A part
// chooses; it never touches flash and keeps nothing between calls.
// A full segment without valid pages beats all others: it costs an erase alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "firmware/base/named.h"
#include "firmware/ftl/flexfs/decide/fraction.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/port/probe_port.h"

namespace ftlab::flexfs {

/// What is to be known of a segment to choose it.
struct SegmentFacts {
  bool full = false;    ///< takes no more pages, and may be cleaned
  bool in_use = false;  ///< of this volume, whatever its state
  Region region = Region::mlc;
  std::uint32_t valid = 0;
  std::uint32_t erases = 0;
  std::uint64_t opened = 0;  ///< SLC: those taken into use later have higher ones
};

/// Knows whose pages lie where.
class HotPages {
 public:
  /// Share of a segment's valid pages whose files are hot (FlexFS paper, 4.1.3: average hotness).
  [[nodiscard]] virtual Q16 hotness(std::uint32_t segment) const = 0;

 protected:
  ~HotPages() = default;
};

/// What a part may look at.
struct VictimView {
  std::span<const SegmentFacts> segments;
  const HotPages* hot = nullptr;  ///< null: locality does not count
  ProbePort& probe;               ///< count the work done
};

/// Which of two SLC segments migrates first; hot ones are left out before.
struct MigrationVictim {
  std::string_view name;
  std::string_view help;
  bool (*before)(const SegmentFacts& a, const SegmentFacts& b);
};

/// Which free segment is taken into use first; the volume does it.
struct FreeChoice {
  std::string_view name;
  std::string_view help;
};

[[nodiscard]] std::span<const MigrationVictim> migration_victims();
[[nodiscard]] std::span<const FreeChoice> free_choices();

/// SLC segment to migrate. With locality those whose hotness is not below the middle are left alone, unless `pressed`:
/// then the coldest of them goes when there is no other.
[[nodiscard]] std::optional<std::uint32_t> pick_migration(const VictimView& view, const MigrationVictim& order,
                                                          bool pressed);

/// The region's segment with the most invalid pages, if it has at least `least` of them; lowest number on ties.
[[nodiscard]] std::optional<std::uint32_t> pick_cleaning(const VictimView& view, Region region, std::uint32_t slots,
                                                         std::uint32_t least);

/// The region's least erased segment, when another one has been erased at least `gap` times more often: its data is
/// cold, and moving it lets the segment wear like the others.
[[nodiscard]] std::optional<std::uint32_t> pick_leveling(const VictimView& view, Region region, std::uint32_t gap);

}  // namespace ftlab::flexfs
