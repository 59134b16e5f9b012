// When operations begin and end: the time of dies, planes and channels as it is already given away.
// Knows no descriptor, no data and no legality. All is decided when an operation is queued; where channels are
// contended it is moved afterwards, see Arbitration.
//
// Model: a die begins its operations in order. Those on different planes overlap, but a plane does one at a time, and
// command cycles and transfers of a die follow each other. A read has its die alone, from its command to the end of its
// transfer. A program takes its channel for command and data together, in the earliest gap at or after the time at
// which its plane is free; a read takes it for its data. Command cycles without data do not take the channel: they are
// a hundredth of a page. Where a die has a cache register its next read is sensed while that data crosses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/array/aging/attempts.h"
#include "hw/array/commands/channel.h"
#include "hw/array/commands/costs.h"
#include "hw/array/commands/crossings.h"
#include "hw/array/commands/transfers.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

struct Span {
  Ticks begin{};
  Ticks cells{};  ///< from here on the array changes; of a read: its data is in the page register
  Ticks end{};
  Ticks die_time{};  ///< its end of all this, by which it makes the die's working time longer
  Ticks asked{};     ///< of a program: from then on it waits for its channel alone
};

class Timeline {
 public:
  struct Die {
    Ticks next_begin{};  ///< the operation queued next begins no earlier
    Ticks all_done{};
    Ticks worked{};  ///< in which it does anything at all, as far as it is queued
    // Of the read queued last, where the next one may be a cache read:
    Ticks read_end{};
    Ticks output{};  ///< its data begins to cross
    Ticks moved{};   ///< the page register takes the next page
    std::uint32_t channel = 0;
    std::uint32_t index = 0;
  };

  /// `tells_transfers`: of channel_time(), and of stop().
  Timeline(const ArraySpec& spec, const Costs& costs, bool tells_transfers)
      : read_command_(costs.read_command),
        program_command_(costs.program_command),
        program_length_(costs.program_command + costs.program_transfer),
        cache_busy_(spec.timing.read_cache),
        planes_per_die_(spec.planes),
        retry_(spec.read_retry),
        dies_(spec.dies()),
        planes_(std::size_t{spec.dies()} * spec.planes),
        channels_(spec.channels, Channel(costs.shortest_transfer)),
        transfers_(tells_transfers ? spec.channels : 0),
        taken_then_(spec.channels) {
    for (std::uint32_t i = 0; i < dies_.size(); ++i) {
      dies_[i].channel = i % spec.channels;
      dies_[i].index = i;
    }
  }

