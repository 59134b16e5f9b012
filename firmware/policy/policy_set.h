// The policies at work in one layer: made in its arena, together the watcher of its segment table.
#pragma once

#include "firmware/policy/policies.h"

namespace ftlab::fms {

class PolicySet final : public SegmentWatcher, public PageWatcher {
 public:
  /// Makes them; the same code measures and lays out.
  void layout(Arena& arena, const ChosenPolicies& chosen, const PolicyParams& params, const PolicySetup& setup);

  [[nodiscard]] Trigger& trigger() { return *trigger_; }
  [[nodiscard]] Selection& selection() { return *selection_; }
  [[nodiscard]] Redistribution& redistribution() { return *redistribution_; }
  [[nodiscard]] HostPlacement& placement() { return *placement_; }
  [[nodiscard]] WearLeveling& wear_leveling() { return *wear_leveling_; }
  /// What one of them keeps wrongly, or null.
  [[nodiscard]] const char* self_check(const CleaningView& view) const;

  /// Whether one of them keeps something of pages.
  [[nodiscard]] bool watches_pages() const { return page_watchers_ > 0; }

  void clear() override;
  void on_write(const SegmentView& segments, std::uint32_t segment) override;
  void on_invalidate(const SegmentView& segments, std::uint32_t segment) override;
  void on_erase(const SegmentView& segments, std::uint32_t segment) override;
  void on_state(const SegmentView& segments, std::uint32_t segment) override;
  void on_page(PageHistory before, PageHistory after) override;

 private:
  [[nodiscard]] std::span<Policy* const> watching() const { return {watching_.data(), watchers_}; }

  Trigger* trigger_ = nullptr;
  Selection* selection_ = nullptr;
  Redistribution* redistribution_ = nullptr;
  HostPlacement* placement_ = nullptr;
  WearLeveling* wear_leveling_ = nullptr;
  std::array<Policy*, 5> watching_{};  ///< those that keep something; the others need not be told
  std::size_t watchers_ = 0;
  std::array<Policy*, 5> watching_pages_{};
  std::size_t page_watchers_ = 0;
};

}  // namespace ftlab::fms
