#include "hw/array/commands/work_log.h"

namespace ftlab::hw::array {

void WorkLog::retire(Ticks now, std::uint32_t index) {
  Die& die = dies_[index];
  while (!die.work.empty() && die.work.front().end <= now) {
    const Work work = die.work.pop_front();
    if (keeps_content_ && work.stores()) die.before.pop_front();
  }
}

std::pair<Work, PageContent> WorkLog::take_youngest(std::uint32_t index) {
  Die& die = dies_[index];
  std::pair<Work, PageContent> taken;
  taken.first = die.work.pop_back();
  if (keeps_content_ && taken.first.stores()) taken.second = die.before.pop_back();
  return taken;
}

void WorkLog::clear() {
  for (Die& die : dies_) {
    die.work.clear();
    die.before.clear();
  }
}

}  // namespace ftlab::hw::array
