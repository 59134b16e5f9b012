#include "workloads/traces/mapping/address_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"
#include "workloads/traces/mapping/compact.h"
#include "workloads/traces/mapping/direct.h"
#include "workloads/traces/mapping/modulo.h"
#include "workloads/traces/mapping/scaled.h"

namespace ftlab::workloads {
namespace {

constexpr MapEntry kMaps[] = {
    {"compact", "touched pages packed densely in the order of first touch", make_compact},
    {"compact_scattered", "touched pages packed, then scattered at random over the device", make_compact_scattered},
    {"modulo", "addresses wrap at the end of the device; distant pages fall together", make_modulo},
    {"scaled", "the traced device shrinks to the size of this one; neighbours fall together", make_scaled},
    {"direct", "addresses as they are; they must fit", make_direct},
};

}  // namespace

std::span<const MapEntry> address_maps() { return kMaps; }

std::string_view address_map_name(std::size_t i) {
  return i < address_maps().size() ? address_maps()[i].name : std::string_view{};
}

std::unique_ptr<AddressMap> make_address_map(const TraceConfig& config, std::uint64_t device_bytes,
                                             std::uint64_t seed) {
  const auto* const entry = std::ranges::find(kMaps, config.address, &MapEntry::name);
  if (entry == std::end(kMaps)) {
    std::string names;
    for (const MapEntry& map : kMaps) names.append(names.empty() ? "" : ", ").append(map.name);
    throw InputError(
        fmt::format("workload.address: \"{}\" is no address mapping; known are {}", config.address, names));
  }
  if (config.page_bytes == 0 || device_bytes / std::max(config.page_bytes, 1U) == 0) {
    throw InputError(fmt::format("workload.page_bytes: a device of {} bytes holds no page of {} bytes", device_bytes,
                                 config.page_bytes));
  }
  if (!(config.write_scale > 0)) {
    throw InputError(fmt::format("workload.write_scale: {} is not above 0", config.write_scale));
  }
  if (config.write_scale < 1 && !config.address.starts_with("compact")) {
    throw InputError(
        fmt::format("workload.write_scale: below 1 it keeps scattered pages of the trace, which address = "
                    "\"{}\" does not pack; use compact",
                    config.address));
  }
  return entry->make(config, device_bytes, seed);
}

void append_piece(std::vector<Piece>& out, std::size_t first_of_record, Piece piece) {
  if (out.size() > first_of_record && out.back().offset + out.back().length == piece.offset) {
    out.back().length += piece.length;
  } else {
    out.push_back(piece);
  }
}

}  // namespace ftlab::workloads
