// What a user decides about a volume, and which combinations are possible on a geometry.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/fields.h"
#include "firmware/policy/policy_choice.h"
#include "firmware/policy/pool_arithmetic.h"
#include "firmware/port/flash_port.h"

namespace ftlab {

struct VolumeConfig {
  enum class Frontiers : std::uint8_t {
    one,                ///< of a die and a stream: the host's pages and the copies of cleaning fill the same segment
    host_and_cleaning,  ///< copies fill segments of their own
  };

  /// Which die the host's next page goes to.
  enum class DieChoice : std::uint8_t {
    least_busy,  ///< the one that has the fewest pages to program
    in_turn,     ///< one after the other
  };

  /// Which segments are filled as SLC, their LSB pages alone, where slc_segments does not say it.
  enum class Regions : std::uint8_t {
    none,
    slc,          ///< all of them
    slc_and_mlc,  ///< those of pages of class 0; those of class 1 go where copies go
  };

  /// Which of the free segments is taken into use.
  enum class FreeChoice : std::uint8_t {
    longest_free,
    fewest_erases,  ///< of several the one that is free for longest
  };

  std::string_view selection = "greedy";  ///< a name of fms::selections(); must outlive the constructor
  Frontiers frontiers = Frontiers::one;
  DieChoice die_choice = DieChoice::least_busy;
  std::string_view separation = "none";     ///< a name of fms::separations(); the same
  std::string_view pool_choice = "greedy";  ///< a name of fms::pool_choices(); the same
  fms::PolicyParams params;                 ///< of every policy; those of the named ones count
  fms::SharedParams shared;                 ///< of selections that look at all segments
  fms::PoolArithmetic arithmetic;           ///< of pool choices split and marginal
  /// Policies of firmware/policy decide in place of the selection and, unless they are by_pools, of the pool choice;
  /// must outlive the layer. Null: the two named above, the selection in its listed form.
  const fms::PolicyChoice* policies = nullptr;
  std::uint32_t logical_pages = 0;  ///< offered to the host; 1 .. volume::max_logical_pages()
  std::uint32_t low_water = 0;      ///< free segments of a die at which cleaning starts; 0: as few as it needs
  /// Of a die, in use at a time, that the host's pages fill as SLC (their LSB pages alone); 0: none.
  std::uint32_t slc_segments = 0;
  /// Pages of the host that may be answered before they are programmed, and that a power loss takes; 0: none.
  std::uint32_t write_buffer = 0;
  /// After which without a request units of the buffer are filled and programmed; 0: they wait for the host's next
  /// pages.
  std::uint64_t write_buffer_idle_ns = 100'000'000;
  Regions regions = Regions::none;
  FreeChoice free_choice = FreeChoice::longest_free;
  /// Of a die, that the volume uses: the others of the part take the place of those that fail; 0: all.
  std::uint32_t used_segments = 0;
  bool keeps_lifetime = false;                ///< checkpoints have the time of service
  bool counts_copies = false;                 ///< checkpoint_every is one of pages written or copied
  std::uint64_t slc_idle_ns = 1'000'000'000;  ///< pauses this long empty them
  std::uint32_t checkpoint_every = 0;         ///< host pages between two checkpoints; 0: none
  std::uint64_t seed = 1;                     ///< of policies that draw

