// Takes descriptors: refuses those that break a rule, gives the others their time on dies and channels, changes the
// array, counts what they cost and leaves completions.
//
// All of it happens when a descriptor is written: ends are known then, and what is written later finds the array as
// those before will leave it. A burst is its descriptors one by one: each takes the controller its own time, and the
// die gets it when that is over. Data of programs is taken, and data of reads put into its slot, at once; only the
// completion waits. Whatever is rare is asked once a burst, so that the usual case runs without it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hw/array/commands/arbitration.h"
#include "hw/array/commands/completions.h"
#include "hw/array/commands/descriptor_view.h"
#include "hw/array/commands/operation_meter.h"
#include "hw/array/commands/overtaking.h"
#include "hw/array/commands/passages.h"
#include "hw/array/commands/program_units.h"
#include "hw/array/commands/suspension.h"
#include "hw/array/commands/timeline.h"
#include "hw/array/commands/work_log.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

class Controller {
 public:
  Controller(Context& device, const DeviceOptions& options);

  /// `bytes`: whole descriptors.
  void submit(Ticks now, std::span<const std::byte> bytes) {
    if (follows_ && is_long_since_read()) stop_following();
    timeline_.begin_burst(now);
    extras_ ? submit_all<true>(bytes) : submit_all<false>(bytes);
  }
  /// The control register.
  void configure(std::uint16_t control);
  [[nodiscard]] std::uint16_t control() const { return suspension_.control(); }
  /// Reads that overtake an operation of their die which has not begun, at most.
  void let_overtake(std::uint16_t reads) {
    overtaking_.configure(reads);
    update_log();
  }
  [[nodiscard]] std::uint16_t overtaking() const { return overtaking_.most(); }
  /// The line waits for so many completions, or for the end of everything.
  void gather(std::uint16_t completions) { gather_ = completions; }
  [[nodiscard]] std::uint16_t gathers() const { return gather_; }
  [[nodiscard]] bool line(Ticks now) const { return line_from() <= now; }
  /// When the line is high if nothing more is queued or read; kNever: not before that.
  [[nodiscard]] Ticks line_from() const {
    if (completions_.empty()) return kNever;
    const Ticks enough = completions_.readable_from(std::max<std::uint32_t>(gather_, 1));
    return std::max(completions_.readable_from(1), std::min(enough, timeline_.all_done()));
  }
  [[nodiscard]] bool busy(Ticks now) const { return timeline_.all_done() > now; }
  /// Earliest time > now at which status changes by itself.
  [[nodiscard]] Ticks next_change(Ticks now) const;
  /// See DeviceCore::next_begin().
  [[nodiscard]] Ticks next_begin(Ticks now) const { return std::max(meter_.next_begin(), now + Ticks{1}); }
  [[nodiscard]] const Completions& completions() const { return completions_; }
  /// The oldest completion that can be read, which is gone then; null: there is none.
  const Completion* collect(Ticks now) {
    const Completion* const next = completions_.take(now);
    if (next != nullptr && passages_.watched()) [[unlikely]]
      passages_.report(next->tag, completions_.taken_slot(), completions_.taken_end());
    return next;
  }
  void watch_passages(PassageObserver* observer) { passages_.watch(observer); }
  [[nodiscard]] const OperationMeter& meter() const { return meter_; }
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  /// In which a die has worked, as far as it is queued and not behind `until`: kNever where work is not told, or not
  /// before the last burst.
  [[nodiscard]] Ticks worked_by(std::uint32_t die, Ticks until) const;

  /// Reports what has ended.
  void advance_to(Ticks now) { meter_.advance_to(now); }
  /// Its program ends later than that, as far as it is queued, or its program unit is not whole.
  [[nodiscard]] bool is_coming(std::uint32_t page, Ticks now);
  /// What has not ended is undone or torn; nothing is under way.
  void lose_power(Ticks now);
  /// The array is another one: there is nothing to undo.
  void forget() {
    log_.clear();
    units_.clear();
  }

 private:
  friend class ProgramUnits;

