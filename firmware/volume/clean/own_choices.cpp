#include "firmware/volume/clean/own_choices.h"

namespace ftlab::volume {

void OwnChoices::layout(Arena& arena) {
  // Lists by valid count are nothing to policies that keep their own.
  const fms::PolicyChoice* others = config_.policies;
  const fms::SelectionEntry* selection = others == nullptr  ? fms::selections().find(config_.selection)
                                         : others->by_pools ? others->chosen.selection
                                                            : &fms::select::lru;
  const fms::SeparationEntry* separation = fms::separations().find(config_.separation);
  const fms::PoolChoiceEntry* pool_choice = fms::pool_choices().find(config_.pool_choice);
  if (selection == nullptr || !selection->listed.exists() || separation == nullptr || pool_choice == nullptr) return;
  const fms::ParamBlock& of_separation = config_.params.of(*separation);
  pools_ = pools_of(config_);
  separates_ = separation->classes(of_separation) > 1;
  const std::uint32_t pages = geometry_.pages_per_segment;
  const std::uint32_t groups = geometry_.dies * pools_;
  opened_at_ = arena.take<std::uint32_t>(geometry_.segments);
  sealed_at_ = arena.take<std::uint32_t>(geometry_.segments);
  const fms::ListedForm& listed = selection->listed;
  segments_.layout(arena, {geometry_.segments, groups, listed.bins(pages), listed.sort_by_valid});
  selection_ = listed.make(arena, {segments_, config_.seed, geometry_.segments_per_die(), pages, pools_, groups},
                           config_.params.of(*selection));
  const fms::PolicySetup setup{.geometry = geometry_,
                               .slots = pages,
                               .logical_pages = config_.logical_pages,
                               .seed = config_.seed,
                               .copies_apart = config_.copies_apart()};
  separation_ = separation->make(arena, setup, of_separation);
  pool_choice_ = pool_choice->make(arena, setup, config_.params.of(*pool_choice));
}

void OwnChoices::clear() {
  selection_->clear();
  separation_->clear();
  now_ = 0;
  pool_clock_.fill(0);
  writes_.fill(1);
  cleanings_.fill(1);
  classified_ = {};
}

std::uint32_t OwnChoices::host_stream(std::uint32_t lpn, std::uint32_t data_class, bool was_mapped,
                                      std::uint32_t old_stream) {
  const std::uint32_t stream = separation_->host_stream({lpn, data_class, now_, was_mapped, old_stream});
  const std::uint32_t pool = stream % pools_;
  ++pool_clock_[pool];
  ++writes_[pool];
  // Halved now and then, so that what was long ago counts little.
  constexpr std::uint32_t kHalveEvery = 1U << 18;
  if (now_ % kHalveEvery == 0) {
    for (std::uint64_t& writes : writes_) writes = (writes + 1) / 2;
    for (std::uint64_t& cleanings : cleanings_) cleanings = (cleanings + 1) / 2;
  }
  if (data_class != 0) {
    const bool hot = stream == 0;
    ++(data_class == 1 ? (hot ? classified_.hot_as_hot : classified_.hot_as_cold)
                       : (hot ? classified_.cold_as_hot : classified_.cold_as_cold));
  }
  return stream;
}

std::uint32_t OwnChoices::victim_of(std::uint32_t group) {
  const std::uint64_t places = std::uint64_t{segments_.listed_in(group)} * geometry_.pages_per_segment;
  return segments_.valid_in(group) == places ? kNoSegment : selection_->pick(group);
}

std::uint32_t OwnChoices::pick(std::uint32_t die) {
  if (pools_ == 1) return victim_of(die);
  std::array<std::uint32_t, fms::kMaxPools> victims{};
  std::array<std::uint32_t, fms::kMaxPools> ages{};
  for (std::uint32_t pool = 0; pool < pools_; ++pool) {
    victims[pool] = victim_of(die * pools_ + pool);
    if (victims[pool] != kNoSegment) ages[pool] = pool_clock_[pool] - sealed_at_[victims[pool]];
  }
  const fms::PoolView view{segments_, config_.arithmetic, die, pools_, geometry_.pages_per_segment, victims, ages,
                           writes_,   cleanings_};
  std::uint32_t best = kNoSegment;
  std::int64_t least = 0;
  for (std::uint32_t pool = 0; pool < pools_; ++pool) {
    if (victims[pool] == kNoSegment) continue;
    const std::int64_t score = pool_choice_->score(view, pool);
    if (best != kNoSegment && score >= least) continue;
    best = victims[pool];
    least = score;
  }
  return best;
}

}  // namespace ftlab::volume
