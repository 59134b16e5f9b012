// Processor time of random writes to a NAND array at rest: one frontier, greedy, S_f 0.07, 64 pages a segment, one die.
//
// ftlab_run/...   the whole program as a study runs it, its fill and warm-up counted, too
// firmware/...    the same firmware under a host that keeps nothing, once at rest: over the bus model and TLM with
//                 bursts, with one descriptor a transaction, and with the controller called straight
// Argument: pages of the array; 6.4 and 33.5 million with --large.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string_view>

#include "firmware/driver/array/driver.h"
#include "firmware/ftl/serve.h"
#include "hw/array/spec/spec.h"
#include "platform/bench/array/direct_bus.h"
#include "platform/bench/array/uniform_host.h"
#include "platform/bench/in_child.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/machine/machine.h"
#include "platform/measure/process_cost.h"
#include "platform/study/study.h"
#include "platform/study/study_files.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kPagesPerSegment = 64;
constexpr std::uint32_t kDepth = 32;
/// Of the logical size: greedy is at rest after two.
constexpr std::uint32_t kWarmUp = 2;
constexpr std::uint32_t kMeasured = 2;

enum class Way { bursts, singles, direct };
constexpr const char* kWayNames[] = {"bursts", "singles", "direct"};

Study study_of(std::int64_t pages, Way way) {
  std::vector<Setting> settings;
  const auto set = [&](const char* key, const std::string& value) { settings.push_back({key, value, "benchmark"}); };
  set("part", "array-slc");
  set("host", "ssd-controller");
  set("part_overrides.channels", "1");
  set("part_overrides.dies_per_channel", "1");
  set("part_overrides.segments", std::to_string(pages / kPagesPerSegment));
  set("part_overrides.pages_per_segment", std::to_string(kPagesPerSegment));
  set("part_overrides.content", "none");
  set("part_overrides.bad_segments.initial_share", "0");
  set("ftl.firmware", "page");
  set("ftl.spare_factor", "0.07");
  set("driver.bursts", way == Way::singles ? "false" : "true");
  set("driver.gather", "16");
  set("workload.kind", "uniform");
  set("workload.queue_depth", std::to_string(kDepth));
  set("workload.warm_up_overwrites", std::to_string(kWarmUp));
  set("workload.overwrites", std::to_string(kMeasured));
  return parse_study("", "benchmark", settings);
}

/// The fill and the warm-up, then the writes that are timed.
ordered_json time_writes(FirmwareInstance& firmware, ClockPort& clock, ProbePort& probe, std::uint64_t bytes_before) {
  Ftl& ftl = firmware.ftl();
  if (ftl.format(clock.now_ns()) != FtlStatus::ok) throw std::logic_error("format failed");
  UniformHost host(ftl, clock, kDepth, 1);
  const std::uint64_t pages = ftl.capacity_bytes() / ftl.page_bytes();
  host.ask_for(pages, true);
  serve(ftl, host, probe);
  host.ask_for(kWarmUp * pages, false);
  serve(ftl, host, probe);
  const FtlStats before = ftl.stats();
  const double begin = process_cpu_s();
  host.ask_for(kMeasured * pages, false);
  serve(ftl, host, probe);
  const double cpu_s = process_cpu_s() - begin;
  const auto writes = static_cast<double>(ftl.stats().pages_written - before.pages_written);
  const auto copies = static_cast<double>(ftl.stats().pages_copied - before.pages_copied);
  return {{"cpu_s", cpu_s},
          {"host_writes", writes},
          {"programs", writes + copies},
          {"bytes", process_peak_bytes() - bytes_before}};
}

ordered_json over_tlm(const Study& study) {
  const std::uint64_t bytes_before = process_peak_bytes();
  const ProcessorProfile host = load_host(study);
  ordered_json figures;
  Machine machine(device_factory(study, host, false), processor_factory(study, host), [&](Machine& built) {
    built.attach();
    const auto firmware =
        make_firmware(study, {built.device().part(), built.device().array(), built.processor(), built.processor(),
                              built.device().operation_energies(), built.device().bad_reserve()});
    figures = time_writes(*firmware, built.processor(), built.processor(), bytes_before);
  });
  machine.run();
  return figures;
}

ordered_json called_straight(const Study& study) {
  const std::uint64_t bytes_before = process_peak_bytes();
  hw::ArraySpec part;
  load_part(study, [&part](spec::TomlFile& file) {
    (void)file.get_string("family");
    part = hw::load_array_spec(file);
  });
  hw::DeviceOptions options;
  options.loses_power = false;
  options.observe_operations = options.observe_accesses = false;
  hw::ArrayCore core(part, options);
  DirectBus bus(core);
  ArrayDriver driver(bus, nullptr, bus, study.configs.get<ArrayDriverConfig>());
  if (driver.attach() != ArrayAttachStatus::ok) throw std::logic_error("no array");
  NullProbe probe;
  const auto firmware = make_firmware(study, {nullptr, &driver, probe, bus, {}, 0});
  return time_writes(*firmware, bus, probe, bytes_before);
}

void show(benchmark::State& state, const ordered_json& figures) {
  const double cpu_s = figures.at("cpu_s").get<double>();
  state.SetIterationTime(cpu_s);
  state.counters["host_writes_per_cpu_s"] = figures.at("host_writes").get<double>() / cpu_s;
  state.counters["programs_per_cpu_s"] = figures.at("programs").get<double>() / cpu_s;
  state.counters["bytes_per_page"] = figures.at("bytes").get<double>() / static_cast<double>(state.range(0));
}

void run_firmware(benchmark::State& state, Way way) {
  const Study study = study_of(state.range(0), way);
  for ([[maybe_unused]] auto _ : state)
    show(state, in_child([&] { return way == Way::direct ? called_straight(study) : over_tlm(study); }));
}

void run_program(benchmark::State& state, Way way) {
  const Study study = study_of(state.range(0), way);
  for ([[maybe_unused]] auto _ : state) {
    const ordered_json result = run_in_child(study);
    // Of the measured phase there are counts, of the whole run there is time: the phases write alike but for the fill.
    const double measured = result.at("host").at("writes").get<double>();
    const double writes = measured * (1.0 + kWarmUp + kMeasured) / kMeasured;
    const double copies =
        measured * (result.at("write_amplification").get<double>() - 1) * (kWarmUp + kMeasured) / kMeasured;
    show(state, {{"cpu_s", result.at("run").at("cpu_s")},
                 {"host_writes", writes},
                 {"programs", writes + copies},
                 {"bytes", result.at("run").at("peak_rss_bytes")}});
  }
}

void add(const char* what, Way way, void (*run)(benchmark::State&, Way), bool large) {
  const std::string name = std::string(what) + "/" + kWayNames[static_cast<int>(way)];
  auto* one = benchmark::RegisterBenchmark(name.c_str(), run, way);
  one->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond)->Arg(1'000'128);
  if (large) one->Arg(6'400'000)->Arg(33'500'160);
}

}  // namespace
}  // namespace ftlab::platform

int main(int argc, char** argv) {
  using namespace ftlab::platform;
  // Minutes each, so only where they are asked for.
  char** const end = std::remove(argv + 1, argv + argc, std::string_view("--large"));
  const bool large = end != argv + argc;
  argc = static_cast<int>(end - argv);
  for (const Way way : {Way::bursts, Way::singles}) add("ftlab_run", way, run_program, large);
  for (const Way way : {Way::bursts, Way::singles, Way::direct}) add("firmware", way, run_firmware, large);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
