#include "firmware/policy/policy_set.h"

namespace ftlab::fms {

void PolicySet::layout(Arena& arena, const ChosenPolicies& chosen, const PolicyParams& params,
                       const PolicySetup& setup) {
  watchers_ = page_watchers_ = 0;
  const auto make = [&](const auto* entry) {
    auto* made = entry->make(arena, setup, params.of(*entry));
    if (entry->watches && made != nullptr) watching_[watchers_++] = made;
    if (entry->watches_pages && made != nullptr) watching_pages_[page_watchers_++] = made;
    return made;
  };
  if (!chosen.complete()) return;
  trigger_ = make(chosen.trigger);
  selection_ = make(chosen.selection);
  redistribution_ = make(chosen.redistribution);
  placement_ = make(chosen.placement);
  wear_leveling_ = make(chosen.wear_leveling);
}

const char* PolicySet::self_check(const CleaningView& view) const {
  for (const Policy* policy : watching())
    if (const char* broken = policy->self_check(view)) return broken;
  return nullptr;
}

void PolicySet::clear() {
  for (Policy* policy : watching()) policy->clear();
}

void PolicySet::on_write(const SegmentView& segments, std::uint32_t segment) {
  for (Policy* policy : watching()) policy->on_write(segments, segment);
}

void PolicySet::on_invalidate(const SegmentView& segments, std::uint32_t segment) {
  for (Policy* policy : watching()) policy->on_invalidate(segments, segment);
}

void PolicySet::on_erase(const SegmentView& segments, std::uint32_t segment) {
  for (Policy* policy : watching()) policy->on_erase(segments, segment);
}

void PolicySet::on_state(const SegmentView& segments, std::uint32_t segment) {
  for (Policy* policy : watching()) policy->on_state(segments, segment);
}

void PolicySet::on_page(PageHistory before, PageHistory after) {
  for (Policy* policy : std::span(watching_pages_).first(page_watchers_)) policy->on_page(before, after);
}

}  // namespace ftlab::fms
