// How many pages a trace needs, and the largest share of them that a device holds.
#include "workloads/traces/footprint.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/workloads/support.h"
#include "workloads/traces/trace_source.h"

namespace ftlab::workloads {
namespace {

using test::drain;
using test::refusal;
using test::TempFile;

constexpr std::uint32_t kPageBytes = 4096;

/// `pages` pages written twice, then as many others read once.
std::string trace_of(int pages) {
  std::string text;
  for (int i = 0; i < 2 * pages; ++i)
    text += "0," + std::to_string(i % pages * 8) + ",4096,w," + std::to_string(i) + "\n";
  for (int i = 0; i < pages; ++i)
    text += "1," + std::to_string(i * 8) + ",4096,r," + std::to_string(2 * pages + i) + "\n";
  return text;
}

TEST(Footprint, counts_each_page_of_the_records_that_take_part_once) {
  const TempFile file(trace_of(100));
  EXPECT_EQ(footprint({.path = file.path()}, 1000).pages, 200U);
  EXPECT_EQ(footprint({.path = file.path(), .reads = false}, 1000).pages, 100U);
  EXPECT_EQ(footprint({.path = file.path(), .devices = {"1"}}, 1000).pages, 100U);
  EXPECT_EQ(footprint({.path = file.path(), .limit_requests = 30}, 1000).pages, 30U);
  EXPECT_EQ(footprint({.path = file.path(), .page_bytes = 8192, .reads = false}, 1000).pages, 50U);
  EXPECT_EQ(footprint({.path = file.path()}, 200).fitting_scale, 1);
}

TEST(Footprint, fitting_scale_is_the_largest_that_fits) {
  const TempFile file(trace_of(500));
  constexpr std::uint64_t kDevicePages = 300;
  TraceConfig config{.path = file.path(), .reads = false};
  const double scale = fitting_scale(config, kDevicePages * kPageBytes);
  const auto pages_at = [&](double share) {
    config.write_scale = share;
    std::set<std::uint64_t> pages;
    for (const Request& request : drain(*make_trace_source(config, 500 * kPageBytes, 1, false)))
      pages.insert(request.offset);
    return pages.size();
  };
  EXPECT_EQ(pages_at(scale), kDevicePages);
  EXPECT_EQ(pages_at(scale + 1.0 / (1 << 24)), kDevicePages + 1);
}

TEST(Footprint, fit_of_a_mapping_that_packs_nothing_is_refused) {
  const TempFile file(trace_of(3));
  EXPECT_EQ(refusal([&] { (void)fitting_scale({.path = file.path(), .address = "direct"}, kPageBytes); }),
            "workload.write_scale: \"fit\" keeps a share of the pages, which address = \"direct\" does not pack; use "
            "compact, or give a number");
}

TEST(Footprint, trace_that_does_not_fit_says_how_many_pages_it_touches_and_which_share_would_fit) {
  const TempFile file(trace_of(3));
  try {
    (void)make_trace_source({.path = file.path()}, 4 * kPageBytes, 1, false);
    ADD_FAILURE() << "accepted";
  } catch (const TraceTooLarge& problem) {
    EXPECT_EQ(problem.needed_bytes(), 6U * kPageBytes);
    EXPECT_EQ(problem.device_bytes(), 4U * kPageBytes);
    const std::string text = problem.what();
    EXPECT_TRUE(text.starts_with(file.path() + ": touches 6 pages of 4096 bytes, and the device has 4; keep a share of "
                                               "them (workload.write_scale = \"fit\", here 0."))
        << text;
  }
}

}  // namespace
}  // namespace ftlab::workloads
