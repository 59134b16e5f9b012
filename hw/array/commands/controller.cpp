#include "hw/array/commands/controller.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "hw/array/commands/power_loss.h"

namespace ftlab::hw::array {

static_assert(std::endian::native == std::endian::little, "descriptors are little-endian and read as they are");

namespace {

constexpr std::uint8_t kSpoiledByte = 0x5A;  ///< not FFh: a lost page does not look erased

}  // namespace

Controller::Controller(Context& device, const DeviceOptions& options)
    : device_(device),
      timeline_(device.spec, device.costs, options.loses_power || options.tells_work),
      log_(device.spec.dies(), device.spec.pages_at_once, options.loses_power ? device.pages.content() : Content::none,
           options.loses_power && options.observer != nullptr ? options.observer->label() : nullptr),
      meter_(options.observe_operations ? options.observer : nullptr, options.observe_begins),
      suspension_(device, timeline_, log_, completions_, meter_),
      overtaking_(device, timeline_, log_, completions_, meter_),
      passages_(device.spec),
      arbitration_(device, timeline_, log_, completions_, meter_, passages_),
      units_(*this, device.spec),
      undoes_(options.loses_power),
      tells_work_(options.loses_power || options.tells_work) {
  configure(0);
}

void Controller::configure(std::uint16_t control) {
  suspension_.configure(control);
  extras_ = suspension_.control() != 0 || meter_.observed() || device_.errors.any() ||
            device_.pages.content() != Content::none || device_.read_times.drawn();
  batches_ = !undoes_ && suspension_.control() == 0 && !meter_.observed() &&
             (!device_.errors.any() || device_.spec.errors.by_power_law()) &&
             device_.pages.content() != Content::bytes && device_.spec.pages_at_once == 1;
  update_log();
}

void Controller::update_log() {
  const bool logged = logs_;
  logs_ = tells_work_ || suspension_.control() != 0 || (follows_ && overtaking_.most() != 0) || timeline_.arbitrates();
  if (!logs_) log_.clear();
  if (logs_ && !logged) overtaking_.begin_log();
}

void Controller::change_order() {
  timeline_.arbitrates() ? timeline_.stop_arbitrating() : timeline_.arbitrate();
  update_log();
}

template <bool kExtras>
void Controller::submit_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (batches_ && DescriptorView(bytes).op() == Op::copy) bytes = take_run<kExtras>(bytes);
    if (bytes.empty()) return;
    if (device_.spec.pages_at_once > 1) {
      bytes = units_.take(bytes);
    } else {
      take<kExtras>(DescriptorView(bytes));
      bytes = bytes.subspan(sizeof(Descriptor));
    }
    if (timeline_.unsettled()) [[unlikely]]
      arbitration_.resolve();
    if (timeline_.changes_order()) [[unlikely]]
      change_order();
  }
}

template <bool kExtras>
void Controller::take(DescriptorView d) {
  timeline_.accept(timeline_.now() + device_.spec.timing.descriptor);
  ++sequence_;
  switch (d.op()) {
    case Op::copy:
      return copy<kExtras>(d);
    case Op::program:
      return program<kExtras>(d);
    case Op::read:
      return read<kExtras>(d);
    case Op::erase:
      return erase<kExtras>(d);
    case Op::check:
      return check<kExtras>(d);
    case Op::mark_bad:
      return mark_bad<kExtras>(d);
    case Op::fence:
      return fence(d);
    case Op::none:
      break;
  }
  refuse(d, Status::illegal);
}

template <bool kExtras>
void Controller::book(DeviceOpKind kind, std::uint32_t die, std::uint32_t page, std::uint32_t bytes, const Span& span,
                      Ticks busy, OpEnergy energy, bool failed) {
  meter_.count(kind, bytes, busy, span.die_time, energy);
  if (failed) meter_.count_failed(kind);
  if constexpr (kExtras) {
    if (!meter_.observed()) return;
    DeviceOp op;
    op.kind = kind;
    op.device = die;
    op.address = std::uint64_t{page} * device_.spec.page_bytes;
    op.bytes = bytes;
    op.start = span.begin;
    op.busy = busy;
    op.energy = energy;
    op.failed = failed;
    op.end = span.end;
    observe(op);
  }
}

