#include "hw/series2plus/commands/operation_reports.h"

#include <algorithm>

namespace ftlab::hw {
namespace {

constexpr DeviceOpKind record_kind(OperationKind kind) {
  switch (kind) {
    case OperationKind::program:
      return DeviceOpKind::word_program;
    case OperationKind::buffer_program:
      return DeviceOpKind::buffer_program;
    case OperationKind::erase:
    case OperationKind::erase_all:
      return DeviceOpKind::erase;
    default:
      return DeviceOpKind::other;
  }
}

}  // namespace

DeviceOp OperationReports::record_of(const Request& request, Ticks t, std::uint32_t components) const {
  return {.kind = record_kind(request.kind),
          .device = pair_,
          .address = base_ + request.address * 2,
          .bytes = request.length * components,
          .start = t,
          .busy = Ticks::zero(),
          .energy = Picojoules{},
          .failed = false,
          .components = static_cast<std::uint8_t>(components),
          .end = Ticks::zero(),
          .tag = 0};
}

std::uint32_t OperationReports::begin(const Request& request, Ticks t, std::uint32_t components) {
  if (observer_ == nullptr) return 0;
  DeviceOp record = record_of(request, t, components);
  observer_->on_start(record);
  return record.tag;
}

bool OperationReports::join_other_half(Part& part) {
  const auto end = halves_.begin() + waiting_;
  const auto other = std::find_if(halves_.begin(), end, [&part](const Part& half) { return half.id == part.id; });
  if (other == end) return false;
  part.worked = std::max(part.worked, other->worked);
  part.end = std::max(part.end, other->end);
  part.energy += other->energy;
  part.ended.failed = part.ended.failed || other->ended.failed;
  part.ended.torn = part.ended.torn || other->ended.torn;
  *other = halves_[--waiting_];
  return true;
}

void OperationReports::began(const Operation& operation, Ticks t) {
  if (observer_ != nullptr) observer_->on_begin(record_kind(operation.request.kind), t, t + operation.remaining);
}

void OperationReports::end(const Operation& operation, std::uint32_t components, Ticks t, const Ended& ended) {
  if (observer_ == nullptr) return;
  const Picojoules one =
      energy_of(operation.power_uw, operation.worked) + energy_of(operation.suspended_uw, operation.suspended);
  Part part{.id = operation.id, .worked = operation.worked, .end = t, .energy = one * components, .ended = ended};
  if (operation.shared && !join_other_half(part)) {
    halves_[waiting_++] = part;
    return;
  }
  DeviceOp record = record_of(operation.request, operation.accepted, operation.components);
  record.busy = part.worked;
  record.energy = part.energy;
  record.failed = part.ended.failed;
  record.torn = part.ended.torn;
  record.end = part.end;
  record.tag = operation.tag;
  observer_->on_end(record);
}

}  // namespace ftlab::hw
