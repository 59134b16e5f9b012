#include "platform/run/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/serve.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/host/storage_client.h"
#include "platform/machine/part_size.h"
#include "platform/run/clients.h"
#include "platform/run/core_firmware.h"
#include "platform/run/die_time_check.h"
#include "platform/run/followed_requests.h"
#include "platform/run/power_cycle.h"
#include "platform/study/study_files.h"
#include "workloads/traces/footprint.h"
#include "workloads/workloads.h"

namespace ftlab::platform {
namespace {

StateEnergy states_between(const StateEnergy& before, const StateEnergy& after) {
  return {after.standby - before.standby, after.sleep - before.sleep};
}

std::vector<Ticks> between(const std::vector<Ticks>& before, std::vector<Ticks> after) {
  for (std::size_t i = 0; i < after.size(); ++i) after[i] -= before[i];
  return after;
}

std::vector<std::uint32_t> erase_counts(const Device& device, std::uint32_t segments,
                                        const std::vector<std::uint32_t>& before) {
  std::vector<std::uint32_t> counts(segments);
  for (std::uint32_t s = 0; s < counts.size(); ++s) {
    counts[s] = device.erase_count(s) - (before.empty() ? 0 : before[s]);
  }
  return counts;
}

void require(FtlStatus status, const char* step) {
  if (status == FtlStatus::ok) return;
  const char* reason = end_of_life(status);
  throw InputError(fmt::format("{} failed: {}; check part, part_overrides and the ftl keys", step,
                               reason != nullptr ? reason : "the part cannot hold this configuration"));
}

/// Everything that belongs to one run, so that phases are plain calls.
class Session {
 public:
  Session(Machine& machine, const SessionInput& input) : machine_(machine), input_(input) {}

  RunRecord run() {
    machine_.ledger().set_sink(input_.sink);
    enter("attach");
    Ftl& ftl = start_up();
    enter("format");
    {
      const CauseScope cause(machine_.processor(), Cause::metadata);
      require(ftl.format(machine_.processor().now_ns()), "format");
    }
    format_erases_ = erase_counts(machine_.device(), part_.segments, {});
    const Study& study = input_.study;
    workloads::WorkloadConfig workload =
        workload_config_for(study, ftl.capacity_bytes() / ftl.page_bytes(), ftl.page_bytes());
    if (workload.kind == "trace" && workload.trace.write_scale == workloads::kFitScale) {
      workload.trace.write_scale = workloads::fitting_scale(workload.trace, ftl.capacity_bytes());
    }
    Payload payload(study.seed, ftl.capacity_bytes(),
                    !machine_.device().keeps_data() ? Payload::Kept::nothing
                    : study.platform.store_content  ? Payload::Kept::verified
                                                    : Payload::Kept::data);
    if (study.workload.fill) {
      const auto fill = workloads::make_fill(workload, ftl.capacity_bytes(), study.seed);
      enter("fill");
      const HostClient client{fill.get(), fill_depth()};
      machine_.processor().expect_requests(client.queue_depth);
      Host filler(std::span(&client, 1), payload, {}, machine_.processor().now());
      serve_host(ftl, filler);
      const FtlStatus flushed = ftl.write_out(machine_.processor().now_ns());
      machine_.processor().expect_requests(0);
      const char* reason = filler.totals().end_reason;
      if (reason == nullptr) reason = end_of_life(flushed);
      if (reason == nullptr) {
        require(flushed, "flush");
      } else {
        fill_failure_ = failed_fill(ftl, filler.totals(), reason);
      }
    }
    try {
      RunRecord record = measure(ftl, payload, workload);
      record.write_scale = workload.trace.write_scale;
      return record;
    } catch (const workloads::TraceTooLarge& problem) {
      throw InputError(fmt::format("{}; all of it fits {}", problem.what(), room_for(problem)));
    }
  }

 private:
  /// Driver and firmware, with nothing in memory.
  Ftl& start_up() {
    firmware_.reset();
    if (machine_.processor().driver_ports() == nullptr) {
      auto started = start_on_core(machine_, input_.study, bad_at_format_);
      part_ = started->part();
      firmware_ = std::move(started);
    } else {
      machine_.attach();
      part_ = size_of(machine_.device());
      firmware_ = make_firmware(input_.study, ports());
    }
    if (!bad_at_format_) bad_at_format_ = firmware_->bad_at_format();
    Ftl& ftl = firmware_->ftl();
    if (!offered_bytes_) offered_bytes_ = ftl.capacity_bytes();
    if (*offered_bytes_ != ftl.capacity_bytes())
      throw InputError(
          fmt::format("{}the firmware offers {} bytes after a loss of power, and offered {} before; a device keeps its "
                      "size, whatever its firmware finds",
                      input_.study.where_of(firmware_->counts() ? "ftl.firmware" : "firmware.elf"),
                      ftl.capacity_bytes(), *offered_bytes_));
    return ftl;
  }

