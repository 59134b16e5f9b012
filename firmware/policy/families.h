// The families of cleaning policies: what each kind is asked, and how a member presents itself.
// A member is one file in the family's folder, which ends in `constexpr ...Entry NAME = member<Class>(...)`, and its
// NAME in the folder's members.inc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "firmware/map/streams.h"
#include "firmware/policy/listed_selection.h"
#include "firmware/policy/page_move.h"
#include "firmware/policy/params.h"
#include "firmware/policy/policy.h"
#include "firmware/policy/pool_choice.h"
#include "firmware/policy/separation.h"
#include "firmware/port/host_port.h"

namespace ftlab::fms {

/// What cleaning may come from: the state of the stream that asks, and free segments. Failures of segments raise all
/// marks.
struct RoomLeft {
  bool full = true;         ///< the stream has no room, otherwise it has it again
  std::uint32_t free = 0;   ///< free segments
  std::uint32_t low = 1;    ///< ftl.low_water
  std::uint32_t high = 1;   ///< ftl.high_water
  std::uint32_t least = 1;  ///< free segments with which copies always find a place
};

/// When segments are cleaned while the host waits. Where free <= least and the stream is full it has no choice.
class Trigger : public Policy {
 public:
  using Family = Trigger;
  static constexpr std::uint32_t kStreams = 0;
  /// Whether to look for a victim now. Asked again after each cleaning.
  virtual bool goes_on(const CleaningView&, const RoomLeft&) = 0;
  /// Whether this victim, which the selection chose, is worth it. If not, cleaning ends for now.
  virtual bool is_worth(const CleaningView&, const RoomLeft&, std::uint32_t /*victim*/) { return true; }

 protected:
  ~Trigger() = default;
};

/// Which segment is cleaned: a candidate, or none. SharedParams::ties decides among equals; a segment without valid
/// pages beats all others. One that draws (kByChance) is free of both.
class Selection : public Policy {
 public:
  using Family = Selection;
  static constexpr std::uint32_t kStreams = 0;
  virtual std::optional<std::uint32_t> pick(const CleaningView&) = 0;

  /// What is known of a member beside what is of all policies.
  struct Traits {
    ListedForm listed;
  };
  template <class P>
  static constexpr Traits traits() {
    return {};
  }

 protected:
  ~Selection() = default;
};

/// Where the valid pages of the victims go: sets the stream of each page and may reorder the pages, which come victim
/// by victim in slot order. Streams are counted from kHot; a member says how many there are.
class Redistribution : public Policy {
 public:
  using Family = Redistribution;
  virtual void plan(const CleaningView&, std::span<PageMove> moves) = 0;
  /// Where a page goes that the host writes and its placement leaves here. Its last copy is still in the tables.
  virtual StreamId stream_of(const CleaningView&, std::uint32_t /*lpn*/) { return kHot; }

 protected:
  ~Redistribution() = default;
};

/// Where a page of the host goes: kHot, which leaves it to the redistribution, or kReadOnly, if it says that it has a
/// stream. Cleaning leaves pages there, whatever the redistribution.
class HostPlacement : public Policy {
 public:
  using Family = HostPlacement;
  virtual StreamId stream_of(const CleaningView&, std::uint32_t lpn, const WriteHint& hint) = 0;

 protected:
  ~HostPlacement() = default;
};

/// The data of `from` moves to the free segment `to`, then `from` is erased.
struct WearMove {
  std::uint32_t from = kNone;
  std::uint32_t to = kNone;
  bool operator==(const WearMove&) const = default;
};

/// Asked after a cleaning, once a segment was released.
class WearLeveling : public Policy {
 public:
  using Family = WearLeveling;
  static constexpr std::uint32_t kStreams = 0;
  /// What it wants done; later, where `to` may not be erased yet, or never, where one of the two is used otherwise.
  virtual std::optional<WearMove> pick(const CleaningView&) = 0;
  /// That was done, and `from` is released.
  virtual void moved(const WearMove&) {}

 protected:
  ~WearLeveling() = default;
};

/// What is known of any member without making one.
struct PolicyEntry {
  std::string_view name;
  std::string_view help;
  std::uint32_t streams = 0;   ///< open segments it needs for itself, its parameters as they are by default
  bool watches = false;        ///< it keeps something of what segments hold
  bool watches_pages = false;  ///< it keeps something of pages' histories
  bool by_chance = false;      ///< what it chooses is drawn
  std::span<const Field<ParamBlock>> fields;  ///< keys that count when it is chosen
  std::span<const std::string_view> uses;     ///< keys of SharedParams that count when it is chosen
  void (*fill)(ParamBlock&) = nullptr;        ///< with the defaults; null: no parameters
  /// Null when it can work there, else a sentence with the reason and the way out; null function: always.
  const char* (*check)(const ParamBlock&, const FlashGeometry&) = nullptr;

