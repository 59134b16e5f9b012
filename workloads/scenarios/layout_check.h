// What the shapes share: checks that name the key, page rounding, a whole file as requests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/request.h"

namespace ftlab::workloads {

/// A request of a caller that waits: it comes when the one before it is done.
inline constexpr Ticks kAtOnce{0};

constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Bytes and shares for messages, in the units of scenario files: "64 MiB", "1000 B"; "95 %".
std::string size_text(std::uint64_t bytes);
std::string share_text(double share);

/// Throws InputError "scenario.KEY: must be above 0".
void require_positive(std::uint64_t value, std::string_view key);
/// Throws InputError naming the key when `bytes` do not fit.
void require_room(std::uint64_t bytes, std::uint64_t device_bytes, std::string_view key);
/// Throws InputError when a list of so many requests would not be sensible.
void require_listable(std::uint64_t requests, std::string_view key);

/// Appends writes of [offset, offset + bytes) in pieces of request_bytes, all arriving at `at`; each comes
/// as soon as the one before is done.
void append_write(std::vector<Request>& requests, std::uint64_t offset, std::uint64_t bytes,
                  std::uint32_t request_bytes, std::uint32_t stream, Ticks at);

}  // namespace ftlab::workloads
