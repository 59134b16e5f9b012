#include "workloads/traces/access_classes.h"

#include <algorithm>
#include <numeric>

namespace ftlab::workloads {

std::vector<AccessClass> access_classes(std::span<const std::uint32_t> writes_of_pages, std::uint32_t count) {
  const double all =
      static_cast<double>(std::accumulate(writes_of_pages.begin(), writes_of_pages.end(), std::uint64_t{0}));
  std::vector<AccessClass> classes(count);
  std::uint64_t before = 0;
  for (const std::uint32_t writes : writes_of_pages) {
    const double middle = static_cast<double>(before) + writes / 2.;
    const auto quantile = static_cast<std::uint32_t>(middle / all * count);
    AccessClass& mine = classes[std::min(quantile, count - 1)];
    ++mine.pages;
    mine.writes += writes;
    before += writes;
  }
  std::erase_if(classes, [](const AccessClass& one) { return one.pages == 0; });
  return classes;
}

}  // namespace ftlab::workloads
