#include "firmware/volume/mount/burst_reader.h"

#include <algorithm>

namespace ftlab::volume {

void BurstReader::layout(Arena& arena) {
  const std::uint32_t slots = std::min(kSlots, bench_.array.geometry().dies);
  next_of_slot_ = arena.take<std::uint32_t>(slots);
  scans_ = arena.take<Scan>(std::size_t{kLanes} * slots);
  found_ = arena.take<FlashDone>(kLanes * slots * Workbench::kCollected);
}

std::uint32_t BurstReader::next_segment(std::uint32_t slot) {
  const FlashGeometry& geometry = bench_.array.geometry();
  const std::uint32_t per_die = geometry.segments_per_die();
  const std::uint32_t die = slot + next_of_slot_[slot] / per_die * slots();
  if (die >= geometry.dies) return kNoSegment;
  return die * per_die + next_of_slot_[slot]++ % per_die;
}

void BurstReader::queue_pages(std::uint32_t lane) {
  const std::uint32_t at_once = bench_.array.geometry().pages_at_once;
  for (std::uint32_t unit = 0; unit < Workbench::kCollected; unit += at_once) {
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
      const Scan& scan = scans_[lane * slots() + slot];
      if (scan.segment == kNoSegment) continue;
      for (std::uint32_t i = unit; i < unit + at_once && scan.first + i < scan.end; ++i) {
        const auto tag = static_cast<std::uint16_t>(first_tag(lane, slot) + i);
        bench_.log.queue({FlashOpKind::read, true, tag, scan.segment * pages() + scan.first + i});
      }
    }
  }
  bench_.log.submit_queued();
}

void BurstReader::await(std::uint32_t lane) {
  while (left_[lane] > 0) {
    for (const FlashDone& done : await_some(bench_.array, bench_.done)) {
      found_[done.tag] = done;
      --left_[done.tag / first_tag(1, 0)];
    }
  }
}

void BurstReader::abandon() {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) await(lane);
  std::ranges::fill(scans_, Scan{});
}

}  // namespace ftlab::volume