  static constexpr std::uint32_t kFollowed = 1U << 16;  ///< descriptors after a read

  template <bool kExtras>
  void submit_all(std::span<const std::byte> bytes);
  template <bool kExtras>
  void take(DescriptorView d);
  /// Takes those at the front that copy from one segment to the next places of another one on the same die, where
  /// nothing can go wrong, nobody watches and nothing is undone: as take() would, and faster. Gives the rest.
  template <bool kTags, bool kLogs, bool kAges>
  std::span<const std::byte> take_copies(std::span<const std::byte> bytes);
  template <bool kExtras>
  std::span<const std::byte> take_run(std::span<const std::byte> bytes) {
    if constexpr (!kExtras) {
      return logs_ ? take_copies<false, true, false>(bytes) : take_copies<false, false, false>(bytes);
    } else {
      return device_.pages.content() == Content::none ? take_run_of<false>(bytes) : take_run_of<true>(bytes);
    }
  }
  template <bool kTags>
  std::span<const std::byte> take_run_of(std::span<const std::byte> bytes) {
    if (!device_.errors.any())
      return logs_ ? take_copies<kTags, true, false>(bytes) : take_copies<kTags, false, false>(bytes);
    return logs_ ? take_copies<kTags, true, true>(bytes) : take_copies<kTags, false, true>(bytes);
  }
  /// Reads of this segment, as many as it has pages, are sure to be corrected without a retry.
  [[nodiscard]] bool is_certain(std::uint32_t segment) const;
  /// Of a copy from there, behind so many others.
  void complete_certain(DescriptorView d, Ticks now, Ticks end, std::uint32_t copies_before);
  template <bool kExtras>
  void read(DescriptorView d);
  template <bool kExtras>
  void program(DescriptorView d);
  template <bool kExtras>
  void copy(DescriptorView d);
  template <bool kExtras>
  void erase(DescriptorView d);
  template <bool kExtras>
  void check(DescriptorView d);
  template <bool kExtras>
  void mark_bad(DescriptorView d);
  void fence(DescriptorView d);