Completion& Controller::complete(Op op, std::uint16_t tag, std::uint32_t page, std::uint32_t target, Status status,
                                 Ticks when) {
  // Field by field into its place: put together elsewhere it would be copied while its parts are still on their way.
  Completion& completion = completions_.add(when, sequence_);
  if (passages_.watched()) [[unlikely]]
    passages_.add(completions_.added(), timeline_.now());
  completion.op = op;
  completion.status = status;
  completion.tag = tag;
  completion.page = page;
  completion.target = target;
  completion.corrected_bits = 0;
  completion.must_move = 0;
  Metadata metadata = kErasedMetadata;
  if (op == Op::read) {
    const PageAddress at = in_array(page) ? device_.segments.locate(page) : PageAddress{};
    const Segment& segment = device_.segments[at.segment];
    const bool good = status == Status::ok || status == Status::corrected;
    const bool told = good || (status == Status::uncorrectable && device_.mark(segment, page) == PageMark::metadata);
    if (told && device_.programmed(segment, at.page)) metadata = device_.pages.metadata(page);
  }
  std::copy(metadata.begin(), metadata.end(), completion.metadata);
  return completion;
}

template <bool kExtras>
Found Controller::find(const Segment& segment, std::uint32_t page, const PageAddress& at, bool copies) {
  if ((segment.flags & (segment_flag::kTorn | segment_flag::kUnreadable)) != 0) {
    const PageMark mark = device_.mark(segment, page);
    if (mark == PageMark::kept) {
      meter_.count_corrected(DeviceOpKind::load);
      return {Status::corrected, 0, true};
    }
    if (mark != PageMark::none) return {Status::uncorrectable, 0, false, device_.retry.in_vain(at.segment)};
  }
  if constexpr (kExtras) {
    if (device_.errors.any() && device_.programmed(segment, at.page)) {
      const Exposure::Page exposure = device_.exposure.of(page, at.segment, timeline_.now());
      const std::uint8_t type = device_.costs.type(at.page);
      const double mean_bits = device_.errors.mean_bits(type, at, segment.erase_count, exposure);
      if (copies && device_.retry.is_certain(device_.errors, at.segment, mean_bits)) {
        meter_.count_corrected(DeviceOpKind::load);
        return {Status::corrected, static_cast<std::uint16_t>(mean_bits)};
      }
      const ReadRetry::Outcome outcome = device_.retry.read(device_.errors, at.segment, mean_bits);
      if (!copies) device_.retry.count(type, mean_bits, outcome);
      const auto& [errors, attempts] = outcome;
      if (!errors.correctable) return {Status::uncorrectable, 0, false, attempts};
      if (errors.bits > 0) {
        meter_.count_corrected(DeviceOpKind::load);
        return {Status::corrected, static_cast<std::uint16_t>(std::min<std::uint32_t>(errors.bits, UINT16_MAX)),
                errors.must_move, attempts};
      }
      return {Status::ok, 0, false, attempts};
    }
  }
  return {};
}

Span Controller::place_read(const Segment& segment, std::uint32_t page, const Sensing& sense, Turn& turn) {
  if (const auto span = suspension_.place(segment.die, page, sense)) {
    turn.detail = work_detail::kAside;
    return *span;
  }
  follow();
  if (const auto span = overtaking_.place(segment.die, page, sense)) {
    turn.kind = WorkKind::early;
    return *span;
  }
  return timeline_.read(segment.die, sense);
}

Load Controller::load_of(std::uint32_t die, std::uint8_t type, const Sensed& sensed) {
  const Costs& costs = device_.costs;
  const Ticks mean = costs.sensed(type, sensed.pages, sensed.planes);
  const Ticks time = device_.read_times.drawn() ? device_.read_times.draw(die, mean) : mean;
  return costs.load_in(time, sensed.pages, sensed.planes);
}

template <bool kExtras>
void Controller::read(DescriptorView d) {
  if (!in_array(d.page()) || !has_slot(d.buffer())) return refuse(d, Status::illegal);
  const PageAddress at = device_.segments.locate(d.page());
  const Segment& segment = device_.segments[at.segment];
  if (segment.has(segment_flag::kBad)) return refuse(d, Status::bad_segment);
  Costs& costs = device_.costs;
  const Cost cost = kExtras && device_.read_times.drawn() ? load_of(segment.die, costs.type(at.page), {}).cells
                                                          : costs.read(costs.type(at.page));
  const Found found = find<kExtras>(segment, d.page(), at);
  Turn turn;
  turn.attempts = found.attempts;
  const Sensing sense{cost.time, costs.read_transfer, found.attempts};
  const Span span = place_read(segment, d.page(), sense, turn);
  const Cost again = again_of(costs.type(at.page), 1, found.attempts);
  book<kExtras>(DeviceOpKind::load, segment.die, d.page(), device_.spec.page_bytes, span,
                costs.read_command + cost.time + costs.read_transfer + again.time,
                cost.energy + costs.load_energy + again.energy, found.status == Status::uncorrectable);
  log_read(turn, segment, d.page(), {}, span, found.status == Status::uncorrectable);
  if constexpr (kExtras) {
    device_.exposure.read(at.segment);
    deliver(d, device_.programmed(segment, at.page), found.status);
  }
  if (end(d, found, span.end) && passages_.watched()) [[unlikely]]
    passages_.is_read(span, sense);
}

