#include "hw/array/commands/work_log.h"

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