  void sample(RunRecord& record, Ticks since_start, const Host& host, const StorageClient* client) {
    const Ticks now = machine_.processor().now();
    record.timeline.take(since_start, host.totals(), *firmware_,
                         record.utilization.since_last(now, taken_by(now, client)));
    record.wear_map.take(since_start, erase_counts(machine_.device(), part_.segments, format_erases_));
  }

  /// `client`: whose link it is; null: there is none.
  [[nodiscard]] TakenTimes taken_by(Ticks now, const StorageClient* client) const {
    return {machine_.device().unit_times_by(now), client != nullptr ? client->link_times_by(now) : std::nullopt};
  }

  [[nodiscard]] FirmwarePorts ports() const {
    Device& device = machine_.device();
    return {
        device.part(),        device.array(), machine_.processor(), machine_.processor(), device.operation_energies(),
        device.bad_reserve(), bad_at_format_};
  }

  [[nodiscard]] std::uint64_t durable_bytes() const {
    return machine_.device().holds_up() ? 0 : firmware_->durable_bytes();
  }

  void enter(const char* phase) {
    if (input_.sink != nullptr) input_.sink->begin_phase(phase);
  }

  void serve_host(Ftl& ftl, Host& host, const LinkTiming* link = nullptr) {
    StorageClient client(machine_.processor(), host, ftl, {}, link);
    serve(ftl, client, machine_.processor());
    check_served(host);
  }

  /// So much that no program of the fill is padded, and all dies work.
  [[nodiscard]] std::uint32_t fill_depth() const {
    const std::uint32_t pages = machine_.device().pages_of_wordlines();
    return pages == 1 ? 1 : std::min(Host::kMaxDepth, pages * part_.parallel_units);
  }

  static void check_served(const Host& host) {
    if (host.in_flight() != 0) {
      throw std::logic_error(fmt::format("{} requests never completed", host.in_flight()));
    }
    host.check_queue();
  }

  /// What would have to change on the side of the device.
  std::string room_for(const workloads::TraceTooLarge& problem) const {
    const double more = static_cast<double>(problem.needed_bytes()) / static_cast<double>(problem.device_bytes());
    const double part_mib = more * static_cast<double>(part_.segments) * static_cast<double>(part_.segment_bytes) /
                            static_cast<double>(kMiB);
    const std::string part = fmt::format("on a part of {:.0f} MiB at this utilization", std::ceil(part_mib));
    Study study = input_.study;
    study.ftl.utilization = std::ceil(study.ftl.utilization * more * 100) / 100;
    if (study.ftl.utilization >= 1 || machine_.processor().driver_ports() == nullptr) return part;
    try {
      const auto fuller = make_firmware(study, ports());
      if (fuller->ftl().capacity_bytes() < problem.needed_bytes()) return part;
    } catch (const InputError&) {
      return part;
    }
    return fmt::format("with ftl.utilization = {:g}, or {}", study.ftl.utilization, part);
  }

