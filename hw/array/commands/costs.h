// Times and energies of operations, computed once. Knows the spec; nothing of what is under way.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hw/array/aging/attempts.h"
#include "hw/array/aging/wear.h"
#include "hw/array/array/segment_table.h"
#include "hw/array/commands/op_energy.h"
#include "hw/array/spec/spec.h"
#include "hw/base/energy.h"

namespace ftlab::hw::array {

/// Of the cells alone, without command and transfer.
struct Cost {
  Ticks time{};
  OpEnergy energy{};
};

/// What a read does: at its cells for each sensing, then on the channel for each transfer, in the steps that it goes
/// through.
struct Sensing {
  Ticks time{};
  Ticks transfer{};  ///< none: no data crosses
  Attempts attempts{};
  bool stays = false;  ///< what is planned by when it ends is not moved with it
};

/// Pages that are sensed at once, with their transfer and without the first command.
struct Load {
  Cost cells;
  Cost transfer;
  [[nodiscard]] Ticks time() const { return cells.time + transfer.time; }
  [[nodiscard]] OpEnergy energy() const { return cells.energy + transfer.energy; }
  [[nodiscard]] Sensing sensing(const Attempts& attempts) const { return {cells.time, transfer.time, attempts}; }
};

inline OpEnergy short_energy(std::int64_t microwatts, Ticks time) { return OpEnergy{energy_of(microwatts, time)}; }

class Costs {
 public:
  explicit Costs(const ArraySpec& spec)
      : read_command(spec.timing.cycles.read),
        program_command(spec.timing.cycles.program),
        erase_command(spec.timing.cycles.erase),
        shortest_transfer(spec.timing.transfer),
        read_transfer(spec.timing.cycles.output + spec.timing.transfer),
        transfer_energy(spec.power.transfer),
        load_energy(spec.power.transfer + spec.power.decode),
        program_transfer(spec.timing.transfer * spec.pages_at_once +
                         spec.timing.cycles.load_more * (spec.pages_at_once / spec.units_of_page - 1)),
        program_transfer_energy(OpEnergy{spec.power.transfer * spec.pages_at_once}),
        timing_(spec.timing),
        power_(spec.power),
        retry_(spec.read_retry),
        units_of_page_(spec.units_of_page),
        types_(spec.pages_per_segment) {
    const double planes = 1 + spec.power.further_plane * (spec.planes_at_once - 1);
    program_uw_ = std::llround(static_cast<double>(power_.program_uw) * planes);
    erase_uw_ = std::llround(static_cast<double>(power_.erase_uw) * planes);
    for (std::uint32_t page = 0; page < spec.pages_per_segment; ++page) {
      types_[page] = static_cast<std::uint8_t>(spec.page_type(page));
    }
    for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) {
      reads_[type] = {spec.timing.read[type], short_energy(power_.read_uw, spec.timing.read[type])};
      const Ticks program = spec.timing.program[type] + backup_before(spec, type);
      programs_[type] = {program, Segment::kUnscaled, {program, short_energy(program_uw_, program)}};
    }
  }

