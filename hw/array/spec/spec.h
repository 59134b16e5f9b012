// Everything that is particular about one NAND array with its controller, as a frozen plain struct.
// Knows the part file and what is impossible; nothing of descriptors, time passing or data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/sums.h"
#include "hw/array/spec/erase_steps.h"
#include "hw/array/spec/power_law.h"
#include "hw/array/spec/read_retry.h"
#include "hw/regs/array_regs.h"

namespace ftlab::spec {
class TomlFile;
}

namespace ftlab::hw {

/// Pages of a segment take turns through the bits of a cell: slc; lsb, msb; lsb, csb, msb; lsb, csb, msb, tsb.
inline constexpr std::uint32_t kMaxPageTypes = 4;
/// By bits of a cell.
inline constexpr std::string_view kPageTypeNames[kMaxPageTypes][kMaxPageTypes] = {
    {"slc"}, {"lsb", "msb"}, {"lsb", "csb", "msb"}, {"lsb", "csb", "msb", "tsb"}};
inline constexpr std::uint32_t kMaxUnitsOfPage = 16;
inline constexpr std::uint32_t kMaxPagesAtOnce = 64;

/// What the controller has of the earlier pages of a wordline when power loss stops the program of a later one.
enum class OpenWordlines : std::uint8_t {
  lost,        ///< nothing
  capacitors,  ///< its RAM, which capacitors supply until it is saved
  backup       ///< a copy on the die, made before the later page is programmed
};

/// How long the cells take for a read that somebody asks for.
enum class ReadDistribution : std::uint8_t {
  constant,    ///< tR
  exponential  ///< drawn, with tR as the mean: what theory of queues assumes, and no die does
};

/// Cycles on the bus beside those of data.
struct ArrayCycles {
  Ticks read{};         ///< command and address of a read, until the array is sensed
  Ticks program{};      ///< of a program
  Ticks erase{};        ///< of an erase
  Ticks read_more{};    ///< of each further plane that a read takes
  Ticks load_more{};    ///< of each further page of the part that a program takes
  Ticks output{};       ///< before data of a read crosses
  Ticks output_more{};  ///< and before that of each further plane
};

struct ArrayTiming {
  std::array<Ticks, kMaxPageTypes> read{};     ///< tR, array to page register
  std::array<Ticks, kMaxPageTypes> program{};  ///< tPROG, fresh; all the same where a wordline is programmed at once
  Ticks read_planes{};                         ///< tR of pages of several planes together; 0: as of a page
  Ticks read_part{};                           ///< tR of a part of a page, where it is quicker; 0: as of a page
  ReadDistribution read_distribution = ReadDistribution::constant;
  Ticks erase{};  ///< tBERS, fresh
  ArrayCycles cycles;
  Ticks transfer{};      ///< a page across the channel
  Ticks read_cache{};    ///< tRCBSY, page register to cache register; 0: reads of a die follow each other
  Ticks suspend{};       ///< until an interrupted die can be read
  Ticks program_left{};  ///< a program with less left is not interrupted
  Ticks erase_left{};    ///< nor such an erase
  Ticks resume{};        ///< until it works again
  Ticks descriptor{};    ///< the controller takes one
  Ticks word{};          ///< one word of registers or data RAM
};

/// Power of one die above standby in microwatts; standby in nanowatts.
struct ArrayPower {
  std::int64_t read_uw = 0;
  std::int64_t program_uw = 0;
  std::int64_t erase_uw = 0;
  std::int64_t standby_nw = 0;
  double further_plane = 1;  ///< share of these powers that each further plane of an operation adds
  Picojoules transfer{};     ///< of a page across the channel, and through the controller's RAM
  Picojoules decode{};       ///< of a page that has come so
};

struct ArrayEndurance {
  std::uint32_t rated_cycles = 0;
  double median_ratio = 1;    ///< median limit / rated cycles
  double spread = 0;          ///< sigma of the logarithm of (limit - rated)
  double erase_growth = 0;    ///< share by which erase time changes from 0 to the rated cycles, linear
  double program_growth = 0;  ///< same for program time; negative: faster
  double drift_cap = 1;       ///< times stop changing at this many times the rated cycles
};

/// Sigma of program and erase times, as shares of the nominal ones; 0: all alike.
struct ArrayVariation {
  double die = 0;
  double segment = 0;
  double errors = 0;  ///< sigma of the logarithm of a segment's factor on the raw bit error rate, whose mean is 1
  double layers = 0;  ///< the same of a layer's, which all segments share
};

enum class ErrorLaw : std::uint8_t { parametric, power_law };

/// Parametric raw bit error rate = (base + wear (n / wear_cycles)^wear_exponent (1 + t / retention_time)
///                       + disturb (reads / 1000) (1 + n / wear_cycles)) * factor of the page type.
/// With a power law its sum takes the place of what stands in brackets.
struct ArrayErrors {
  ErrorLaw model = ErrorLaw::parametric;
  double base = 0;
  double wear = 0;
  double wear_cycles = 1;  ///< those at which `wear` is added
  double wear_exponent = 1;
  Ticks retention_time{};  ///< 0: data keep for ever
  double disturb = 0;
  std::array<double, kMaxPageTypes> factor{};
  std::uint32_t codeword_bytes = 1024;
  std::uint32_t correctable_bits = 0;  ///< of a codeword
  std::uint32_t move_bits = 0;         ///< of a codeword, from which a read says that the data must move; 0: never
  ErrorPowerLaw power_law;
  double activation_ev = 0;  ///< of retention; 0: the part does not say how temperature speeds it up
  double reference_c = 25;   ///< at which retention is as the rates have it
  [[nodiscard]] bool by_power_law() const { return model == ErrorLaw::power_law; }
  [[nodiscard]] bool retains() const {
    return by_power_law() ? power_law.beta > 0 : wear > 0 && retention_time > Ticks::zero();
  }
  [[nodiscard]] bool disturbs() const { return by_power_law() ? power_law.gamma > 0 : disturb > 0; }
  [[nodiscard]] bool any() const { return by_power_law() || base > 0 || wear > 0 || disturb > 0; }
};

struct ArraySpec {
  std::string name;   ///< "array-mlc"
  std::string title;  ///< one line for listings

