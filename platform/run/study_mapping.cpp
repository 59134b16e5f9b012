#include "platform/run/study_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/input_error.h"
#include "platform/files/study_files.h"
#include "platform/run/logical_pages.h"

namespace ftlab::platform {
namespace {

/// FlexFS: reserve, logs, and a segment to fill.
constexpr double kLeastPartition = 5;

std::uint64_t nanoseconds(Ticks t) { return static_cast<std::uint64_t>(t.count() / 10); }

}  // namespace

ProcessorOptions processor_options_for(const Study& study) {
  ProcessorOptions options;
  options.event_accurate = study.platform.timing == TimingStyle::event;
  options.quantum = ticks_from_ns(study.platform.quantum_us * 1000);
  return options;
}

namespace {

ftlab::DriverWait wait_of(const Study& study, const ProcessorProfile& host) {
  const bool interrupt = study.driver.wait == DriverWaiting::interrupt ||
                         (study.driver.wait == DriverWaiting::host && host.ready_interrupt);
  return interrupt ? ftlab::DriverWait::interrupt : ftlab::DriverWait::poll;
}

}  // namespace

Series2PlusDriverConfig driver_config_for(const Study& study, const ProcessorProfile& host, const hw::CardSpec& card) {
  Series2PlusDriverConfig config = study.series2plus_driver;
  config.program_wait = wait_of(study, host);
  config.program_poll_ns = nanoseconds(host.program_poll);
  config.erase_poll_ns = nanoseconds(host.erase_poll);
  config.background_erase = study.fms.erase_mode == FmsConfig::EraseMode::overlap;
  config.rated_erase_cycles = card.endurance.rated_cycles;
  return config;
}

OneNandDriverConfig onenand_driver_config_for(const Study& study, const ProcessorProfile& host,
                                              const hw::OneNandSpec& part) {
  OneNandDriverConfig config;
  config.program_wait = config.erase_wait = wait_of(study, host);
  config.background_erase = study.fms.erase_mode == FmsConfig::EraseMode::overlap;
  config.segments_per_die = part.segments_per_die;
  config.rated_erase_cycles = part.endurance.rated_mlc;
  return config;
}

namespace {

/// Throws InputError unless the partition is a whole number of segments that can carry data.
std::uint32_t partition_segments(const Study& study, const FlashGeometry& geometry) {
  const double segments = static_cast<double>(study.flexfs.partition_bytes) / geometry.segment_bytes;
  const double whole = std::floor(segments);
  const std::uint32_t all = flexfs::data_segments({}, geometry);
  if (whole == segments && (whole == 0 || (whole >= kLeastPartition && whole <= all))) {
    return static_cast<std::uint32_t>(whole);
  }
  const double step = static_cast<double>(geometry.segment_bytes) / static_cast<double>(kMiB);
  throw InputError(
      fmt::format("{}{:g} is not a partition of this part; use 0 for all of it, or a "
                  "multiple of {:g} from {:g} to {:g}",
                  study.where_of("flexfs.partition_mib"),
                  static_cast<double>(study.flexfs.partition_bytes) / static_cast<double>(kMiB), step,
                  kLeastPartition * step, all * step));
}

/// Throws InputError when a write would wait for more free segments than there can ever be.
void require_reachable(const Study& study, std::string_view key, std::uint64_t wanted, std::uint32_t most) {
  if (wanted <= most) return;
  throw InputError(
      fmt::format("{}{} free segments cannot be had, because {} is the most beside those being filled; use "
                  "at most {}, or a larger partition (flexfs.partition_mib)",
                  study.where_of(key), wanted, most, most));
}

}  // namespace

FlexFsConfig flexfs_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  const auto nj = [](Picojoules energy) { return static_cast<std::uint32_t>(energy.count() / 1000); };
  // A part without paired pages is refused for that, by check() below.
  if (!geometry.paired_page.empty() && study.ftl.page_bytes != geometry.program_unit_bytes) {
    throw InputError(fmt::format("{}{}, but FlexFS maps the pages of the part; use {}",
                                 study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.program_unit_bytes));
  }
  FlexFsConfig config = study.flexfs;
  flexfs::apply_scheme(config.scheme, config);
  config.data_segments = partition_segments(study, geometry);
  const std::uint32_t most_free = flexfs::most_free_segments(config, geometry);
  const bool migrates = config.slc_region && config.mlc_region;
  if (migrates) require_reachable(study, "flexfs.compulsory_free", config.compulsory_free, most_free);
  require_reachable(study, "flexfs.cleaning_free", config.cleaning_free, most_free);
  config.energy = {nj(ports.energies.slc_program), nj(ports.energies.mlc_program), nj(ports.energies.load),
                   nj(ports.energies.erase)};
  // A partition takes good segments from the rest of the part; the whole part must do with those it has.
  const std::uint32_t spare = geometry.segments - std::min(geometry.segments, flexfs::data_segments(config, geometry));
  const std::uint32_t bad = ports.bad_reserve > spare ? ports.bad_reserve - spare : 0;
  const std::uint32_t most = flexfs::max_logical_pages(config, geometry, bad);
  const double wanted =
      study.workload.kind == "scenario"
          ? most
          : study.ftl.utilization * flexfs::data_segments(config, geometry) *
                flexfs::slots_of(config.mlc_region ? flexfs::Region::mlc : flexfs::Region::slc, geometry);
  config.logical_pages = std::min(most, static_cast<std::uint32_t>(wanted));
  if (const char* reason = flexfs::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(fmt::format("{}{} (flexfs.scheme = {}, {} segments of {} KiB)", study.where_of("ftl.firmware"),
                                 reason, config.scheme, geometry.segments, geometry.segment_bytes / kKiB));
  }
  return config;
}

