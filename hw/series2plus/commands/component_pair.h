// Two components side by side on the 16-bit bus: even bytes one, odd bytes the other, one pair of page buffers.
// As long as both have had the same history they are kept as one component working for both lanes; an 8-bit access, a
// 16-bit cycle with two different commands or a different outcome splits them, equal idle states join them again.
// Observable behaviour does not depend on that. Addresses are byte offsets inside the pair.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "common/units.h"
#include "hw/series2plus/array/lanes.h"
#include "hw/series2plus/array/page_buffers.h"
#include "hw/series2plus/array/pair_array.h"
#include "hw/series2plus/commands/component.h"
#include "hw/series2plus/commands/operation_reports.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

class ComponentPair {
 public:
  ComponentPair(CardContext& card, std::uint32_t index);
  ComponentPair(const ComponentPair&) = delete;
  ComponentPair& operator=(const ComponentPair&) = delete;

  // --- bus; a single cycle of either width ---
  std::byte read8(Ticks now, std::uint32_t offset);
  void write8(Ticks now, std::uint32_t offset, std::byte value);
  void read_word(Ticks now, std::uint32_t offset, std::span<std::byte, 2> into) {
    advance_to(now);
    card_.accesses.read_word(read_lanes(now, offset, into), index_, base_ + offset, now);
  }
  void write_word(Ticks now, std::uint32_t offset, std::span<const std::byte, 2> from) {
    Component& component = components_[0];
    if (!in_step_ || held_ || (from[0] != from[1] && !component.sequence().expects_data())) {
      return write_word_apart(now, offset, from);
    }
    const Ticks t = now + card_.spec.timing.common_cycle;
    advance(component, t);
    const auto kind = component.sequence().loads_buffer() ? DeviceOpKind::buffer_load : DeviceOpKind::register_access;
    if (kind != DeviceOpKind::buffer_load) ++card_.work_changes;
    card_.accesses.write_word(kind, index_, base_ + offset, now);
    write_component(component, t, offset, from[0], from[1]);
  }
  /// Cycle i of a burst begins at now + i * cycle.
  void read_burst(Ticks now, std::uint32_t offset, std::span<std::byte> into, bool repeat, Ticks cycle);
  void write_burst(Ticks now, std::uint32_t offset, std::span<const std::byte> from, bool repeat, Ticks cycle);

  // --- time and pins ---
  void advance_to(Ticks t) {
    advance(components_[0], t);
    if (!in_step_) advance(components_[1], t);
  }
  /// RP# of both components: while held they neither answer nor work.
  void hold(Ticks t);
  void release(Ticks t);
  void lose_vpp(Ticks t);
  void scramble_buffers() { buffers_.scramble(card_.power_loss); }
  [[nodiscard]] Ticks next_status_change(Ticks after) const;
  /// The components that have a state of their own: one while in step, else two.
  [[nodiscard]] std::span<const Component> components() const {
    return {components_.data(), in_step_ ? std::size_t{1} : std::size_t{2}};
  }

 private:
  void advance(Component& component, Ticks t) {
    if (component.next_event() > t) return;
    ++card_.work_changes;
    component.advance_to(t);
  }
  /// One write cycle of a component, and what it asks for. May split the pair.
  void write_component(Component& component, Ticks t, std::uint32_t offset, std::byte even, std::byte odd) {
    const Request* asked =
        component.write(t, offset >> 1, std::to_integer<std::uint8_t>(even), std::to_integer<std::uint8_t>(odd));
    if (asked != nullptr) submit(component, t, *asked);
  }
  /// A copy of the request, as the split that it may cause changes the component it came from.
  void submit(Component& from, Ticks t, Request request);
  void split();
  void join_if_equal(Ticks t);
  /// Components apart, about to part, or held.
  void write_word_apart(Ticks now, std::uint32_t offset, std::span<const std::byte, 2> from);
  void write_lanes(Ticks t, std::uint32_t offset, std::byte even, std::byte odd);
  /// One word as both components show it; the kind of access that makes it.
  DeviceOpKind read_lanes(Ticks t, std::uint32_t offset, std::span<std::byte, 2> into) const {
    const Component& even = components_[0];
    const std::uint32_t address = offset >> 1;
    if (in_step_ && !held_ && even.reads_status(t, address)) {
      into[0] = into[1] = std::byte{even.status_at(t, address)};
      return DeviceOpKind::register_access;
    }
    return read_lanes_apart(t, offset, into);
  }
  DeviceOpKind read_lanes_apart(Ticks t, std::uint32_t offset, std::span<std::byte, 2> into) const;
  [[nodiscard]] std::byte read_lane(Ticks t, std::uint32_t offset, std::uint32_t lane) const;
  [[nodiscard]] const Component& component_of(std::uint32_t lane) const { return components_[in_step_ ? 0 : lane]; }

  CardContext& card_;
  std::uint32_t index_;
  std::uint32_t base_;
  bool held_ = false;
  bool in_step_ = true;
  std::uint32_t last_operation_ = 0;
  PageBuffers buffers_;
  PairArray array_;
  OperationReports reports_;
  std::array<Component, 2> components_;
};

}  // namespace ftlab::hw
