// Layout: the bulk files, then the file that the probes append to, once around in every round. The pause between rounds
// ends with a flush, so that the probes are the only writes that follow a pause.
#include <fmt/format.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "common/input_error.h"
#include "workloads/random_stream.h"
#include "workloads/scenarios/layout_check.h"
#include "workloads/scenarios/shapes.h"

namespace ftlab::workloads {
namespace {

void check(const ProbesConfig& probes) {
  require_positive(probes.rounds, "probes.rounds");
  require_positive(probes.bulk_bytes, "probes.bulk");
  require_positive(probes.file_bytes, "probes.file");
  require_positive(probes.request_bytes, "probes.request");
  require_positive(probes.probe_bytes, "probes.probe");
  if (probes.longest_pause < probes.shortest_pause) {
    throw InputError(fmt::format("scenario.probes.longest_pause: {:g} s is shorter than shortest_pause, {:g} s",
                                 to_seconds(probes.longest_pause), to_seconds(probes.shortest_pause)));
  }
}

}  // namespace

std::vector<Request> make_probes(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed) {
  const ProbesConfig& probes = config.probes;
  check(probes);
  const std::uint64_t file_room = round_up(probes.file_bytes, config.page_bytes);
  const std::uint64_t files = (probes.bulk_bytes - 1) / probes.file_bytes + 1;
  const std::uint64_t probe_start = files * file_room;
  // A probe may bring one page of metadata along.
  const std::uint64_t probe_room = round_up(probes.probe_bytes, config.page_bytes) + config.page_bytes;
  require_room(probe_start + probes.probes * probe_room, device_bytes, "probes.bulk");
  const std::uint64_t in_round = probes.bulk_bytes / probes.request_bytes + files + probes.probes;
  require_listable(in_round * probes.rounds, "probes.rounds");

  RandomEngine engine(stream_seed(seed, "scenario.probes.pauses"));
  const boost::random::uniform_int_distribution<std::int64_t> pause(probes.shortest_pause.count(),
                                                                    probes.longest_pause.count());
  std::vector<Request> requests;
  Ticks at{};
  std::uint64_t metadata = 0;
  for (std::uint32_t round = 0; round < probes.rounds; ++round) {
    if (round != 0) {
      at = later(at, probes.settle);
      requests.push_back({.kind = RequestKind::flush, .stream = 1, .arrival = at, .think = probes.settle});
    }
    for (std::uint64_t file = 0; file < files; ++file) {
      append_write(requests, file * file_room,
                   std::min(probes.file_bytes, probes.bulk_bytes - file * probes.file_bytes), probes.request_bytes,
                   static_cast<std::uint32_t>(1 + file), at);
    }
    for (std::uint32_t probe = 0; probe < probes.probes; ++probe) {
      const Ticks gap{pause(engine)};
      at = later(at, gap);
      metadata += probes.metadata_bytes;
      std::uint32_t length = probes.probe_bytes;
      if (metadata >= config.page_bytes) {
        metadata -= config.page_bytes;
        length = static_cast<std::uint32_t>(probe_room);
      }
      requests.push_back({.stream = static_cast<std::uint32_t>(1 + files),
                          .length = length,
                          .offset = probe_start + probe * probe_room,
                          .arrival = at,
                          .think = gap});
    }
  }
  return requests;
}

}  // namespace ftlab::workloads
