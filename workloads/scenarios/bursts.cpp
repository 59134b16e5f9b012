// Layout: the rewritten files first, then new files in address order. The rewritten part of a burst is a run at a
// random place among the new data, as a program would update a file between others.
#include <fmt/format.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "common/input_error.h"
#include "workloads/random_stream.h"
#include "workloads/scenarios/layout_check.h"
#include "workloads/scenarios/shapes.h"

namespace ftlab::workloads {
namespace {

/// Requests over a run of files, numbered from `first_stream`.
class Cursor {
 public:
  Cursor(const BurstsConfig& config, std::uint64_t start, std::uint64_t bytes, std::uint32_t first_stream)
      : config_(config), start_(start), bytes_(bytes), first_stream_(first_stream) {}

  Request take(Ticks at) {
    if (at_ == bytes_) at_ = 0;
    const auto stream = static_cast<std::uint32_t>(at_ / config_.file_bytes);
    const std::uint64_t file_left = config_.file_bytes - at_ % config_.file_bytes;
    const std::uint64_t length = std::min<std::uint64_t>({config_.request_bytes, file_left, bytes_ - at_});
    const Request request{.stream = first_stream_ + stream,
                          .length = static_cast<std::uint32_t>(length),
                          .offset = start_ + at_,
                          .arrival = at,
                          .think = kAtOnce};
    at_ += length;
    fresh_ = std::max(fresh_, at_);
    return request;
  }
  /// Bytes that were written at least once.
  [[nodiscard]] std::uint64_t fresh() const { return fresh_; }

 private:
  const BurstsConfig& config_;
  std::uint64_t start_;
  std::uint64_t bytes_;
  std::uint32_t first_stream_;
  std::uint64_t at_ = 0;
  std::uint64_t fresh_ = 0;
};

void check(const BurstsConfig& bursts, std::uint32_t page_bytes) {
  require_positive(bursts.burst_bytes, "bursts.burst");
  require_positive(bursts.file_bytes, "bursts.file");
  require_positive(bursts.request_bytes, "bursts.request");
  require_positive(static_cast<std::uint64_t>(bursts.period.count()), "bursts.period");
  if (bursts.file_bytes % page_bytes != 0) {
    throw InputError(fmt::format("scenario.bursts.file: {} are not whole pages of {}", size_text(bursts.file_bytes),
                                 size_text(page_bytes)));
  }
  if (!(bursts.used_share > 0 && bursts.used_share <= 1)) {
    throw InputError(
        fmt::format("scenario.bursts.used: {} is not a share above 0 and up to 100 %", share_text(bursts.used_share)));
  }
  if (!(bursts.rewrite_share >= 0 && bursts.rewrite_share < 1)) {
    throw InputError(fmt::format("scenario.bursts.rewrite: {} is not a share from 0 to below 100 %: it would never end",
                                 share_text(bursts.rewrite_share)));
  }
  if (bursts.rewrite_share > 0) require_positive(bursts.rewritten_bytes, "bursts.rewritten");
}

}  // namespace

std::vector<Request> make_bursts(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed) {
  const BurstsConfig& bursts = config.bursts;
  check(bursts, config.page_bytes);
  const std::uint64_t capacity = bursts.capacity_bytes == 0 ? device_bytes : bursts.capacity_bytes;
  const auto used = static_cast<std::uint64_t>(std::llround(bursts.used_share * static_cast<double>(capacity)));
  const std::uint64_t goal = used / config.page_bytes * config.page_bytes;
  const std::uint64_t rewritten = bursts.rewrite_share > 0 ? round_up(bursts.rewritten_bytes, bursts.file_bytes) : 0;
  require_room(goal, device_bytes, "bursts.used");
  if (rewritten >= goal) {
    throw InputError(
        fmt::format("scenario.bursts.rewritten: {} leave nothing new in {}", size_text(rewritten), size_text(goal)));
  }
  const std::uint64_t in_burst = (bursts.burst_bytes - 1) / bursts.request_bytes + 1;
  const auto again = static_cast<std::uint64_t>(std::llround(bursts.rewrite_share * static_cast<double>(in_burst)));
  if (again == in_burst) throw InputError("scenario.bursts.rewrite: leaves no new data in a burst");
  require_listable(goal / bursts.request_bytes * in_burst / (in_burst - again), "bursts.used");

  RandomEngine engine(stream_seed(seed, "scenario.bursts.order"));
  const boost::random::uniform_int_distribution<std::uint64_t> place(0, in_burst - again);
  Cursor hot(bursts, 0, rewritten, 1);
  Cursor fresh(bursts, rewritten, goal - rewritten, 1 + static_cast<std::uint32_t>(rewritten / bursts.file_bytes));
  std::vector<Request> requests;
  for (Ticks at{};; at = later(at, bursts.period)) {
    const std::uint64_t from = place(engine);
    for (std::uint64_t i = 0; i < in_burst; ++i) {
      if (fresh.fresh() == goal - rewritten) return requests;
      requests.push_back(i >= from && i < from + again ? hot.take(at) : fresh.take(at));
    }
  }
}

}  // namespace ftlab::workloads
