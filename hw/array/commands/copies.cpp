// Copies, one by one and in runs: cleaning is copies from one segment to another, one after the other, and what those
// share is looked up once.
#include <array>
#include <cstddef>

#include "hw/array/commands/controller.h"

namespace ftlab::hw::array {
namespace {

/// Copies of one run from pages of one type to such of one type.
struct Alike {
  Ticks read{};  ///< with its command, as is
  Ticks program{};
  WorkLog::Run::Step step;
  std::uint32_t count = 0;
};

}  // namespace

bool Controller::is_certain(std::uint32_t segment) const {
  const std::uint32_t pages = device_.segments.pages_per_segment();
  const Ticks until = timeline_.now() + device_.spec.timing.descriptor * std::int64_t{pages};
  // Its first page is the oldest one.
  Exposure::Page oldest = device_.exposure.of(segment * pages, segment, until);
  oldest.reads += pages;
  for (std::uint32_t type = 0; type < device_.spec.bits_per_cell; ++type) {
    const double bits = device_.errors.most_mean_bits(type, segment, device_.segments[segment].erase_count, oldest);
    if (!device_.retry.is_certain(device_.errors, segment, bits)) return false;
  }
  return true;
}

void Controller::complete_certain(DescriptorView d, Ticks now, Ticks end, std::uint32_t copies_before) {
  const PageAddress at = device_.segments.locate(d.page());
  const Segment& from = device_.segments[at.segment];
  if (at.page >= from.next_page) {
    complete(d, Status::ok, end);
    return;
  }
  Exposure::Page exposure = device_.exposure.of(d.page(), at.segment, now);
  exposure.reads += copies_before;
  complete(d, Status::corrected, end).corrected_bits =
      static_cast<std::uint16_t>(device_.errors.mean_bits(device_.costs.type(at.page), at, from.erase_count, exposure));
}

template <bool kTags, bool kLogs, bool kAges>
std::span<const std::byte> Controller::take_copies(std::span<const std::byte> bytes) {
  const std::uint32_t first_page = DescriptorView(bytes).page();
  const std::uint32_t first_target = DescriptorView(bytes).target();
  if (!in_array(first_page) || !in_array(first_target)) return bytes;
  const PageAddress source = device_.segments.locate(first_page);
  const PageAddress target = device_.segments.locate(first_target);
  const Segment& from = device_.segments[source.segment];
  Segment& to = device_.segments[target.segment];
  if (source.segment == target.segment || from.die != to.die || target.page != to.next_page ||
      ((from.flags | to.flags) & (segment_flag::kTrouble | segment_flag::kLsbAlone)) != 0)
    return bytes;
  if (kAges && !is_certain(source.segment)) return bytes;
  Costs& costs = device_.costs;
  std::array<Alike, std::size_t{kMaxPageTypes} * kMaxPageTypes> alike;
  for (std::uint8_t type = 0; type < device_.spec.bits_per_cell; ++type) {
    for (std::uint8_t target_type = 0; target_type < device_.spec.bits_per_cell; ++target_type) {
      const Ticks read = costs.read(type).time;
      const Ticks program = costs.program_of_type(to, target_type).time;
      const Ticks sensed = costs.read_command + read;
      alike[type * kMaxPageTypes + target_type] = {sensed, costs.program_command + program,
                                                   WorkLog::Run::step(sensed + costs.program_command, program)};
    }
  }
  const std::uint32_t pages = device_.segments.pages_per_segment();
  const std::uint32_t first = first_page - source.page;
  const std::uint32_t until = first_target + (pages - target.page);
  const std::uint8_t* const types = costs.types();
  const std::uint8_t* const target_types = types + target.page;
  const Ticks each = device_.spec.timing.descriptor;
  const std::uint32_t sequence = sequence_ + 1;
  std::uint32_t page = first_page;
  std::uint32_t next = first_target;
  Timeline::Copies copies(timeline_, to.die, from.plane, to.plane);
  Ticks now = timeline_.now();
  WorkLog::Run* const run = kLogs ? &log_.begin_run(timeline_.came(), to.die, pages) : nullptr;
  Ticks end_of_copy{};
  std::uint32_t corrected = 0;
  do {
    now += each;
    Alike& one = alike[types[page - first] * kMaxPageTypes + target_types[next - first_target]];
    ++one.count;
    end_of_copy = copies.add(now, one.read, one.program);
    if constexpr (kLogs) run->add(one.step);
    if constexpr (kTags) {
      const DescriptorView d(bytes);
      const Metadata carried = page - first < from.next_page ? device_.pages.metadata(page) : kErasedMetadata;
      device_.pages.put_metadata(next, d.has_new_metadata() ? d.metadata() : carried);
    }
    if constexpr (kAges) {
      corrected += page - first < from.next_page ? 1U : 0U;
      device_.exposure.programmed(next, end_of_copy);
    }
    if (DescriptorView(bytes).reports()) {
      sequence_ = sequence + (next - first_target);
      if constexpr (kAges) {
        complete_certain(DescriptorView(bytes), now, end_of_copy, next - first_target);
      } else {
        complete(DescriptorView(bytes), Status::ok, end_of_copy);
      }
    }
    ++next;
    bytes = bytes.subspan(sizeof(Descriptor));
    if (bytes.empty()) break;
    page = DescriptorView(bytes).page();
  } while (DescriptorView(bytes).op() == Op::copy && page - first < pages && DescriptorView(bytes).target() == next &&
           next != until);
  const std::uint32_t count = next - first_target;
  sequence_ = sequence + count - 1;
  to.next_page = static_cast<std::uint16_t>(to.next_page + count);
  if constexpr (kAges) {
    device_.exposure.read(source.segment, count);
    meter_.count_corrected(DeviceOpKind::load, corrected);
  }
  Cost read;
  Cost program;
  for (std::uint8_t type = 0; type < device_.spec.bits_per_cell; ++type) {
    for (std::uint8_t target_type = 0; target_type < device_.spec.bits_per_cell; ++target_type) {
      const Alike& some = alike[type * kMaxPageTypes + target_type];
      read.time += some.read * some.count;
      read.energy += costs.read(type).energy * some.count;
      program.time += some.program * some.count;
      program.energy += costs.program_of_type(to, target_type).energy * some.count;
    }
  }
  const Ticks read_time = read.time - copies.hidden_reads();
  const Ticks program_time = program.time - copies.hidden_programs();
  copies.end(now, read_time + program_time);
  if constexpr (kLogs) {
    const Ticks begin = end_of_copy - read.time - program.time;
    log_.add_run(to.die, {.begin = begin, .end = end_of_copy, .page = first_target, .sequence = sequence},
                 static_cast<std::uint16_t>(count));
  }
  meter_.count(DeviceOpKind::load, count, device_.spec.page_bytes, read.time, read_time, read.energy);
  meter_.count(DeviceOpKind::buffer_program, count, device_.spec.page_bytes, program.time, program_time,
               program.energy);
  return bytes;
}

template <bool kExtras>
Span Controller::copy_across(const Segment& from, const Segment& to, DescriptorView d, std::uint8_t type,
                             const Cost& program, const Found& found, bool fails) {
  Costs& costs = device_.costs;
  const bool lost = found.status == Status::uncorrectable;
  const Cost& read = costs.read(type);
  const Span fetch = timeline_.read(from.die, {read.time, costs.read_transfer, found.attempts, true});
  log_read({WorkKind::fetch, 0, found.attempts}, from, d.page(), {}, fetch, lost);
  const Cost again = again_of(type, 1, found.attempts);
  book<kExtras>(DeviceOpKind::load, from.die, d.page(), device_.spec.page_bytes, fetch,
                costs.read_command + read.time + costs.read_transfer + again.time,
                read.energy + costs.load_energy + again.energy, lost);
  const Span store = timeline_.program(to.die, to.plane, fetch.end, program.time);
  log(WorkKind::store, to, d.target(), store);
  book<kExtras>(DeviceOpKind::buffer_program, to.die, d.target(), device_.spec.page_bytes, store,
                costs.program_command + costs.program_transfer + program.time, program.energy + costs.transfer_energy,
                fails);
  return store;
}

template <bool kExtras>
Span Controller::copy_within(const Segment& from, const Segment& to, DescriptorView d, std::uint8_t type,
                             const Cost& program, const Found& found, bool fails) {
  Costs& costs = device_.costs;
  const bool lost = found.status == Status::uncorrectable;
  const Cost& plain = costs.read(type);
  const Cost again = again_of(type, 0, found.attempts);
  const Cost read{plain.time + again.time, plain.energy + again.energy};
  const Span span = timeline_.copy(to.die, from.plane, to.plane, read.time, program.time);
  log(WorkKind::copy, to, d.target(), span,
      static_cast<std::uint32_t>(type) << work_detail::kTypeShift | (lost ? work_detail::kSourceLost : 0U));
  if (logs_) log_.youngest(to.die).pages_before = found.attempts.packed();
  const Ticks sensed = span.cells - costs.program_command;
  const Ticks programs = std::min(span.die_time, span.end - sensed);
  book<kExtras>(DeviceOpKind::load, to.die, d.page(), device_.spec.page_bytes,
                {span.begin, sensed, sensed, span.die_time - programs}, costs.read_command + read.time, read.energy,
                lost);
  book<kExtras>(DeviceOpKind::buffer_program, to.die, d.target(), device_.spec.page_bytes,
                {sensed, span.cells, span.end, programs}, costs.program_command + program.time, program.energy, fails);
  return span;
}

template <bool kExtras>
void Controller::copy(DescriptorView d) {
  if (!in_array(d.page()) || !in_array(d.target())) return refuse(d, Status::illegal);
  const PageAddress source = device_.segments.locate(d.page());
  const PageAddress target = device_.segments.locate(d.target());
  const Segment& from = device_.segments[source.segment];
  Segment& to = device_.segments[target.segment];
  if (((from.flags | to.flags) & segment_flag::kBad) != 0) return refuse(d, Status::bad_segment);
  if (target.page != to.next_page && !device_.skip_to(to, target.page)) return refuse(d, Status::illegal);
  const std::uint8_t type = device_.costs.type(source.page);
  const Cost& program = device_.costs.program(to, target.page);
  const Found found = find<kExtras>(from, d.page(), source, true);
  const bool lost = found.status == Status::uncorrectable;
  const bool fails = to.has(segment_flag::kProgramFails);
  const bool programmed = device_.programmed(from, source.page);
  const bool fresh = d.has_new_metadata();
  const Span span = from.die == to.die ? copy_within<kExtras>(from, to, d, type, program, found, fails)
                                       : copy_across<kExtras>(from, to, d, type, program, found, fails);
  const Status filled = fill(to, d.target());
  if constexpr (kExtras) {
    device_.exposure.read(source.segment);
    device_.exposure.programmed(d.target(), span.end);
  }
  if (lost) device_.spoil(to, d.target(), fresh && filled == Status::ok ? PageMark::metadata : PageMark::lost);
  if (kExtras && device_.pages.content() != Content::none) {
    const Metadata carried = programmed ? device_.pages.metadata(d.page()) : kErasedMetadata;
    keep(to.die, d.target(), fresh ? d.metadata() : carried,
         programmed ? device_.pages.data(d.page()) : std::span<const std::byte>());
  }
  end_copy(d, lost || filled == Status::ok ? found : Found{filled, found.corrected_bits}, span.end);
}

// Called from elsewhere.
template void Controller::copy<true>(DescriptorView d);
template void Controller::copy<false>(DescriptorView d);
template std::span<const std::byte> Controller::take_copies<false, false, false>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<false, true, false>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<true, false, false>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<true, true, false>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<false, false, true>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<false, true, true>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<true, false, true>(std::span<const std::byte>);
template std::span<const std::byte> Controller::take_copies<true, true, true>(std::span<const std::byte>);

}  // namespace ftlab::hw::array
