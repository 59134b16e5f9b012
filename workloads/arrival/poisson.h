// Open loop: gives the requests of a source arrival times with independent exponential gaps.
#pragma once

#include <boost/random/exponential_distribution.hpp>
#include <cstdint>
#include <memory>

#include "workloads/random_stream.h"
#include "workloads/request.h"

namespace ftlab::workloads {

class PoissonArrival final : public RequestSource {
 public:
  /// Throws InputError when the mean is not between 0 and 1e6 s; next() does when 14 simulated years are exceeded.
  PoissonArrival(std::unique_ptr<RequestSource> inner, double mean_interarrival_s, std::uint64_t seed);

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return inner_->size_hint(); }

 private:
  std::unique_ptr<RequestSource> inner_;
  RandomEngine engine_;
  boost::random::exponential_distribution<double> gap_;  ///< in ticks
  double now_ = 0;                                       ///< ticks; exact far beyond the needed precision
};

}  // namespace ftlab::workloads
