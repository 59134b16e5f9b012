// Layout: one file after the other. A write is always a whole file; which one, the pattern says.
#include <fmt/format.h>

#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>

#include "common/input_error.h"
#include "workloads/generators/slot_set.h"
#include "workloads/random_stream.h"
#include "workloads/scenarios/layout_check.h"
#include "workloads/scenarios/shapes.h"

namespace ftlab::workloads {
namespace {

/// Chooses the next file; hot files are scattered at random.
class FileChoice {
 public:
  FileChoice(const WindowsConfig& windows, std::uint32_t files, std::uint64_t seed)
      : pattern_(windows.pattern),
        order_(files),
        hot_(pattern_ == RewritePattern::hot_cold
                 ? static_cast<std::uint32_t>(std::llround(windows.hot_data * static_cast<double>(files)))
                 : 0),
        is_hot_(windows.hot_access),
        engine_(stream_seed(seed, "scenario.windows.files")) {
    std::iota(order_.begin(), order_.end(), 0U);
    if (pattern_ != RewritePattern::hot_cold) return;
    if (hot_ == 0 || hot_ == files) {
      throw InputError(fmt::format("scenario.windows.hot_data: {} of {} files leaves no hot or no cold file",
                                   share_text(windows.hot_data), files));
    }
    scatter_to_front(order_, hot_, stream_seed(seed, "scenario.windows.scatter"));
  }

  std::uint32_t next() {
    const auto files = static_cast<std::uint32_t>(order_.size());
    if (pattern_ == RewritePattern::sequential) return turn_++ % files;
    if (pattern_ == RewritePattern::uniform) return pick(0, files - 1);
    return order_[is_hot_(engine_) ? pick(0, hot_ - 1) : pick(hot_, files - 1)];
  }

 private:
  std::uint32_t pick(std::uint32_t first, std::uint32_t last) {
    return boost::random::uniform_int_distribution<std::uint32_t>(first, last)(engine_);
  }

  RewritePattern pattern_;
  std::vector<std::uint32_t> order_;
  std::uint32_t hot_;
  boost::random::bernoulli_distribution<double> is_hot_;
  RandomEngine engine_;
  std::uint32_t turn_ = 0;
};

void check(const WindowsConfig& windows) {
  require_positive(static_cast<std::uint64_t>(windows.window.count()), "windows.window");
  require_positive(windows.window_mib.size(), "windows.volumes_mib");
  require_positive(windows.file_bytes, "windows.file");
  require_positive(windows.burst_bytes, "windows.burst");
  require_positive(windows.request_bytes, "windows.request");
  require_positive(windows.data_bytes / windows.file_bytes, "windows.data");
  if (!(windows.hot_access >= 0 && windows.hot_access <= 1)) {
    throw InputError(
        fmt::format("scenario.windows.hot_access: {} is not between 0 and 100 %", share_text(windows.hot_access)));
  }
}

}  // namespace

std::vector<Request> make_windows(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed) {
  const WindowsConfig& windows = config.windows;
  check(windows);
  const std::uint64_t file_room = round_up(windows.file_bytes, config.page_bytes);
  const auto files = static_cast<std::uint32_t>(windows.data_bytes / windows.file_bytes);
  require_room(files * file_room, device_bytes, "windows.data");
  double volume = 0;
  for (const double mib : windows.window_mib) volume += mib * static_cast<double>(kMiB);
  require_listable(static_cast<std::uint64_t>(volume / windows.request_bytes), "windows.volumes_mib");

  FileChoice choice(windows, files, seed);
  std::vector<Request> requests;
  std::uint32_t file = 0;
  std::uint64_t file_done = windows.file_bytes;
  for (std::size_t w = 0; w < windows.window_mib.size(); ++w) {
    const auto bytes = static_cast<std::uint64_t>(std::llround(windows.window_mib[w] * static_cast<double>(kMiB)));
    const std::uint64_t bursts = (bytes + windows.burst_bytes - 1) / windows.burst_bytes;
    const Ticks start = windows.window * static_cast<std::int64_t>(w);
    for (std::uint64_t done = 0; done < bytes;) {
      if (file_done == windows.file_bytes) {
        file = choice.next();
        file_done = 0;
      }
      const std::uint64_t burst_left = windows.burst_bytes - done % windows.burst_bytes;
      const std::uint64_t run = std::min({bytes - done, burst_left, windows.file_bytes - file_done});
      const auto burst = static_cast<std::int64_t>(done / windows.burst_bytes);
      const Ticks at = start + windows.window * burst / static_cast<std::int64_t>(bursts);
      append_write(requests, file * file_room + file_done, run, windows.request_bytes, 1 + file, at);
      done += run;
      file_done += run;
    }
  }
  return requests;
}

}  // namespace ftlab::workloads
