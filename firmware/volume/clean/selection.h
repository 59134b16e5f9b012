// Which segment of a group is cleaned next. A member is one file in select/ and its entry in selections.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "firmware/base/arena.h"
#include "firmware/volume/lists/segments.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// What a selection sees. Groups are numbered die * pools + pool.
struct SelectionSetup {
  Segments& segments;
  const VolumeConfig& config;
  std::uint32_t segments_per_die = 0;
  std::uint32_t pages_per_segment = 0;
  std::uint32_t pools = 1;
  std::uint32_t groups = 1;
};

class Selection {
 public:
  explicit Selection(const SelectionSetup& setup) : s_(setup) {}
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  /// Nothing is in any list.
  virtual void clear() {}
  /// A segment of the group is full.
  virtual void sealed(std::uint32_t segment, std::uint32_t group) = 0;
  /// One of the group, or kNoSegment when there is none. It stays in its list.
  virtual std::uint32_t pick(std::uint32_t group) = 0;
  /// One of the group was taken out of that bin, picked or not.
  virtual void taken(std::uint32_t /*group*/, std::uint32_t /*bin*/) {}

 protected:
  ~Selection() = default;
  SelectionSetup s_;
};

struct SelectionEntry {
  std::string_view name;
  std::string_view help;
  bool sort_by_valid = false;
  /// Of a group, for segments of so many pages.
  std::uint32_t (*bins)(std::uint32_t pages_per_segment) = nullptr;
  Selection* (*make)(Arena& arena, const SelectionSetup& setup) = nullptr;
};

template <class S>
inline constexpr auto make_selection = make_laid_out<Selection, S, SelectionSetup>;

[[nodiscard]] std::span<const SelectionEntry> selections();

}  // namespace ftlab::volume
