// What a board is told before the firmware starts: a block of plain fields in RAM, and what the firmware makes of it.
// The loader writes it behind the image and before reset. Without one the firmware has the defaults below.
// Little-endian; fields of 64 bits are aligned to 8. Knows no study: numbers of a layer come by the place of their
// rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "firmware/driver/array/config.h"
#include "firmware/driver/paged/paged_config.h"
#include "firmware/driver/series2plus/config.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::target {

/// What is in the board's socket.
enum class SocketedPart : std::uint32_t { series2plus, flexonenand, array };
/// What decides on the volume.
enum class ServedLayer : std::uint32_t { fms, page, flexfs, in_place };

struct Handover {
  static constexpr std::uint32_t kMagic = 0x4F485446;  ///< "FTHO"
  static constexpr std::size_t kFmsNumbers = std::size(fms::kFmsFields);
  static constexpr std::size_t kPageNumbers = std::size(volume::kPageFields);
  static constexpr std::size_t kSharedNumbers = std::size(fms::kSharedFields);
  static constexpr std::size_t kFlexFsNumbers = std::size(flexfs::kFlexFsFields);
  static constexpr std::size_t kArrayNumbers = std::size(kArrayDriverFields);

  std::uint32_t magic = kMagic;
  std::uint32_t bytes = 0;  ///< of this block
  std::uint32_t core_hz = 64'000'000;
  SocketedPart part = SocketedPart::series2plus;
  ServedLayer layer = ServedLayer::fms;
  std::uint32_t page_bytes = 0;                 ///< 0: the part's; NOR: 4096
  std::uint32_t utilization_ppb = 900'000'000;  ///< share of the usable pages that is offered to the host, in 1 / 10^9
  std::uint32_t data_checksum = 0;              ///< 1: of each page
  std::uint32_t keeps_content = 1;              ///< 0: nothing can be read again
  std::uint32_t bad_reserve = 0;                ///< segments that the size is chosen by where fewer are bad
  std::int64_t bad_at_format = -1;              ///< the same of a card that was formatted before; -1: it was not
  std::uint64_t seed = 1;
  // The driver's configuration.
  std::uint32_t program_method = 0;  ///< ProgramMethod; Series 2+
  std::uint32_t program_wait = 0;    ///< DriverWait
  std::uint32_t background_erase = 0;
  std::uint32_t suspend_erase = 0;  ///< Series 2+; so are the next two
  std::uint64_t program_poll_ns = 0;
  std::uint64_t erase_poll_ns = 0;
  std::uint32_t rated_erase_cycles = 0;
  std::uint32_t erase_wait = 0;                      ///< DriverWait
  std::uint32_t segments_per_die = 0;                ///< Flex-OneNAND
  std::uint32_t dma = 0;                             ///< 1: moves what a driver copies, of any part
  std::array<std::uint64_t, kArrayNumbers> array{};  ///< of kArrayDriverFields, as below
  /// Of each row of fms::kFmsFields, volume::kPageFields, fms::kSharedFields and flexfs::kFlexFsFields: the number, or
  /// the place of the name among its names.
  std::array<std::uint64_t, kFmsNumbers> fms{};
  std::array<std::uint64_t, kPageNumbers> page{};  ///< its selection is the one of `fms`
  std::array<std::uint64_t, kSharedNumbers> shared{};
  std::array<std::uint64_t, kFlexFsNumbers> flexfs{};
  flexfs::EnergyCosts energy;  ///< of the part's operations
  fms::PolicyParams params;
};

static_assert(std::is_trivially_copyable_v<Handover> && alignof(Handover) == sizeof(std::uint64_t));

/// Where the loader finds it: symbol `ftlab_handover`.
extern "C" std::byte ftlab_handover[sizeof(Handover)];

/// What the loader has written; else the defaults.
[[nodiscard]] inline Handover handed_over() {
  std::uint32_t head[2];
  std::memcpy(head, ftlab_handover, sizeof head);
  Handover handover;
  if (head[0] == Handover::kMagic && head[1] == sizeof handover)
    std::memcpy(&handover, ftlab_handover, sizeof handover);
  return handover;
}

/// The numbers of a configuration, and the configuration of its numbers. A name that is none of its row's is the place
/// behind the last one, and such a place leaves the default.
template <class Config, std::size_t n>
void to_numbers(const Field<Config> (&rows)[n], Config config, std::array<std::uint64_t, n>& numbers) {
  for (std::size_t i = 0; i < n; ++i) {
    const Field<Config>& row = rows[i];
    const void* const at = row.at(config);
    switch (row.type) {
      case FieldType::boolean:
        numbers[i] = *static_cast<const bool*>(at) ? 1 : 0;
        break;
      case FieldType::u32:
        numbers[i] = *static_cast<const std::uint32_t*>(at);
        break;
      case FieldType::choice:
        numbers[i] = row.get(config);
        break;
      case FieldType::name:
        numbers[i] = 0;
        while (!row.names(numbers[i]).empty() && row.names(numbers[i]) != *static_cast<const std::string_view*>(at))
          ++numbers[i];
        break;
      default:
        numbers[i] = *static_cast<const std::uint64_t*>(at);
        break;
    }
  }
}

template <class Config, std::size_t n>
void from_numbers(const Field<Config> (&rows)[n], const std::array<std::uint64_t, n>& numbers, Config& config) {
  for (std::size_t i = 0; i < n; ++i) {
    const Field<Config>& row = rows[i];
    void* const at = row.at(config);
    const auto place = static_cast<std::size_t>(numbers[i]);
    switch (row.type) {
      case FieldType::boolean:
        *static_cast<bool*>(at) = numbers[i] != 0;
        break;
      case FieldType::u32:
        *static_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(numbers[i]);
        break;
      case FieldType::choice:
        if (!row.names(place).empty()) row.set(config, place);
        break;
      case FieldType::name:
        if (!row.names(place).empty()) *static_cast<std::string_view*>(at) = row.names(place);
        break;
      default:
        *static_cast<std::uint64_t*>(at) = numbers[i];
        break;
    }
  }
}

}  // namespace ftlab::target
