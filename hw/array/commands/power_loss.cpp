// Each die is undone from its youngest operation to its oldest, so that a segment passes through the states it had, and
// costs come out as they were counted.
#include "hw/array/commands/power_loss.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ftlab::hw::array {
namespace {

/// One operation as it was counted.
struct Counted {
  DeviceOpKind kind = DeviceOpKind::other;
  std::uint32_t bytes = 0;
  Ticks begin{};
  Ticks end{};
  Ticks busy{};
  OpEnergy energy{};
  bool failed = false;
};

class Undo {
 public:
  Undo(Ticks now, Context& device, OperationMeter& meter)
      : now_(now), device_(device), costs_(device.costs), meter_(meter) {}

  /// Of a work that stores: what its pages had, the last one first.
  struct Replaced {
    explicit Replaced(std::uint32_t pages) : metadata(pages), data(pages) {}
    std::vector<Metadata> metadata;
    std::vector<PageData> data;
  };

  void undo(const Work& work, Replaced& replaced) {
    const std::uint32_t index = device_.segments.segment_of(work.page);
    Segment& segment = device_.segments[index];
    const bool begun = work.cells() < now_;
    if (work.kind() == WorkKind::erase) {
      const Ticks time = device_.wear.erase_time(index, segment.erase_count - 1);
      take_off(erase(work, time));
      begun ? tear_segment(device_, segment) : restore_erased(work, index, segment);
    } else if (work.stores()) {
      take_off_program(work, segment);
      if (!begun) segment.flags = work.flags_before;
      for (std::uint32_t i = 0; i < device_.spec.pages_at_once; ++i)
        begun ? device_.spoil(segment, work.page - i)
              : restore_blank(work.page - i, segment, replaced.metadata[i], std::move(replaced.data[i]));
      if (begun) device_.spoil_before(segment, work.page - (device_.spec.pages_at_once - 1));
    } else if (work.kind() == WorkKind::mark) {
      take_off(of_page(DeviceOpKind::other, work, costs_.program_command, costs_.program(segment, 0)));
      if (!begun) segment.flags = work.flags_before;
    } else {
      take_off_read(work);
    }
  }

 private:
  [[nodiscard]] std::uint32_t page_of(const Work& work) const { return device_.segments.locate(work.page).page; }
  [[nodiscard]] Counted of_page(DeviceOpKind kind, const Work& work, Ticks command, const Cost& cost) const {
    return {kind, 0, work.begin, work.end, command + cost.time, cost.energy, false};
  }
  /// With its steps.
  [[nodiscard]] Counted read_of(const Work& work, const Load& plain) const {
    const Cost again = costs_.again(plain, work.attempts());
    return of_page(DeviceOpKind::load, work, costs_.read_command,
                   {plain.time() + again.time, plain.energy() + again.energy});
  }
  [[nodiscard]] Counted erase(const Work& work, Ticks time) const {
    Counted counted = of_page(DeviceOpKind::erase, work, costs_.erase_command, costs_.erase(time));
    counted.bytes = static_cast<std::uint32_t>(device_.spec.segment_bytes());
    counted.failed = (work.flags_before & segment_flag::kEraseFails) != 0;
    return counted;
  }
  void take_off_program(const Work& work, const Segment& segment) {
    const std::uint32_t page_bytes = device_.spec.page_bytes;
    Counted program =
        of_page(DeviceOpKind::buffer_program, work, costs_.program_command, costs_.program(segment, page_of(work)));
    program.bytes = device_.spec.pages_at_once * page_bytes;
    program.failed = (work.flags_before & segment_flag::kProgramFails) != 0;
    if (work.kind() == WorkKind::copy) {
      Counted load = read_of(work, costs_.load(work.source_type(), 0, 1));
      load.bytes = page_bytes;
      load.end = program.begin = work.cells() - costs_.program_command;
      load.failed = work.source_lost();
      take_off(load);
    } else {
      program.busy += costs_.program_transfer;
      program.energy += costs_.program_transfer_energy;
    }
    take_off(program);
  }
  [[nodiscard]] Load load_of(const Work& work, const Sensed& sensed) const {
    const bool asked_for = work.kind() == WorkKind::read || work.kind() == WorkKind::early;
    if (asked_for && device_.read_times.drawn())
      return costs_.load_until(Ticks{work.lead}, sensed.pages, sensed.planes);
    return costs_.load(costs_.type(page_of(work)), sensed.pages, sensed.planes);
  }
  void take_off_read(const Work& work) {
    if (work.kind() == WorkKind::check)
      return take_off(of_page(DeviceOpKind::other, work, costs_.read_command, costs_.read(costs_.type(0))));
    const Sensed sensed = Sensed::of(work.pages_before);
    Counted load = read_of(work, load_of(work, sensed));
    load.bytes = sensed.pages * device_.spec.page_bytes;
    load.failed = work.source_lost();
    take_off(load);
  }
  void take_off(const Counted& counted) {
    if (counted.end <= now_) return;
    if (counted.begin >= now_) {
      return meter_.uncount(counted.kind, counted.bytes, counted.busy, counted.energy, counted.failed);
    }
    const Spent cost{counted.busy, counted.energy};
    meter_.count_torn(counted.kind, OperationMeter::spared(cost, counted.end, now_), counted.failed);
  }