  [[nodiscard]] std::uint8_t type(std::uint32_t page) const { return types_[page]; }
  /// Of each page of a segment.
  [[nodiscard]] const std::uint8_t* types() const { return types_.data(); }
  [[nodiscard]] const Cost& read(std::uint8_t type) const { return reads_[type]; }
  [[nodiscard]] const Cost& program(const Segment& segment, std::uint32_t page) {
    return program_of_type(segment, types_[page]);
  }
  [[nodiscard]] const Cost& program_of_type(const Segment& segment, std::uint8_t type) {
    Programs& programs = programs_[type];
    if (segment.program_scale != programs.scale) [[unlikely]]
      rescale(programs, segment.program_scale);
    return programs.scaled;
  }
  /// tR of so many pages of one type and of so many planes.
  [[nodiscard]] Ticks sensed(std::uint8_t type, std::uint32_t pages, std::uint32_t planes) const {
    if (planes > 1 && timing_.read_planes > Ticks::zero()) return timing_.read_planes;
    const bool part = timing_.read_part > Ticks::zero() && pages < units_of_page_;
    return part ? timing_.read_part : timing_.read[type];
  }
  /// Of those pages; none that cross: sensed alone.
  [[nodiscard]] Load load(std::uint8_t type, std::uint32_t pages, std::uint32_t planes) const {
    return load_in(sensed(type, pages, planes), pages, planes);
  }
  /// The same, sensed in that time.
  [[nodiscard]] Load load_in(Ticks cells, std::uint32_t pages, std::uint32_t planes) const {
    const ArrayCycles& cycles = timing_.cycles;
    const double share = 1 + power_.further_plane * (planes - 1);
    Load load;
    load.cells.time = cells + cycles.read_more * (planes - 1);
    load.cells.energy = planes == 1 ? short_energy(power_.read_uw, cells)
                                    : short_energy(std::llround(static_cast<double>(power_.read_uw) * share), cells);
    if (pages == 0) return load;
    load.transfer = {timing_.transfer * pages + cycles.output + cycles.output_more * (planes - 1),
                     OpEnergy{Picojoules{load_energy.count() * std::int64_t{pages}}}};
    return load;
  }
  /// Of a read that was sensed so long, with its command and the cycles between planes, until its data crossed.
  [[nodiscard]] Load load_until(Ticks crosses, std::uint32_t pages, std::uint32_t planes) const {
    return load_in(crosses - read_command - timing_.cycles.read_more * (planes - 1), pages, planes);
  }
  /// Of a read, beyond what the plain one costs.
  [[nodiscard]] Cost again(const Load& read, const Attempts& attempts) const {
    return attempts.plain() ? Cost{} : steps_cost(read, attempts);
  }
  [[nodiscard]] Cost erase(Ticks time) const { return {time, short_energy(erase_uw_, time)}; }

  // Command and address cycles.
  const Ticks read_command;
  const Ticks program_command;
  const Ticks erase_command;
  const Ticks shortest_transfer;  ///< that takes the channel
  const Ticks read_transfer;      ///< of a page to the controller
  const OpEnergy transfer_energy;
  const OpEnergy load_energy;    ///< of that transfer, with decoding
  const Ticks program_transfer;  ///< of a program unit, with the cycles between its pages
  const OpEnergy program_transfer_energy;

 private:
  /// What it takes to copy the program unit before within the die, to a spare segment that is used with pages of the
  /// first type alone, with a share of that one's erase.
  static Ticks backup_before(const ArraySpec& spec, std::uint32_t type) {
    if (type == 0 || spec.wordline_pages == 1 || spec.open_wordlines != OpenWordlines::backup) return {};
    const std::uint32_t units = std::max(1U, spec.pages_per_segment / (spec.bits_per_cell * spec.pages_at_once));
    const ArrayTiming& t = spec.timing;
    return t.cycles.read + t.read[type - 1] + t.cycles.program + t.program[0] + t.erase / units;
  }
  /// Pages are programmed segment by segment: what the last one took, the next one mostly takes, too.
  struct Programs {
    Ticks nominal{};
    std::uint16_t scale = Segment::kUnscaled;
    Cost scaled;
  };

  [[gnu::noinline]] void rescale(Programs& programs, std::uint16_t scale) const {
    programs.scale = scale;
    programs.scaled.time = Wear::scaled(programs.nominal, scale);
    programs.scaled.energy = short_energy(program_uw_, programs.scaled.time);
  }

  [[nodiscard]] Cost steps_cost(const Load& read, const Attempts& attempts) const;

  ArrayTiming timing_;
  ArrayPower power_;
  ArrayReadRetry retry_;
  // Of all planes that work as one.
  std::int64_t program_uw_ = 0;
  std::int64_t erase_uw_ = 0;
  std::uint32_t units_of_page_;
  std::array<Cost, kMaxPageTypes> reads_{};
  std::array<Programs, kMaxPageTypes> programs_{};
  std::vector<std::uint8_t> types_;  ///< of each page of a segment
};

}  // namespace ftlab::hw::array
