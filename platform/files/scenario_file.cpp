// One reader for each shape; each number is a quantity with unit and source.
#include "platform/files/scenario_file.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

using namespace workloads;

constexpr double kMaxBytes = 4e15;

std::uint64_t bytes_at(const spec::TomlFile& file, const std::string& key, double least = 1) {
  return static_cast<std::uint64_t>(std::llround(file.get_in(key, "B", least, kMaxBytes)));
}

std::uint32_t request_at(const spec::TomlFile& file, const std::string& key, double least = 1) {
  return static_cast<std::uint32_t>(std::llround(file.get_in(key, "B", least, 1 << 22)));
}

std::uint32_t count_at(const spec::TomlFile& file, const std::string& key, double least = 1) {
  return static_cast<std::uint32_t>(std::llround(file.get_in(key, "1", least, 1e8)));
}

double share_at(const spec::TomlFile& file, const std::string& key) { return file.get_in(key, "1", 0, 1); }

Ticks time_at(const spec::TomlFile& file, const std::string& key, double least_ns = 0) {
  constexpr double kMaxNs = 1e17;
  return ticks_from_ns(file.get_in(key, "ns", least_ns, kMaxNs));
}

BurstsConfig read_bursts(const spec::TomlFile& file) {
  BurstsConfig bursts;
  bursts.capacity_bytes = file.has("bursts.capacity") ? bytes_at(file, "bursts.capacity") : 0;
  bursts.used_share = share_at(file, "bursts.used");
  bursts.burst_bytes = bytes_at(file, "bursts.burst");
  bursts.period = time_at(file, "bursts.period", 1);
  bursts.rewrite_share = share_at(file, "bursts.rewrite");
  if (bursts.rewrite_share > 0) bursts.rewritten_bytes = bytes_at(file, "bursts.rewritten");
  bursts.file_bytes = bytes_at(file, "bursts.file");
  bursts.request_bytes = request_at(file, "bursts.request");
  return bursts;
}

ProbesConfig read_probes(const spec::TomlFile& file) {
  ProbesConfig probes;
  probes.rounds = count_at(file, "probes.rounds");
  probes.bulk_bytes = bytes_at(file, "probes.bulk");
  probes.probes = count_at(file, "probes.probes", 0);
  probes.probe_bytes = request_at(file, "probes.probe");
  probes.metadata_bytes = request_at(file, "probes.metadata", 0);
  probes.shortest_pause = time_at(file, "probes.shortest_pause");
  probes.longest_pause = time_at(file, "probes.longest_pause");
  probes.settle = time_at(file, "probes.settle");
  probes.file_bytes = bytes_at(file, "probes.file");
  probes.request_bytes = request_at(file, "probes.request");
  return probes;
}

RewritePattern pattern_at(const spec::TomlFile& file, const std::string& key) {
  const std::string name = file.get_string(key);
  if (name == "sequential") return RewritePattern::sequential;
  if (name == "uniform") return RewritePattern::uniform;
  if (name == "hot_cold") return RewritePattern::hot_cold;
  throw InputError(fmt::format("{}'{}' is not one of sequential | uniform | hot_cold", file.where(key), name));
}

WindowsConfig read_windows(const spec::TomlFile& file) {
  WindowsConfig windows;
  windows.window = time_at(file, "windows.window", 1);
  windows.window_mib = file.get_numbers("windows.volumes_mib", 0, 1e9);
  windows.data_bytes = bytes_at(file, "windows.data");
  windows.pattern = pattern_at(file, "windows.pattern");
  windows.hot_access = share_at(file, "windows.hot_access");
  windows.hot_data = share_at(file, "windows.hot_data");
  windows.burst_bytes = bytes_at(file, "windows.burst");
  windows.file_bytes = bytes_at(file, "windows.file");
  windows.request_bytes = request_at(file, "windows.request");
  return windows;
}

InteractiveApp read_interactive(const spec::TomlFile& file, const std::string& name) {
  const std::string table = "interactive." + name + ".";
  InteractiveApp app;
  app.name = name;
  app.writes = count_at(file, table + "writes");
  app.write_bytes = bytes_at(file, table + "written");
  app.reads = count_at(file, table + "reads", 0);
  app.read_bytes = bytes_at(file, table + "read", 0);
  app.file_bytes = bytes_at(file, table + "file");
  app.sessions = count_at(file, table + "sessions");
  app.session = time_at(file, table + "session");
  return app;
}

DownloadApp read_download(const spec::TomlFile& file, const std::string& name) {
  const std::string table = "downloads." + name + ".";
  DownloadApp app;
  app.name = name;
  app.files = count_at(file, table + "files");
  app.file_bytes = bytes_at(file, table + "file");
  app.first = time_at(file, table + "first");
  app.period = time_at(file, table + "period");
  app.request_bytes = request_at(file, table + "request");
  return app;
}

ApplicationsConfig read_applications(const spec::TomlFile& file) {
  ApplicationsConfig apps;
  apps.duration = time_at(file, "duration", 1);
  for (const std::string& name : file.keys("interactive")) apps.interactive.push_back(read_interactive(file, name));
  for (const std::string& name : file.keys("downloads")) apps.downloads.push_back(read_download(file, name));
  return apps;
}

}  // namespace

ScenarioConfig load_scenario_config(const spec::TomlFile& file) {
  ScenarioConfig config;
  (void)file.get_string("name");
  (void)file.get_string("title");
  config.shape = file.get_string("shape");
  if (config.shape == "bursts") {
    config.bursts = read_bursts(file);
  } else if (config.shape == "probes") {
    config.probes = read_probes(file);
  } else if (config.shape == "windows") {
    config.windows = read_windows(file);
  } else if (config.shape == "applications") {
    config.applications = read_applications(file);
  } else {
    throw InputError(fmt::format("{}'{}' is not one of bursts | probes | windows | applications", file.where("shape"),
                                 config.shape));
  }
  file.finish();
  return config;
}

std::vector<std::string> unpublished_parameters(const spec::TomlFile& file) {
  std::vector<std::string> keys;
  for (const auto& [key, quantity] : file.quantities()) {
    if (quantity.source.starts_with("free:")) keys.push_back(key);
  }
  return keys;
}

}  // namespace ftlab::platform
