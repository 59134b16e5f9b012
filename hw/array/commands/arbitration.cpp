#include "hw/array/commands/arbitration.h"

#include <algorithm>
#include <utility>

namespace ftlab::hw::array {
namespace {

/// It ends with a transfer to the controller.
bool outputs(const Work& work) {
  return work.kind() == WorkKind::read || work.kind() == WorkKind::early || work.kind() == WorkKind::gather;
}

/// It begins with a transfer to the die.
bool inputs(const Work& work) { return work.kind() == WorkKind::program || work.kind() == WorkKind::store; }

Ticks end_of_crossing(const Work& work) { return inputs(work) ? work.cells() : work.end; }

bool stays(const Work& work) {
  return work.kind() == WorkKind::fetch || work.aside() || (outputs(work) && !work.attempts().plain());
}

/// How much longer a die works for it, behind what has ended `done`.
Ticks more(Ticks begin, Ticks end, Ticks done) { return std::max(end - std::max(begin, done), Ticks::zero()); }

}  // namespace

void Arbitration::resolve() {
  for (std::uint32_t channel = 0; channel < timeline_.channels(); ++channel)
    if (timeline_.crossings(channel).unsettled_from() != kNever) resolve(channel);
  timeline_.settled();
}

void Arbitration::resolve(std::uint32_t channel) {
  Crossings& crossings = timeline_.crossings(channel);
  const std::uint32_t channels = timeline_.channels();
  lanes_.resize(device_.spec.dies() / channels);
  moved_.clear();
  std::uint32_t die = channel;
  for (Lane& lane : lanes_) {
    begin_lane(lane, die);
    die += channels;
    const std::optional<std::size_t> first = first_moved(lane, crossings.unsettled_from(), crossings);
    lane.next = first.value_or(lane.order.size());
  }
  for (Lane& lane : lanes_) {
    if (lane.next < lane.order.size()) crossings.remove_from(lane.die, lane.crossings[lane.next].begin);
    advance(lane);
  }
  while (true) {
    Lane* first = nullptr;
    for (Lane& lane : lanes_)
      if (lane.crosses && (first == nullptr || is_first(lane, *first))) first = &lane;
    if (first == nullptr) break;
    cross(*first, crossings);
    advance(*first);
  }
  for (const Lane& lane : lanes_) end_lane(lane);
  crossings.settled();
  std::ranges::stable_sort(moved_, is_older, &MovedWork::sequence);
  completions_.move(moved_, device_.spec.pages_per_die(), [this](std::uint32_t slot, Ticks waits) {
    if (passages_.watched() && waits != kNever) passages_.waits(slot, waits);
  });
  if (meter_.observed()) meter_.move(moved_);
}

void Arbitration::begin_lane(Lane& lane, std::uint32_t die) {
  std::vector<std::uint32_t> order = std::move(lane.order);
  std::vector<Crossing> crossings = std::move(lane.crossings);
  lane = Lane{};
  lane.die = die;
  const Ticks now = timeline_.now();
  log_.retire(timeline_.came(), die);
  const Ring<Work>& works = log_.of(die);
  order.clear();
  for (std::uint32_t i = 0; i < works.size(); ++i)
    if (works[i].end > now && works[i].kind() != WorkKind::fence) order.push_back(i);
  const auto begins = [&works](std::uint32_t place) { return works[place].begin; };
  // Reads that have overtaken others stand behind them.
  if (!std::ranges::is_sorted(order, {}, begins)) std::ranges::stable_sort(order, {}, begins);
  crossings.assign(order.size(), Crossing{});
  lane.order = std::move(order);
  lane.crossings = std::move(crossings);
}

std::optional<std::size_t> Arbitration::first_moved(Lane& lane, Ticks from, const Crossings& crossings) {
  const Ring<Work>& works = log_.of(lane.die);
  std::optional<std::size_t> first;
  auto next = crossings.ahead().begin();
  for (std::size_t i = 0; i < lane.order.size(); ++i) {
    const Work& work = works[lane.order[i]];
    if (work.aside()) return std::nullopt;
    if (stays(work)) first.reset();
    if (stays(work) || (!inputs(work) && !outputs(work))) continue;
    const Ticks end = end_of_crossing(work);
    while (next != crossings.ahead().end() && (next->die != lane.die || next->end < end)) ++next;
    const bool ahead = next != crossings.ahead().end() && next->end == end;
    if (!ahead || next->stays) {
      first.reset();
      continue;
    }
    lane.crossings[i] = *next;
    if (!first && next->ready >= from) first = i;
  }
  for (std::size_t i = 0; i < first.value_or(0); ++i) {
    const Work& work = works[lane.order[i]];
    lane.done = lane.done_before = std::max(lane.done, work.end);
    if (outputs(work)) lane.read_end = lane.read_end_before = work.end;
  }
  return first;
}

void Arbitration::advance(Lane& lane) {
  const Ticks now = timeline_.now();
  lane.crosses = false;
  for (; lane.next < lane.order.size(); ++lane.next) {
    const Work& work = next_of(lane);
    const Crossing& crossing = lane.crossings[lane.next];
    if (crossing.die != Crossing::kNobody) {
      lane.crosses = true;
      if (outputs(work)) return prepare_read(lane, work);
      const Ticks by = may_come_earlier(work) ? lane.by : std::max(lane.by, Ticks::zero());
      lane.ready = std::max(now, crossing.ready + by);
      return;
    }
    const Ticks begin = work.begin > now ? std::max(now, work.begin + lane.by) : work.begin;
    move(lane, begin, work.end + (begin - work.begin), kNever);
  }
}

void Arbitration::prepare_read(Lane& lane, const Work& work) {
  const Ticks now = timeline_.now();
  const bool cached = work.begin < lane.read_end_before;
  lane.begin = work.begin;
  if (!cached && work.begin <= now) {
    // The read before it, if it waited for one, has ended.
    lane.ready = lane.crossings[lane.next].ready;
    lane.moved_by = Ticks::zero();
    return;
  }
  if (work.begin > now) lane.begin = std::max(now, work.begin + (cached ? lane.moved_by : lane.by));
  const Ticks sensed = lane.begin + Ticks{work.lead};
  lane.ready = cached ? std::max(sensed, lane.read_end) + timeline_.cache_busy() : sensed;
  lane.moved_by = lane.ready - lane.crossings[lane.next].ready;
}

void Arbitration::cross(Lane& lane, Crossings& crossings) {
  const Work& work = next_of(lane);
  const Crossing& before = lane.crossings[lane.next];
  const Ticks length = before.end - before.begin;
  const Ticks begin = crossings.place(lane.die, lane.ready, length);
  if (outputs(work)) {
    lane.read_end_before = work.end;
    lane.read_end = begin + length;
    lane.output = begin;
    move(lane, lane.begin, begin + length, begin - (lane.begin + Ticks{work.lead}));
  } else {
    move(lane, begin, work.end + (begin - work.begin), begin - lane.ready);
  }
  ++lane.next;
}

void Arbitration::move(Lane& lane, Ticks begin, Ticks end, Ticks waits) {
  Work& work = next_of(lane);
  if (work.begin != begin || work.end != end)
    moved_.push_back({work.sequence, lane.die, work.begin, work.end, begin, end, waits});
  count_die_time(lane, work, begin, end);
  const Ticks by = end - work.end;
  if (!outputs(work)) move_planes(lane, work, by);
  // A read has its die alone, and a die of one plane does one thing at a time. Others begin behind what ends last.
  const bool alone = outputs(work) || device_.spec.planes == 1;
  lane.by = alone ? by : std::max(lane.by, by);
  work.begin = begin;
  work.end = end;
}

void Arbitration::count_die_time(Lane& lane, const Work& work, Ticks begin, Ticks end) {
  const Ticks before = more(work.begin, work.end, lane.done_before);
  const Ticks now = more(begin, end, lane.done);
  lane.done_before = std::max(lane.done_before, work.end);
  lane.done = std::max(lane.done, end);
  if (before == now) return;
  lane.worked += now - before;
  if (work.kind() != WorkKind::copy) return meter_.add_die_time(work.counted_as(), now - before);
  // Its reading is hidden first.
  const Ticks programs = work.end - work.cells() + device_.costs.program_command;
  const Ticks reads = std::max(now - programs, Ticks::zero()) - std::max(before - programs, Ticks::zero());
  meter_.add_die_time(DeviceOpKind::load, reads);
  meter_.add_die_time(DeviceOpKind::buffer_program, now - before - reads);
}

void Arbitration::move_planes(const Lane& lane, const Work& work, Ticks by) {
  if (by == Ticks::zero()) return;
  timeline_.settle_plane(lane.die, device_.segments[device_.segments.segment_of(work.page)].plane, work.end, by);
  if (work.kind() != WorkKind::copy) return;
  for (std::uint32_t plane = 0; plane < device_.spec.planes; ++plane)
    timeline_.settle_plane(lane.die, plane, work.cells() - device_.costs.program_command, by);
}

void Arbitration::move_fences(std::uint32_t die) {
  Ring<Work>& works = log_.of(die);
  Ticks ended{};
  for (std::size_t i = 0; i < works.size(); ++i) {
    Work& work = works[i];
    if (work.kind() == WorkKind::fence && ended > timeline_.now() && work.end != ended) {
      moved_.push_back({work.sequence, die, work.begin, work.end, ended, ended, kNever});
      work.begin = work.end = ended;
    }
    ended = std::max(ended, work.end);
  }
}

void Arbitration::end_lane(const Lane& lane) {
  if (lane.order.empty() || lane.done == Ticks::zero()) return;
  move_fences(lane.die);
  timeline_.resolve(lane.die, {.all_done = lane.done,
                               .by = lane.by,
                               .worked = lane.worked,
                               .read_end_before = lane.read_end_before,
                               .read_end = lane.read_end,
                               .output = lane.output,
                               .moved_by = lane.moved_by});
}

}  // namespace ftlab::hw::array
