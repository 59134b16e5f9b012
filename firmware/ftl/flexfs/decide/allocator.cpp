// Error diffusion: every page earns the SLC region `share` pages of credit, every page it takes costs one.
#include "firmware/ftl/flexfs/decide/allocator.h"

#include <algorithm>

namespace ftlab::flexfs {

void Allocator::configure(const FlexFsConfig& config, std::uint32_t slc_slots) {
  config_ = config;
  slc_slots_ = std::max<std::uint32_t>(slc_slots, 1);
  clear();
}

void Allocator::clear() {
  idle_.clear();
  hot_.clear();
  slc_.clear();
  alpha_ = kOne;
  credit_ = 0;
  pages_ = slc_pages_ = hot_pages_ = 0;
  predicted_idle_ns_ = move_ns_ = 0;
  predicted_hot_pages_ = 0;
}

Region Allocator::place(bool hot, Q16 limit) {
  ++pages_;
  if (!config_.slc_region) return Region::mlc;
  if (!config_.mlc_region) return Region::slc;
  const Q16 share = std::min(alpha_, limit);
  credit_ += share;
  // Hot pages may draw on the credit of the rest of the window: pages that come later repay it.
  const bool ahead = hot && config_.locality_aware &&
                     (std::uint64_t{slc_pages_} + 1) * kOne <= std::uint64_t{share} * config_.window_pages;
  if (credit_ < std::int64_t{kOne} && !ahead) return Region::mlc;
  credit_ -= kOne;
  ++slc_pages_;
  if (hot) ++hot_pages_;
  return Region::slc;
}

void Allocator::moved(Region from, bool hot) {
  if (from != Region::slc) return;
  slc_pages_ -= std::min<std::uint32_t>(slc_pages_, 1);
  if (hot) hot_pages_ -= std::min<std::uint32_t>(hot_pages_, 1);
}

std::uint64_t Allocator::migration_ns() const {
  const std::uint64_t per_page = std::max(config_.trigger_ns, move_ns_) + config_.erase_ns / slc_slots_;
  const std::uint32_t hot = config_.locality_aware ? predicted_hot_pages_ : 0;
  return hot >= config_.window_pages ? 0 : (config_.window_pages - hot) * per_page;
}

void Allocator::close_window(std::uint64_t idle_ns) {
  idle_.push(idle_ns);
  hot_.push(hot_pages_);
  slc_.push(slc_pages_);
  pages_ = slc_pages_ = hot_pages_ = 0;
  credit_ = 0;
  predicted_idle_ns_ = idle_.mean(kRecent, config_.recent_weight);
  predicted_hot_pages_ = static_cast<std::uint32_t>(hot_.mean());
  if (config_.dynamic_allocation) alpha_ = fraction(predicted_idle_ns_ >> 10, migration_ns() >> 10);
}

Q16 Allocator::hot_share_of_slc() const {
  const std::uint64_t slc = slc_.mean();
  return !config_.locality_aware || slc == 0 ? 0 : fraction(hot_.mean(), slc);
}

}  // namespace ftlab::flexfs
