#include "platform/study/part_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/input_error.h"
#include "platform/files/program_file.h"
#include "platform/study/params.h"
#include "platform/study/part_family.h"

namespace ftlab::platform {
namespace {

/// Of the logical size. From here on write amplification moves by less than 1 %, with hot and cold data, too.
constexpr double kWarmUp = 4;
constexpr double kMeasured = 1;
constexpr std::uint32_t kDeepest = 1024;
/// A first run stays short where most requests are reads, or parts of pages: so many times the requests of whole pages.
constexpr double kMaxRequests = 4;

bool overrides(const Study& study, std::string_view key) {
  return std::ranges::find(study.part_overrides, key, &FileOverride::key) != study.part_overrides.end();
}

bool fills_array(const Study& study, const PartKind& part) {
  return part.array && part.dies > 0 && firmware_of(study).drives_dies();
}

/// The core that executes the program, unless a result says it, whose program may lie elsewhere by now.
void choose_core(Study& study, const OwnProgram& program, const Given& given) {
  constexpr std::string_view kKey = "platform.processor";
  std::error_code ignored;
  if (program.elf.empty() || (given(kKey) && !std::filesystem::exists(program.elf, ignored))) return;
  const Param& processor = *find_param(kKey);
  const std::string core(core_of_program(program.elf, study.where_of("firmware.elf")));
  if (given(kKey) && processor.read(study) != ParamValue(core))
    throw InputError(fmt::format("{}\"{}\", but {} is a program for \"{}\"; leave the key out", study.where_of(kKey),
                                 std::get<std::string>(processor.read(study)), program.elf, core));
  processor.write(study, core);
}

void remark_on_dies(const Study& study, const PartKind& part, std::vector<std::string>& lines) {
  if (part.dies == 0 || overrides(study, "segments")) return;
  const auto moved = std::ranges::find_if(
      study.part_overrides, [](const FileOverride& o) { return o.key == "channels" || o.key == "dies_per_channel"; });
  if (moved == study.part_overrides.end()) return;
  lines.push_back(
      fmt::format("{}.{}: the {} segments of the part lie on {} dies now, {:g} on each, and each die keeps free and "
                  "open ones of its own; give part_overrides.segments for dies of another size",
                  moved->origin, moved->key, part.segments, part.dies, static_cast<double>(part.segments) / part.dies));
}

void remark_on_other_families(const Study& study, const PartKind& part, const Given& given,
                              std::vector<std::string>& lines) {
  // A study of all keys, as `ftlab init` writes it, has the part of new studies, and the keys of all families.
  const PartFamily* family = find_part_family(part.family);
  if (family == nullptr || family->of_new_studies) return;
  for (const Param& param : params()) {
    if (param.family.empty() || param.family == part.family || !given(param.key) || !is_default(param, study)) continue;
    lines.push_back(
        fmt::format("{}has no effect in this study; it is for parts of the family {}, and this part is of "
                    "{}",
                    study.where_of(param.key), param.family, part.family));
  }
}

}  // namespace

void choose_firmware(Study& study, const PartKind& part, const Given& given) {
  if (given("ftl.firmware")) return;
  const FirmwareRow* chosen = part.array ? &firmware_on_arrays() : nullptr;
  if (study.ftl.update == Update::in_place) {
    // Two ways to say it: the layer is one of its own, and the way to update is what it is compared by.
    chosen = *std::ranges::find_if(firmware_list(), [](const FirmwareRow* row) { return row->updates_in_place; });
  }
  for (const FirmwareRow* row : firmware_list())
    if (row->program != nullptr && !row->program(study)->elf.empty()) chosen = row;
  if (chosen != nullptr) study.ftl.firmware = chosen->name;
}

void take_defaults(Study& study, const PartKind& part, const Given& given) {
  // A tenth of the time of a run is little for a drive, and much for one that asks about cleaning.
  if (!given("platform.latency_parts")) study.platform.latency_parts = part.linked;
  const FirmwareRow& firmware = firmware_of(study);
  if (firmware.program != nullptr) choose_core(study, *firmware.program(study), given);
  if (firmware.updates_in_place && !given("ftl.update")) study.ftl.update = Update::in_place;
  // What the part programs at once.
  if (firmware.updates_in_place && !given("ftl.page_bytes") && part.page_bytes > study.ftl.page_bytes)
    study.ftl.page_bytes = 0;
  if (firmware.selection != nullptr && !given("ftl.selection")) study.ftl.selection = firmware.selection();
  if (firmware.defaults != nullptr) firmware.defaults(study, given);
  if (firmware.drive_on == DriveOn::all_parts || (firmware.drive_on == DriveOn::arrays && part.array)) {
    // A drive's own processor, not a machine with a card in its slot.
    if (!given("host")) study.host = kDriveHost;
    // Pages of the part, whose size only that knows.
    if (!given("ftl.page_bytes")) study.ftl.page_bytes = 0;
    if (!given("workload.request_bytes")) study.generator.request_bytes = 0;
  }
  if (firmware.array_defaults != nullptr && part.array) firmware.array_defaults(study, given);
  if (firmware.drive_defaults != nullptr && part.drive) firmware.drive_defaults(study, part, given);
}

void choose_load(Study& study, const PartKind& part, const Given& given) {
  if (!fills_array(study, part)) return;
  if (!given("workload.queue_depth") && study.workload.client_depths.empty())
    study.workload.queue_depth = std::min(part.dies * part.pages_at_once, kDeepest);
  const bool has_length =
      given("workload.total_mib") || given("workload.overwrites") || given("workload.warm_up_overwrites");
  if (!study.is_generated() || has_length || study.generator.read_share == 1) return;
  const double page = static_cast<double>(study.ftl.page_bytes != 0 ? study.ftl.page_bytes : part.page_bytes);
  const double whole = study.generator.request_bytes == 0 || page == 0
                           ? 1.0
                           : std::min(1.0, static_cast<double>(study.generator.request_bytes) / page);
  const double share = std::min(1.0, kMaxRequests * (1 - study.generator.read_share) * whole);
  study.workload.warm_up_overwrites = kWarmUp * share;
  study.generator.overwrites = kMeasured * share;
}

std::vector<std::string> remarks(const Study& study, const PartKind& part, const Given& given) {
  std::vector<std::string> lines;
  remark_on_other_families(study, part, given, lines);
  if (given("workload.total_mib") && study.generator.overwrites > 0 && study.is_generated()) {
    lines.push_back(fmt::format("{}has no effect in this study; workload.overwrites takes its place",
                                study.where_of("workload.total_mib")));
  }
  const FirmwareRow& firmware = firmware_of(study);
  if (firmware.remark != nullptr) firmware.remark(study, part, given, lines);
  remark_on_dies(study, part, lines);
  return lines;
}

}  // namespace ftlab::platform
