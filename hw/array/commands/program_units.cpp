#include "hw/array/commands/program_units.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/array/commands/controller.h"

namespace ftlab::hw::array {
namespace {

Descriptor first_of(std::span<const std::byte> bytes) {
  Descriptor d;
  std::memcpy(&d, bytes.data(), sizeof d);
  return d;
}

bool is_lost(const Found& found) { return found.status == Status::uncorrectable; }

/// Steps of one sensing for all of them.
Attempts together(std::span<const Found> found) {
  Attempts all = found.front().attempts;
  for (const Found& one : found) all.join(one.attempts);
  return all;
}

}  // namespace

std::span<const std::byte> ProgramUnits::take(std::span<const std::byte> bytes) {
  Controller& c = controller_;
  const Descriptor first = first_of(bytes);
  if (first.op != Op::read && first.op != Op::copy) {
    const bool ends = first.op == Op::erase || first.op == Op::mark_bad;
    if (first.op == Op::program) {
      accept_next();
      program(first);
    } else if (ends && c.in_array(first.page) && waits_in(c.device_.segments.segment_of(first.page))) {
      accept_next();
      c.refuse(first, Status::illegal);
    } else {
      c.take<true>(first);
    }
    return bytes.subspan(sizeof first);
  }
  run_.clear();
  do {
    accept_next();
    run_.push_back(first_of(bytes));
    bytes = bytes.subspan(sizeof first);
  } while (!bytes.empty() && run_.size() < c.device_.spec.pages_of_row() && first_of(bytes).op == first.op &&
           c.device_.spec.in_row(first_of(bytes).page, first.page));
  first.op == Op::read ? read() : copy();
  return bytes;
}

void ProgramUnits::accept_next() {
  controller_.timeline_.accept(controller_.timeline_.now() + controller_.device_.spec.timing.descriptor);
  ++controller_.sequence_;
}

ProgramUnits::Unit* ProgramUnits::find(std::uint32_t page) {
  const Context& device = controller_.device_;
  for (Unit& unit : waiting_[device.segments[device.segments.segment_of(page)].die])
    if (unit.first != kNoPage && page - unit.first < device.spec.pages_at_once) return &unit;
  return nullptr;
}

bool ProgramUnits::waits_in(std::uint32_t segment) {
  const Context& device = controller_.device_;
  const std::uint32_t next = device.segments[segment].next_page;
  return next > 0 && find(segment * device.spec.pages_per_segment + next - 1) != nullptr;
}

ProgramUnits::Unit& ProgramUnits::unit_of(std::uint32_t page) {
  if (Unit* unit = find(page)) return *unit;
  const Context& device = controller_.device_;
  const Segment& segment = device.segments[device.segments.segment_of(page)];
  std::vector<Unit>& units = waiting_[segment.die];
  const auto unused = std::ranges::find(units, kNoPage, &Unit::first);
  Unit& unit = unused != units.end() ? *unused : units.emplace_back();
  unit.first = page;
  unit.ready = Ticks::zero();
  unit.pages.clear();
  return unit;
}

Found ProgramUnits::look_at(std::uint32_t page, bool copies) {
  const Context& device = controller_.device_;
  const PageAddress at = device.segments.locate(page);
  const Segment& segment = device.segments[at.segment];
  if (find(page) == nullptr) return controller_.find<true>(segment, page, at, copies);
  return {device.readable(segment, page) ? Status::ok : Status::uncorrectable};
}

Sensed ProgramUnits::sensed() const {
  std::uint64_t planes = 0;
  for (const Descriptor& d : run_) planes |= std::uint64_t{1} << controller_.device_.spec.plane_in_row(d.page);
  return {static_cast<std::uint32_t>(run_.size()), static_cast<std::uint32_t>(std::popcount(planes))};
}

void ProgramUnits::book_load(const Turn& turn, const Sensed& sensed, const Load& load, const Span& span, bool lost) {
  Controller& c = controller_;
  const std::uint32_t page = run_.front().page;
  const std::uint32_t index = c.device_.segments.segment_of(page);
  const Segment& segment = c.device_.segments[index];
  const Costs& costs = c.device_.costs;
  const Cost again = costs.again(load, turn.attempts);
  c.book<true>(DeviceOpKind::load, segment.die, page, sensed.pages * c.device_.spec.page_bytes, span,
               costs.read_command + load.time() + again.time, load.energy() + again.energy, lost);
  c.log_read(turn, segment, page, sensed, span, lost);
  c.device_.exposure.read(index);
}

void ProgramUnits::read() {
  Controller& c = controller_;
  const auto refused = [&c](const Descriptor& d) { return !c.in_array(d.page) || !c.has_slot(d.buffer); };
  for (const Descriptor& d : run_)
    if (refused(d)) c.refuse(d, Status::illegal);
  std::erase_if(run_, refused);
  if (run_.empty()) return;
  const std::uint32_t page = run_.front().page;
  const PageAddress at = c.device_.segments.locate(page);
  const Segment& segment = c.device_.segments[at.segment];
  if (segment.has(segment_flag::kBad)) {
    for (const Descriptor& d : run_) c.refuse(d, Status::bad_segment);
    return;
  }
  const auto pages = static_cast<std::uint32_t>(run_.size());
  found_.clear();
  for (const Descriptor& d : run_) found_.push_back(look_at(d.page, false));
  Span span{c.timeline_.now(), {}, c.timeline_.now(), {}};
  Sensing sense;
  const bool senses = find(page) == nullptr;
  if (senses) {
    const Sensed taken = sensed();
    const Load load = c.load_of(segment.die, c.device_.costs.type(at.page), taken);
    Turn turn;
    turn.attempts = together(found_);
    sense = load.sensing(turn.attempts);
    span = c.place_read(segment, page, sense, turn);
    book_load(turn, taken, load, span, std::ranges::any_of(found_, is_lost));
  }
  for (std::uint32_t i = 0; i < pages; ++i) {
    const Descriptor& d = run_[i];
    c.deliver(d, c.device_.programmed(segment, c.device_.segments.locate(d.page).page), found_[i].status);
    if (c.end(d, found_[i], span.end) && senses && c.passages_.watched()) c.passages_.is_read(span, sense);
  }
}

Status ProgramUnits::admit(std::uint32_t page) {
  Context& device = controller_.device_;
  if (!controller_.in_array(page)) return Status::illegal;
  const PageAddress at = device.segments.locate(page);
  Segment& segment = device.segments[at.segment];
  if (segment.has(segment_flag::kBad)) return Status::bad_segment;
  return at.page == segment.next_page || device.skip_to(segment, at.page) ? Status::ok : Status::illegal;
}

void ProgramUnits::copy() {
  Controller& c = controller_;
  Context& device = c.device_;
  found_.clear();
  bool inside = true;  // nothing goes to another die
  bool lost = false;
  std::size_t kept = 0;
  for (const Descriptor& d : run_) {
    const bool has_source = c.in_array(d.page);
    const bool bad = has_source && device.segments[device.segments.segment_of(d.page)].has(segment_flag::kBad);
    const Status status = bad ? Status::bad_segment : has_source ? admit(d.target) : Status::illegal;
    if (status != Status::ok) {
      c.refuse(d, status);
      continue;
    }
    const PageAddress source = device.segments.locate(d.page);
    const Segment& from = device.segments[source.segment];
    const Found found = look_at(d.page, true);
    found_.push_back(found);
    const bool programmed = device.programmed(from, source.page);
    const Metadata carried = programmed ? device.pages.metadata(d.page) : kErasedMetadata;
    inside = inside && device.segments[device.segments.segment_of(d.target)].die == from.die;
    lost = lost || is_lost(found);
    (void)add(d, d.target, found, d.new_metadata != 0 ? Metadata{d.metadata[0], d.metadata[1]} : carried,
              programmed ? device.pages.data(d.page) : std::span<const std::byte>());
    run_[kept++] = d;
  }
  run_.resize(kept);
  if (run_.empty()) return;
  const std::uint32_t page = run_.front().page;
  const PageAddress at = device.segments.locate(page);
  const Segment& from = device.segments[at.segment];
  Ticks ready = c.timeline_.now();
  if (find(page) == nullptr) {
    const Sensed taken = sensed();
    const Load load = device.costs.load(device.costs.type(at.page), taken.pages, taken.planes);
    const Attempts attempts = together(found_);
    Sensing sense = load.sensing(attempts);
    sense.stays = !inside;
    const Span span = c.timeline_.read(from.die, sense);
    book_load({inside ? WorkKind::gather : WorkKind::fetch, 0, attempts}, taken, load, span, lost);
    ready = span.end;
  }
  for (const Descriptor& d : run_) {
    // What the first of a unit has made whole is gone for the others.
    Unit* const unit = find(d.target);
    if (unit == nullptr) continue;
    unit->ready = std::max(unit->ready, ready);
    program_if_whole(*unit);
  }
}

void ProgramUnits::program(const Descriptor& d) {
  Controller& c = controller_;
  const Status status = c.has_slot(d.buffer) ? admit(d.page) : Status::illegal;
  if (status != Status::ok) return c.refuse(d, status);
  const bool has_data = d.buffer != kNoBuffer && c.device_.pages.content() == Content::bytes;
  Unit& unit = add(d, d.page, {}, {d.metadata[0], d.metadata[1]},
                   has_data ? c.device_.slot(d.buffer) : std::span<const std::byte>());
  unit.ready = std::max(unit.ready, c.timeline_.now());
  program_if_whole(unit);
}

ProgramUnits::Unit& ProgramUnits::add(const Descriptor& d, std::uint32_t page, Found found, const Metadata& metadata,
                                      std::span<const std::byte> data) {
  Controller& c = controller_;
  Context& device = c.device_;
  Segment& segment = device.segments[device.segments.segment_of(page)];
  Unit& unit = unit_of(page);
  const bool lost = is_lost(found);
  const Status filled = c.fill(segment, page);
  if (lost)
    device.spoil(segment, page, d.new_metadata != 0 && filled == Status::ok ? PageMark::metadata : PageMark::lost);
  Page& added = unit.pages.emplace_back();
  added.descriptor = d;
  added.found = lost || filled == Status::ok ? found : Found{filled, found.corrected_bits};
  if (c.passages_.watched()) {
    added.queued = c.timeline_.now();
    added.mark = c.passages_.mark();
  }
  if (device.pages.content() == Content::none) return unit;
  // The source may be a page that is written over by the copy's.
  PageData kept = device.pages.content() == Content::bytes ? device.pages.copy_of(data) : nullptr;
  added.metadata_before = device.pages.put_metadata(page, metadata);
  if (device.pages.content() == Content::bytes) added.data_before = device.pages.put_data(page, std::move(kept));
  return unit;
}

void ProgramUnits::program_if_whole(Unit& unit) {
  Controller& c = controller_;
  Context& device = c.device_;
  const std::uint32_t at_once = device.spec.pages_at_once;
  if (unit.pages.size() < at_once) return;
  const std::uint32_t last = unit.first + at_once - 1;
  Segment& segment = device.segments[device.segments.segment_of(last)];
  Costs& costs = device.costs;
  const Cost cost = costs.program(segment, device.segments.locate(last).page);
  const bool watched = c.passages_.watched();
  const Ticks ready = std::max(unit.ready, c.timeline_.now());
  const Span span = c.timeline_.program(segment.die, segment.plane, ready, cost.time);
  c.log(WorkKind::program, segment, last, span);
  c.book<true>(DeviceOpKind::buffer_program, segment.die, unit.first, at_once * device.spec.page_bytes, span,
               costs.program_command + costs.program_transfer + cost.time, cost.energy + costs.program_transfer_energy,
               segment.has(segment_flag::kProgramFails));
  for (std::uint32_t i = 0; i < at_once; ++i) {
    Page& one = unit.pages[i];
    device.exposure.programmed(unit.first + i, span.end);
    if (c.undoes_ && device.pages.content() != Content::none) c.log_.add_metadata(segment.die, one.metadata_before);
    if (c.undoes_ && device.pages.content() == Content::bytes) c.log_.add_data(segment.die, std::move(one.data_before));
    if (one.descriptor.op == Op::copy) {
      c.end_copy(one.descriptor, one.found, span.end);
    } else if (c.end(one.descriptor, one.found, span.end) && watched) {
      c.passages_.came(one.queued, one.mark);
      c.passages_.is_program(span, ready);
    }
  }
  unit.first = kNoPage;
}

void ProgramUnits::clear() {
  for (std::vector<Unit>& units : waiting_)
    for (Unit& unit : units) unit.first = kNoPage;
}

void ProgramUnits::forget() {
  Context& device = controller_.device_;
  for (std::vector<Unit>& units : waiting_) {
    for (Unit& unit : units) {
      if (unit.first == kNoPage) continue;
      Segment& segment = device.segments[device.segments.segment_of(unit.first)];
      for (std::size_t i = unit.pages.size(); i > 0; --i) {
        const std::uint32_t page = unit.first + static_cast<std::uint32_t>(i) - 1;
        Page& one = unit.pages[i - 1];
        device.take_back(segment, device.segments.locate(page).page);
        device.unreadable.remove(page, segment.erase_count);
        if (device.pages.content() != Content::none) device.pages.put_metadata(page, one.metadata_before);
        if (device.pages.content() == Content::bytes) device.pages.put_data(page, std::move(one.data_before));
      }
      unit.first = kNoPage;
    }
  }
}

}  // namespace ftlab::hw::array
