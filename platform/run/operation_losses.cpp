#include "platform/run/operation_losses.h"

#include <algorithm>
#include <utility>

namespace ftlab::platform {
namespace {

std::vector<std::uint64_t> in_order(const std::vector<double>& at) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(at.size());
  for (const double n : at) numbers.push_back(static_cast<std::uint64_t>(n));
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

OperationLosses::OperationLosses(const PowerChoices& plan, Machine& machine, std::function<void()> due_changed)
    : machine_(machine),
      due_changed_(std::move(due_changed)),
      share_(plan.loss_share),
      programs_{.at = in_order(plan.loss_at_program)},
      erases_{.at = in_order(plan.loss_at_erase)},
      reads_{.at = in_order(plan.loss_at_read)},
      all_{.at = in_order(plan.loss_at_operation)} {}

std::size_t OperationLosses::planned() const {
  return programs_.at.size() + erases_.at.size() + reads_.at.size() + all_.at.size();
}

void OperationLosses::begin() {
  if (planned() == 0) return;
  machine_.ledger().set_begin_listener(this);
  machine_.processor().watch_time(this);
}

void OperationLosses::end() {
  machine_.ledger().set_begin_listener(nullptr);
  machine_.processor().watch_time(nullptr);
}

void OperationLosses::queued() { machine_.processor().look_soon(); }

bool OperationLosses::Count::add() {
  ++begun;
  if (next == at.size() || at[next] != begun) return false;
  ++next;
  return true;
}

void OperationLosses::begins(hw::DeviceOpKind kind, Ticks begin, Ticks end) {
  Count* of_kind = nullptr;
  switch (kind) {
    case hw::DeviceOpKind::word_program:
    case hw::DeviceOpKind::buffer_program:
      of_kind = &programs_;
      break;
    case hw::DeviceOpKind::erase:
      of_kind = &erases_;
      break;
    case hw::DeviceOpKind::load:
      of_kind = &reads_;
      break;
    default:
      return;
  }
  const auto share = Ticks{static_cast<std::int64_t>(share_ * static_cast<double>((end - begin).count()))};
  // A tick is the least that makes it one that was begun.
  const Ticks due = begin + std::max(share, Ticks{1});
  for (Count* count : {of_kind, &all_}) {
    if (!count->add()) continue;
    due_.insert(std::ranges::upper_bound(due_, due), due);
    due_changed_();
  }
}

Ticks OperationLosses::look(Ticks now) {
  machine_.device().advance_to(now);
  return machine_.device().next_begin(now);
}

}  // namespace ftlab::platform
