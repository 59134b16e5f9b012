// Everything that is particular about one Series 2+ card at one supply voltage, as a frozen plain struct.
// Knows the part file and what is impossible; nothing of commands, time passing or data.
#pragma once

#include <cstdint>
#include <string>

#include "common/units.h"

namespace ftlab::spec {
class TomlFile;
}

namespace ftlab::hw {

/// Supply voltage of the card.
enum class Voltage : std::uint8_t { v5, v3_3 };

/// "5V" or "3V3": the name of the voltage in part files.
const char* name_of(Voltage vcc);

/// A power by where Vpp comes from: the socket's pins, or the on-card generator (its Vpp share is divided by the
/// generator's efficiency).
struct PowerBySource {
  std::int64_t socket = 0;
  std::int64_t generator = 0;
};

struct CardTiming {
  Ticks common_cycle{};              ///< one read or write cycle of common memory, 8 or 16 bits
  Ticks attribute_cycle{};           ///< one cycle of attribute memory
  Ticks word_program{};              ///< one byte per component, fresh
  Ticks buffer_program_byte{};       ///< page buffer to array, per byte of one component, fresh
  Ticks erase{};                     ///< one segment, fresh
  Ticks erase_timeout{};             ///< a worn-out erase reports its failure after this long
  double program_timeout_ratio = 1;  ///< a worn-out program reports its failure after this many times its duration
  Ticks lock_program{};              ///< setting one lock bit
  Ticks upload{};                    ///< upload of lock bits or of device information
  Ticks erase_suspend{};             ///< suspend command to array readable
  Ticks auto_suspend{};              ///< program accepted while erasing to program begun
  Ticks wake{};                      ///< sleep, power-down or reset to array readable
  Ticks generator_rise{};            ///< on-card Vpp generator enabled to Vpp valid
  Ticks ready_pulse{};               ///< low time of RY/BY# in its pulse modes
};

/// Power of one component, a 28F016SA or one of the two dies of a DD28F032SA; working powers are above standby, in
/// microwatts.
struct CardPower {
  std::int64_t read_uw = 0;       ///< in a read cycle
  std::int64_t write_uw = 0;      ///< in a write cycle, command or data
  std::int64_t attribute_uw = 0;  ///< card logic in an attribute cycle
  PowerBySource program_uw;
  PowerBySource erase_uw;
  PowerBySource suspended_uw;    ///< erase suspended
  std::int64_t standby_nw = 0;   ///< idle, CMOS levels, in nanowatts
  std::int64_t sleep_nw = 0;     ///< asleep, in power-down or held in reset
  PowerBySource vpp_standby_nw;  ///< Vpp leakage while idle
};

struct CardEndurance {
  std::uint32_t rated_cycles = 0;  ///< promised by the data sheet; no segment wears out earlier
  double median_cycles = 0;        ///< of the limits of single blocks, median_ratio times the rated ones
  double spread = 0;               ///< sigma of the logarithm of (limit - rated)
  double erase_growth = 0;         ///< share by which erase time grows from 0 to rated_cycles, linear, goes on
  double program_growth = 0;       ///< same for program time
};

struct CardSpec {
  std::string name;         ///< "series2plus-24mb"
  std::string title;        ///< one line for listings
  std::string cis_product;  ///< product string of the VERS_1 tuple
  Voltage vcc = Voltage::v5;

  std::uint32_t pairs = 0;              ///< component pairs, each with its own write state machines
  std::uint32_t segments_per_pair = 0;  ///< erase blocks of a component = segments of its pair
  std::uint32_t segment_bytes = 0;      ///< of the pair; half of it in each component
  std::uint8_t device_revision = 0;     ///< returned by the device information upload

  CardTiming timing;
  CardPower power;
  CardEndurance endurance;

  [[nodiscard]] std::uint32_t segments() const { return pairs * segments_per_pair; }
  [[nodiscard]] std::uint32_t pair_bytes() const { return segments_per_pair * segment_bytes; }
  [[nodiscard]] std::uint32_t capacity_bytes() const { return pairs * pair_bytes(); }
};

/// Reads, checks and freezes a part at the given voltage. Honours values set() on the file; calls part.finish().
/// Throws InputError with file, line and key for anything missing, out of range or impossible as a geometry.
CardSpec load_card_spec(spec::TomlFile& part, Voltage vcc);

}  // namespace ftlab::hw
