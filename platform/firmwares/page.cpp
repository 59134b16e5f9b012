// The page-mapped layer in studies: its keys, what it takes unless they are given, and what a user should know.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "firmware/driver/array/config.h"
#include "firmware/volume/volume_config.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/members.h"
#include "platform/firmwares/policy_keys.h"
#include "platform/firmwares/pool_arithmetic.h"
#include "platform/firmwares/write_buffer.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfPage[] = {"ftl.selection", "ftl.frontiers"};

constexpr FormerFirmware::Key kKeysOfPagemap[] = {{"pagemap.low_water", "ftl.low_water"},
                                                  {"pagemap.data_checksum", "ftl.data_checksum"}};
constexpr FormerFirmware kFormerly[] = {
    {"pagemap", "host = \"pentium-133\", ftl.frontiers = \"host_and_cleaning\", ftl.low_water = 3", kKeysOfPagemap}};

const VolumeConfig& volume_config(const Study& study) { return study.configs.get<VolumeConfig>(); }

std::string page_title(const Study& study) {
  const bool one = volume_config(study).frontiers == VolumeConfig::Frontiers::one;
  return fmt::format("page-mapped layer, {} selection, {} write frontier{}", study.ftl.selection,
                     one ? "one" : "host and cleaning", one ? "" : "s");
}

/// Of policies that look at all segments this layer takes the selection alone.
bool is_own(const fms::PolicyFamily& family, const fms::PolicyEntry& entry) {
  if (family.key != "selection" || entry.partitioned) return false;
  return !fms::selections().find(entry.name)->listed.exists();
}

void add_page_keys(FirmwareKeys& keys) {
  keys.share_selection(selection_name);
  add_params_of<VolumeConfig>(keys, "selection");
  keys.set_former("ftl.candidates", "ftl.choices");
  keys.share_erase();
  keys.share_data_checksum();
  for (const Field<VolumeConfig>& field : volume::kPageFields) {
    keys.add(std::span(&field, 1));
    add_params_of<VolumeConfig>(keys, field.name);
  }
  add_shared_params<VolumeConfig>(keys, is_own, false);
  keys.add(kPoolSplitFields);
}

/// One that looks at all segments of a die cleans all pools together.
void set_page_defaults(Study& study, const Given& given) {
  const fms::SelectionEntry* selection = fms::selections().find(study.ftl.selection);
  if (given("ftl.pool_choice") || selection == nullptr || selection->listed.exists()) return;
  VolumeConfig& config = study.configs.edit<VolumeConfig>();
  if (volume::pools_of(config) > 1) config.pool_choice = fms::pools::together.name;
}

std::vector<PolicyText> page_policies() {
  std::vector<PolicyText> all;
  for (const std::string_view key : {"selection", "separation", "pool_choice"}) append_members(all, key);
  std::erase_if(all, [](const PolicyText& text) {
    const fms::SelectionEntry* selection = fms::selections().find(text.name);
    return text.key == "ftl.selection" && selection->partitioned;
  });
  return all;
}

void remark_on_window(const Study& study, const PartKind& part, const Given& given, std::vector<std::string>& lines) {
  const double window = static_cast<double>(*volume_config(study).params.get("window")) / 1e6;
  const std::uint32_t per_die = part.segments / part.dies;
  if (study.ftl.selection != "windowed_greedy" || window * per_die >= 2 || per_die < 2) return;
  lines.push_back(fmt::format(
      "{}{:g} of the {} segments of a die is one segment, the oldest, so that windowed_greedy cleans as lru "
      "does; from {:.4f} on it chooses",
      given("ftl.window") ? study.where_of("ftl.window") : "ftl.window, by default: ", window, per_die,
      std::ceil(2e4 / per_die) / 1e4));
}

/// Of a request as long as it is, or nothing where no page of the part holds several.
std::string advice_on_units(const Study& study, const PartKind& part) {
  const std::uint64_t unit = study.generator.request_bytes;
  const bool fits =
      unit >= part.min_unit_bytes && unit < part.page_bytes && std::has_single_bit(unit) && part.page_bytes % unit == 0;
  return fits ? fmt::format("; ftl.page_bytes = {} maps units of that size, several in a program", unit) : "";
}

