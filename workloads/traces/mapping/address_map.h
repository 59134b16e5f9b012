// Where on the simulated device a record of a trace goes. Knows no time and no order of requests beyond first touch.
// Bytes keep their place inside the page, so that partial-page requests stay partial.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/traces/trace_record.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

/// A run of bytes on the simulated device.
struct Piece {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// The record does not fit; what() has numbers and remedies, the caller knows the place in the file.
class DoesNotFit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every page of the device is taken.
class DeviceFull : public DoesNotFit {
 public:
  using DoesNotFit::DoesNotFit;
};

class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  virtual ~AddressMap() = default;

  /// Appends the pieces of `record`, none when nothing of it is kept. Every piece lies inside the device.
  /// Throws DoesNotFit.
  virtual void map(const TraceRecord& record, std::vector<Piece>& out) = 0;
};

struct MapEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<AddressMap> (*make)(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);
};

std::span<const MapEntry> address_maps();

/// Throws InputError on an unknown name or a setting that the mapping cannot serve.
std::unique_ptr<AddressMap> make_address_map(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

/// Appends a piece, or lengthens the last one when they touch.
void append_piece(std::vector<Piece>& out, std::size_t first_of_record, Piece piece);

}  // namespace ftlab::workloads
