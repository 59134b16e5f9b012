#include "platform/study/part_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/input_error.h"
#include "platform/files/data_files.h"
#include "platform/files/derived_file.h"

namespace ftlab::platform {
namespace {

constexpr std::string_view kArray = "array";
constexpr std::string_view kCard = "series2plus";
/// Of the logical size. From here on write amplification moves by less than 1 %, with hot and cold data, too.
constexpr double kWarmUp = 4;
constexpr double kMeasured = 1;
constexpr std::uint32_t kDeepest = 1024;
/// A first run stays short where most requests are reads, or parts of pages: so many times the requests of whole pages.
constexpr double kMaxRequests = 4;

std::uint32_t count_of(const spec::TomlFile& file, std::string_view key) {
  return static_cast<std::uint32_t>(file.get_in(key, "1", 1, 1e8));
}

bool is_generated(const Study& study) { return study.workload.kind != "trace" && study.workload.kind != "scenario"; }

bool overrides(const Study& study, std::string_view key) {
  return std::ranges::find(study.part_overrides, key, &FileOverride::key) != study.part_overrides.end();
}

bool serves_array(const Study& study, const PartKind& part) {
  return part.family == kArray && part.dies > 0 && study.ftl.firmware == "page";
}

void remark_on_window(const Study& study, const PartKind& part, const Given& given, std::vector<std::string>& lines) {
  if (study.page.selection != "windowed_greedy" || part.dies == 0) return;
  const std::uint32_t per_die = part.segments / part.dies;
  if (study.page.window * per_die >= 2 || per_die < 2) return;
  lines.push_back(fmt::format(
      "{}{:g} of the {} segments of a die is one segment, the oldest, so that windowed_greedy cleans as lru "
      "does; from {:.4f} on it chooses",
      given("ftl.window") ? study.where_of("ftl.window") : "ftl.window, by default: ", study.page.window, per_die,
      std::ceil(2e4 / per_die) / 1e4));
}

void remark_on_parts_of_pages(const Study& study, const PartKind& part, std::vector<std::string>& lines) {
  if (!is_generated(study) || part.page_bytes == 0 || study.generator.request_bytes % part.page_bytes == 0) return;
  lines.push_back(fmt::format(
      "{}requests of {} bytes write parts of pages of {} bytes; the firmware reads the rest of such a page and "
      "programs "
      "all of it (write_amplification_bytes){}",
      study.where_of("workload.request_bytes"), study.generator.request_bytes, part.page_bytes,
      study.array_driver.suspend_programs
          ? ""
          : "; the read waits for the copies of its die, unless driver.suspend_programs lets it interrupt them"));
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
  // A study of all keys, as `ftlab init` writes it, has a card, and the keys of all families.
  if (part.family.empty() || part.family == kCard) return;
  for (const Param& param : params()) {
    if (param.family.empty() || param.family == part.family || !given(param.key) || !is_default(param, study)) continue;
    lines.push_back(
        fmt::format("{}has no effect in this study; it is for parts of the family {}, and this part is of "
                    "{}",
                    study.where_of(param.key), param.family, part.family));
  }
}

}  // namespace

PartKind kind_of_part(const Study& study) {
  PartKind kind;
  try {
    DerivedFile file = read_derived("parts", data_file("parts", study.part, {}, study.part_where));
    kind.family = file.base.get_string("family");
    file.overrides = study.part_overrides;
    return kind_of(file.whole());
  } catch (const InputError&) {
    // The part's own loader says it better.
  }
  return kind;
}

PartKind kind_of(const spec::TomlFile& part) {
  PartKind kind;
  kind.family = part.get_string("family");
  if (kind.family != kArray) return kind;
  kind.segments = count_of(part, "segments");
  kind.dies = count_of(part, "channels") * count_of(part, "dies_per_channel");
  kind.page_bytes = static_cast<std::uint32_t>(part.get_in("page_bytes", "B", 1, 1e8));
  return kind;
}

void choose_firmware(Study& study, const PartKind& part, const Given& given) {
  if (part.family == kArray && !given("ftl.firmware") && study.ftl.update != "in_place") study.ftl.firmware = "page";
}

void choose_load(Study& study, const PartKind& part, const Given& given) {
  if (!serves_array(study, part)) return;
  if (!given("workload.queue_depth") && study.workload.client_depths.empty())
    study.workload.queue_depth = std::min(part.dies, kDeepest);
  const bool has_length =
      given("workload.total_mib") || given("workload.overwrites") || given("workload.warm_up_overwrites");
  if (!is_generated(study) || has_length || study.generator.read_share == 1) return;
  const double whole = study.generator.request_bytes == 0 || part.page_bytes == 0
                           ? 1.0
                           : std::min(1.0, static_cast<double>(study.generator.request_bytes) / part.page_bytes);
  const double share = std::min(1.0, kMaxRequests * (1 - study.generator.read_share) * whole);
  study.workload.warm_up_overwrites = kWarmUp * share;
  study.generator.overwrites = kMeasured * share;
}

std::vector<std::string> remarks(const Study& study, const PartKind& part, const Given& given) {
  std::vector<std::string> lines;
  remark_on_other_families(study, part, given, lines);
  if (given("workload.total_mib") && study.generator.overwrites > 0 && is_generated(study)) {
    lines.push_back(fmt::format("{}has no effect in this study; workload.overwrites takes its place",
                                study.where_of("workload.total_mib")));
  }
  if (serves_array(study, part)) remark_on_window(study, part, given, lines);
  if (serves_array(study, part)) remark_on_parts_of_pages(study, part, lines);
  remark_on_dies(study, part, lines);
  return lines;
}

}  // namespace ftlab::platform
