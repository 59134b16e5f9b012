// What depends on the part's geometry is not known here; the FTL refuses it at format.
#include "platform/study/study_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/input_error.h"
#include "platform/study/firmware_row.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

[[noreturn]] void refuse(const spec::TomlFile& file, std::string_view key, std::string_view problem) {
  throw InputError(file.where(key) + std::string(problem));
}

const KeySharer* sharer(const Param& param, std::string_view firmware) {
  const auto found = std::ranges::find(param.shared_by, firmware, &KeySharer::firmware);
  return found == param.shared_by.end() ? nullptr : &*found;
}

/// Firmwares that share a number take ranges of their own.
void check_shared_ranges(const spec::TomlFile& file, const Study& study) {
  for (const Param& param : params()) {
    const KeySharer* its = sharer(param, study.ftl.firmware);
    if (its == nullptr || param.type != ParamType::integer) continue;
    const auto value = static_cast<double>(std::get<std::uint64_t>(param.read(study)));
    if (value >= its->min && value <= its->max) continue;
    refuse(file, param.key,
           fmt::format("{:g} is out of the range of ftl.firmware = \"{}\"; give an integer from {:.0f} to {:.0f}",
                       value, study.ftl.firmware, its->min, its->max));
  }
}

/// Firmwares that share a key answer it with names of their own.
void check_shared_names(const spec::TomlFile& file, const Study& study) {
  for (const Param& param : params()) {
    const KeySharer* its = sharer(param, study.ftl.firmware);
    if (its == nullptr || its->choices.empty()) continue;
    const std::string name = std::get<std::string>(param.read(study));
    if (std::ranges::find(its->choices, name) != its->choices.end()) continue;
    refuse(file, param.key,
           fmt::format("'{}' is no {} of ftl.firmware = \"{}\"; use {}", name,
                       param.key.substr(param.key.find('.') + 1), study.ftl.firmware, fmt::join(its->choices, ", ")));
  }
}

void check_erase(const spec::TomlFile& file, const Study& study) {
  const Param& param = *find_param("ftl.erase");
  if (study.ftl.erase == Erasing::wait || sharer(param, study.ftl.firmware) != nullptr) return;
  std::vector<std::string> others;
  for (const KeySharer& other : param.shared_by) others.push_back(other.firmware);
  refuse(file, param.key,
         fmt::format("ftl.firmware = \"{}\" waits for each erase; use \"wait\", or the firmware {}", study.ftl.firmware,
                     fmt::join(others, " or ")));
}

void check_ftl(const spec::TomlFile& file, const Study& study) {
  const FtlChoices& ftl = study.ftl;
  if (file.has("ftl.utilization") && file.has("ftl.spare_factor")) {
    refuse(file, "ftl.spare_factor", "given together with ftl.utilization; keep one of the two");
  }
  check_shared_names(file, study);
  check_shared_ranges(file, study);
  const bool in_place = ftl.update == Update::in_place;
  if (in_place != firmware_of(study).updates_in_place) {
    refuse(file, file.has("ftl.update") ? "ftl.update" : "ftl.firmware",
           fmt::format("\"{}\" does not update {}; leave one of ftl.firmware and ftl.update out", ftl.firmware,
                       in_place ? "in place" : "out of place"));
  }
  if (ftl.page_bytes != 0 && !std::has_single_bit(ftl.page_bytes)) {
    refuse(file, "ftl.page_bytes",
           fmt::format("{} is not a power of two; use {} or {}", ftl.page_bytes, std::bit_floor(ftl.page_bytes),
                       std::bit_ceil(ftl.page_bytes)));
  }
  check_erase(file, study);
}

void check_classes(const spec::TomlFile& file, const workloads::GeneratorConfig& workload) {
  constexpr double kRounding = 1e-6;
  const auto sum = [](const std::vector<double>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); };
  if (workload.class_access.empty() || workload.class_access.size() != workload.class_data.size()) {
    refuse(file, "workload.class_data",
           fmt::format("class_access has {} shares and class_data {}; give one of each for every class",
                       workload.class_access.size(), workload.class_data.size()));
  }
  if (std::abs(sum(workload.class_access) - 1) > kRounding) {
    refuse(file, "workload.class_access",
           fmt::format("shares sum to {:g}; they must sum to 1", sum(workload.class_access)));
  }
  if (sum(workload.class_data) > 1 + kRounding) {
    refuse(file, "workload.class_data",
           fmt::format("shares sum to {:g}; they must sum to 1 or less", sum(workload.class_data)));
  }
  for (std::size_t i = 0; i < workload.class_data.size(); ++i) {
    if (workload.class_data[i] > 0 || workload.class_access[i] == 0) continue;
    refuse(file, "workload.class_data", fmt::format("class {} has accesses but no data; give it a share", i + 1));
  }
}

