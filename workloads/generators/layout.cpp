#include "workloads/generators/layout.h"

#include <fmt/format.h>

#include <limits>

#include "common/input_error.h"

namespace ftlab::workloads {
namespace {

void check_share(double value, const char* key) {
  if (!(value >= 0 && value <= 1)) throw InputError(fmt::format("workload.{}: {} is not between 0 and 1", key, value));
}

}  // namespace

GeneratorLayout resolve_layout(const GeneratorConfig& config, std::uint64_t device_bytes) {
  check_share(config.hot_access, "hot_access");
  check_share(config.hot_data, "hot_data");
  check_share(config.read_share, "read_share");
  check_share(config.read_only_share, "read_only_share");
  if (config.page_bytes == 0) throw InputError("workload.page_bytes: a page has at least 1 byte");
  const std::uint64_t device_pages = device_bytes / config.page_bytes;
  const std::uint64_t pages = config.pages == 0 ? device_pages : config.pages;
  if (pages > device_pages || pages == 0) {
    throw InputError(
        fmt::format("workload.pages: {} pages of {} bytes do not fit a device of {} bytes ({} pages); use "
                    "fewer pages or a larger part",
                    pages, config.page_bytes, device_bytes, device_pages));
  }
  if (pages > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(
        fmt::format("workload.pages: {} pages are more than a page number can count; use larger pages", pages));
  }
  GeneratorLayout layout;
  layout.page_bytes = config.page_bytes;
  layout.pages = static_cast<std::uint32_t>(pages);
  layout.request_bytes = config.request_bytes == 0 ? config.page_bytes : config.request_bytes;
  layout.pages_per_slot = (layout.request_bytes - 1) / config.page_bytes + 1;
  layout.slots = layout.pages / layout.pages_per_slot;
  if (layout.slots == 0) {
    throw InputError(
        fmt::format("workload.request_bytes: one request of {} bytes is larger than the {} pages of data; use smaller "
                    "requests or more data",
                    layout.request_bytes, pages));
  }
  return layout;
}

}  // namespace ftlab::workloads