void Controller::deliver(DescriptorView d, bool programmed, Status status) {
  if (d.buffer() == kNoBuffer || device_.pages.content() != Content::bytes) return;
  const std::span<std::byte> slot = device_.slot(d.buffer());
  const std::span<const std::byte> data = device_.pages.data(d.page());
  if (status == Status::uncorrectable) {
    std::fill(slot.begin(), slot.end(), std::byte{kSpoiledByte});
  } else if (!programmed) {
    std::fill(slot.begin(), slot.end(), std::byte{0xFF});
  } else if (data.empty()) {
    std::fill(slot.begin(), slot.end(), std::byte{0});
  } else {
    std::copy(data.begin(), data.end(), slot.begin());
  }
}

void Controller::keep(std::uint32_t die, std::uint32_t page, const Metadata& metadata,
                      std::span<const std::byte> data) {
  PageStore& pages = device_.pages;
  const Metadata before = pages.put_metadata(page, metadata);
  if (undoes_) log_.add_metadata(die, before);
  if (pages.content() != Content::bytes) return;
  PageData replaced = pages.put_data(page, pages.copy_of(data));
  if (undoes_) log_.add_data(die, std::move(replaced));
}

Status Controller::fill(Segment& to, std::uint32_t page) {
  ++to.next_page;
  if (!to.has(segment_flag::kProgramFails | segment_flag::kLsbAlone)) return Status::ok;
  if (to.has(segment_flag::kLsbAlone)) device_.leave_out(to);
  if (!to.has(segment_flag::kProgramFails)) return Status::ok;
  device_.spoil(to, page);
  return Status::program_failed;
}

template <bool kExtras>
void Controller::program(DescriptorView d) {
  if (!in_array(d.page()) || !has_slot(d.buffer())) return refuse(d, Status::illegal);
  const PageAddress at = device_.segments.locate(d.page());
  Segment& segment = device_.segments[at.segment];
  if (segment.has(segment_flag::kBad)) return refuse(d, Status::bad_segment);
  if (at.page != segment.next_page && !device_.skip_to(segment, at.page)) return refuse(d, Status::illegal);
  Costs& costs = device_.costs;
  const Cost cost = costs.program(segment, at.page);
  const Span span = timeline_.program(segment.die, segment.plane, timeline_.now(), cost.time);
  log(WorkKind::program, segment, d.page(), span);
  const Status status = fill(segment, d.page());
  if constexpr (kExtras) device_.exposure.programmed(d.page(), span.end);
  book<kExtras>(DeviceOpKind::buffer_program, segment.die, d.page(), device_.spec.page_bytes, span,
                costs.program_command + costs.program_transfer + cost.time, cost.energy + costs.transfer_energy,
                status != Status::ok);
  if (kExtras && device_.pages.content() != Content::none) {
    const bool has_data = d.buffer() != kNoBuffer && device_.pages.content() == Content::bytes;
    keep(segment.die, d.page(), d.metadata(), has_data ? device_.slot(d.buffer()) : std::span<const std::byte>());
  }
  if (end(d, status, span.end) && passages_.watched()) [[unlikely]]
    passages_.is_program(span, timeline_.now());
}

template <bool kExtras>
void Controller::erase(DescriptorView d) {
  if (!in_array(d.page())) return refuse(d, Status::illegal);
  const std::uint32_t index = device_.segments.segment_of(d.page());
  Segment& segment = device_.segments[index];
  if (segment.has(segment_flag::kBad)) return refuse(d, Status::bad_segment);
  const Cost cost = device_.costs.erase(device_.wear.erase_time(index, segment.erase_count));
  const Span span = timeline_.work(segment.die, segment.plane, device_.costs.erase_command, cost.time);
  log(WorkKind::erase, segment, d.page(), span);
  const bool fails = segment.has(segment_flag::kEraseFails);
  book<kExtras>(DeviceOpKind::erase, segment.die, d.page(), static_cast<std::uint32_t>(device_.spec.segment_bytes()),
                span, device_.costs.erase_command + cost.time, cost.energy, fails);
  ++segment.erase_count;
  segment.flags &=
      static_cast<std::uint8_t>(~(segment_flag::kTorn | segment_flag::kUnreadable | segment_flag::kLsbAlone));
  segment.next_page = 0;
  device_.wear.age(index, segment);
  if constexpr (kExtras) {
    device_.exposure.erased(index);
    device_.retry.erased(index);
  }
  if (fails) tear_segment(device_, segment);
  end(d, fails ? Status::erase_failed : Status::ok, span.end);
}

