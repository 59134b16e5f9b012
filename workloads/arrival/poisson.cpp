#include "workloads/arrival/poisson.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "common/input_error.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {
namespace {

constexpr double kClockTicksPerSecond = 1e10;

}  // namespace

PoissonArrival::PoissonArrival(std::unique_ptr<RequestSource> inner, double mean_interarrival_s, std::uint64_t seed)
    : inner_(std::move(inner)), engine_(stream_seed(seed, "arrival.poisson")) {
  if (!(mean_interarrival_s > 0 && mean_interarrival_s <= kLongestMeanGap)) {
    throw InputError(fmt::format("workload.mean_interarrival_s: {} is not a mean gap between 0 and 1e6 seconds",
                                 mean_interarrival_s));
  }
  gap_ = boost::random::exponential_distribution<double>(1 / (mean_interarrival_s * kClockTicksPerSecond));
}

std::size_t PoissonArrival::next(std::span<Request> batch) {
  const std::size_t n = inner_->next(batch);
  for (Request& request : batch.first(n)) {
    now_ += gap_(engine_);
    if (now_ > static_cast<double>(kNever.count()) / 2) {
      throw InputError(
          "workload.mean_interarrival_s: the arrivals run past 14 years of simulated time; use a smaller mean or fewer "
          "requests");
    }
    request.arrival = Ticks{std::llround(now_)};
    request.think = Ticks{-1};
  }
  return n;
}

}  // namespace ftlab::workloads