  std::uint32_t channels = 1;
  std::uint32_t dies_per_channel = 1;
  std::uint32_t planes = 1;             ///< of a die
  std::uint32_t segments = 0;           ///< of the whole array
  std::uint32_t pages_per_segment = 0;  ///< at most FFFFh
  std::uint32_t page_bytes = 0;
  std::uint32_t spare_bytes = 0;  ///< of a page of the part: ECC and metadata, which cross the channel with their share
  /// Units that share a page of the part, see in_units(); a power of two.
  std::uint32_t units_of_page = 1;
  /// Planes that work as one: a segment is a block of each.
  std::uint32_t planes_at_once = 1;
  /// Pages of a wordline that one program takes.
  std::uint32_t one_shot_pages = 1;
  /// Programmed together, a program unit: the product of the three. Its pages of one type come first, among them those
  /// of one plane.
  std::uint32_t pages_at_once = 1;
  std::uint32_t bits_per_cell = 1;  ///< as many page types
  std::uint32_t layers = 0;         ///< of wordlines, one above the other; 0: planar
  /// Program units of a wordline that are programmed one after the other, so that one that is interrupted spoils those
  /// before; 1: none does.
  std::uint32_t wordline_pages = 1;
  OpenWordlines open_wordlines = OpenWordlines::lost;
  array::Content content = array::Content::none;
  std::uint32_t buffer_slots = 0;  ///< pages of data RAM; counts with Content::bytes
  /// Capacitors keep the drive up after a loss of power, until its firmware has written its RAM out.
  bool power_loss_protection = false;

  ArrayTiming timing;
  ArrayPower power;
  ArrayEndurance endurance;
  ArrayEraseSteps erase_steps;
  ArrayVariation variation;
  ArrayErrors errors;
  ArrayReadRetry read_retry;
  double initial_bad_share = 0;  ///< probability that a segment is bad from the factory

  [[nodiscard]] std::uint32_t dies() const { return channels * dies_per_channel; }
  [[nodiscard]] std::uint32_t segments_per_die() const { return segments / dies(); }
  [[nodiscard]] std::uint32_t pages_per_die() const { return segments_per_die() * pages_per_segment; }
  [[nodiscard]] std::uint32_t pages() const { return segments * pages_per_segment; }
  /// Pages of one type in all planes that work as one: what is sensed at once.
  [[nodiscard]] std::uint32_t pages_of_row() const { return units_of_page * planes_at_once; }
  [[nodiscard]] std::uint32_t page_type(std::uint32_t page) const { return page / pages_of_row() % bits_per_cell; }
  /// "lsb"
  [[nodiscard]] std::string_view type_name(std::uint32_t type) const { return kPageTypeNames[bits_per_cell - 1][type]; }
  [[nodiscard]] std::uint32_t wordlines() const { return pages_per_segment / (pages_of_row() * bits_per_cell); }
  /// Of that page of a segment, where there are layers: pages follow each other layer by layer. A segment of fewer
  /// wordlines than layers has some of those.
  [[nodiscard]] std::uint32_t layer(std::uint32_t page) const {
    const std::uint64_t wordline = page / (pages_of_row() * bits_per_cell);
    return static_cast<std::uint32_t>(wordline * layers / wordlines());
  }
  /// Of those that work as one.
  [[nodiscard]] std::uint32_t plane_in_row(std::uint32_t page) const { return page / units_of_page % planes_at_once; }
  /// In the wordline of that page of a segment, the first one that an interrupted program of its unit spoils: up to,
  /// but not with, the unit itself.
  [[nodiscard]] std::uint32_t first_of_wordline(std::uint32_t page) const {
    return page - page % (wordline_pages * pages_at_once);
  }
  /// Of the same program unit.
  [[nodiscard]] bool together(std::uint32_t a, std::uint32_t b) const {
    if ((pages_at_once & (pages_at_once - 1)) == 0) return (a ^ b) < pages_at_once;
    return a / pages_at_once == b / pages_at_once;
  }
  /// Sensed at once.
  [[nodiscard]] bool in_row(std::uint32_t a, std::uint32_t b) const { return a / pages_of_row() == b / pages_of_row(); }
  /// Some segments may be filled with LSB pages alone: those of a wordline are programmed one by one.
  [[nodiscard]] bool fills_lsb_alone() const { return bits_per_cell > 1 && one_shot_pages == 1; }
  [[nodiscard]] std::uint64_t segment_bytes() const { return std::uint64_t{pages_per_segment} * page_bytes; }
  [[nodiscard]] std::uint64_t capacity_bytes() const { return segments * segment_bytes(); }
};

/// Reads, checks and freezes a part; calls part.finish(). Throws InputError with file, line and key for anything
/// missing, out of range or impossible.
ArraySpec load_array_spec(spec::TomlFile& part);

/// The same part behind a controller that addresses units of so many bytes, each with metadata and ECC of its own: they
/// are what it calls pages from here on. Null where it cannot, with the reason in `reason`.
std::optional<ArraySpec> in_units(const ArraySpec& part, std::uint32_t unit_bytes, std::string& reason);

}  // namespace ftlab::hw
