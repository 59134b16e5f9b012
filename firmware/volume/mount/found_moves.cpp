#include "firmware/volume/mount/found_moves.h"

#include <algorithm>
#include <array>

#include "firmware/volume/log/log_found.h"

namespace ftlab::volume {

void FoundMoves::layout(Arena& arena) {
  const FlashGeometry& geometry = bench_.array.geometry();
  data_ = arena.take<std::byte>(std::size_t{geometry.pages_at_once} * geometry.page_bytes);
  lpns_ = arena.take<std::uint32_t>(geometry.pages_at_once);
}

void FoundMoves::wait_for_copies() {
  bench_.log.submit_queued();
  while (bench_.log.is_at_work()) pages_.in_flight().take_next();
}

void FoundMoves::move(std::span<std::uint32_t> places) {
  const CauseScope cause(bench_.probe, Cause::refresh);
  std::span<std::uint32_t> left = pages_.moves().move_found(places);
  wait_for_copies();
  // As many as fill a program unit, or each would be padded to one.
  while (!left.empty()) {
    const std::size_t together = std::min<std::size_t>(bench_.array.geometry().pages_at_once, left.size());
    rewrite(left.first(together));
    left = left.subspan(together);
  }
  // A cleaning on the way may have taken some along.
  wait_for_copies();
}

void FoundMoves::make_room() {
  const CauseScope cause(bench_.probe, Cause::clean);
  const FlashGeometry& geometry = bench_.array.geometry();
  for (std::uint32_t die = 0; die < geometry.dies; ++die) {
    const std::uint32_t victim = LogFound(bench_.log).victim_without_room(die);
    if (victim == kNoSegment) continue;
    const std::uint32_t first = victim * geometry.pages_per_segment;
    for (std::uint32_t page = first; page < first + geometry.pages_per_segment; page += geometry.pages_at_once) {
      std::array<std::uint32_t, 64> unit{};
      for (std::uint32_t i = 0; i < geometry.pages_at_once; ++i) unit[i] = page + i;
      rewrite(std::span(unit).first(geometry.pages_at_once));
    }
  }
}

void FoundMoves::rewrite(std::span<const std::uint32_t> places) {
  const std::size_t page = bench_.array.geometry().page_bytes;
  std::size_t count = 0;
  for (const std::uint32_t place : places) {
    const std::uint32_t lpn = bench_.log.lpn_at(place);
    if (!bench_.log.is_mapped(place) || !pages_.read_page_in(lpn)) continue;
    std::ranges::copy(bench_.page_buffer, data_.begin() + static_cast<std::ptrdiff_t>(count * page));
    lpns_[count++] = lpn;
  }
  bench_.log.stats().pages_copied += pages_.put_pages(lpns_.first(count), data_.first(count * page));
}

}  // namespace ftlab::volume