  template <bool kExtras>
  Found find(const Segment& segment, std::uint32_t page, const PageAddress& at, bool copies = false);
  template <bool kExtras>
  Span copy_within(const Segment& from, const Segment& to, DescriptorView d, std::uint8_t type, const Cost& program,
                   const Found& found, bool fails);
  template <bool kExtras>
  Span copy_across(const Segment& from, const Segment& to, DescriptorView d, std::uint8_t type, const Cost& program,
                   const Found& found, bool fails);
  /// The next page of `to` is programmed, well or not.
  Status fill(Segment& to, std::uint32_t page);
  Span place_read(const Segment& segment, std::uint32_t page, const Sensing& sense, Turn& turn);
  /// Of pages that somebody asks for; of each such read once, since it may be drawn.
  Load load_of(std::uint32_t die, std::uint8_t type, const Sensed& sensed);
  /// Of a read of one page, of which so many cross the channel, beyond what the plain one costs.
  [[nodiscard]] Cost again_of(std::uint8_t type, std::uint32_t pages, const Attempts& attempts) const {
    return attempts.plain() ? Cost{} : device_.costs.again(device_.costs.load(type, pages, 1), attempts);
  }
  /// Who asks for what is queued may be another.
  void update_log();
  // Reads overtake what dies have queued as long as it is followed. That costs a write nearly a tenth of its time, and
  // is given up where none comes: the next one follows anew, and overtakes nothing until what is queued by then has
  // ended.
  void follow() {
    if (!follows_ || is_long_since_read()) {
      follows_ = true;
      update_log();
      // Also where the log was there for somebody else: who watches changes nothing.
      overtaking_.begin_log();
    }
    last_read_ = sequence_;
  }
  void stop_following() {
    follows_ = false;
    update_log();
  }
  // Of who crosses a channel, which takes the log, too.
  [[gnu::noinline]] void change_order();
  [[nodiscard]] bool is_long_since_read() const { return sequence_ - last_read_ > kFollowed; }
  /// Data to its slot.
  void deliver(DescriptorView d, bool programmed, Status status);
  /// Metadata and data of a page just programmed, where content is kept.
  void keep(std::uint32_t die, std::uint32_t page, const Metadata& metadata, std::span<const std::byte> data);
  template <bool kExtras>
  void book(DeviceOpKind kind, std::uint32_t die, std::uint32_t page, std::uint32_t bytes, const Span& span, Ticks busy,
            OpEnergy energy, bool failed);
  void observe(const DeviceOp& op) { meter_.start(op, sequence_); }
  /// `detail`: see work_detail. Before the segment changes.
  void log(WorkKind kind, const Segment& segment, std::uint32_t page, const Span& span, std::uint32_t detail = 0) {
    if (!logs_) return;
    Work& work = log_.add(timeline_.came(), segment.die);
    work.begin = span.begin;
    work.end = span.end;
    work.page = page;
    work.lead = static_cast<std::uint32_t>((span.cells - span.begin).count());
    work.sequence = sequence_;
    work.pages_before = segment.next_page;
    work.flags_before = segment.flags;
    work.detail = static_cast<std::uint8_t>(static_cast<std::uint32_t>(kind) | detail);
  }
  /// The same of a read.
  void log_read(const Turn& turn, const Segment& segment, std::uint32_t page, const Sensed& sensed, const Span& span,
                bool lost) {
    if (!logs_) return;
    log(turn.kind, segment, page, span, turn.detail | (lost ? work_detail::kSourceLost : 0U));
    log_.youngest(segment.die).pages_before = sensed.packed();
    log_.youngest(segment.die).flags_before = turn.attempts.packed();
  }
  // True: it is reported.
  bool end(DescriptorView d, Status status, Ticks when) {
    if (status == Status::ok && !d.reports()) return false;
    complete(d, status, when);
    return true;
  }
  bool end(DescriptorView d, const Found& found, Ticks when) {
    if (found.status == Status::ok && !d.reports()) return false;
    Completion& completion = complete(d, found.status, when);
    completion.corrected_bits = found.corrected_bits;
    completion.must_move = found.must_move ? 1 : 0;
    return true;
  }
  /// Of a copy: where all pages have wrong bits one that is not asked for says nothing of those it has corrected.
  void end_copy(DescriptorView d, const Found& found, Ticks when) {
    if (found.status != Status::corrected || d.reports() || !device_.spec.errors.by_power_law()) end(d, found, when);
  }
  Completion& complete(DescriptorView d, Status status, Ticks when) {
    return complete(d.op(), d.tag(), d.page(), d.target(), status, when);
  }
  // Each by itself, see DescriptorView: a struct in a register is one, too.
  Completion& complete(Op op, std::uint16_t tag, std::uint32_t page, std::uint32_t target, Status status, Ticks when);
  void refuse(DescriptorView d, Status status) { end(d, status, timeline_.now()); }
  [[nodiscard]] bool in_array(std::uint32_t page) const { return page < device_.segments.pages(); }
  [[nodiscard]] bool has_slot(std::uint16_t buffer) const {
    return buffer == kNoBuffer || device_.pages.content() != Content::bytes || buffer < device_.spec.buffer_slots;
  }

  Context& device_;
  Timeline timeline_;
  WorkLog log_;
  Completions completions_;
  OperationMeter meter_;
  Suspension suspension_;
  Overtaking overtaking_;
  Passages passages_;
  Arbitration arbitration_;
  ProgramUnits units_;
  std::uint32_t sequence_ = 0;   ///< of the descriptor
  std::uint32_t last_read_ = 0;  ///< its sequence
  std::uint16_t gather_ = 0;
  bool undoes_;           ///< power may be lost
  bool tells_work_;       ///< somebody may ask what was worked by a time, at a loss at least
  bool logs_ = true;      ///< somebody may ask what is queued
  bool follows_ = true;   ///< a read may
  bool extras_ = false;   ///< something rare may be wanted
  bool batches_ = false;  ///< copies may be taken together
};

}  // namespace ftlab::hw::array
