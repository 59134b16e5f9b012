// The Flash Memory Server in studies: its keys, with those of its policies behind the key that chooses one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/clean/separation.h"
#include "firmware/volume/volume_config.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/members.h"
#include "platform/study/firmware_keys.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfFms[] = {"ftl.selection", "ftl.redistribution"};

std::string fms_title(const Study& study) {
  return fmt::format("Flash Memory Server, {} selection, {} redistribution", study.ftl.selection,
                     study.configs.get<FmsConfig>().redistribution);
}

std::string_view selection_name(std::size_t i) {
  return i < fms::selections().size() ? fms::selections()[i].name : std::string_view{};
}

/// A part of the configuration.
template <class Config, class Part>
struct Inside {
  Part part;
  const auto& operator()(const Study& study) const { return part(study.configs.get<Config>()); }
  auto& operator()(Study& study) const { return part(study.configs.edit<Config>()); }
};

template <class Part>
auto inside_fms(Part part) {
  return Inside<FmsConfig, Part>{part};
}

/// Keys that several policies share count when one of those is chosen.
Condition users_of(const Field<fms::SharedParams>& field) {
  Condition chosen;
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    Condition one{"ftl." + std::string(family.key), ""};
    for (const fms::PolicyEntry& entry : family.members) {
      if (entry.uses_key(field.name)) one.values += (one.values.empty() ? "" : "|") + std::string(entry.name);
    }
    if (one.values.empty()) continue;
    if (chosen.key.empty())
      chosen = one;
    else
      chosen.others.push_back(one);
  }
  return chosen;
}

void add_params_of(FirmwareKeys& keys, std::string_view key) {
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    if (family.key != key) continue;
    for (const fms::PolicyEntry& entry : family.members) {
      keys.add(entry.fields, inside_fms([&entry](auto& config) -> auto& { return config.params.of(entry); }),
               {{"ftl." + std::string(family.key), std::string(entry.name)}});
    }
  }
}

void add_fms_keys(FirmwareKeys& keys) {
  for (const Field<FmsConfig>& field : fms::kFmsFields) {
    if (field.name == "selection")
      keys.share_selection(selection_name);
    else
      keys.add(std::span(&field, 1));
    add_params_of(keys, field.name);
  }
  keys.share_erase();
  keys.share_data_checksum();
  for (const Field<fms::SharedParams>& field : fms::kSharedFields)
    keys.add(std::span(&field, 1), inside_fms([](auto& config) -> auto& { return config.shared; }), {users_of(field)});
}

/// How many segments the policy keeps open, and the keys that count with it.
std::string needs_of(const fms::PolicyEntry& entry) {
  std::string text;
  if (entry.partitioned) text += "; works on partitions, with others that do";
  if (entry.streams > 0)
    text += entry.streams == 1 ? "; 1 open segment" : fmt::format("; {} open segments", entry.streams);
  std::vector<std::string> keys;
  for (const Field<fms::ParamBlock>& field : entry.fields) keys.push_back("ftl." + std::string(field.name));
  for (const std::string_view key : entry.uses) keys.push_back("ftl." + std::string(key));
  if (!keys.empty()) text += fmt::format("; keys {}", fmt::join(keys, ", "));
  return text;
}

std::vector<PolicyText> fms_policies() {
  std::vector<PolicyText> all;
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    for (const fms::PolicyEntry& entry : family.members)
      all.push_back({"ftl." + std::string(family.key), entry.name, std::string(entry.help) + needs_of(entry)});
  }
  for (const volume::SeparationEntry& entry : volume::separations())
    all.push_back({"ftl.separation", entry.name, std::string(entry.help)});
  return all;
}

/// Partitions leave no segments for read-only data alone; what separates pages leaves redistributions their order.
void set_defaults(Study& study, const Given& given) {
  FmsConfig& config = study.configs.edit<FmsConfig>();
  if (config.separation != "none" && !given("ftl.redistribution")) config.redistribution = "sequential";
  const fms::TriggerEntry* trigger = fms::triggers().find(config.trigger);
  if (trigger != nullptr && trigger->partitioned && !given("ftl.read_only")) config.read_only_placement = "mixed";
}

void set_array_defaults(Study& study, const Given& given) {
  fms::PolicyParams& params = study.configs.edit<FmsConfig>().params;
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    for (const fms::PolicyEntry& entry : family.members) {
      for (const Field<fms::ParamBlock>& field : entry.fields) {
        if (field.on_arrays && !given("ftl." + std::string(field.name))) field.set(params.of(entry), *field.on_arrays);
      }
    }
  }
}

void check_fms(const spec::TomlFile& file, const Study& study) {
  const FmsConfig& config = study.configs.get<FmsConfig>();
  if (&firmware_of(study) != &fms || config.high_water >= config.low_water) return;
  throw InputError(fmt::format("{}high_water {} is below low_water {}; raise ftl.high_water to at least {}",
                               file.where(file.has("ftl.high_water") ? "ftl.high_water" : "ftl.low_water"),
                               config.high_water, config.low_water, config.low_water));
}

void remark_on_marks(const Study& study, const PartKind&, const Given& given, std::vector<std::string>& lines) {
  FmsConfig config = study.configs.get<FmsConfig>();
  config.selection = study.ftl.selection;
  const fms::PolicyChoice choice = fms::choice_of(config);
  // Another trigger does otherwise with marks below that, too.
  if (config.trigger != "watermark" || !choice.chosen.complete()) return;
  VolumeConfig page;
  page.policies = &choice;
  const std::uint32_t least = volume::reserve_of(page);
  for (const auto& [key, mark] :
       {std::pair{"ftl.low_water", config.low_water}, {"ftl.high_water", config.high_water}}) {
    if (!given(key) || mark >= least) continue;
    lines.push_back(fmt::format("{}{} acts as {}: copies of one victim may fill {}, and one more is kept free",
                                study.where_of(key), mark, least, least - 1));
  }
}

}  // namespace

constexpr FirmwareRow fms{.name = "fms",
                          .help = "the Flash Memory Server",
                          .title = fms_title,
                          .said = kSaidOfFms,
                          .make = make_fms,
                          .keys = add_fms_keys,
                          .selection = [] { return FmsConfig{}.selection; },
                          .defaults = set_defaults,
                          .drive_on = DriveOn::arrays,
                          .array_defaults = set_array_defaults,
                          .check = check_fms,
                          .remark = remark_on_marks,
                          .policies = fms_policies,
                          .figures = separation_figures,
                          .many_in_flight = true,
                          .on_core = true,
                          .needs_future = [](const Study& study) -> std::string_view {
                            return study.configs.get<FmsConfig>().separation == "future" ? "ftl.separation" : "";
                          }};

}  // namespace ftlab::platform::firmwares
