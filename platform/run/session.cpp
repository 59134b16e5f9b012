#include "platform/run/session.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "common/input_error.h"
#include "firmware/driver/series2plus_driver.h"
#include "firmware/fms/fms.h"
#include "hw/card/card_core.h"
#include "platform/run/study_mapping.h"
#include "workloads/workloads.h"

namespace ftlab::platform {
namespace {

class FmsInstance final : public FirmwareInstance {
 public:
  FmsInstance(FlashPort& flash, ProbePort& probe, const FmsConfig& config)
      : arena_(Fms::arena_bytes(flash.geometry(), config)), fms_(flash, probe, config, arena_) {}
  Ftl& ftl() override { return fms_; }

 private:
  std::vector<std::byte> arena_;
  Fms fms_;
};

const char* explain(AttachStatus status) {
  switch (status) {
    case AttachStatus::ok:
      return "ok";
    case AttachStatus::no_card_information:
      return "the card information structure cannot be read";
    case AttachStatus::wrong_device:
      return "the identifier codes are not those of a Series 2+ card";
    case AttachStatus::bad_geometry:
      return "the sizes in the card information structure do not fit each other";
    case AttachStatus::too_many_pairs:
      return "the card has more component pairs than the driver can hold";
    case AttachStatus::not_ready:
      return "the card stayed busy";
  }
  return "unknown status";
}

StateEnergy states_between(const hw::StateEnergy& before, const hw::StateEnergy& after) {
  return {after.standby - before.standby + (after.vpp - before.vpp), after.sleep - before.sleep};
}

std::vector<std::uint32_t> erase_counts(const hw::CardCore& card, const std::vector<std::uint32_t>& before) {
  std::vector<std::uint32_t> counts(card.spec().segments());
  for (std::uint32_t s = 0; s < counts.size(); ++s) {
    counts[s] = card.erase_count(s) - (before.empty() ? 0 : before[s]);
  }
  return counts;
}

void require(FtlStatus status, const char* step) {
  if (status == FtlStatus::ok) return;
  throw std::runtime_error(
      fmt::format("{} failed with status {}: the device cannot hold this format", step, static_cast<int>(status)));
}

/// Everything that belongs to one run, so that phases are plain calls.
class Session {
 public:
  Session(System& system, const SessionInput& input)
      : system_(system),
        input_(input),
        driver_(system.cpu().common(), system.cpu().attribute(), system.cpu(),
                driver_config_for(input.study, input.host, input.card)) {}

  RunRecord run() {
    attach();
    firmware_ = input_.firmware(driver_, system_.cpu());
    Ftl& ftl = firmware_->ftl();
    {
      const CauseScope cause(system_.cpu(), Cause::metadata);
      require(ftl.format(system_.cpu().now_ns()), "format");
    }
    format_erases_ = erase_counts(system_.card(), {});
    const Study& study = input_.study;
    const std::uint64_t pages = ftl.capacity_bytes() / ftl.page_bytes();
    const workloads::WorkloadConfig workload = workload_config_for(study, pages);
    Payload payload(study.seed, ftl.capacity_bytes(), study.platform.store_content);
    if (study.workload.fill) {
      const auto fill = workloads::make_fill(workload, ftl.capacity_bytes(), study.seed);
      HostModel filler(system_.cpu(), ftl, payload, {});
      filler.serve(*fill);
      require(ftl.flush(system_.cpu().now_ns()), "flush");
    }
    return measure(ftl, payload, workload);
  }

 private:
  void attach() {
    const AttachStatus status = driver_.attach();
    if (status == AttachStatus::ok) return;
    throw InputError(fmt::format("{}the driver cannot use this card: {}; check part_overrides", input_.study.part_where,
                                 explain(status)));
  }

  RunRecord measure(Ftl& ftl, Payload& payload, const workloads::WorkloadConfig& workload) {
    const auto source = workloads::make_source(workload, ftl.capacity_bytes(), input_.study.seed);
    HostOptions options;
    options.open_loop = input_.study.workload.arrival != Arrival::closed;
    options.self_check_every = static_cast<std::uint32_t>(input_.study.platform.self_check_every);
    options.idle_every = input_.study.workload.idle_every;
    options.idle = ticks_from_ns(input_.study.workload.idle_s * 1e9);
    const std::uint64_t expected = source->size_hint();
    if (input_.progress && expected > 0) {
      options.progress = [&, expected](std::uint64_t done) {
        input_.progress(static_cast<double>(done) / static_cast<double>(expected));
      };
    }
    system_.card().settle(system_.cpu().now());
    system_.ledger().collect_accesses();
    const LedgerTotals ledger_before = system_.ledger().totals();
    const FtlStats ftl_before = ftl.stats();
    const hw::StateEnergy states_before = system_.card().state_energy(system_.cpu().now());
    system_.ledger().set_sink(input_.sink);

    HostModel host(system_.cpu(), ftl, payload, options);
    host.serve(*source);
    require_flush(ftl);

    system_.card().settle(system_.cpu().now());
    system_.ledger().collect_accesses();
    system_.ledger().set_sink(nullptr);
    RunRecord record;
    record.device = device_facts(ftl);
    record.host = host.totals();
    record.ftl = ftl.stats() - ftl_before;
    record.ledger = system_.ledger().totals();
    record.ledger -= ledger_before;
    record.states = states_between(states_before, system_.card().state_energy(system_.cpu().now()));
    record.erase_counts = erase_counts(system_.card(), format_erases_);
    record.verified = payload.verifies();
    if (const char* broken = ftl.self_check()) {
      throw std::logic_error(std::string("FTL invariant broken at the end of the run: ") + broken);
    }
    return record;
  }

  void require_flush(Ftl& ftl) {
    // At the end of life a flush may fail; the record tells.
    (void)ftl.flush(system_.cpu().now_ns());
  }

  DeviceFacts device_facts(const Ftl& ftl) const {
    const FlashGeometry& geometry = driver_.geometry();
    DeviceFacts facts;
    facts.part = input_.card.name;
    facts.title = input_.card.title;
    facts.supply_v = supply_volts(input_.study);
    facts.segments = geometry.segments;
    facts.segment_bytes = geometry.segment_bytes;
    facts.page_bytes = ftl.page_bytes();
    facts.capacity_bytes = std::uint64_t{geometry.segments} * geometry.segment_bytes;
    facts.logical_bytes = ftl.capacity_bytes();
    facts.parallel_units = geometry.parallel_units;
    facts.rated_erase_cycles = geometry.rated_erase_cycles;
    return facts;
  }

  System& system_;
  const SessionInput& input_;
  Series2PlusDriver driver_;
  std::unique_ptr<FirmwareInstance> firmware_;
  std::vector<std::uint32_t> format_erases_;
};

}  // namespace

FirmwareFactory fms_factory(const Study& study) {
  return [&study](FlashPort& flash, ProbePort& probe) -> std::unique_ptr<FirmwareInstance> {
    return std::make_unique<FmsInstance>(flash, probe, fms_config_for(study, flash.geometry(), flash.capabilities()));
  };
}

RunRecord run_session(System& system, const SessionInput& input) { return Session(system, input).run(); }

}  // namespace ftlab::platform
