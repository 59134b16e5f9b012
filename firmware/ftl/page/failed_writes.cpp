#include "firmware/ftl/page/failed_writes.h"

namespace ftlab::page {

void FailedWrites::layout(Arena& arena, std::uint32_t pages) {
  waiting_ = arena.take<std::uint16_t>(pages);
  overtaken_ = arena.take<std::uint16_t>(pages);
}

void FailedWrites::take(std::uint16_t tag) {
  const PageInFlight& page = bench_.pages[tag];
  give_up_reads(page.ppn);
  if (bench_.log.program_failed(page.lpn, page.ppn))
    waiting_[waiting_count_++] = tag;
  else
    let_go(tag);
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
    bench_.log.placed_again();
    let_go(tag);
    return answer();
  }
}

void FailedWrites::write_again() {
  while (waiting_count_ > 0) {
    const std::uint16_t tag = waiting_[--waiting_count_];
    const bool placed = bench_.hands.place_again(tag);
    bench_.log.placed_again();
    if (placed) continue;
    bench_.log.written(bench_.pages[tag].epoch);
    bench_.hands.page_ended(tag, FtlStatus::no_space);
  }
}

void FailedWrites::let_go(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  bench_.log.written(page.epoch);
  page.epoch = bench_.log.epoch();
  overtaken_[overtaken_count_++] = tag;
}

void FailedWrites::answer_overtaken() {
  for (std::uint32_t i = 0; i < overtaken_count_;) {
    const std::uint16_t tag = overtaken_[i];
    if (!bench_.log.has_ended(bench_.pages[tag].epoch)) {
      ++i;
      continue;
    }
    overtaken_[i] = overtaken_[--overtaken_count_];
    bench_.hands.page_ended(tag, FtlStatus::ok);
  }
}

}  // namespace ftlab::page
