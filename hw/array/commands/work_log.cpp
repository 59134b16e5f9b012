#include "hw/array/commands/work_log.h"

#include <algorithm>

namespace ftlab::hw::array {

void WorkLog::retire(Ticks now, std::uint32_t index) {
  Die& die = dies_[index];
  while (!die.work.empty() && die.work.front().end <= now) {
    if (content_ != Content::none && die.work.front().stores()) {
      die.metadata.drop_front(pages_at_once_);
      for (std::uint32_t i = 0; content_ == Content::bytes && i < pages_at_once_; ++i) die.data.pop_front();
    }
    if (die.work.front().kind() == WorkKind::run) {
      die.run.steps_.drop_front(die.work.front().pages_before);
      --die.runs;
    }
    die.work.drop_front();
    if (label_ != nullptr) die.labels.drop_front();
  }
}

Ticks WorkLog::time_behind(Ticks until, std::uint32_t index) const {
  const Ring<Work>& works = dies_[index].work;
  std::vector<std::pair<Ticks, Ticks>> spans;
  for (std::size_t i = 0; i < works.size(); ++i)
    if (works[i].end > until) spans.emplace_back(std::max(works[i].begin, until), works[i].end);
  // Those out of order lie among those before.
  std::ranges::sort(spans);
  Ticks time{};
  Ticks done = until;
  for (const auto& [begin, end] : spans) {
    time += std::max(end - std::max(begin, done), Ticks::zero());
    done = std::max(done, end);
  }
  return time;
}

void WorkLog::part_runs(std::uint32_t index) {
  Die& die = dies_[index];
  for (std::size_t left = die.work.size(); left > 0; --left) {
    Work work = die.work.pop_front();
    if (work.kind() != WorkKind::run) {
      die.work.append() = work;
      continue;
    }
    const std::uint16_t copies = std::exchange(work.pages_before, 0);
    work.detail = static_cast<std::uint8_t>(WorkKind::copy);
    for (std::uint32_t i = 0; i < copies; ++i) {
      const Run::Step step = die.run.steps_.pop_front();
      work.lead = step.lead;
      work.end = work.begin + Ticks{step.lead} + Ticks{step.program};
      die.work.append() = work;
      work.begin = work.end;
      ++work.page;
      ++work.sequence;
    }
  }
  die.runs = 0;
}

}  // namespace ftlab::hw::array
