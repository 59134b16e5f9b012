// Layout: a file for each interactive program, then the downloads. All requests are put in order of time at the end;
// each waits for the one before it, as a replayed log of system calls does.
#include <fmt/format.h>

#include <algorithm>
#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "common/input_error.h"
#include "workloads/random_stream.h"
#include "workloads/scenarios/layout_check.h"
#include "workloads/scenarios/shapes.h"

namespace ftlab::workloads {
namespace {

/// Length of the i-th of `count` requests that make up `bytes`: equal but for rounding, exact in sum.
std::uint32_t share_of(std::uint64_t bytes, std::uint32_t count, std::uint32_t i) {
  return static_cast<std::uint32_t>(bytes * (i + 1) / count - bytes * i / count);
}

void check(const InteractiveApp& app, Ticks duration) {
  const std::string key = "interactive." + app.name;
  require_positive(app.sessions, key + ".sessions");
  require_positive(app.writes, key + ".writes");
  if (app.write_bytes < app.writes || (app.reads != 0 && app.read_bytes < app.reads)) {
    throw InputError(fmt::format("scenario.{}: has requests of less than a byte; use fewer or more bytes", key));
  }
  const std::uint64_t longest_write = (app.write_bytes - 1) / app.writes + 1;
  const std::uint64_t longest_read = app.reads == 0 ? 0 : (app.read_bytes - 1) / app.reads + 1;
  if (std::max(longest_write, longest_read) * 2 > std::min(app.file_bytes, app.write_bytes)) {
    throw InputError(
        fmt::format("scenario.{}.file: a file of {} bytes, {} of them written, is too small for requests "
                    "of {} bytes",
                    key, app.file_bytes, app.write_bytes, std::max(longest_write, longest_read)));
  }
  if (app.session * app.sessions > duration) {
    throw InputError(fmt::format("scenario.{}.session: {} sessions of {:g} s do not fit the duration", key,
                                 app.sessions, to_seconds(app.session)));
  }
}

/// When each request of a program comes, ascending.
std::vector<Ticks> session_times(const InteractiveApp& app, Ticks duration, std::uint64_t seed) {
  using Pick = boost::random::uniform_int_distribution<std::int64_t>;
  RandomEngine engine(stream_seed(seed, "scenario.sessions." + app.name));
  const std::uint64_t requests = std::uint64_t{app.writes} + app.reads;
  const Ticks slot = duration / static_cast<std::int64_t>(app.sessions);
  std::vector<Ticks> times;
  times.reserve(requests);
  for (std::uint64_t s = 0; s < app.sessions; ++s) {
    const Ticks start = slot * static_cast<std::int64_t>(s) + Ticks{Pick(0, (slot - app.session).count())(engine)};
    const std::uint64_t in_session = requests * (s + 1) / app.sessions - requests * s / app.sessions;
    for (std::uint64_t i = 0; i < in_session; ++i) times.push_back(start + Ticks{Pick(0, app.session.count())(engine)});
  }
  std::ranges::sort(times);
  return times;
}

void append_interactive(std::vector<Request>& requests, const InteractiveApp& app, Ticks duration, std::uint64_t start,
                        std::uint32_t stream, std::uint64_t seed) {
  RandomEngine engine(stream_seed(seed, "scenario.requests." + app.name));
  std::uint64_t cursor = 0;
  std::uint64_t written = 0;  // end of what was written at least once
  std::uint32_t writes = 0;
  std::uint32_t reads = 0;
  for (const Ticks at : session_times(app, duration, seed)) {
    const std::uint32_t reads_left = app.reads - reads;
    const std::uint32_t writes_left = app.writes - writes;
    bool read = reads_left != 0 && boost::random::bernoulli_distribution<double>(static_cast<double>(reads_left) /
                                                                                 (reads_left + writes_left))(engine);
    const std::uint32_t read_length = reads_left == 0 ? 0 : share_of(app.read_bytes, app.reads, reads);
    if (read && written < read_length && writes_left != 0) read = false;  // only what is there can be read
    Request request{.stream = stream, .arrival = at, .think = kAtOnce};
    if (read) {
      request.kind = RequestKind::read;
      request.length = read_length;
      request.offset = start + boost::random::uniform_int_distribution<std::uint64_t>(0, written - read_length)(engine);
      ++reads;
    } else {
      request.length = share_of(app.write_bytes, app.writes, writes++);
      if (cursor + request.length > app.file_bytes) cursor = 0;
      request.offset = start + cursor;
      cursor += request.length;
      written = std::max(written, cursor);
    }
    requests.push_back(request);
  }
}

}  // namespace

std::vector<Request> make_applications(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed) {
  const ApplicationsConfig& apps = config.applications;
  std::vector<Request> requests;
  std::uint64_t place = 0;
  std::uint32_t stream = 1;
  for (const InteractiveApp& app : apps.interactive) {
    check(app, apps.duration);
    require_listable(std::uint64_t{app.writes} + app.reads, "interactive." + app.name + ".writes");
    append_interactive(requests, app, apps.duration, place, stream++, seed);
    place += round_up(app.file_bytes, config.page_bytes);
  }
  for (const DownloadApp& app : apps.downloads) {
    const std::string key = "downloads." + app.name;
    require_positive(app.request_bytes, key + ".request");
    require_positive(app.file_bytes, key + ".file");
    require_listable(app.files * (app.file_bytes / app.request_bytes + 1), key + ".files");
    for (std::uint32_t file = 0; file < app.files; ++file) {
      append_write(requests, place, app.file_bytes, app.request_bytes, stream++, app.first + app.period * file);
      place += round_up(app.file_bytes, config.page_bytes);
    }
  }
  require_positive(requests.size(), "interactive");
  require_room(place, device_bytes, "downloads");
  std::ranges::stable_sort(requests, {}, &Request::arrival);
  return requests;
}

}  // namespace ftlab::workloads
