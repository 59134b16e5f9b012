// A firmware with the memory it lives in, and how a study gets one. Knows no device and no request.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/counters.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "hw/base/operation_energies.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform {

/// What a firmware may use of the machine. All outlive it.
struct FirmwarePorts {
  PartPort* part;    ///< commands of a part, which firmware/driver/paged serves as an array; null: it is one
  FlashPort* array;  ///< null: it is none
  ProbePort& probe;
  ClockPort& clock;
  hw::OperationEnergies energies;
  std::uint32_t bad_reserve = 0;  ///< segments that may be bad
  /// FirmwareInstance::bad_at_format() of the firmware that formatted the part; nothing: none has.
  std::optional<std::uint32_t> bad_at_format = std::nullopt;
};

/// One counter of a firmware's own, as it stands now.
struct FirmwareFigure : FigureText {
  double value = 0;
};

/// All counters of `stats`, in the order of their rows.
template <class Stats, std::size_t n>
std::vector<FirmwareFigure> figures_of(const Counter<Stats> (&counters)[n], const Stats& stats) {
  std::vector<FirmwareFigure> figures;
  for (const Counter<Stats>& c : counters) figures.push_back({{c.name, c.unit, c.help, c.kind}, c.value(stats)});
  return figures;
}

class FirmwareInstance {
 public:
  virtual ~FirmwareInstance() = default;
  virtual Ftl& ftl() = 0;
  /// Pages of the segments that data and spare space share, T of ftl.spare_factor; 0: this layer has no such space.
  [[nodiscard]] virtual std::uint64_t usable_pages() const { return 0; }
  /// Mapping units of each of them; 0: this layer has no such space.
  [[nodiscard]] virtual std::uint32_t pages_per_segment() const { return 0; }
  /// Bad segments that the size of this layer was chosen by; 0: the size does not depend on them.
  [[nodiscard]] virtual std::uint32_t bad_at_format() const { return 0; }
  /// Ftl::stats() and the segments of the layer can be asked; false: what it does is known from the part alone.
  [[nodiscard]] virtual bool counts() const { return true; }
  /// As HostOptions::durable_bytes.
  [[nodiscard]] virtual std::uint64_t durable_bytes() const { return 0; }
  /// Of a firmware all of whose writes need a flush: more than any volume has.
  static constexpr std::uint64_t kNoneDurable = std::uint64_t{1} << 62;
  /// Pages of the part that take what was answered before it was programmed, of each page of the host the newest
  /// content, as far as no report says that it is; FlashOp::kNoPage: none yet. Nothing: such firmware answers no write
  /// so.
  [[nodiscard]] virtual std::optional<std::vector<std::uint32_t>> places_of_answered() const { return {}; }
  /// Counters beside FtlStats as they stand now, the same ones in the same order every time; flows count since mount.
  [[nodiscard]] virtual std::vector<FirmwareFigure> figures() const { return {}; }
  /// A line each on what the user should know of the run although it is no error.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
  /// Segments cleaned since mount, by how many of their pages were valid then; empty: this layer does not count them.
  [[nodiscard]] virtual std::span<const std::uint64_t> victims_by_valid() const { return {}; }
};

/// The firmware that the study names, on an attached device; the study outlives it. Throws InputError for an impossible
/// configuration.
std::unique_ptr<FirmwareInstance> make_firmware(const Study& study, const FirmwarePorts& ports);

}  // namespace ftlab::platform
