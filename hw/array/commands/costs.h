// Times and energies of operations, computed once. Knows the spec; nothing of what is under way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

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

inline OpEnergy short_energy(std::int64_t microwatts, Ticks time) { return OpEnergy{energy_of(microwatts, time)}; }

class Costs {
 public:
  explicit Costs(const ArraySpec& spec)
      : command(spec.timing.command),
        transfer(spec.timing.transfer),
        transfer_energy(spec.power.transfer),
        program_transfer(transfer * spec.pages_at_once),
        program_transfer_energy(OpEnergy{spec.power.transfer * spec.pages_at_once}),
        power_(spec.power),
        types_(spec.pages_per_segment) {
    for (std::uint32_t page = 0; page < spec.pages_per_segment; ++page) {
      types_[page] = static_cast<std::uint8_t>(spec.page_type(page));
    }
    for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) {
      reads_[type] = {spec.timing.read[type], short_energy(power_.read_uw, spec.timing.read[type])};
      const Ticks program = spec.timing.program[type] + backup_before(spec, type);
      programs_[type] = {program, Segment::kUnscaled, {program, short_energy(power_.program_uw, program)}};
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
  [[nodiscard]] OpEnergy transfer_energy_of(std::uint32_t pages) const {
    return OpEnergy{Picojoules{transfer_energy.count() * std::int64_t{pages}}};
  }
  [[nodiscard]] Cost erase(Ticks time) const { return {time, short_energy(power_.erase_uw, time)}; }

  const Ticks command;
  const Ticks transfer;  ///< of a page across the channel
  const OpEnergy transfer_energy;
  const Ticks program_transfer;  ///< of a program unit
  const OpEnergy program_transfer_energy;

 private:
  /// What it takes to copy the program unit before within the die, to a spare segment that is used with pages of the
  /// first type alone, with a share of that one's erase.
  static Ticks backup_before(const ArraySpec& spec, std::uint32_t type) {
    if (type == 0 || spec.wordline_pages == 1 || spec.open_wordlines != OpenWordlines::backup) return {};
    const std::uint32_t units = std::max(1U, spec.pages_per_segment / (spec.bits_per_cell * spec.pages_at_once));
    const ArrayTiming& t = spec.timing;
    return t.command + t.read[type - 1] + t.command + t.program[0] + t.erase / units;
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
    programs.scaled.energy = short_energy(power_.program_uw, programs.scaled.time);
  }

  ArrayPower power_;
  std::array<Cost, kMaxPageTypes> reads_{};
  std::array<Programs, kMaxPageTypes> programs_{};
  std::vector<std::uint8_t> types_;  ///< of each page of a segment
};

}  // namespace ftlab::hw::array
