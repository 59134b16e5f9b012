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
    throw InputError(fmt::format("scenario.{}.file: a file of {}, {} of it written, is too small for requests of {}",
                                 key, size_text(app.file_bytes), size_text(app.write_bytes),
                                 size_text(std::max(longest_write, longest_read))));
  }
  if (app.session * app.sessions > duration) {
    throw InputError(fmt::format("scenario.{}.session: {} sessions of {:g} s do not fit the duration", key,
                                 app.sessions, to_seconds(app.session)));
  }
}

/// Start of each session of each program. One person uses one program at a time: sessions come in the order that
/// spreads those of every program over the whole time, and random pauses lie between them.
std::vector<std::vector<Ticks>> plan_sessions(const ApplicationsConfig& apps, std::uint64_t seed) {
  using Pick = boost::random::uniform_int_distribution<std::int64_t>;
  struct Session {
    std::size_t app;
    Ticks wish;  // a random place in its share of the whole time
  };
  std::vector<Session> sessions;
  Ticks used{};
  for (std::size_t a = 0; a < apps.interactive.size(); ++a) {
    const InteractiveApp& app = apps.interactive[a];
    RandomEngine engine(stream_seed(seed, "scenario.sessions." + app.name));
    const Ticks share = apps.duration / static_cast<std::int64_t>(app.sessions);
    for (std::uint32_t s = 0; s < app.sessions; ++s) {
      sessions.push_back({a, share * static_cast<std::int64_t>(s) + Ticks{Pick(0, share.count())(engine)}});
    }
    used += app.session * static_cast<std::int64_t>(app.sessions);
  }
  if (used > apps.duration) {
    throw InputError(fmt::format("scenario.duration: sessions of {:g} s in all do not fit {:g} s, one at a time",
                                 to_seconds(used), to_seconds(apps.duration)));
  }
  std::ranges::stable_sort(sessions, {}, &Session::wish);
  RandomEngine engine(stream_seed(seed, "scenario.pauses"));
  std::vector<Ticks> paused;  // sum of the pauses before each
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    paused.push_back(Ticks{Pick(0, (apps.duration - used).count())(engine)});
  }
  std::ranges::sort(paused);
  std::vector<std::vector<Ticks>> starts(apps.interactive.size());
  Ticks before{};
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    starts[sessions[s].app].push_back(before + paused[s]);
    before += apps.interactive[sessions[s].app].session;
  }
  return starts;
}

/// When each request of a program comes, ascending.
std::vector<Ticks> request_times(const InteractiveApp& app, const std::vector<Ticks>& starts, std::uint64_t seed) {
  using Pick = boost::random::uniform_int_distribution<std::int64_t>;
  RandomEngine engine(stream_seed(seed, "scenario.times." + app.name));
  const std::uint64_t requests = std::uint64_t{app.writes} + app.reads;
  std::vector<Ticks> times;
  times.reserve(requests);
  for (std::uint64_t s = 0; s < app.sessions; ++s) {
    const std::uint64_t in_session = requests * (s + 1) / app.sessions - requests * s / app.sessions;
    for (std::uint64_t i = 0; i < in_session; ++i) {
      times.push_back(starts[s] + Ticks{Pick(0, app.session.count())(engine)});
    }
  }
  std::ranges::sort(times);
  return times;
}

void append_interactive(std::vector<Request>& requests, const InteractiveApp& app, const std::vector<Ticks>& sessions,
                        std::uint64_t start, std::uint32_t stream, std::uint64_t seed) {
  RandomEngine engine(stream_seed(seed, "scenario.requests." + app.name));
  std::uint64_t cursor = 0;
  std::uint64_t written = 0;  // end of what was written at least once
  std::uint32_t writes = 0;
  std::uint32_t reads = 0;
  for (const Ticks at : request_times(app, sessions, seed)) {
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
  }
  const std::vector<std::vector<Ticks>> sessions = plan_sessions(apps, seed);
  for (std::size_t a = 0; a < apps.interactive.size(); ++a) {
    const InteractiveApp& app = apps.interactive[a];
    append_interactive(requests, app, sessions[a], place, stream++, seed);
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