  [[nodiscard]] bool copies_apart() const { return frontiers == Frontiers::host_and_cleaning; }
};

namespace volume {

/// Free segments below which a die is cleaned whatever its policies say: what cleaning needs, or low_water where that
/// is more.
[[nodiscard]] std::uint32_t reserve_of(const VolumeConfig& config);
/// Free segments of a die that no data is counted on to fill.
[[nodiscard]] std::uint32_t free_segments_of(const VolumeConfig& config);
/// Each is cleaned by itself; 1: all segments of a die are cleaned as one, or a policy has no such name.
[[nodiscard]] std::uint32_t pools_of(const VolumeConfig& config);
/// Segments of a die that are open at the same time.
[[nodiscard]] std::uint32_t streams_of(const VolumeConfig& config);
/// Program units of a die that are begun and not whole at the same time: of its open segments, and of one that wear
/// leveling fills.
[[nodiscard]] std::uint32_t begun_units_of(const VolumeConfig& config);
/// Streams that pages of one victim may go to.
[[nodiscard]] std::uint32_t copy_streams_of(const VolumeConfig& config);

/// T in pages: all segments but the reserve of each die, open ones among them.
[[nodiscard]] std::uint64_t usable_pages(const VolumeConfig& config, const FlashGeometry& geometry);

/// Pages of the layer's own that name trimmed ones; 0: the part keeps no data.
[[nodiscard]] std::uint32_t trim_records(std::uint64_t logical_pages, const FlashGeometry& geometry);
/// Pages that segments filled as SLC leave out.
[[nodiscard]] std::uint64_t pages_left_out(const VolumeConfig& config, const FlashGeometry& geometry);
/// Segments of the first die that checkpoints need.
[[nodiscard]] std::uint32_t checkpoint_segments(const VolumeConfig& config, const FlashGeometry& geometry);
/// Pages on their way at once, those answered among them.
[[nodiscard]] std::uint32_t pages_in_flight(const VolumeConfig& config, const FlashGeometry& geometry);
/// Of one, for so many logical pages as the configuration names.
[[nodiscard]] std::uint32_t checkpoint_pages(const VolumeConfig& config, const FlashGeometry& geometry);
/// As the log sees it: those of its own count as logical pages behind the host's.
[[nodiscard]] VolumeConfig with_own_pages(VolumeConfig config, const FlashGeometry& geometry);

/// The most logical pages for which cleaning always finds something to reclaim.
[[nodiscard]] std::uint64_t max_logical_pages(const VolumeConfig& config, const FlashGeometry& geometry);

/// Null when the choices work on such a part, whatever the sizes, else a sentence with the reason and the way out.
[[nodiscard]] const char* check_choices(const VolumeConfig& config, const FlashGeometry& geometry);
/// The same with the sizes.
[[nodiscard]] const char* check(const VolumeConfig& config, const FlashGeometry& geometry);

inline constexpr EnumName<VolumeConfig::Frontiers> kFrontiers[] = {
    {"one", VolumeConfig::Frontiers::one}, {"host_and_cleaning", VolumeConfig::Frontiers::host_and_cleaning}};

inline constexpr EnumName<VolumeConfig::DieChoice> kDieChoices[] = {{"least_busy", VolumeConfig::DieChoice::least_busy},
                                                                    {"in_turn", VolumeConfig::DieChoice::in_turn}};

// Keys that every layer with separations has.
template <auto member>
constexpr auto separation_field() {
  return name_field<member, fms::separations>(
             "separation",
             "how pages that live equally long are put together: none; oracle: by the class of data that "
             "the workload tells; recency; sepbit; future: by when they are written again, as no device "
             "knows")
      .is_shared();
}
template <auto member>
constexpr auto pool_choice_field() {
  return name_field<member, fms::pool_choices>("pool_choice",
                                               "from which pool the next victim comes, where there are several")
      .with("separation", "oracle|recency")
      .is_shared();
}
inline constexpr std::uint32_t kMaxWriteBuffer = 32768;
template <auto member>
constexpr auto write_buffer_field() {
  return integer_field<member>("write_buffer", "pages", 0, kMaxWriteBuffer,
                               "pages that may be answered when they are in the controller's data RAM, before they are "
                               "programmed, and that a power loss takes unless a flush came behind them; 0: a write is "
                               "answered once it is programmed. A whole drive has two programs of each die")
      .is_shared();
}
template <auto member>
constexpr auto write_buffer_idle_field() {
  return scaled_field<member>("write_buffer_idle_s", "s", 1e9, 0, 1e6,
                              "idle time after which what is in data RAM is programmed, program units that are not "
                              "full with padding; 0: it waits for more")
      .with("write_buffer", "N")
      .not_published()
      .is_shared();
}

/// The keys of a study that set it, but `selection`, which it shares with another layer. Keys of the policies follow
/// the key that chooses one (fms::policy_families()).
inline constexpr Field<VolumeConfig> kPageFields[] = {
    choice_field<&VolumeConfig::frontiers, kFrontiers>(
        "frontiers", "whether cleaning copies into the segment that the host's pages fill, or into one of its own"),
    choice_field<&VolumeConfig::die_choice, kDieChoices>(
        "die_choice",
        "which die the host's next page goes to: the one with the fewest pages to program, so that none waits behind "
        "the copies of a victim while another die is idle; or one after the other, whatever they are at"),
    integer_field<&VolumeConfig::low_water>("low_water", "segments", 0, 65535,
                                            "not counted in T of ftl.spare_factor, 0 for as few as it needs")
        .is_shared()
        .formerly("free_segments"),
    separation_field<&VolumeConfig::separation>(),
    pool_choice_field<&VolumeConfig::pool_choice>(),
    integer_field<&VolumeConfig::checkpoint_every>(
        "checkpoint_every", "pages", 0, 2e9,
        "pages the host writes between two checkpoints, so that a mount reads "
        "few; what a mount finds behind the newest one counts, too; 0: it reads "
        "every page's metadata")
        .is_shared(),
    write_buffer_field<&VolumeConfig::write_buffer>(),
    write_buffer_idle_field<&VolumeConfig::write_buffer_idle_ns>(),
    integer_field<&VolumeConfig::slc_segments>(
        "slc_segments", "segments", 0, 65535,
        "segments of a die that the host's pages fill as SLC at a time: LSB pages alone, fast, at the capacity of one "
        "bit per cell; "
        "beyond them they fill all pages; 0: none. Needs frontiers = \"host_and_cleaning\"")
        .not_published(),
    scaled_field<&VolumeConfig::slc_idle_ns>("slc_idle_s", "s", 1e9, 0, 1e6,
                                             "pauses from this length on move what lies in segments filled as SLC to "
                                             "segments whose pages are all used")
        .not_published(),
};

}  // namespace volume
}  // namespace ftlab
