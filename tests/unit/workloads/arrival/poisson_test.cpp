#include "workloads/arrival/poisson.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/workloads/support.h"
#include "workloads/generators/generator_source.h"

namespace ftlab::workloads {
namespace {

std::vector<Request> arrivals(std::uint64_t requests, double mean_s, std::uint64_t seed = 1) {
  const GeneratorConfig config{.pages = 10, .total_bytes = requests * 4096};
  PoissonArrival source(std::make_unique<GeneratorSource>(*find_generator("sequential"), config, 10 * 4096, seed),
                        mean_s, seed);
  return test::drain(source);
}

TEST(Poisson, gaps_are_exponential_with_the_given_mean) {
  constexpr std::size_t kRequests = 100'000;
  constexpr double kMean = 24.6;
  const auto requests = arrivals(kRequests, kMean);
  double squares = 0;
  double longer_than_mean = 0;
  Ticks last{};
  for (const Request& request : requests) {
    ASSERT_GE(request.arrival, last);
    const double gap = to_seconds(request.arrival - last);
    squares += gap * gap;
    longer_than_mean += gap > kMean ? 1 : 0;
    last = request.arrival;
  }
  const double root = std::sqrt(static_cast<double>(kRequests));
  EXPECT_NEAR(to_seconds(last) / kRequests, kMean, 4 * kMean / root);
  EXPECT_NEAR(squares / kRequests, 2 * kMean * kMean, 4 * std::sqrt(20.0) * kMean * kMean / root);
  EXPECT_NEAR(longer_than_mean / kRequests, std::exp(-1), 4 * std::sqrt(0.37 * 0.63) / root);
}

TEST(Poisson, leaves_the_requests_as_they_are) {
  const auto requests = arrivals(20, 1);
  for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(requests[i].offset, i % 10 * 4096);
}

TEST(Poisson, mean_that_is_no_gap_is_refused) {
  EXPECT_EQ(test::refusal([] { arrivals(1, 0); }),
            "workload.mean_interarrival_s: 0 is not a mean gap between 0 and 1e6 seconds");
}

TEST(Poisson, longer_than_the_clock_reaches_is_refused) {
  EXPECT_EQ(
      test::refusal([] { arrivals(1000, 1e6); }),
      "workload.mean_interarrival_s: the arrivals run past 14 years of simulated time; use a smaller mean or fewer "
      "requests");
}

}  // namespace
}  // namespace ftlab::workloads