template <bool kExtras>
void Controller::check(DescriptorView d) {
  if (!in_array(d.page())) return refuse(d, Status::illegal);
  const Segment& segment = device_.segments[device_.segments.segment_of(d.page())];
  const Cost& cost = device_.costs.read(device_.costs.type(0));
  const Span span = timeline_.read(segment.die, {cost.time});
  log(WorkKind::check, segment, d.page(), span);
  book<kExtras>(DeviceOpKind::other, segment.die, d.page(), 0, span, device_.costs.read_command + cost.time,
                cost.energy, false);
  end(d, segment.has(segment_flag::kBad) ? Status::bad_segment : Status::ok, span.end);
}

template <bool kExtras>
void Controller::mark_bad(DescriptorView d) {
  if (!in_array(d.page())) return refuse(d, Status::illegal);
  Segment& segment = device_.segments[device_.segments.segment_of(d.page())];
  const Cost cost = device_.costs.program(segment, 0);
  const Span span = timeline_.work(segment.die, segment.plane, device_.costs.program_command, cost.time);
  log(WorkKind::mark, segment, d.page(), span);
  segment.flags |= segment_flag::kBad;
  book<kExtras>(DeviceOpKind::other, segment.die, d.page(), 0, span, device_.costs.program_command + cost.time,
                cost.energy, false);
  end(d, Status::ok, span.end);
}

void Controller::fence(DescriptorView d) {
  if (!in_array(d.page())) return refuse(d, Status::illegal);
  const Segment& segment = device_.segments[device_.segments.segment_of(d.page())];
  const Span span = timeline_.fence(segment.die);
  log(WorkKind::fence, segment, d.page(), span);
  end(d, Status::ok, span.end);
}

Ticks Controller::worked_by(std::uint32_t die, Ticks until) const {
  const Ticks worked = timeline_.die(die).worked;
  if (until == kNever) return worked;
  if (!tells_work_) throw std::logic_error("an array made with tells_work = false is asked what it worked by a time");
  return worked - log_.time_behind(until, die);
}

Ticks Controller::next_change(Ticks now) const {
  const Ticks completion = completions_.next_after(now);
  return timeline_.all_done() > now ? std::min(completion, timeline_.all_done()) : completion;
}

bool Controller::is_coming(std::uint32_t page, Ticks now) {
  if (units_.has(page)) return true;
  Ring<Work>& works = log_.of(device_.segments[device_.segments.segment_of(page)].die);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& work = works[i];
    if (work.stores() && work.end > now && page <= work.page && work.page < page + device_.spec.pages_at_once)
      return true;
  }
  return false;
}

void Controller::lose_power(Ticks now) {
  if (!undoes_) throw std::logic_error("an array made with loses_power = false loses its power");
  meter_.advance_to(now);
  units_.forget();
  device_.retry.forget();
  take_off_die_time(now, device_, log_, meter_, timeline_);
  undo_after(now, device_, log_, meter_);
  meter_.abandon(now);
  completions_.clear();
  timeline_.stop(now);
  suspension_.stop();
  overtaking_.stop();
  follows_ = true;
  last_read_ = sequence_;
  configure(0);
  let_overtake(0);
  gather(0);
}

// Called from elsewhere.
template Found Controller::find<true>(const Segment& segment, std::uint32_t page, const PageAddress& at, bool copies);
template Found Controller::find<false>(const Segment& segment, std::uint32_t page, const PageAddress& at, bool copies);
template void Controller::book<true>(DeviceOpKind kind, std::uint32_t die, std::uint32_t page, std::uint32_t bytes,
                                     const Span& span, Ticks busy, OpEnergy energy, bool failed);
template void Controller::book<false>(DeviceOpKind kind, std::uint32_t die, std::uint32_t page, std::uint32_t bytes,
                                      const Span& span, Ticks busy, OpEnergy energy, bool failed);
template void Controller::take<true>(DescriptorView d);
template void Controller::submit_all<true>(std::span<const std::byte> bytes);
template void Controller::submit_all<false>(std::span<const std::byte> bytes);

}  // namespace ftlab::hw::array
