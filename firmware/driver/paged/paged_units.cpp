// Program units of several pages: pages come one by one and are programmed together, reads and copies that follow each
// other and take from one program unit sense it once.
#include <algorithm>

#include "firmware/driver/paged/paged_flash.h"

namespace ftlab {

using paged::DecodedTag;
using paged::is_ok;
using paged::WaitingUnit;

bool PagedFlash::start_in_unit(Die& die) {
  const FlashOp& op = die.queue[die.first].op;
  const std::uint32_t first = segment_of(op.page) * geometry_.pages_per_segment;
  switch (op.kind) {
    case FlashOpKind::read:
    case FlashOpKind::copy:
      if (die.run > 0)
        take_from_sensed(die);
      else if (const WaitingUnit* unit = waiting_.find(number_of(die), op.page))
        read_waiting(die, *unit);
      else
        sense(die);
      return true;
    case FlashOpKind::program: {
      const bool has_data = op.buffer != FlashOp::kNoBuffer;
      come(die, {.page = op.page, .metadata = op.metadata},
           has_data ? std::span(buffer(op.buffer), geometry_.page_bytes) : std::span<std::byte>());
      return true;
    }
    case FlashOpKind::erase:
    case FlashOpKind::mark_bad:
      if (!waiting_.any_in(number_of(die), first, first + geometry_.pages_per_segment)) return false;
      finish(die, FlashStatus::illegal);
      return true;
    case FlashOpKind::check_bad:
    case FlashOpKind::fence:
    case FlashOpKind::none:
      return false;
  }
  return false;
}

void PagedFlash::read_waiting(Die& die, const WaitingUnit& unit) {
  const FlashOp& op = die.queue[die.first].op;
  const std::uint32_t place = op.page - unit.first;
  if (place >= unit.count) return finish(die, FlashStatus::illegal);
  const DecodedTag tag{.intact = true, .lost = (unit.lost >> place & 1) != 0, .metadata = unit.metadata[place]};
  const std::span<const std::byte> data =
      unit.data.subspan(std::size_t{place} * geometry_.page_bytes, geometry_.page_bytes);
  if (op.kind == FlashOpKind::copy) return take_copy(die, tag, data, false);
  if (op.buffer != FlashOp::kNoBuffer) std::ranges::copy(data, buffer(op.buffer));
  die.done.metadata = tag.metadata;
  finish(die, tag.lost ? FlashStatus::uncorrectable : FlashStatus::ok);
}

void PagedFlash::sense(Die& die) {
  const std::uint32_t at_once = geometry_.pages_at_once;
  const FlashOp& first = die.queue[die.first].op;
  const std::uint32_t unit = first.page / at_once;
  std::uint32_t from = at_once;
  std::uint32_t end = 0;
  for (die.run = 0; die.run < std::min(die.count, at_once); ++die.run) {
    const FlashOp& op = die.queue[(die.first + die.run) % kQueue].op;
    if (op.kind != first.kind || op.page / at_once != unit) break;
    if (op.kind == FlashOpKind::read && op.buffer == FlashOp::kNoBuffer) continue;
    from = std::min(from, op.page % at_once);
    end = std::max(end, op.page % at_once + 1);
  }
  const bool has_data = from < end;
  if (!has_data) from = end = 0;
  std::byte* const data = has_data ? die.page.data() + std::size_t{from} * geometry_.page_bytes : nullptr;
  page_layout_.read_of_unit(begin(die, Phase::reading), segment_of(first.page),
                            index_of(first.page) / at_once * at_once + from, end - from, data, die.beside.data());
  run(die);
}

void PagedFlash::unit_sensed(Die& die, PartStatus status) {
  die.sensed_status = status;
  die.sensed = die.done;
  // A copy may complete a program unit, whose program comes before the next one.
  if (die.queue[die.first].op.kind == FlashOpKind::copy) return take_from_sensed(die);
  while (die.run > 0) take_from_sensed(die);
}

void PagedFlash::take_from_sensed(Die& die) {
  const FlashOp& op = die.queue[die.first].op;
  --die.run;
  die.done = {op.kind, die.sensed.status, op.tag, op.page, op.target, die.sensed.corrected_bits, die.sensed.must_move};
  const DecodedTag tag = sensed_tag(die, op.page);
  const std::span<const std::byte> data =
      die.page.subspan(std::size_t{op.page % geometry_.pages_at_once} * geometry_.page_bytes, geometry_.page_bytes);
  // What was not read for another reason than its state can still be read later.
  if (op.kind == FlashOpKind::copy)
    return take_copy(die, tag, data, !is_ok(die.sensed_status) && die.sensed_status != PartStatus::uncorrectable);
  if (op.buffer != FlashOp::kNoBuffer) std::ranges::copy(data, buffer(op.buffer));
  if (tag.intact) die.done.metadata = tag.metadata;
  if (!tag.blank && (!tag.intact || tag.lost)) die.done.status = FlashStatus::uncorrectable;
  (void)judge_end(die, tag);
  finish(die, die.done.status);
}

DecodedTag PagedFlash::sensed_tag(const Die& die, std::uint32_t page) const {
  if (!is_ok(die.sensed_status)) return {};
  return paged::decode(die.beside, geometry_.pages_at_once, page % geometry_.pages_at_once);
}

void PagedFlash::take_copy(Die& die, const DecodedTag& source, std::span<const std::byte> data, bool fails) {
  const FlashOp& op = die.queue[die.first].op;
  const bool readable = source.intact && !source.lost;
  if (!readable) die.done.status = FlashStatus::uncorrectable;
  come(die,
       {.page = op.target,
        .metadata = op.new_metadata ? op.metadata : source.metadata,
        .lost = !readable,
        .fails = fails},
       data);
}

void PagedFlash::come(Die& die, const Coming& coming, std::span<const std::byte> data) {
  WaitingUnit* const unit = waiting_.next_for(number_of(die), coming.page, coming.metadata);
  if (unit == nullptr) return finish(die, FlashStatus::illegal);
  const std::uint32_t place = unit->count++;
  const std::span<std::byte> into = unit->data.subspan(std::size_t{place} * geometry_.page_bytes, geometry_.page_bytes);
  if (data.empty())
    std::ranges::fill(into, std::byte{0xFF});
  else
    std::ranges::copy(data, into.begin());
  unit->metadata[place] = coming.metadata;
  unit->pages[place] = {die.done, die.queue[die.first].op.report};
  if (coming.lost) unit->lost = static_cast<std::uint8_t>(unit->lost | 1U << place);
  unit->fails = unit->fails || coming.fails;
  if (!unit->whole()) return pop(die);
  if (unit->fails) known_[segment_of(unit->first)].refused = true;
  if (!known_.may_program(unit->first)) return unit_ended(die, *unit, false);
  paged::encode(unit->metadata, unit->lost, unit->beside);
  page_layout_.program(begin(die, Phase::programming), segment_of(unit->first), index_of(unit->first),
                       unit->data.data(), unit->beside.data());
  run(die);
}

void PagedFlash::unit_ended(Die& die, WaitingUnit& unit, bool ok) {
  for (WaitingUnit::Page& page : unit.pages) {
    if (!ok) page.done.status = FlashStatus::program_failed;
    report(page.done, page.report);
  }
  unit.first = FlashOp::kNoPage;
  pop(die);
}

}  // namespace ftlab
