#include "hw/array/commands/work_log.h"

namespace ftlab::hw::array {

void WorkLog::retire(Ticks now, std::uint32_t index) {
  Die& die = dies_[index];
  while (!die.work.empty() && die.work.front().end <= now) {
    if (content_ != Content::none && die.work.front().stores()) {
      die.metadata.drop_front();
      if (content_ == Content::bytes) die.data.pop_front();
    }
    die.work.drop_front();
    if (label_ != nullptr) die.labels.drop_front();
  }
}

}  // namespace ftlab::hw::array