  RunRecord measure(Ftl& ftl, Payload& payload, const workloads::WorkloadConfig& workload) {
    RunRecord record;
    const double warm_up = input_.study.workload.warm_up_overwrites;
    const bool comes_to_rest = firmware_->counts() && (warm_up > 0 || firmware_of(input_.study).comes_to_rest);
    if (comes_to_rest) record.overwrites = Overwrites(ftl.capacity_bytes() / ftl.page_bytes());
    const auto warm_up_bytes = static_cast<std::uint64_t>(warm_up * static_cast<double>(ftl.capacity_bytes()));
    Clients clients(input_.study, workload, warm_up_bytes, ftl.capacity_bytes());
    if (warm_up_bytes > 0 && fill_failure_.empty()) warm_up_by(clients, ftl, payload, record.overwrites);
    record.warm_up_requests = warmed_up_;
    record.overwrites.begin_measuring();
    HostOptions options;
    options.open_loop = input_.study.arrival.kind != workloads::Arrival::closed_loop;
    options.idle_every = input_.study.workload.idle_every;
    options.idle = ticks_from_ns(input_.study.workload.idle_s * 1e9);
    options.cache_hits = input_.study.workload.page_cache_hits;
    options.seed = input_.study.seed;
    const FollowedRequests followed(machine_, input_.study.platform.latency_parts);
    options.observer = input_.observer;
    options.paths = followed.paths();
    if (input_.study.power.plans_losses()) options.durable_bytes = durable_bytes();
    ClientOptions client;
    client.self_check_every = static_cast<std::uint32_t>(input_.study.platform.self_check_every);
    client.sample_every = ticks_from_ns(input_.study.platform.sample_s * 1e9);
    client.paths = followed.paths();
    const std::uint64_t expected = clients.size_hint();
    options.progress = [&, expected](std::uint64_t done) {
      record.overwrites.see(firmware_->ftl().stats());
      if (!input_.progress || expected == 0) return;
      input_.progress(std::min(1.0, static_cast<double>(warmed_up_ + done) / static_cast<double>(expected)));
    };
    PowerCycles power(input_.study.power, machine_, input_.sink, [this] { return firmware_->places_of_answered(); });
    power.come_to_rest();
    machine_.device().advance_to(machine_.processor().now());
    machine_.device().age_data(machine_.processor().now());
    machine_.ledger().collect_accesses();
    machine_.ledger().count_low_power(machine_.processor().now(),
                                      ticks_from_ns(input_.study.power.low_power_after_ms * 1e6));
    const LedgerTotals ledger_before = machine_.ledger().totals();
    FirmwareCounts before(*firmware_);
    const std::uint64_t bad_before = firmware_->ftl().stats().bad_segments;
    record.timeline.begin(before);
    const StateEnergy states_before = machine_.device().state_energy(machine_.processor().now());
    const UnitTimes units_before = machine_.device().unit_times();
    const std::vector<PageTypeReads> page_reads_before = machine_.device().page_reads();
    const std::optional<CoreTotals> core_before = machine_.processor().core_totals();
    enter("measure");
    const Ticks start = machine_.processor().now();
    record.measured_from = start;
    if (input_.sink != nullptr) input_.sink->begin_measuring(start);
    if (input_.observer != nullptr) input_.observer->begin_measuring(start);
    const std::vector<HostClient> measured = clients.measured(options);
    Host host(measured, payload, options, start);
    std::optional<StorageClient> served;
    client.sample = [&](Ticks since_start) { sample(record, since_start, host, &*served); };
    bool mounted = true;
    if (fill_failure_.empty()) {
      power.watch(client);
      served.emplace(machine_.processor(), host, ftl, client, machine_.device().link());
      if (client.sample_every > Ticks::zero()) record.utilization.begin(start, taken_by(start, &*served));
      mounted = power.serve(ftl, host, *served, [&](const FtlStats& undone) -> Ftl& {
        // None, where power was lost before it was made.
        if (firmware_ != nullptr) {
          before.carry_over(*firmware_, undone);
          record.timeline.begin(before);
          record.overwrites.start_over(without(kFtlCounters, firmware_->ftl().stats(), undone));
        }
        return start_up();
      });
      check_served(host);
      record.lost_first_at = served->written_to_first_loss();
      record.link = served->link_times_by(kNever);
    }
    record.power = power.record();

    machine_.device().advance_to(machine_.processor().now());
    machine_.ledger().collect_accesses();
    machine_.ledger().advance_low_power_to(machine_.processor().now());
    machine_.ledger().set_sink(nullptr);
    if (client.sample_every > Ticks::zero() && mounted) {
      sample(record, machine_.processor().now() - start, host, served ? &*served : nullptr);
    }
    record.sees_operations = machine_.device().operations() == nullptr;
    const Ftl& last = firmware_->ftl();
    record.device = device_facts(last);
    record.model = model_beside(input_.study, {last.capacity_bytes() / last.page_bytes(), firmware_->usable_pages(),
                                               firmware_->pages_per_segment(), last.page_bytes()});
    record.host = host.totals();
    record.follows_requests = followed.paths() != nullptr && followed.paths()->heard_of_pages();
    record.end_reason = !fill_failure_.empty()              ? fill_failure_
                        : record.host.end_reason != nullptr ? record.host.end_reason
                                                            : "";
    record.ftl = before.ftl_since(last.stats());
    record.counted = firmware_->counts();
    const std::uint64_t bad = std::max(bad_before, last.stats().bad_segments);
    record.retired = static_cast<std::uint32_t>(bad - bad_before);
    record.ledger = machine_.ledger().totals();
    record.ledger -= ledger_before;
    record.states = states_between(states_before, machine_.device().state_energy(machine_.processor().now()));
    if (core_before) record.core = machine_.processor().core_totals()->since(*core_before);
    if (const DrivePower* const drawn = machine_.device().drive_power())
      record.drive = drive_energy(*drawn, record.ledger.simulated(), awake_times(record.ledger, record.core),
                                  machine_.device().link(), record.link);
    const UnitTimes units = machine_.device().unit_times();
    record.units = {between(units_before.dies, units.dies), between(units_before.channels, units.channels),
                    units.planes};
    check_die_time(record);
    record.page_reads = machine_.device().page_reads();
    for (std::size_t i = 0; i < record.page_reads.size(); ++i) record.page_reads[i] -= page_reads_before[i];
    record.erase_counts = erase_counts(machine_.device(), part_.segments, format_erases_);
    record.victims_by_valid = before.victims_since(*firmware_);
    record.firmware_figures = before.figures_since(firmware_->figures());
    record.remarks = firmware_->remarks();
    record.verified = payload.verifies();
    if (mounted) look_at_segments(record);
    return record;
  }

