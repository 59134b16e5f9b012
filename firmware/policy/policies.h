// The cleaning policy's exchangeable parts and the tables that list them.
// A part chooses; it never touches flash and keeps nothing between calls.
// Adding one: a new file beside its siblings, one line in policies.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "firmware/base/named.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/policy/streams.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/cleaning_decisions.h"

namespace ftlab::fms {

/// What a part may look at. `now`: policy clock.
struct CleaningView {
  const SegmentTable& segments;
  const PageTable& pages;
  std::uint64_t now;
  std::uint32_t data_segments;  ///< segments that carry data, bad ones included
  ProbePort& probe;             ///< count the work done
};

/// Ticks since the segment was taken into use, at least one.
[[nodiscard]] inline std::uint64_t age_of(const SegmentRow& row, std::uint64_t now) {
  return now > row.opened_stamp ? now - row.opened_stamp : 1;
}

/// Which segment: a candidate, or none. Lowest index wins ties; a segment without valid pages beats all others.
struct Selection {
  std::string_view name;
  std::string_view help;
  std::optional<std::uint32_t> (*pick)(const CleaningView&);
};

/// How and where: sets the stream of each page and may reorder the pages, which come in slot order.
struct Redistribution {
  std::string_view name;
  std::string_view help;
  std::uint32_t streams;  ///< active segments it needs: 1 hot, 2 hot and cold
  void (*plan)(const CleaningView&, std::uint32_t victim, std::span<PageMove> moves);
};

/// The data of `from` moves to the free segment `to`, then `from` is erased.
struct WearMove {
  std::uint32_t from = kNone;
  std::uint32_t to = kNone;
};

struct WearLimits {
  std::uint32_t from_count = 0;  ///< erase count at which leveling begins
  std::uint32_t gap = 1;         ///< least difference of erase counts
};

/// Asked after each cleaning.
struct WearLeveling {
  std::string_view name;
  std::string_view help;
  std::optional<WearMove> (*pick)(const CleaningView&, const WearLimits&);
};

[[nodiscard]] std::span<const Selection> selections();
[[nodiscard]] std::span<const Redistribution> redistributions();
[[nodiscard]] std::span<const WearLeveling> wear_levelers();

std::optional<std::uint32_t> pick_greedy(const CleaningView&);
std::optional<std::uint32_t> pick_cost_benefit(const CleaningView&);
std::optional<std::uint32_t> pick_cat(const CleaningView&);
void plan_sequential(const CleaningView&, std::uint32_t victim, std::span<PageMove>);
void plan_segment_based(const CleaningView&, std::uint32_t victim, std::span<PageMove>);
void plan_fine_grained(const CleaningView&, std::uint32_t victim, std::span<PageMove>);
std::optional<WearMove> pick_no_swap(const CleaningView&, const WearLimits&);
std::optional<WearMove> pick_swap(const CleaningView&, const WearLimits&);

}  // namespace ftlab::fms
