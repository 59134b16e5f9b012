#include "platform/run/study_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/input_error.h"
#include "platform/files/study_files.h"
#include "platform/run/logical_pages.h"

namespace ftlab::platform {
namespace {

std::string trace_format_name(TraceFormat format) {
  switch (format) {
    case TraceFormat::automatic:
      return "";
    case TraceFormat::hp_srt:
      return "hp_srt";
    case TraceFormat::msr:
      return "msr";
    case TraceFormat::spc:
      return "spc";
    case TraceFormat::disksim:
      return "disksim";
    case TraceFormat::mqsim:
      return "mqsim";
    case TraceFormat::blkparse:
      return "blkparse";
    case TraceFormat::cloudphysics:
      return "cloudphysics";
    case TraceFormat::mobile:
      return "mobile";
  }
  throw std::logic_error("trace format outside the enumeration");
}

std::string address_mapping_name(AddressMapping mapping) {
  switch (mapping) {
    case AddressMapping::compact:
      return "compact";
    case AddressMapping::compact_scattered:
      return "compact_scattered";
    case AddressMapping::modulo:
      return "modulo";
    case AddressMapping::direct:
      return "direct";
  }
  throw std::logic_error("address mapping outside the enumeration");
}

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

Series2PlusDriverConfig driver_config_for(const Study& study, const ProcessorProfile& host, const hw::CardSpec& card) {
  Series2PlusDriverConfig config;
  config.program_method = study.driver.program == ProgramMode::word ? ProgramMethod::word : ProgramMethod::page_buffer;
  const bool interrupt =
      study.driver.wait == DriverWait::interrupt || (study.driver.wait == DriverWait::host && host.ready_interrupt);
  config.program_wait = interrupt ? ftlab::DriverWait::interrupt : ftlab::DriverWait::poll;
  config.program_poll_ns = nanoseconds(host.program_poll);
  config.erase_poll_ns = nanoseconds(host.erase_poll);
  config.background_erase = study.ftl.erase == EraseMode::overlap;
  config.suspend_erase = study.driver.suspend;
  config.rated_erase_cycles = card.endurance.rated_cycles;
  return config;
}

OneNandDriverConfig onenand_driver_config_for(const Study& study, const ProcessorProfile& host,
                                              const hw::OneNandSpec& part) {
  OneNandDriverConfig config;
  const bool interrupt =
      study.driver.wait == DriverWait::interrupt || (study.driver.wait == DriverWait::host && host.ready_interrupt);
  const auto wait = interrupt ? ftlab::DriverWait::interrupt : ftlab::DriverWait::poll;
  config.program_wait = wait;
  config.erase_wait = wait;
  config.background_erase = study.ftl.erase == EraseMode::overlap;
  config.segments_per_die = part.segments_per_die;
  config.rated_erase_cycles = part.endurance.rated_mlc;
  return config;
}

namespace {

/// Throws InputError unless the partition is a whole number of segments that can carry data.
std::uint32_t partition_segments(const Study& study, const FlashGeometry& geometry) {
  const double segments = study.flexfs.partition_mib * static_cast<double>(kMiB) / geometry.segment_bytes;
  const double whole = std::floor(segments);
  const std::uint32_t all = flexfs::data_segments({}, geometry);
  if (whole == segments && (whole == 0 || (whole >= kLeastPartition && whole <= all))) {
    return static_cast<std::uint32_t>(whole);
  }
  const double step = static_cast<double>(geometry.segment_bytes) / static_cast<double>(kMiB);
  throw InputError(fmt::format(
      "{}{:g} is not a partition of this part; use 0 for all of it, or a "
      "multiple of {:g} from {:g} to {:g}",
      study.where_of("flexfs.partition_mib"), study.flexfs.partition_mib, step, kLeastPartition * step, all * step));
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
  const FlexFsChoices& from = study.flexfs;
  const FlashGeometry& geometry = ports.flash.geometry();
  const auto ns = [](double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 1e9)); };
  const auto nj = [](Picojoules energy) { return static_cast<std::uint32_t>(energy.count() / 1000); };
  // A part without paired pages is refused for that, by check() below.
  if (!geometry.paired_page.empty() && study.ftl.page_bytes != geometry.program_unit_bytes) {
    throw InputError(fmt::format("{}{}, but FlexFS maps the pages of the part; use {}",
                                 study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.program_unit_bytes));
  }
  FlexFsConfig config;
  flexfs::apply_scheme(from.scheme, config);
  config.wear_management = from.wear_management;
  config.data_segments = partition_segments(study, geometry);
  const std::uint32_t most_free = flexfs::most_free_segments(config, geometry);
  const bool migrates = config.slc_region && config.mlc_region;
  if (migrates) require_reachable(study, "flexfs.compulsory_free", from.compulsory_free, most_free);
  require_reachable(study, "flexfs.cleaning_free", from.cleaning_free, most_free);
  config.compulsory_free = static_cast<std::uint32_t>(from.compulsory_free);
  config.compulsory_paced = from.compulsory_paced;
  config.wait_ns = ns(from.wait_s);
  config.trigger_ns = ns(from.trigger_ms * 1e-3);
  config.migration_victim = from.migration_victim;
  config.free_choice = from.free_choice;
  config.level_gap = static_cast<std::uint32_t>(from.level_gap);
  config.cleaning_free = static_cast<std::uint32_t>(from.cleaning_free);
  config.cleaning_idle_free = static_cast<std::uint32_t>(from.cleaning_idle_free);
  config.cleaning_idle_invalid = static_cast<std::uint32_t>(from.cleaning_idle_invalid);
  config.window_pages = static_cast<std::uint32_t>(from.window_pages);
  config.recent_weight = static_cast<std::uint32_t>(from.recent_weight);
  config.idle_beyond_wait = from.idle_beyond_wait;
  config.hot_files = static_cast<std::uint32_t>(from.hot_files);
  config.cold_files = static_cast<std::uint32_t>(from.cold_files);
  config.forget_after_pages = from.forget_after_pages;
  config.lifetime_ns = ns(from.lifetime_s);
  config.wear_window_ns = ns(from.wear_window_s);
  config.erase_cycles = static_cast<std::uint32_t>(from.erase_cycles);
  config.energy_budget_uj_per_mib = static_cast<std::uint64_t>(std::llround(from.energy_budget_mj_per_mib * 1000));
  config.energy = {nj(ports.energies.slc_program), nj(ports.energies.mlc_program), nj(ports.energies.load),
                   nj(ports.energies.erase)};
  // A partition takes good segments from the rest of the part; the whole part must do with those it has.
  const std::uint32_t spare = geometry.segments - std::min(geometry.segments, flexfs::data_segments(config, geometry));
  const std::uint32_t bad = ports.bad_reserve > spare ? ports.bad_reserve - spare : 0;
  const std::uint32_t most = flexfs::max_logical_pages(config, geometry, bad);
  const double wanted =
      study.workload.kind == WorkloadKind::scenario
          ? most
          : study.ftl.utilization * flexfs::data_segments(config, geometry) *
                flexfs::slots_of(config.mlc_region ? flexfs::Region::mlc : flexfs::Region::slc, geometry);
  config.logical_pages = std::min(most, static_cast<std::uint32_t>(wanted));
  if (const char* reason = flexfs::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(fmt::format("{}{} (flexfs.scheme = {}, {} segments of {} KiB)", study.where_of("ftl.firmware"),
                                 reason, from.scheme, geometry.segments, geometry.segment_bytes / kKiB));
  }
  return config;
}

namespace {

/// Throws InputError, with the sizes that work, unless pages of this size fit into the part's segments.
void require_page_size(const Study& study, const FlashGeometry& geometry) {
  const auto fits = [&](std::uint32_t bytes) {
    return geometry.segment_bytes % bytes == 0 && fms::usable_slots(geometry, bytes, study.ftl.data_checksum) > 0;
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
  if (ftl.erase == EraseMode::overlap && !ports.flash.capabilities().background_erase) {
    throw InputError(study.where_of("ftl.erase") +
                     "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"");
  }
  FmsConfig config;
  config.page_bytes = static_cast<std::uint32_t>(ftl.page_bytes);
  config.selection = ftl.selection;
  config.redistribution = ftl.redistribution;
  config.wear_leveling = ftl.wear_leveling;
  config.low_water = static_cast<std::uint32_t>(ftl.low_water);
  config.high_water = static_cast<std::uint32_t>(ftl.high_water);
  config.age_clock = ftl.age_clock == AgeClock::time ? FmsConfig::AgeClock::time : FmsConfig::AgeClock::writes;
  config.read_only_placement =
      ftl.read_only == ReadOnlyData::apart ? FmsConfig::ReadOnlyPlacement::apart : FmsConfig::ReadOnlyPlacement::mixed;
  config.erase_mode = ftl.erase == EraseMode::overlap ? FmsConfig::EraseMode::overlap : FmsConfig::EraseMode::wait;
  config.swap_from = static_cast<std::uint32_t>(ftl.swap_start * geometry.rated_erase_cycles);
  config.swap_gap = static_cast<std::uint32_t>(ftl.swap_spread);
  config.idle_cleaning = ftl.idle_cleaning;
  config.idle_water = static_cast<std::uint32_t>(ftl.idle_water);
  config.idle_min_ns = static_cast<std::uint64_t>(ftl.idle_min_s * 1e9);
  config.data_checksum = ftl.data_checksum;
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
  const WorkloadChoices& from = study.workload;
  workloads::WorkloadConfig config;
  switch (from.kind) {
    case WorkloadKind::sequential:
      config.kind = "sequential";
      break;
    case WorkloadKind::uniform:
      config.kind = "uniform";
      break;
    case WorkloadKind::hot_cold:
      config.kind = "hot_cold";
      break;
    case WorkloadKind::classes:
      config.kind = "classes";
      break;
    case WorkloadKind::scenario:
      config.kind = "scenario";
      config.scenario = load_scenario(study);
      config.scenario.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
      break;
    case WorkloadKind::trace:
      config.kind = "trace";
      break;
  }
  workloads::GeneratorConfig& generator = config.generator;
  generator.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  generator.pages = logical_pages;
  generator.request_bytes = static_cast<std::uint32_t>(from.request_bytes);
  generator.total_bytes = static_cast<std::uint64_t>(from.total_mib * static_cast<double>(kMiB));
  generator.hot_access = from.hot_access;
  generator.hot_data = from.hot_data;
  generator.class_access = from.class_access;
  generator.class_data = from.class_data;
  generator.read_share = from.read_share;
  generator.read_only_share = from.read_only_share;
  workloads::TraceConfig& trace = config.trace;
  trace.path = from.path;
  trace.format = trace_format_name(from.format);
  trace.page_bytes = generator.page_bytes;
  trace.devices = from.device;
  trace.address = address_mapping_name(from.address);
  trace.reads = from.reads;
  trace.write_scale = from.write_scale;
  trace.limit_requests = from.limit_requests;
  trace.repeat = static_cast<std::uint32_t>(from.repeat);
  trace.action = from.action.empty() ? 'D' : from.action.front();
  config.arrival.kind = from.arrival == Arrival::poisson ? workloads::Arrival::poisson
                        : from.arrival == Arrival::trace ? workloads::Arrival::trace
                                                         : workloads::Arrival::closed_loop;
  config.arrival.mean_interarrival_s = from.mean_interarrival_s;
  return config;
}

}  // namespace ftlab::platform
