#include "firmware/volume/in_flight/failed_writes.h"

#include <algorithm>

namespace ftlab::volume {

void FailedWrites::layout(Arena& arena, std::uint32_t pages) {
  waiting_ = arena.take<std::uint16_t>(pages);
  overtaken_ = arena.take<std::uint16_t>(pages);
}

void FailedWrites::take(std::uint16_t tag) {
  const PageInFlight page = bench_.pages[tag];
  give_up_reads(page.ppn);
  pass_on(page.ppn, page.before);
  const bool newest = bench_.log.program_failed(page.lpn, page.ppn, page.before, trims(page.lpn));
  if (newest && !waiting_of(page.lpn)) {
    waiting_[waiting_count_++] = tag;
    return;
  }
  if (newest) bench_.log.placed_again(trims(page.lpn));
  let_go(tag);
}

void FailedWrites::copy_failed(std::uint32_t source, std::uint32_t target) {
  pass_on(target, source);
  bench_.log.copy_failed(source, target);
  give_up_reads(target);
}

void FailedWrites::pass_on(std::uint32_t ppn, std::uint32_t before) {
  for (PageInFlight& page : bench_.pages)
    if (page.before == ppn) page.before = before;
}

bool FailedWrites::waiting_of(std::uint32_t lpn) const {
  const auto waiting = waiting_.first(waiting_count_);
  return std::ranges::any_of(waiting, [&](std::uint16_t tag) { return bench_.pages[tag].lpn == lpn; });
}

void FailedWrites::give_up_reads(std::uint32_t ppn) {
  using State = PageInFlight::State;
  for (PageInFlight& page : bench_.pages)
    if (page.ppn == ppn && (page.state == State::reading || page.state == State::merging)) page.ppn = kUnmapped;
}

void FailedWrites::overtaken(std::uint32_t lpn) {
  for (std::uint32_t i = 0; i < waiting_count_; ++i) {
    const std::uint16_t tag = waiting_[i];
    if (bench_.pages[tag].lpn != lpn) continue;
    waiting_[i] = waiting_[--waiting_count_];
    bench_.log.placed_again(trims(lpn));
    return let_go(tag);
  }
}

void FailedWrites::leave(std::uint16_t tag) {
  *std::ranges::find(waiting_.first(waiting_count_), tag) = waiting_[waiting_count_ - 1];
  --waiting_count_;
}

void FailedWrites::placed(std::uint16_t tag) {
  leave(tag);
  bench_.log.placed_again(trims(bench_.pages[tag].lpn));
}

void FailedWrites::not_placed(std::uint16_t tag) {
  leave(tag);
  left_any_ = true;
  bench_.log.not_placed(trims(bench_.pages[tag].lpn));
  bench_.log.written(bench_.pages[tag].epoch);
}

std::optional<std::uint16_t> FailedWrites::take_overtaken() {
  if (overtaken_count_ == 0) return std::nullopt;
  return overtaken_[--overtaken_count_];
}

void FailedWrites::let_go(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  bench_.log.written(page.epoch);
  overtaken_[overtaken_count_++] = tag;
  // What this one had overtaken waits with it for the write that has overtaken both.
  for (const std::uint16_t other : overtaken_.first(overtaken_count_))
    if (bench_.pages[other].lpn == page.lpn) bench_.pages[other].epoch = bench_.log.epoch();
}

std::optional<std::uint16_t> FailedWrites::take_answered() {
  for (std::uint16_t& tag : overtaken_.first(overtaken_count_)) {
    if (!bench_.log.has_ended(bench_.pages[tag].epoch)) continue;
    const std::uint16_t answered = tag;
    tag = overtaken_[--overtaken_count_];
    return answered;
  }
  return std::nullopt;
}

}  // namespace ftlab::volume