  void restore_blank(std::uint32_t page, Segment& segment, const Metadata& metadata, PageData&& data) {
    device_.take_back(segment, device_.segments.locate(page).page);
    device_.unreadable.remove(page, segment.erase_count);
    const Content content = device_.pages.content();
    if (content != Content::none) device_.pages.put_metadata(page, metadata);
    if (content == Content::bytes) device_.pages.put_data(page, std::move(data));
  }
  void restore_erased(const Work& work, std::uint32_t index, Segment& segment) {
    --segment.erase_count;
    device_.wear.age(index, segment);
    segment.next_page = work.pages_before;
    segment.flags = work.flags_before;
  }

  Ticks now_;
  Context& device_;
  Costs& costs_;
  OperationMeter& meter_;
};

/// Takes off reads out of order beyond `now`. Gives the time that lies within that of the work that they interrupt.
Ticks take_off_reads(Ticks now, std::uint32_t die, WorkLog& log, OperationMeter& meter, Timeline& timeline) {
  const Ring<Work>& works = log.of(die);
  Ticks sum{};
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (!works[i].out_of_order() || works[i].end <= now) continue;
    const Ticks time = works[i].end - std::max(works[i].begin, now);
    meter.undo_for(log.label_of(die, i));
    meter.take_off_die_time(DeviceOpKind::load, time);
    timeline.take_off(die, time);
    if (works[i].aside()) sum += time;
  }
  return sum;
}

}  // namespace

void take_off_die_time(Ticks now, const Context& device, WorkLog& log, OperationMeter& meter, Timeline& timeline) {
  for (std::uint32_t die = 0; die < log.dies(); ++die) {
    const Ring<Work>& works = log.of(die);
    Ticks aside = take_off_reads(now, die, log, meter, timeline);
    Ticks done = now;
    for (std::size_t i = 0; i < works.size(); ++i) {
      const Work& work = works[i];
      if (work.out_of_order() || work.kind() == WorkKind::fence || work.end <= done) continue;
      const Ticks rest = work.end - std::max(work.begin, done) - std::exchange(aside, Ticks::zero());
      done = work.end;
      const Ticks first = work.kind() == WorkKind::copy
                              ? std::max(rest - (work.end - work.cells() + device.costs.program_command), Ticks::zero())
                              : Ticks::zero();
      meter.undo_for(log.label_of(die, i));
      meter.take_off_die_time(DeviceOpKind::load, first);
      meter.take_off_die_time(work.counted_as(), rest - first);
      timeline.take_off(die, rest);
    }
  }
}

void tear_segment(const Context& device, Segment& segment) {
  segment.flags |= segment_flag::kTorn;
  segment.next_page = static_cast<std::uint16_t>(device.spec.pages_per_segment);
}

void undo_after(Ticks now, Context& device, WorkLog& log, OperationMeter& meter) {
  Undo undo(now, device, meter);
  Undo::Replaced replaced(device.spec.pages_at_once);
  const Content content = device.pages.content();
  for (std::uint32_t die = 0; die < log.dies(); ++die) {
    while (!log.of(die).empty()) {
      meter.undo_for(log.label_of(die, log.of(die).size() - 1));
      const Work work = log.take_youngest(die);
      for (std::uint32_t i = 0; work.stores() && content != Content::none && i < device.spec.pages_at_once; ++i) {
        replaced.metadata[i] = log.take_metadata(die);
        if (content == Content::bytes) replaced.data[i] = log.take_data(die);
      }
      if (work.end > now && work.kind() != WorkKind::fence) undo.undo(work, replaced);
    }
  }
}

}  // namespace ftlab::hw::array
