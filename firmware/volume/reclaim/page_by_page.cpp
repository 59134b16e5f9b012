#include "firmware/volume/reclaim/page_by_page.h"

namespace ftlab::volume {

bool PageByPage::move_one(std::uint32_t segment, Cause cause) {
  std::uint32_t from = segment * log_.pages_per_segment_;
  while (!log_.is_mapped(from)) ++from;
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope scope(log_.probe_, cause);
  MovedPages moved;
  // No cleaning comes between: it would take the room that this page is given.
  const bool room = moves_.copying([&] { return moves_.copy_page(segment, from, log_.streams_ - 1, moved); });
  moves_.end_moving(segment, moved);
  if (cause == Cause::wear_level) log_.count_swapped(moved.pages);
  log_.submit_queued();
  return room;
}

}  // namespace ftlab::volume
