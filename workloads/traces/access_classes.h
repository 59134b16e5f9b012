// The pages of a trace grouped by how often they are written. Knows no trace, only counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ftlab::workloads {

struct AccessClass {
  std::uint64_t pages = 0;
  std::uint64_t writes = 0;
};

/// Quantiles of the page writes: the hottest pages that together take 1 / count of them, then the next ones that do.
/// `writes_of_pages` is in descending order. A page is where the middle one of its writes is; a class that no page
/// falls into, because a hotter one takes all of its writes, is left out.
std::vector<AccessClass> access_classes(std::span<const std::uint32_t> writes_of_pages, std::uint32_t count);

}  // namespace ftlab::workloads
