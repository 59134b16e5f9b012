// Lanes in step or apart, and the cycles of the 16-bit bus.
#include "hw/series2plus/commands/component_pair.h"

#include <algorithm>

#include "hw/series2plus/bus/burst_book.h"

namespace ftlab::hw {

ComponentPair::ComponentPair(CardContext& card, std::uint32_t index)
    : card_(card),
      index_(index),
      base_(index * card.spec.pair_bytes()),
      array_(card, buffers_, index),
      reports_(card, index),
      components_{Component({card, array_, reports_}, buffers_, Lanes::both),
                  Component({card, array_, reports_}, buffers_, Lanes::odd)} {
  buffers_.scramble(card.power_loss);
}

std::byte ComponentPair::read8(Ticks now, std::uint32_t offset) {
  advance_to(now);
  const std::uint32_t lane = offset & 1;
  const bool array = !held_ && component_of(lane).reads_array(now, offset >> 1);
  card_.accesses.read(array ? DeviceOpKind::array_read : DeviceOpKind::register_access, index_, base_ + offset, 1, now);
  return held_ ? CellBytes::kErased : read_lane(now, offset, lane);
}

void ComponentPair::write_word_apart(Ticks now, std::uint32_t offset, std::span<const std::byte, 2> from) {
  ++card_.work_changes;
  DeviceOpKind kind = DeviceOpKind::register_access;
  if (!held_) {
    const Ticks t = now + card_.spec.timing.common_cycle;
    advance_to(t);
    if (!in_step_) join_if_equal(t);
    if (components_[0].sequence().loads_buffer()) kind = DeviceOpKind::buffer_load;
    write_lanes(t, offset, from[0], from[1]);
  }
  card_.accesses.write_word(kind, index_, base_ + offset, now);
}

void ComponentPair::write8(Ticks now, std::uint32_t offset, std::byte value) {
  ++card_.work_changes;
  const Ticks t = now + card_.spec.timing.common_cycle;
  advance_to(t);
  DeviceOpKind kind = DeviceOpKind::register_access;
  if (!held_) {
    if (in_step_) split();
    Component& component = components_[offset & 1];
    if (component.sequence().loads_buffer()) kind = DeviceOpKind::buffer_load;
    write_component(component, t, offset, value, value);
  }
  card_.accesses.write(kind, index_, base_ + offset, 1, now);
}

void ComponentPair::read_burst(Ticks now, std::uint32_t offset, std::span<std::byte> into, bool repeat, Ticks cycle) {
  BurstBook book(card_.accesses, false, index_, now);
  std::uint32_t done = 0;
  const auto size = static_cast<std::uint32_t>(into.size());
  while (done < size) {
    const Ticks t = now + cycle * (done / 2);
    const std::uint32_t at = repeat ? offset : offset + done;
    advance_to(t);
    const bool array = !held_ && component_of(0).reads_array(t, at >> 1) && component_of(1).reads_array(t, at >> 1);
    if (array && !repeat) {
      // Nothing works on this pair, so nothing changes before the end of the segment.
      const std::uint32_t segment_bytes = card_.spec.segment_bytes;
      const std::uint32_t n = std::min(size - done, segment_bytes - (at & (segment_bytes - 1)));
      card_.content.read(base_ + at, into.subspan(done, n));
      book.add(DeviceOpKind::array_read, base_ + at, n, t);
      done += n;
      continue;
    }
    book.add(read_lanes(t, at, into.subspan(done).first<2>()), base_ + at, 2, t);
    done += 2;
  }
}

void ComponentPair::write_burst(Ticks now, std::uint32_t offset, std::span<const std::byte> from, bool repeat,
                                Ticks cycle) {
  // A write takes effect when the card has seen its cycle, however long the master holds it.
  const Ticks own = card_.spec.timing.common_cycle;
  ++card_.work_changes;
  BurstBook book(card_.accesses, true, index_, now);
  std::uint32_t done = 0;
  const auto size = static_cast<std::uint32_t>(from.size());
  while (done < size) {
    const Ticks begin = now + cycle * (done / 2);
    const std::uint32_t at = repeat ? offset : offset + done;
    if (held_) {
      book.add(DeviceOpKind::register_access, base_ + at, 2, begin);
      done += 2;
      continue;
    }
    advance_to(begin + own);
    if (!in_step_) join_if_equal(begin + own);
    const auto kind =
        components_[0].sequence().loads_buffer() ? DeviceOpKind::buffer_load : DeviceOpKind::register_access;
    if (in_step_ && !repeat) {
      const std::uint32_t words = std::min(components_[0].sequence().loadable_words(), (size - done) / 2);
      if (words > 0) {
        components_[0].load_words(at >> 1, from.subspan(done, std::size_t{words} * 2));
        book.add(kind, base_ + at, words * 2, begin);
        done += words * 2;
        continue;
      }
    }
    write_lanes(begin + own, at, from[done], from[done + 1]);
    book.add(kind, base_ + at, 2, begin);
    done += 2;
  }
}

DeviceOpKind ComponentPair::read_lanes_apart(Ticks t, std::uint32_t offset, std::span<std::byte, 2> into) const {
  if (held_) {
    into[0] = into[1] = CellBytes::kErased;
    return DeviceOpKind::register_access;
  }
  into[0] = read_lane(t, offset, 0);
  into[1] = read_lane(t, offset + 1, 1);
  return components_[0].reads_array(t, offset >> 1) ? DeviceOpKind::array_read : DeviceOpKind::register_access;
}

void ComponentPair::write_lanes(Ticks t, std::uint32_t offset, std::byte even, std::byte odd) {
  if (in_step_ && even != odd && !components_[0].sequence().expects_data()) split();
  const bool apart = !in_step_;  // the first write may split the pair and has then served both
  write_component(components_[0], t, offset, even, odd);
  if (apart) write_component(components_[1], t, offset, even, odd);
}

std::byte ComponentPair::read_lane(Ticks t, std::uint32_t offset, std::uint32_t lane) const {
  const Component& component = component_of(lane);
  const std::uint32_t address = offset >> 1;
  if (component.reads_array(t, address)) {
    std::byte value{};
    card_.content.read(base_ + address * 2 + lane, {&value, 1});
    return value;
  }
  if (component.reads_page_buffer(t)) return buffers_.at(component.selected_buffer(), address, lane);
  return std::byte{component.status_at(t, address)};
}

void ComponentPair::hold(Ticks t) {
  ++card_.work_changes;
  advance_to(t);
  for (std::size_t i = 0; i < components().size(); ++i) components_[i].reset(t);
  held_ = true;
}

void ComponentPair::release(Ticks t) {
  for (std::size_t i = 0; i < components().size(); ++i) components_[i].release(t);
  held_ = false;
}

void ComponentPair::lose_vpp(Ticks t) {
  ++card_.work_changes;
  advance_to(t);
  for (std::size_t i = 0; i < components().size(); ++i) components_[i].lose_vpp(t);
}

Ticks ComponentPair::next_status_change(Ticks after) const {
  Ticks next = kNever;
  for (const Component& component : components()) next = std::min(next, component.next_status_change(after));
  return next;
}

void ComponentPair::submit(Component& from, Ticks t, Request request) {
  request.honours_locks = card_.block_lock_enable;
  const std::uint32_t id = ++last_operation_;
  if (from.lanes() != Lanes::both || array_.uniform(request)) {
    if (!from.admit(request, t)) return;
    from.start(request, t, id, reports_.begin(request, t, count_of(from.lanes())), false);
    return;
  }
  split();
  const bool even = components_[0].admit(request, t);
  const bool odd = components_[1].admit(request, t);
  if (!even && !odd) return;
  const bool shared = even && odd;
  const std::uint32_t tag = reports_.begin(request, t, shared ? 2 : 1);
  if (even) components_[0].start(request, t, id, tag, shared);
  if (odd) components_[1].start(request, t, id, tag, shared);
}

void ComponentPair::split() {
  components_[0].share_operations();
  components_[1] = components_[0];
  components_[0].set_lanes(Lanes::even);
  components_[1].set_lanes(Lanes::odd);
  in_step_ = false;
}

void ComponentPair::join_if_equal(Ticks t) {
  if (!components_[0].same_state(components_[1], t)) return;
  components_[0].set_lanes(Lanes::both);
  in_step_ = true;
}

}  // namespace ftlab::hw
