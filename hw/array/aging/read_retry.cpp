#include "hw/array/aging/read_retry.h"

namespace ftlab::hw::array {

ReadRetry::Outcome ReadRetry::read(ErrorModel& errors, std::uint32_t segment, double mean_bits) {
  if (first_.empty()) return {errors.draw(mean_bits), {}};
  std::uint8_t step = first_[segment];
  Outcome outcome;
  outcome.attempts.first = step;
  // Data are in no danger as long as a step is left.
  const auto sense = [&] { return errors.draw(mean_bits * steps_.step(step).gain, step == steps_.last()); };
  outcome.errors = sense();
  while (!outcome.errors.correctable && step < steps_.last()) {
    ++step;
    outcome.errors = sense();
  }
  outcome.attempts.last = step;
  if (outcome.errors.correctable) first_[segment] = step;
  return outcome;
}

}  // namespace ftlab::hw::array