void check_clients(const spec::TomlFile& file, const Study& study) {
  constexpr double kMaxDepth = 1024;
  const std::vector<double>& depths = study.workload.client_depths;
  const std::vector<double>& reads = study.workload.client_read_shares;
  if (depths.size() != reads.size()) {
    refuse(file, reads.empty() ? "workload.client_depths" : "workload.client_read_shares",
           fmt::format("client_depths has {} clients and client_read_shares {}; give one of each for every client",
                       depths.size(), reads.size()));
  }
  if (depths.empty()) return;
  if (std::ranges::any_of(depths, [](double depth) { return depth != std::floor(depth); })) {
    refuse(file, "workload.client_depths", "must be whole numbers of requests");
  }
  const double all = std::accumulate(depths.begin(), depths.end(), 0.0);
  if (all > kMaxDepth) {
    refuse(file, "workload.client_depths",
           fmt::format("sum to {}; all clients together have at most {}", all, kMaxDepth));
  }
  if (std::ranges::all_of(reads, [](double share) { return share == 1; })) {
    refuse(file, "workload.client_read_shares", "only reads, so nothing ends the run; let one client write");
  }
  if (study.arrival.kind != workloads::Arrival::closed_loop || !study.is_generated()) {
    refuse(file, "workload.client_depths",
           "several clients make generated requests in a closed loop; use another kind and arrival = \"closed\"");
  }
  const auto needs_future = firmware_of(study).needs_future;
  if (const std::string_view key = needs_future != nullptr ? needs_future(study) : ""; !key.empty()) {
    refuse(file, key,
           fmt::format("\"{}\" needs the order of all writes in advance, and several clients have none; use one client",
                       std::get<std::string>(find_param(key)->read(study))));
  }
  const char* of_one = study.workload.queue_depth != 1   ? "workload.queue_depth"
                       : study.generator.read_share != 0 ? "workload.read_share"
                                                         : nullptr;
  if (of_one != nullptr) {
    refuse(file, of_one, "is for a single client; leave it out, or client_depths and client_read_shares");
  }
}

void check_workload(const spec::TomlFile& file, const Study& study) {
  const WorkloadChoices& workload = study.workload;
  if (workload.kind == "trace" && workload.path.empty()) {
    refuse(file, "workload.path", "missing; kind = \"trace\" needs path = \"FILE\"");
  }
  constexpr std::size_t kDigits = 64;
  if (!workload.sha256.empty() && (workload.sha256.size() != kDigits ||
                                   workload.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    refuse(file, "workload.sha256", "must be 64 digits of 0-9 and a-f, or empty");
  }
  check_clients(file, study);
  if (workload.kind == "classes") check_classes(file, study.generator);
  if (study.arrival.kind == workloads::Arrival::trace && study.is_generated()) {
    refuse(file, "workload.arrival", "\"trace\" needs kind = \"trace\" or \"scenario\"; use \"closed\" or \"poisson\"");
  }
  for (const std::string& device : study.trace.devices) {
    if (device.empty()) refuse(file, "workload.device", "must not hold an empty name");
  }
}

void check_processor(const spec::TomlFile& file, const Study& study) {
  const bool own = firmware_of(study).program != nullptr;
  if (study.platform.processor == ProcessorKind::native) return;
  if (firmware_of(study).hand_over == nullptr && !own) {
    std::vector<std::string> have;
    for (const FirmwareRow* row : firmware_list())
      if (row->hand_over != nullptr) have.emplace_back(row->name);
    refuse(file, "platform.processor",
           fmt::format("there is a program for a core of ftl.firmware = \"{}\" alone; use that, or \"native\"",
                       fmt::join(have, "\" or \"")));
  }
  const double khz = study.platform.core_mhz * 1000;
  if (khz != 0 && khz < 1000)
    refuse(file, "platform.core_mhz", fmt::format("{:g} MHz is too slow; give 1 or more", study.platform.core_mhz));
  if (khz != std::round(khz))
    refuse(file, "platform.core_mhz", fmt::format("{:g} is no whole number of kHz", study.platform.core_mhz));
}

void check_power(const spec::TomlFile& file, const Study& study) {
  const auto twice = [&file](std::string_view key, std::vector<double> at) {
    std::ranges::sort(at);
    const auto found = std::ranges::adjacent_find(at);
    if (found != at.end()) refuse(file, key, fmt::format("holds {:g} twice; power is lost once at a time", *found));
  };
  const auto numbers = [&](std::string_view key, std::string_view of, const std::vector<double>& at) {
    twice(key, at);
    if (std::ranges::any_of(at, [](double n) { return n != std::floor(n); })) {
      refuse(file, key, fmt::format("must be whole numbers of {}", of));
    }
  };
  const PowerChoices& power = study.power;
  twice("power.loss_at_s", power.loss_at_s);
  numbers("power.loss_at_request", "requests", power.loss_at_request);
  numbers("power.loss_at_operation", "operations", power.loss_at_operation);
  numbers("power.loss_at_program", "programs", power.loss_at_program);
  numbers("power.loss_at_erase", "erases", power.loss_at_erase);
  numbers("power.loss_at_read", "reads", power.loss_at_read);
  numbers("power.loss_at_instruction", "instructions", power.loss_at_instruction);
  if (!power.loss_at_instruction.empty() && !study.on_core()) {
    refuse(
        file, "power.loss_at_instruction",
        "counts instructions of a simulated core, and the firmware runs natively; use platform.processor = \"arm\" or "
        "\"riscv\", or loss_at_s");
  }
  if (power.plans_losses() && !study.platform.store_content) {
    refuse(file, power.loss_key(), "needs a part that keeps what a mount reads; use platform.store_content = true");
  }
}

/// What a scenario is stands in its file; overrides change its numbers.
void check_scenario_overrides(const spec::TomlFile& file, const Study& study) {
  for (const FileOverride& o : study.scenario_overrides) {
    if (o.key != "name" && o.key != "title" && o.key != "shape") continue;
    refuse(file, "scenario_overrides." + o.key,
           fmt::format("a scenario keeps its {}, only its numbers can be overridden; use another workload.scenario, or "
                       "a file of your own",
                       o.key));
  }
}

}  // namespace

void check_study(const spec::TomlFile& file, const Study& study) {
  check_ftl(file, study);
  for (const FirmwareRow* firmware : firmware_list()) {
    if (firmware->check != nullptr) firmware->check(file, study);
  }
  check_scenario_overrides(file, study);
  check_workload(file, study);
  check_power(file, study);
  check_processor(file, study);
}

}  // namespace ftlab::platform
