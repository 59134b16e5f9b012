// Cleaning is copies from one segment to another, one after the other. What they share is looked up once.
#include <cstring>

#include "hw/array/commands/controller.h"

namespace ftlab::hw::array {

template <bool kTags, bool kLogs>
std::span<const std::byte> Controller::take_copies(std::span<const std::byte> bytes) {
  Descriptor d;
  std::memcpy(&d, bytes.data(), sizeof d);
  if (d.op != Op::copy || !in_array(d.page) || !in_array(d.target)) return bytes;
  const PageAddress source = device_.segments.locate(d.page);
  const PageAddress target = device_.segments.locate(d.target);
  const Segment& from = device_.segments[source.segment];
  Segment& to = device_.segments[target.segment];
  if (source.segment == target.segment || from.die != to.die || target.page != to.next_page ||
      ((from.flags | to.flags) & (segment_flag::kTrouble | segment_flag::kLsbAlone)) != 0)
    return bytes;
  Costs& costs = device_.costs;
  const std::uint32_t first = d.page - source.page;
  const std::uint32_t pages = device_.segments.pages_per_segment();
  const std::uint32_t target_end = d.target - target.page + pages;
  const std::uint32_t first_target = d.target;
  std::uint32_t next = first_target;
  Timeline::Copies copies(timeline_, to.die, from.plane, to.plane);
  Ticks now = timeline_.now();
  Cost reads;
  Cost programs;
  WorkLog::Run* const run = kLogs ? &log_.begin_run(now, to.die) : nullptr;
  const std::uint32_t first_sequence = sequence_ + 1;
  Ticks end_of_copy{};
  do {
    now += device_.spec.timing.descriptor;
    ++sequence_;
    const Cost& read = costs.read(costs.type(d.page - first));
    const Cost& program = costs.program(to, pages - (target_end - next));
    end_of_copy = copies.add(now, read.time, program.time);
    reads.time += costs.command + read.time;
    reads.energy += read.energy;
    programs.time += costs.command + program.time;
    programs.energy += program.energy;
    if constexpr (kLogs) run->add(costs.command + read.time + costs.command, program.time);
    if constexpr (kTags) {
      const bool programmed = d.page - first < from.next_page;
      const Metadata carried = programmed ? device_.pages.metadata(d.page) : kErasedMetadata;
      device_.pages.put_metadata(next, d.new_metadata != 0 ? Metadata{d.metadata[0], d.metadata[1]} : carried);
    }
    ++next;
    end(d, Status::ok, end_of_copy);
    bytes = bytes.subspan(sizeof d);
    if (bytes.empty()) break;
    std::memcpy(&d, bytes.data(), sizeof d);
  } while (d.op == Op::copy && d.page - first < pages && d.target == next && next != target_end);
  const std::uint32_t count = next - first_target;
  to.next_page = static_cast<std::uint16_t>(to.next_page + count);
  const Ticks read_time = reads.time - copies.hidden_reads();
  const Ticks program_time = programs.time - copies.hidden_programs();
  copies.end(now, read_time + program_time);
  if constexpr (kLogs) {
    const Ticks begin = end_of_copy - reads.time - programs.time;
    log_.add_run(to.die, {.begin = begin, .end = end_of_copy, .page = first_target, .sequence = first_sequence},
                 static_cast<std::uint16_t>(count));
  }
  meter_.count(DeviceOpKind::load, count, device_.spec.page_bytes, reads.time, read_time, reads.energy);
  meter_.count(DeviceOpKind::buffer_program, count, device_.spec.page_bytes, programs.time, program_time,
               programs.energy);
  return bytes;
}

// Called from elsewhere.
template std::span<const std::byte> Controller::take_copies<false, false>(std::span<const std::byte> bytes);
template std::span<const std::byte> Controller::take_copies<false, true>(std::span<const std::byte> bytes);
template std::span<const std::byte> Controller::take_copies<true, false>(std::span<const std::byte> bytes);
template std::span<const std::byte> Controller::take_copies<true, true>(std::span<const std::byte> bytes);

}  // namespace ftlab::hw::array
