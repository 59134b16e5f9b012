// Cleaning is copies from one segment to another, one after the other. What they share is looked up once.
#include <cstring>

#include "hw/array/commands/controller.h"

namespace ftlab::hw::array {

std::span<const std::byte> Controller::take_copies(std::span<const std::byte> bytes) {
  Descriptor d;
  std::memcpy(&d, bytes.data(), sizeof d);
  if (d.op != Op::copy || !in_array(d.page) || !in_array(d.target)) return bytes;
  const PageAddress source = device_.segments.locate(d.page);
  const PageAddress target = device_.segments.locate(d.target);
  const Segment& from = device_.segments[source.segment];
  Segment& to = device_.segments[target.segment];
  if (source.segment == target.segment || from.die != to.die || target.page != to.next_page ||
      ((from.flags | to.flags) & segment_flag::kTrouble) != 0)
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
  do {
    now += device_.spec.timing.descriptor;
    ++sequence_;
    const Cost& read = costs.read(costs.type(d.page - first));
    const Cost& program = costs.program(to, pages - (target_end - next));
    const Ticks end_of_copy = copies.add(now, read.time, program.time);
    reads.time += costs.command + read.time;
    reads.energy += read.energy;
    programs.time += costs.command + program.time;
    programs.energy += program.energy;
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
  meter_.count(DeviceOpKind::load, count, device_.spec.page_bytes, reads.time, read_time, reads.energy);
  meter_.count(DeviceOpKind::buffer_program, count, device_.spec.page_bytes, programs.time, program_time,
               programs.energy);
  return bytes;
}

}  // namespace ftlab::hw::array
