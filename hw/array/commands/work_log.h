// What every die has queued and not ended, in its order, with the content that programs replaced. Copies of one run are
// kept together until somebody asks.
// Knows what to forget when it has ended; what is done with the rest is up to others.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hw/array/commands/ring.h"
#include "hw/array/commands/work.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

class WorkLog {
 public:
  /// Copies that begin when the one before has ended, into one page behind the other.
  class Run {
   public:
    /// Ticks from the begin of a copy until the cells change, and from then on.
    struct Step {
      std::uint32_t lead = 0;
      std::uint32_t program = 0;
    };
    static Step step(Ticks lead, Ticks program) {
      return {static_cast<std::uint32_t>(lead.count()), static_cast<std::uint32_t>(program.count())};
    }
    void add(const Step& next) { *next_++ = next; }

   private:
    friend class WorkLog;
    /// Room for so many at once.
    void begin(std::uint32_t most) {
      if (added_.size() < most) added_.resize(most);
      next_ = added_.data();
    }
    void end() { steps_.append(std::span(added_.data(), next_)); }

    Ring<Step> steps_;
    std::vector<Step>
        added_;  ///< beside the ring: asked of each copy, whether it is full would cost as much as the rest
    Step* next_ = nullptr;
  };

  /// `content`: of it what programs replaced; `label`: see DeviceObserver::label().
  /// `pages_at_once`: of a work that stores.
  WorkLog(std::uint32_t dies, std::uint32_t pages_at_once, Content content, const std::uint8_t* label)
      : pages_at_once_(pages_at_once), content_(content), label_(label), dies_(dies) {}

  /// A place for the youngest work of a die, to be written over.
  Work& add(Ticks now, std::uint32_t die) {
    Ring<Work>& ring = dies_[die].work;
    if (ring.full()) [[unlikely]]
      retire(now, die);
    if (label_ != nullptr) dies_[die].labels.append() = *label_;
    return ring.append();
  }
  /// Just added.
  Work& youngest(std::uint32_t die) { return dies_[die].work.back(); }
  /// That of a die, to add copies to, so many at most; add_run() then.
  Run& begin_run(Ticks now, std::uint32_t die, std::uint32_t most) {
    retire(now, die);
    dies_[die].run.begin(most);
    return dies_[die].run;
  }
  /// So many were added; `all`: from the begin of the first to the end of the last one, with the page and the sequence
  /// of the first. They will not be undone.
  void add_run(std::uint32_t die, Work all, std::uint16_t count) {
    all.pages_before = count;
    all.detail = static_cast<std::uint8_t>(WorkKind::run);
    dies_[die].work.append() = all;
    dies_[die].run.end();
    ++dies_[die].runs;
    if (label_ != nullptr) dies_[die].labels.append() = *label_;
  }
  /// Beside a work just added that stores: what each of its pages had, as far as such is kept.
  void add_metadata(std::uint32_t die, const Metadata& before) { dies_[die].metadata.append() = before; }
  void add_data(std::uint32_t die, PageData&& before) { dies_[die].data.push(std::move(before)); }

  [[nodiscard]] std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] Ring<Work>& of(std::uint32_t die) {
    if (dies_[die].runs > 0) part_runs(die);
    return dies_[die].work;
  }
  /// Of the same place.
  [[nodiscard]] std::uint8_t label_of(std::uint32_t die, std::size_t i) const {
    return label_ != nullptr ? dies_[die].labels[i] : std::uint8_t{0};
  }
  /// The youngest of a die leaves the log; content of the last page of works that store, where it is kept.
  Work take_youngest(std::uint32_t die) {
    if (label_ != nullptr) (void)dies_[die].labels.pop_back();
    return dies_[die].work.pop_back();
  }
  Metadata take_metadata(std::uint32_t die) { return dies_[die].metadata.pop_back(); }
  PageData take_data(std::uint32_t die) { return dies_[die].data.pop_back(); }
  /// In which the die works behind `until`, by all that is in the log.
  [[nodiscard]] Ticks time_behind(Ticks until, std::uint32_t die) const;
  /// Forgets what has ended at the front.
  void retire(Ticks now, std::uint32_t die);
  /// What is under way will not be undone.
  void clear() {
    for (Die& die : dies_) die = Die{};
  }

 private:
  struct Die {
    Ring<Work> work;
    Ring<std::uint8_t> labels;  ///< one for each work, where there are any
    Ring<Metadata> metadata;    ///< of each page of works that store, where it is kept
    Ring<PageData> data;        ///< the same
    Run run;                    ///< copies of all that are in `work`
    std::uint32_t runs = 0;
  };

  /// Each of their copies becomes a work.
  void part_runs(std::uint32_t die);

  std::uint32_t pages_at_once_;
  Content content_;
  const std::uint8_t* label_;
  std::vector<Die> dies_;
};

}  // namespace ftlab::hw::array
