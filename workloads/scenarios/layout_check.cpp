#include "workloads/scenarios/layout_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"

namespace ftlab::workloads {

std::string size_text(std::uint64_t bytes) {
  if (bytes != 0 && bytes % kMiB == 0) return fmt::format("{} MiB", bytes / kMiB);
  if (bytes != 0 && bytes % kKiB == 0) return fmt::format("{} KiB", bytes / kKiB);
  return fmt::format("{} B", bytes);
}

std::string share_text(double share) { return fmt::format("{:.6g} %", share * 100); }

void require_positive(std::uint64_t value, std::string_view key) {
  if (value == 0) throw InputError(fmt::format("scenario.{}: must be above 0", key));
}

void require_room(std::uint64_t bytes, std::uint64_t device_bytes, std::string_view key) {
  if (bytes <= device_bytes) return;
  throw InputError(
      fmt::format("scenario.{}: {} of data do not fit the {} that the device offers; use less data, a "
                  "larger part, or with flexfs a larger partition (flexfs.partition_mib)",
                  key, size_text(bytes), size_text(device_bytes)));
}

void require_listable(std::uint64_t requests, std::string_view key) {
  constexpr std::uint64_t kMax = 50'000'000;
  if (requests <= kMax) return;
  throw InputError(
      fmt::format("scenario.{}: makes {} requests, more than the {} that are held in memory; use less "
                  "data or larger requests",
                  key, requests, kMax));
}

void append_write(std::vector<Request>& requests, std::uint64_t offset, std::uint64_t bytes,
                  std::uint32_t request_bytes, std::uint32_t stream, Ticks at) {
  for (std::uint64_t done = 0; done < bytes; done += request_bytes) {
    requests.push_back({.stream = stream,
                        .length = static_cast<std::uint32_t>(std::min<std::uint64_t>(request_bytes, bytes - done)),
                        .offset = offset + done,
                        .arrival = at,
                        .think = kAtOnce});
  }
}

}  // namespace ftlab::workloads