void remark_on_parts_of_pages(const Study& study, const PartKind& part, std::vector<std::string>& lines) {
  const ArrayDriverConfig& driver = study.configs.get<ArrayDriverConfig>();
  const std::uint64_t page = study.ftl.page_bytes != 0 ? study.ftl.page_bytes : part.page_bytes;
  if (!study.is_generated() || page == 0 || study.generator.request_bytes % page == 0) return;
  lines.push_back(fmt::format(
      "{}requests of {} bytes write parts of pages of {} bytes; the firmware reads the rest of such a page and "
      "programs all of it (write_amplification_bytes){}{}",
      study.where_of("workload.request_bytes"), study.generator.request_bytes, page,
      !part.array || driver.suspend_programs || driver.overtaking_reads > 0
          ? ""
          : "; the read waits for the copies of its die, unless driver.overtaking_reads lets it come before them",
      advice_on_units(study, part)));
}

void remark_on_padding(const Study& study, const PartKind& part, std::vector<std::string>& lines) {
  const std::uint64_t unit = study.ftl.page_bytes != 0 ? study.ftl.page_bytes : part.page_bytes;
  const std::uint64_t program = std::uint64_t{part.page_bytes} * part.pages_at_once;
  const bool shared = unit >= part.min_unit_bytes && unit < program;
  if (!shared || !study.is_generated() || !study.workload.client_depths.empty()) return;
  const std::uint64_t request = study.generator.request_bytes == 0 ? unit : study.generator.request_bytes;
  if (volume_config(study).write_buffer >= pages_of_program(study, part)) return;
  if (study.generator.read_share == 1 || request * study.workload.queue_depth >= program) return;
  lines.push_back(fmt::format(
      "{}with {} of {} bytes in flight a program of {} bytes is not filled; the rest is padding, since a write is "
      "answered when it is on the {}{} (flash.pages_padded)",
      study.where_of(study.ftl.page_bytes != 0 ? "ftl.page_bytes" : "workload.queue_depth"),
      study.workload.queue_depth == 1 ? "one request" : fmt::format("{} requests", study.workload.queue_depth), request,
      program, part.array ? "array" : "part",
      part.array
          ? fmt::format("; ftl.write_buffer = {} or more answers it from data RAM", pages_of_program(study, part))
          : ""));
}

void remark_on_page(const Study& study, const PartKind& part, const Given& given, std::vector<std::string>& lines) {
  if (part.page_bytes == 0) return;
  if (part.dies != 0) remark_on_window(study, part, given, lines);
  remark_on_parts_of_pages(study, part, lines);
  remark_on_padding(study, part, lines);
}

std::optional<ModelledCleaning> modelled_page(const Study& study) {
  const VolumeConfig& config = volume_config(study);
  if (config.separation != "none" || config.frontiers != VolumeConfig::Frontiers::one) return std::nullopt;
  return ModelledCleaning{study.ftl.selection, static_cast<std::uint32_t>(*config.params.get("candidates"))};
}

}  // namespace

constexpr FirmwareRow page{
    .name = "page",
    .help = "page-mapped, many requests in flight, with any selection, separation and pool choice",
    .formerly = kFormerly,
    .title = page_title,
    .said = kSaidOfPage,
    .make = make_page,
    .keys = add_page_keys,
    .selection = [] { return VolumeConfig{}.selection; },
    .defaults = set_page_defaults,
    .drive_on = DriveOn::all_parts,
    .drive_defaults = set_write_buffer_of_drive<VolumeConfig>,
    .remark = remark_on_page,
    .policies = page_policies,
    .figures = page_figures,
    .default_on_arrays = true,
    .many_in_flight = true,
    .hand_over = hand_over_page,
    .comes_to_rest = true,
    .modelled = modelled_page,
    .needs_future = [](const Study& study) -> std::string_view {
      return volume_config(study).separation == "future" ? "ftl.separation" : "";
    }};

}  // namespace ftlab::platform::firmwares