  /// Of a firmware that knows what lies on the part.
  void look_at_segments(RunRecord& record) const {
    const Ftl& ftl = firmware_->ftl();
    record.segments_by_valid.resize(record.victims_by_valid.size());
    const std::uint32_t erase_units = part_.segments;
    const bool divided = ftl.segments() != 0 && erase_units % ftl.segments() == 0;
    for (std::uint32_t s = 0; s < ftl.segments(); ++s) {
      const SegmentInfo segment = ftl.segment(SegmentId{s});
      record.carries_data.insert(record.carries_data.end(), divided ? erase_units / ftl.segments() : 1,
                                 segment.state != SegmentState::fixed && segment.state != SegmentState::bad);
      const bool counted = segment.state == SegmentState::sealed && !record.victims_by_valid.empty();
      if (counted) ++record.segments_by_valid.at(segment.valid_pages);
    }
    if (const char* broken = ftl.self_check()) {
      throw std::logic_error(std::string("FTL invariant broken at the end of the run: ") + broken);
    }
  }

  /// The first part of the workload, not measured.
  void warm_up_by(Clients& clients, Ftl& ftl, Payload& payload, Overwrites& overwrites) {
    enter("warm-up");
    HostOptions options;
    const std::uint64_t expected = clients.size_hint();
    options.progress = [&](std::uint64_t done) {
      overwrites.see(ftl.stats());
      if (input_.progress && expected > 0) input_.progress(static_cast<double>(done) / static_cast<double>(expected));
    };
    const std::vector<HostClient> first = clients.warm_up(options);
    Host host(first, payload, options, machine_.processor().now());
    serve_host(ftl, host, machine_.device().link());
    warmed_up_ = host.totals().requests;
    const char* reason = host.totals().end_reason;
    // What a loss may take of answered writes is known of measured ones alone.
    const bool leaves_some = durable_bytes() != 0;
    if (reason == nullptr && leaves_some && input_.study.power.plans_losses())
      reason = end_of_life(ftl.flush(machine_.processor().now_ns()));
    if (reason != nullptr) fill_failure_ = "during the warm-up: " + std::string(reason);
  }

  /// A medium that failed is a result; initial data that a sound medium cannot hold is a mistake of the study.
  std::string failed_fill(const Ftl& ftl, const HostTotals& filled, const char* reason) const {
    std::string text = fmt::format("the initial fill failed after {} of {} bytes: {}", filled.bytes_written,
                                   ftl.capacity_bytes(), reason);
    std::uint64_t failed_operations = 0;
    for (const auto& causes : machine_.ledger().totals().ops) {
      for (const LedgerCell& cell : causes) failed_operations += cell.failed;
    }
    if (failed_operations == 0) {
      if (!firmware_->counts())
        throw InputError(text + "; the firmware reports a larger capacity than it can hold, or gives up too early");
      throw InputError(text +
                       "; lower ftl.utilization, or leave more in reserve (ftl.low_water, flexfs.partition_mib)");
    }
    return text;
  }

  DeviceFacts device_facts(const Ftl& ftl) const {
    const PartFacts part = machine_.device().facts();
    DeviceFacts facts;
    facts.part = part.name;
    facts.title = part.title;
    facts.supply_v = part.supply_v;
    facts.segments = part_.segments;
    facts.segment_bytes = part_.segment_bytes;
    facts.page_bytes = ftl.page_bytes();
    facts.capacity_bytes = std::uint64_t{part_.segments} * part_.segment_bytes;
    facts.logical_bytes = ftl.capacity_bytes();
    facts.parallel_units = part_.parallel_units;
    facts.rated_erase_cycles = part_.rated_erase_cycles;
    return facts;
  }

  Machine& machine_;
  const SessionInput& input_;
  PartSize part_;
  std::unique_ptr<FirmwareInstance> firmware_;
  std::optional<std::uint32_t> bad_at_format_;
  std::optional<std::uint64_t> offered_bytes_;
  std::vector<std::uint32_t> format_erases_;
  std::uint64_t warmed_up_ = 0;  ///< requests before the measured phase
  std::string fill_failure_;     ///< empty: the initial data is in place, or none was asked for
};

}  // namespace

RunRecord run_session(Machine& machine, const SessionInput& input) { return Session(machine, input).run(); }

}  // namespace ftlab::platform