namespace {

/// Throws InputError, with the sizes that work, unless pages of this size fit into the part's segments.
void require_page_size(const Study& study, const FlashGeometry& geometry) {
  const auto fits = [&](std::uint32_t bytes) {
    return geometry.segment_bytes % bytes == 0 && fms::usable_slots(geometry, bytes, study.fms.data_checksum) > 0;
  };
  if (fits(static_cast<std::uint32_t>(study.ftl.page_bytes))) return;
  std::vector<std::uint32_t> work;
  for (std::uint32_t bytes = 256; bytes <= 65536; bytes *= 2)
    if (fits(bytes)) work.push_back(bytes);
  if (work.empty()) return;  // the part cannot be served at all, which is said by check()
  const char* medium = fms::is_nand(geometry) ? ", because a page of the part is the mapping unit" : "";
  throw InputError(fmt::format("{}{} bytes do not suit this part with segments of {} KiB{}; use {}",
                               study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.segment_bytes / kKiB,
                               medium, fmt::join(work, ", ")));
}

/// Throws InputError, with the most that works, when cleaning could not find room at this utilization.
void require_room(const Study& study, const FmsConfig& config, const FlashGeometry& geometry, std::uint32_t segments) {
  const std::uint32_t most = fms::max_logical_pages(config, geometry);
  if (config.logical_pages <= most) return;
  const std::uint32_t slots = fms::usable_slots(geometry, config.page_bytes, config.data_checksum);
  int percent = static_cast<int>(study.ftl.utilization * 100);
  while (percent > 0 && logical_pages_for(percent / 100.0, segments, config.low_water, slots) > most) --percent;
  const std::string way_out = percent > 0 ? fmt::format("use at most {:.2f} (ftl.spare_factor {:.2f}), or lower",
                                                        percent / 100.0, 1 - percent / 100.0)
                                          : std::string("lower");
  throw InputError(
      fmt::format("{}{:g} leaves cleaning no room on {} segments of {} KiB; {} ftl.low_water ({}) and "
                  "ftl.high_water ({})",
                  study.where_of("ftl.utilization"), study.ftl.utilization, geometry.segments,
                  geometry.segment_bytes / kKiB, way_out, config.low_water, config.high_water));
}

}  // namespace

FmsConfig fms_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  const FtlChoices& ftl = study.ftl;
  if (study.fms.erase_mode == FmsConfig::EraseMode::overlap && !ports.flash.capabilities().background_erase) {
    throw InputError(study.where_of("ftl.erase") +
                     "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"");
  }
  FmsConfig config = study.fms;
  config.page_bytes = static_cast<std::uint32_t>(ftl.page_bytes);
  require_page_size(study, geometry);
  const std::uint32_t data = fms::data_segments(geometry);
  const std::uint32_t segments = data - std::min(data, ports.bad_reserve);
  if (segments <= config.low_water) {
    throw InputError(
        fmt::format("{}{} segments in reserve leave none of the {} data segments of this part; use at most {}, or "
                    "a larger part",
                    study.where_of("ftl.low_water"), config.low_water, segments, segments > 1 ? segments - 1 : 0));
  }
  config.logical_pages = logical_pages_for(ftl.utilization, segments, config.low_water,
                                           fms::usable_slots(geometry, config.page_bytes, config.data_checksum));
  require_room(study, config, geometry, segments);
  if (const char* reason = fms::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(
        fmt::format("ftl: {} (ftl.utilization = {:g}, ftl.page_bytes = {}, ftl.low_water = {}, {} segments "
                    "of {} KiB)",
                    reason, ftl.utilization, config.page_bytes, config.low_water, geometry.segments,
                    geometry.segment_bytes / kKiB));
  }
  return config;
}

workloads::WorkloadConfig workload_config_for(const Study& study, std::uint64_t logical_pages) {
  workloads::WorkloadConfig config{study.workload.kind, study.generator, study.trace, {}, study.arrival};
  const auto page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  if (config.kind == "scenario") {
    config.scenario = load_scenario(study);
    config.scenario.page_bytes = page_bytes;
  }
  config.generator.page_bytes = page_bytes;
  config.generator.pages = logical_pages;
  config.trace.path = study.workload.path;
  config.trace.page_bytes = page_bytes;
  return config;
}

}  // namespace ftlab::platform