  /// Descriptors come, each of which is accepted then or later.
  void begin_burst(Ticks now) {
    came_ = now;
    now_ = std::max(now_, now);
  }
  /// What follows was queued at this time; it does not run backwards.
  void accept(Ticks now) { now_ = now; }
  [[nodiscard]] Ticks now() const { return now_; }
  /// Nobody will ask about what has ended by then.
  [[nodiscard]] Ticks came() const { return came_; }
  [[nodiscard]] const Die& die(std::uint32_t index) const { return dies_[index]; }
  [[nodiscard]] Ticks all_done() const { return all_done_; }
  [[nodiscard]] std::uint32_t dies() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] std::uint32_t channels() const { return static_cast<std::uint32_t>(channels_.size()); }
  /// For which a channel was ever taken, as far as it is queued and not behind `until`: kNever where transfers are not
  /// told, or not before the last burst.
  [[nodiscard]] Ticks channel_time(std::uint32_t index, Ticks until) const {
    const Ticks time = channels_[index].time();
    return until == kNever ? time : time - behind(index, until);
  }

  /// With its data.
  Span read(std::uint32_t index, const Sensing& sense) {
    Die& die = dies_[index];
    if (cache_busy_ > Ticks::zero()) [[unlikely]]
      return read_with_cache(die, sense);
    return read_alone(die, sense);
  }
  /// `ready`: when the data is in the controller.
  Span program(std::uint32_t index, std::uint32_t plane, Ticks ready, Ticks program) {
    Die& die = dies_[index];
    Ticks& free = plane_of(index, plane);
    const Ticks asked = std::max({ready, die.next_begin, free});
    const Ticks begin = cross(die, asked, program_length_);
    const Ticks cells = begin + program_length_;
    die.next_begin = cells;
    free = cells + program;
    return {begin, cells, free, finish(die, begin, free), asked};
  }
  /// An erase, or a program without data.
  Span work(std::uint32_t index, std::uint32_t plane, Ticks command, Ticks time) {
    Die& die = dies_[index];
    Ticks& free = plane_of(index, plane);
    const Ticks begin = std::max({now_, die.next_begin, free});
    const Ticks cells = begin + command;
    die.next_begin = cells;
    free = cells + time;
    return {begin, cells, free, finish(die, begin, free)};
  }
  /// Within a die: the source plane is free again when the page has been read.
  Span copy(std::uint32_t index, std::uint32_t from_plane, std::uint32_t to_plane, Ticks sense, Ticks program) {
    Die& die = dies_[index];
    Ticks& from = plane_of(index, from_plane);
    Ticks& to = plane_of(index, to_plane);
    const Ticks begin = std::max(std::max(now_, die.next_begin), std::max(from, to));
    const Ticks sensed = begin + read_command_ + sense;
    const Ticks cells = sensed + program_command_;
    const Ticks end = cells + program;
    die.next_begin = begin + read_command_;
    from = sensed;
    to = end;
    return {begin, cells, end, finish(die, begin, end)};
  }

  /// Copies between two planes of a die, one after the other, with what they move kept out of memory meanwhile: nothing
  /// else is queued between the first and end().
  class Copies {
   public:
    // All of it inline: a member that is called would keep the times of the loop over a victim's pages in memory.
    [[gnu::always_inline]] Copies(Timeline& timeline, std::uint32_t die, std::uint32_t from_plane,
                                  std::uint32_t to_plane)
        : timeline_(timeline),
          die_(timeline.dies_[die]),
          from_(timeline.plane_of(die, from_plane)),
          to_(timeline.plane_of(die, to_plane)),
          others_done_(die_.all_done),
          free_(std::max({die_.next_begin, from_, to_})) {}
    /// The same as Timeline::copy() at `now`: when it ends. `read`, `program`: with their commands.
    [[gnu::always_inline]] Ticks add(Ticks now, Ticks read, Ticks program) {
      begin_ = std::max(now, free_);
      read_ = begin_ + read;
      // One begins behind the end of the one before: only what other planes do can hide it.
      if (begin_ < others_done_) [[unlikely]]
        hide(read, program);
      return free_ = read_ + program;
    }
    /// Of the time that reading, and programming, takes, what other planes work in, too.
    [[nodiscard]] Ticks hidden_reads() const { return hidden_reads_; }
    [[nodiscard]] Ticks hidden_programs() const { return hidden_programs_; }
    /// `die_time`: of all copies, see Span.
    [[gnu::always_inline]] void end(Ticks now, Ticks die_time) {
      timeline_.now_ = now;
      die_.next_begin = begin_ + timeline_.read_command_;
      from_ = read_;
      to_ = free_;  // the later one, where both are the same plane
      die_.worked += die_time;
      die_.all_done = std::max(die_.all_done, free_);
      timeline_.all_done_ = std::max(timeline_.all_done_, free_);
    }

   private:
    void hide(Ticks read, Ticks program) {
      const Ticks hidden = others_done_ - begin_;
      hidden_reads_ += std::min(hidden, read);
      hidden_programs_ += std::clamp(hidden - read, Ticks::zero(), program);
    }

    Timeline& timeline_;
    Die& die_;
    Ticks& from_;
    Ticks& to_;
    const Ticks others_done_;
    Ticks free_;  ///< the next one begins no earlier
    // Of the last one:
    Ticks begin_{};
    Ticks read_{};  ///< the page has been
    Ticks hidden_reads_{};
    Ticks hidden_programs_{};
  };

  /// When all that is queued has ended. Moves nothing.
  [[nodiscard]] Span fence(std::uint32_t index) const {
    const Ticks ended = std::max(now_, dies_[index].all_done);
    return {ended, ended, ended, {}};
  }
  /// Beside the order of the die: a read at `begin`. Moves nothing.
  Span read_aside(std::uint32_t index, Ticks begin, const Sensing& sense) {
    return read_at(dies_[index], begin, sense);
  }
  /// What the die does behind `now` happens so much later, and what is queued from here on not before `resumed`.
  void delay(std::uint32_t index, Ticks now, Ticks by, const Span& read, Ticks resumed);
  /// For a read between what the die has queued.
  struct Room {
    Ticks from{};            ///< what begins then or later begins
    Ticks by{};              ///< so much later
    Ticks done{};            ///< until then the die is at work
    std::uint32_t held = 0;  ///< planes, a bit each, that are free when something ends that begins before that
  };
  void make_room(std::uint32_t index, const Span& read, const Room& room);
  /// From when on the plane does nothing.
  [[nodiscard]] Ticks free_from(std::uint32_t die, std::uint32_t plane) const {
    return planes_[std::size_t{die} * planes_per_die_ + plane];
  }
  /// What was queued for so long will not happen.
  void take_off(std::uint32_t index, Ticks die_time) { dies_[index].worked -= die_time; }
  /// Nothing is under way, and nothing begins before `now`.
  void stop(Ticks now);

  // --- channels that much crosses, see Arbitration ---
  /// Of late one was taken for so much of the time that it matters who comes first, or none any more.
  [[nodiscard]] bool changes_order() const { return contended_ != arbitrates_; }
  [[nodiscard]] bool arbitrates() const { return arbitrates_; }
  /// From here on, transfers cross by readiness as soon as what is queued now has ended.
  void arbitrate();
  /// Each takes a gap again.
  void stop_arbitrating();
  /// Transfers lie over each other.
  [[nodiscard]] bool unsettled() const { return unsettled_; }
  void settled() { unsettled_ = false; }
  [[nodiscard]] Crossings& crossings(std::uint32_t channel) { return crossings_[channel]; }
  [[nodiscard]] Ticks cache_busy() const { return cache_busy_; }
  /// What a die has queued was moved.
  struct Settled {
    Ticks all_done{};
    Ticks by{};      ///< its next operation begins so much later
    Ticks worked{};  ///< so much longer
    // Of its last read, where the next one may be a cache read:
    Ticks read_end_before{};
    Ticks read_end{};
    Ticks output{};
    Ticks moved_by{};
  };
  void resolve(std::uint32_t index, const Settled& settled);
  /// Operations of a plane that would end then end so much later.
  void settle_plane(std::uint32_t index, std::uint32_t plane, Ticks end, Ticks by) {
    if (Ticks& free = plane_of(index, plane); free == end) free += by;
  }

 private:
  static constexpr std::uint32_t kWindow = 128;  ///< transfers, in which that is looked at
  // Parts of the time.
  static constexpr std::int64_t kContended = 4;
  static constexpr std::int64_t kCalm = 8;

  Ticks& plane_of(std::uint32_t die, std::uint32_t plane) {
    return planes_[std::size_t{die} * planes_per_die_ + plane];
  }
  /// A transfer that is `ready` then takes its channel: its begin. `stays`: nothing moves it afterwards.
  Ticks cross(const Die& die, Ticks ready, Ticks length, bool stays = false) {
    if (--until_look_ == 0) [[unlikely]]
      look_at_channels();
    if (arbitrates_) [[unlikely]]
      return cross_by_readiness(die, ready, length, stays);
    const Ticks begin = channels_[die.channel].reserve(now_, ready, length);
    if (!transfers_.empty()) [[unlikely]]
      transfers_[die.channel].add(came_, begin, begin + length);
    return begin;
  }
  /// For which a channel is taken behind `until`.
  [[nodiscard]] Ticks behind(std::uint32_t channel, Ticks until) const {
    const Ticks told = transfers_.at(channel).behind(until);
    return arbitrates_ ? told + crossings_[channel].time_behind(until) : told;
  }
  [[gnu::noinline]] Ticks cross_by_readiness(const Die& die, Ticks ready, Ticks length, bool stays);
  [[gnu::noinline]] void look_at_channels();
  void delay_crossings(const Die& die, Ticks from, Ticks behind, Ticks by);
  Span read_at(const Die& die, Ticks begin, const Sensing& sense) {
    if (!sense.attempts.plain()) [[unlikely]]
      return read_in_steps(die, begin, sense);
    const Ticks sensed = begin + read_command_ + sense.time;
    const Ticks transfer = sense.transfer;
    if (transfer == Ticks::zero()) return {begin, sensed, sensed, {}};
    return {begin, sensed, cross(die, sensed, transfer, sense.stays) + transfer, {}};
  }
  Span read_alone(Die& die, const Sensing& sense) {
    const Ticks begin = std::max({now_, die.next_begin, die.all_done});
    Span span = read_at(die, begin, sense);
    die.next_begin = span.end;
    span.die_time = finish(die, begin, span.end);
    return span;
  }
  /// While the page of the read before crosses, where that was the last and has not begun to cross yet.
  Span read_with_cache(Die& die, const Sensing& sense);
  /// Operations of a die begin in order: what lies behind the end of all before is new. Gives how much that is.
  Ticks finish(Die& die, Ticks begin, Ticks end) {
    const Ticks more = std::max(end - std::max(begin, die.all_done), Ticks::zero());
    die.worked += more;
    die.all_done = std::max(die.all_done, end);
    all_done_ = std::max(all_done_, end);
    return more;
  }

  /// The die waits for the verdict on each step, and begins the next one.
  Span read_in_steps(const Die& die, Ticks begin, const Sensing& sense);

  Ticks read_command_;
  Ticks program_command_;
  Ticks program_length_;  ///< command and data
  Ticks cache_busy_;      ///< 0: there is no cache register
  std::uint32_t planes_per_die_;
  ArrayReadRetry retry_;
  Ticks now_{};
  Ticks came_{};
  Ticks all_done_{};
  std::vector<Die> dies_;
  std::vector<Ticks> planes_;  ///< until when each is busy
  std::vector<Channel> channels_;
  std::vector<Transfers> transfers_;  ///< of each channel, where they are told
  std::vector<Crossings> crossings_;  ///< of each channel, instead of it
  Ticks by_readiness_from_{};         ///< what is queued before is not known one by one
  std::uint32_t until_look_ = kWindow;
  Ticks looked_{};                 ///< when it was
  std::vector<Ticks> taken_then_;  ///< each channel
  bool contended_ = false;
  bool arbitrates_ = false;
  bool unsettled_ = false;
};

}  // namespace ftlab::hw::array
