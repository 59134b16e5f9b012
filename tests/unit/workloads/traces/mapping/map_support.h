// Shared by the tests of the address mappings.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "workloads/traces/mapping/address_map.h"

namespace ftlab::workloads::test {

inline std::unique_ptr<AddressMap> make_map(const TraceConfig& config, std::uint64_t device_bytes,
                                            std::uint64_t seed = 1) {
  return make_address_map(config, device_bytes, seed);
}

inline std::vector<Piece> pieces(AddressMap& map, const TraceRecord& record) {
  std::vector<Piece> out;
  map.map(record, out);
  return out;
}

/// "offset+length offset+length ..."
inline std::string text(const std::vector<Piece>& list) {
  std::string all;
  for (const Piece& piece : list) {
    all += fmt::format("{}{}+{}", all.empty() ? "" : " ", piece.offset, piece.length);
  }
  return all;
}

inline std::string misfit(AddressMap& map, const TraceRecord& record) {
  try {
    pieces(map, record);
  } catch (const DoesNotFit& problem) {
    return problem.what();
  }
  return "fits";
}

}  // namespace ftlab::workloads::test
