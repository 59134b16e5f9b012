// The papers' benchmark at counting level: fill U pages in sequence, then 49152 page writes.
// Knows the workload and how erase counts spread; no time.
#pragma once

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fixtures/fms_fixture.h"

namespace ftlab::tests {

struct PaperCounts {
  double erases = 0;
  double copies = 0;
  double spread = 0;  ///< sample standard deviation of the erase counts of all 192 segments
};

/// The hot set: round(y * pages) pages scattered at random come first; the rest follows.
inline std::vector<std::uint32_t> scattered(std::uint32_t pages, boost::random::mt19937_64& random) {
  std::vector<std::uint32_t> order(pages);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = pages - 1; i > 0; --i)
    std::swap(order[i], order[boost::random::uniform_int_distribution<std::uint32_t>(0, i)(random)]);
  return order;
}

/// workload: "sequential", "random", or "locality" (hot_access of the writes to hot_data of the pages).
inline PaperCounts run_paper_cell(std::string_view workload, std::string_view selection,
                                  std::string_view redistribution, std::uint64_t seed, double hot_access = 0.9,
                                  double hot_data = 0.1, FmsVolume config = {}) {
  EmulatedFlashOptions card = paper_card();
  card.store_content = false;
  EmulatedFlash flash(card);
  config.selection = selection;
  config.redistribution = redistribution;
  const PagedConfig volume = config;
  config.logical_pages = static_cast<std::uint32_t>(
      std::lround(0.9 * static_cast<double>(volume::usable_pages(volume, geometry_of(flash, volume)))));
  FmsSession session(flash, config);
  const std::vector<std::byte> data(config.page_bytes);
  const auto must = [](FtlStatus status) {
    if (status != FtlStatus::ok) throw std::runtime_error("request failed: " + std::to_string(int(status)));
  };
  const auto put = [&](std::uint32_t lpn) {
    must(session->write(std::uint64_t{lpn} * config.page_bytes, data, {}, 0));
  };
  must(session->format(0));
  const std::uint32_t pages = config.logical_pages;
  for (std::uint32_t lpn = 0; lpn < pages; ++lpn) put(lpn);

  boost::random::mt19937_64 random(seed);
  const std::vector<std::uint32_t> order = scattered(pages, random);
  const auto hot = static_cast<std::uint32_t>(std::lround(hot_data * pages));
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to - 1)(random);
  };
  for (std::uint32_t i = 0; i < 49152; ++i) {
    if (workload == "sequential")
      put(i % pages);
    else if (workload == "random")
      put(draw(0, pages));
    else if (boost::random::uniform_01<double>()(random) < hot_access)
      put(order[draw(0, hot)]);
    else
      put(order[draw(hot, pages)]);
  }

  PaperCounts counts{.erases = static_cast<double>(session->stats().erases),
                     .copies = static_cast<double>(session->stats().pages_copied)};
  double sum = 0;
  double squares = 0;
  const double n = session->segments();
  for (std::uint32_t s = 0; s < session->segments(); ++s) {
    const double e = session->segment(SegmentId{s}).erase_count;
    sum += e;
    squares += e * e;
  }
  counts.spread = std::sqrt((squares - sum * sum / n) / (n - 1));
  return counts;
}

}  // namespace ftlab::tests
