#include "hw/array/commands/suspension.h"

#include <algorithm>

namespace ftlab::hw::array {

std::optional<Span> Suspension::place(std::uint32_t die, std::uint32_t page, const Sensing& sense) {
  const Ticks now = timeline_.now();
  const Timeline::Die& state = timeline_.die(die);
  if (control_ == 0 || (state.all_done <= now && state.next_begin <= now)) return std::nullopt;
  Ticks& until = suspended_until_[die];
  const bool suspended = now < until;
  if (!may_overtake(die, page, now)) return std::nullopt;
  const std::optional<Ticks> from = suspended ? until : interruptible_from(die, now);
  if (!from) return std::nullopt;
  const Ticks resume = device_.spec.timing.resume;
  Sensing staying = sense;
  staying.stays = true;
  Span span = timeline_.read_aside(die, suspended ? until : *from + device_.spec.timing.suspend, staying);
  span.die_time = suspended ? span.end - until : span.end + resume - *from;
  delay(die, now, span.die_time, span, span.end + resume);
  until = span.end;
  return span;
}

bool Suspension::interruptible(const Work& work, Ticks now) const {
  const ArrayTiming& timing = device_.spec.timing;
  if (work.kind() == WorkKind::erase)
    return (control_ & control::kSuspendErases) != 0 && work.end - now >= timing.erase_left;
  return work.changes() && (control_ & control::kSuspendPrograms) != 0 && work.end - now >= timing.program_left;
}

std::optional<Ticks> Suspension::interruptible_from(std::uint32_t die, Ticks now) {
  std::optional<Ticks> from;
  Ring<Work>& works = log_.of(die);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& work = works[i];
    if (work.aside() || work.end <= now) continue;
    if (work.begin > now) {
      if (from && work.begin < *from) return std::nullopt;
      continue;
    }
    if (!interruptible(work, now)) return std::nullopt;
    from = std::max(from.value_or(now), work.cells());
  }
  return from;
}

bool Suspension::may_overtake(std::uint32_t die, std::uint32_t page, Ticks now) {
  const std::uint32_t segment = device_.segments.segment_of(page);
  const Ring<Work>& works = log_.of(die);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& work = works[i];
    if (work.end <= now) continue;
    if (work.kind() == WorkKind::fetch || (work.changes() && device_.spec.together(work.page, page))) return false;
    if (!work.stores() && work.changes() && device_.segments.segment_of(work.page) == segment) return false;
  }
  return true;
}

void Suspension::delay(std::uint32_t die, Ticks now, Ticks by, const Span& read, Ticks resumed) {
  Ring<Work>& works = log_.of(die);
  moved_.clear();
  for (std::size_t i = 0; i < works.size(); ++i) {
    Work& work = works[i];
    if (work.aside() || work.end <= now) continue;
    if (work.begin > now) work.begin += by;
    work.end += by;
    // A gathering and the program that it makes whole are of one descriptor.
    if (!moved_.empty() && moved_.back() == work.sequence) continue;
    moved_.push_back(work.sequence);
    if (meter_.observed()) meter_.delay(work.sequence, die, now, by);
  }
  const std::uint32_t pages = device_.spec.pages_per_die();
  completions_.delay(moved_, {die * pages, (die + 1) * pages}, now, by);
  timeline_.delay(die, now, by, read, resumed);
}

}  // namespace ftlab::hw::array
