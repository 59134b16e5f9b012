// A selection in its listed form: it keeps the full segments of each group in lists, by valid pages or in the order in
// which they became full, and finds a victim in constant time at any size of the volume. Which of several with as many
// valid pages is cleaned follows from the lists: the one that has had so many the longest.
#pragma once

#include <cstdint>
#include <type_traits>

#include "firmware/base/arena.h"
#include "firmware/map/listed_segments.h"
#include "firmware/policy/params.h"

namespace ftlab::fms {

/// What it sees. A group is what one cleaning chooses from: the segments of one pool of one die, numbered
/// die * pools + pool.
struct ListedSetup {
  ListedSegments& segments;
  std::uint64_t seed = 1;
  std::uint32_t segments_per_die = 0;
  std::uint32_t pages_per_segment = 0;
  std::uint32_t pools = 1;
  std::uint32_t groups = 1;
};

class ListedSelection {
 public:
  /// Of a group, unless the member says otherwise: one, in which a segment stays where it was put.
  static constexpr bool kSortByValid = false;
  static constexpr std::uint32_t bins(std::uint32_t /*pages_per_segment*/) { return 1; }

  explicit ListedSelection(const ListedSetup& setup) : s_(setup) {}
  ListedSelection(const ListedSelection&) = delete;
  ListedSelection& operator=(const ListedSelection&) = delete;

  /// Takes the memory it keeps things in; the same code measures and lays out.
  virtual void layout(Arena&) {}
  /// Nothing is in any list.
  virtual void clear() {}
  /// A segment of the group is full.
  virtual void sealed(std::uint32_t segment, std::uint32_t group) = 0;
  /// One of the group, or kNoSegment when there is none. It stays in its list.
  virtual std::uint32_t pick(std::uint32_t group) = 0;
  /// One of the group was taken out of that bin, picked or not.
  virtual void taken(std::uint32_t /*group*/, std::uint32_t /*bin*/) {}

 protected:
  ~ListedSelection() = default;
  ListedSetup s_;
};

/// The listed form of a selection, where it has one.
struct ListedForm {
  bool sort_by_valid = false;
  /// Of a group, for segments of so many pages.
  std::uint32_t (*bins)(std::uint32_t pages_per_segment) = nullptr;
  /// Null: this selection has none. Its result is null where the arena only measures, or is exhausted.
  ListedSelection* (*make)(Arena&, const ListedSetup&, const ParamBlock&) = nullptr;

  [[nodiscard]] constexpr bool exists() const { return make != nullptr; }
};

template <class L>
ListedSelection* make_listed(Arena& arena, const ListedSetup& setup, const ParamBlock& block) {
  const auto laid_out = [&](auto&&... args) {
    L* made = arena.make<L>(args...);
    if (made != nullptr)
      made->layout(arena);
    else
      L(args...).layout(arena);
    return made;
  };
  if constexpr (requires { typename L::Params; })
    return laid_out(block.as<typename L::Params>(), setup);
  else
    return laid_out(setup);
}

/// L is made of (L::Params, ListedSetup) where it has parameters, else of ListedSetup; they are the selection's.
template <class L>
constexpr ListedForm listed_form() {
  return {L::kSortByValid, L::bins, make_listed<L>};
}

}  // namespace ftlab::fms