  /// Where parameters decide how many streams; null function: they do not.
  std::uint32_t (*streams_by)(const ParamBlock&, const SharedParams&) = nullptr;
  /// It works on partitions (partitions.h), together with others that do and with no others. Copies then need no more
  /// than one segment that was free.
  bool partitioned = false;

  [[nodiscard]] std::uint32_t streams_with(const ParamBlock& block, const SharedParams& shared) const {
    return streams_by != nullptr ? streams_by(block, shared) : streams;
  }
  /// Free segments that the copies of one victim may take.
  [[nodiscard]] std::uint32_t copy_streams_with(const ParamBlock& block, const SharedParams& shared) const {
    return std::min(streams_with(block, shared), partitioned ? 1U : kStreams);
  }
  [[nodiscard]] constexpr bool uses_key(std::string_view key) const {
    for (const std::string_view used : uses)
      if (used == key) return true;
    return false;
  }
};

/// Of families whose members have no traits.
struct NoTraits {};
template <class Family>
struct TraitsOf {
  using Type = NoTraits;
};
template <class Family>
requires requires { typename Family::Traits; }
struct TraitsOf<Family> {
  using Type = typename Family::Traits;
};

template <class Family>
struct Entry : PolicyEntry, TraitsOf<Family>::Type {
  /// The object in the arena; null when that only measures, or is exhausted.
  Family* (*make)(Arena&, const PolicySetup&, const ParamBlock&) = nullptr;
};

using TriggerEntry = Entry<Trigger>;
using SelectionEntry = Entry<Selection>;
using RedistributionEntry = Entry<Redistribution>;
using PlacementEntry = Entry<HostPlacement>;
using WearLevelingEntry = Entry<WearLeveling>;
using SeparationEntry = Entry<Separation>;
using PoolChoiceEntry = Entry<PoolChoice>;

template <class P>
typename P::Family* make_policy(Arena& arena, const PolicySetup& setup, const ParamBlock& block) {
  const auto laid_out = [&](auto&&... args) {
    P* made = arena.make<P>(args...);
    if (made != nullptr)
      made->layout(arena, setup);
    else
      P(args...).layout(arena, setup);
    return made;
  };
  if constexpr (requires { typename P::Params; })
    return laid_out(block.as<typename P::Params>(), setup);
  else if constexpr (std::is_constructible_v<P, const PolicySetup&>)
    return laid_out(setup);
  else
    return laid_out();
}

/// Whether P has an own answer to any change that a segment table reports.
template <class P>
constexpr bool watches() {
  const auto own = [](auto of_p, auto of_watcher) { return !std::is_same_v<decltype(of_p), decltype(of_watcher)>; };
  return own(&P::clear, &SegmentWatcher::clear) || own(&P::on_write, &SegmentWatcher::on_write) ||
         own(&P::on_invalidate, &SegmentWatcher::on_invalidate) || own(&P::on_erase, &SegmentWatcher::on_erase) ||
         own(&P::on_state, &SegmentWatcher::on_state);
}

template <class P>
constexpr bool watches_pages() {
  return !std::is_same_v<decltype(&P::on_page), decltype(&PageWatcher::on_page)>;
}

/// P is made of (P::Params, PolicySetup) where it has parameters, with their rows in P::kFields, else of PolicySetup or
/// of nothing. The
/// keys of SharedParams that it uses are in P::kUses.
template <class P>
constexpr Entry<typename P::Family> member(std::string_view name, std::string_view help) {
  Entry<typename P::Family> entry;
  entry.name = name;
  entry.help = help;
  entry.streams = P::kStreams;
  entry.make = make_policy<P>;
  entry.watches = watches<P>();
  entry.watches_pages = watches_pages<P>();
  if constexpr (requires { typename P::Family::Traits; })
    static_cast<typename P::Family::Traits&>(entry) = P::Family::template traits<P>();
  if constexpr (requires { P::kPartitioned; }) entry.partitioned = P::kPartitioned;
  if constexpr (requires(const SharedParams& shared) { P::streams(shared); })
    entry.streams_by = [](const ParamBlock&, const SharedParams& shared) { return P::streams(shared); };
  if constexpr (requires { P::kByChance; }) entry.by_chance = P::kByChance;
  if constexpr (requires { P::kUses; }) entry.uses = P::kUses;
  if constexpr (requires { typename P::Params; }) {
    using Params = typename P::Params;
    entry.fields = kBlockFields<P>;
    entry.fill = ParamBlock::fill<Params>;
    if constexpr (requires(const Params& p) { P::streams(p); })
      entry.streams_by = [](const ParamBlock& block, const SharedParams&) { return P::streams(block.as<Params>()); };
    if constexpr (requires(const Params& p, const FlashGeometry& g) { P::check(p, g); })
      entry.check = [](const ParamBlock& block, const FlashGeometry& geometry) {
        return P::check(block.as<Params>(), geometry);
      };
  }
  return entry;
}

/// The selection with L as its listed form.
template <class L>
constexpr SelectionEntry with_listed(SelectionEntry entry) {
  entry.listed = listed_form<L>();
  return entry;
}

}  // namespace ftlab::fms
