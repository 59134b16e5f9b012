// Everything that is particular about one Flex-OneNAND under one timing profile, as a frozen plain struct.
// Knows the part file and what is impossible; nothing of commands, time passing or data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/units.h"

namespace ftlab::spec {
class TomlFile;
}

namespace ftlab::hw {

/// How a page is written: in the SLC area, or as the fast or slow page of a wordline in the MLC area.
enum class PageType : std::uint8_t { slc, lsb, msb };
inline constexpr std::size_t kPageTypes = 3;

struct OneNandBusTiming {
  Ticks async_read{};  ///< one word
  Ticks async_write{};
  Ticks sync_clock{};
  Ticks sync_setup{};  ///< of a burst, before its latency counts
};

struct OneNandTiming {
  std::array<Ticks, kPageTypes> load{};     ///< command to data in DataRAM
  Ticks recovery_load{};                    ///< the same for the LSB recovery read
  std::array<Ticks, kPageTypes> program{};  ///< command to page programmed, fresh
  Ticks erase_slc{};                        ///< segment of the SLC area, fresh
  Ticks erase_mlc{};
  Ticks transfer{};                  ///< between page buffer and DataRAM; part of every load and program
  Ticks erase_timeout{};             ///< a failing erase gives up after this long
  double program_timeout_ratio = 1;  ///< a failing program gives up after this many times its duration
  Ticks erase_suspend{};             ///< suspend command to array usable
  Ticks command{};                   ///< commands without array work, refused ones too
  Ticks unlock_all{};
  Ticks reset_idle{};  ///< reset when idle or loading
  Ticks reset_program{};
  Ticks reset_erase{};
  Ticks boot{};  ///< supply or RP# to BootRAM filled

  /// From the command of a load until its page is in the page buffer.
  [[nodiscard]] Ticks sense(bool slc) const {
    return load[static_cast<std::size_t>(slc ? PageType::slc : PageType::lsb)] - transfer;
  }
};

/// Power of one die above standby in microwatts; standby in nanowatts.
struct OneNandPower {
  std::int64_t async_read_uw = 0;
  std::int64_t sync_read_uw = 0;
  std::int64_t async_write_uw = 0;
  std::int64_t sync_write_uw = 0;
  std::int64_t load_uw = 0;
  std::int64_t program_uw = 0;
  std::int64_t erase_uw = 0;
  std::int64_t other_uw = 0;
  std::int64_t standby_nw = 0;
};

struct OneNandEndurance {
  std::uint32_t rated_slc = 0;
  std::uint32_t rated_mlc = 0;        ///< endurance.rated_cycles
  std::uint32_t rated_partition = 0;  ///< of the partition information segment
  double median_ratio = 1;            ///< median limit / rated cycles, of segments that are not weak
  double spread = 0;                  ///< sigma of the logarithm of (limit - rated)
  double erase_growth = 0;            ///< share by which erase time changes from 0 to the rated cycles, linear
  double program_growth = 0;          ///< same for program time; negative: faster
  double drift_cap = 1;               ///< times stop changing at this many times the rated cycles
};

/// Raw bit error rate = (base + wear (n/wear_cycles)^wear_exponent (1 + t/retention_time)
///                       + disturb (reads/1000) (1 + n/wear_cycles)) * factor of the page type.
struct OneNandErrors {
  double base = 0;
  double wear = 0;
  double wear_cycles = 1;
  double wear_exponent = 1;
  Ticks retention_time{};  ///< 0: data keep for ever
  double disturb = 0;
  std::array<double, kPageTypes> factor{};
  double slc_cycle_scale = 1;  ///< an SLC page ages by this share of a cycle
};

struct OneNandBadSegments {
  std::uint32_t reserve = 0;  ///< of a die: most initial plus weak segments
  double initial_share = 0;   ///< probability that a segment is bad from the factory
  double weak_share = 0;      ///< probability that a segment fails before its rated cycles
};

struct OneNandSpec {
  std::string name;     ///< "flexonenand-4gb"
  std::string title;    ///< one line for listings
  std::string profile;  ///< "datasheet-typ"
  std::uint16_t device_id = 0;
  std::uint16_t version_id = 0;

  std::uint32_t dies = 1;
  std::uint32_t segments_per_die = 0;

  OneNandBusTiming bus;
  OneNandTiming timing;
  OneNandPower power;
  OneNandEndurance endurance;
  OneNandErrors errors;
  OneNandBadSegments bad_segments;

  static constexpr std::uint32_t kPagesPerSegment = 128;  ///< in the MLC area
  static constexpr std::uint32_t kSegmentBytes = 512 * 1024;
  [[nodiscard]] std::uint32_t segments() const { return dies * segments_per_die; }
  /// Of the array address space: every segment counted as MLC.
  [[nodiscard]] std::uint64_t capacity_bytes() const { return std::uint64_t{segments()} * kSegmentBytes; }
};

/// Names of the timing profiles of a part file, its default first.
std::vector<std::string> onenand_profiles(const spec::TomlFile& part);

/// Reads, checks and freezes a part under a profile; an empty name means the file's default. Honours values set() on
/// the file, which win over the profile's; calls part.finish(). Throws InputError with file, line and key for anything
/// missing, out of range or impossible, and for an unknown profile, naming those there are.
OneNandSpec load_onenand_spec(spec::TomlFile& part, std::string_view profile = {});

}  // namespace ftlab::hw
