// The Flash Memory Server in studies: its keys, with those of its policies behind the key that chooses one.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/volume_config.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/members.h"
#include "platform/firmwares/policy_keys.h"
#include "platform/firmwares/pool_arithmetic.h"
#include "platform/firmwares/write_buffer.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfFms[] = {"ftl.selection", "ftl.redistribution"};

std::string fms_title(const Study& study) {
  return fmt::format("Flash Memory Server, {} selection, {} redistribution", study.ftl.selection,
                     study.configs.get<FmsConfig>().redistribution);
}

void add_fms_keys(FirmwareKeys& keys) {
  for (const Field<FmsConfig>& field : fms::kFmsFields) {
    if (field.name == "selection")
      keys.share_selection(selection_name);
    else
      keys.add(std::span(&field, 1));
    add_params_of<FmsConfig>(keys, field.name);
  }
  keys.share_erase();
  keys.share_data_checksum();
  add_shared_params<FmsConfig>(
      keys, [](const fms::PolicyFamily&, const fms::PolicyEntry&) { return true; }, true);
  keys.add(kPoolSplitFields);
}

std::vector<PolicyText> fms_policies() {
  std::vector<PolicyText> all;
  for (const fms::PolicyFamily& family : fms::policy_families()) append_members(all, family.key);
  return all;
}

/// Partitions and pools leave no segments for read-only data alone; what separates pages leaves redistributions their
/// order. Selections look at all segments of a die, unless a pool choice is given.
void set_defaults(Study& study, const Given& given) {
  FmsConfig& config = study.configs.edit<FmsConfig>();
  if (config.separation != "none" && !given("ftl.redistribution")) config.redistribution = "sequential";
  if (fms::cleans_by_pools(config) && !given("ftl.pool_choice")) config.pool_choice = fms::pools::together.name;
  const fms::TriggerEntry* trigger = fms::triggers().find(config.trigger);
  const bool parted = (trigger != nullptr && trigger->partitioned) || fms::cleans_by_pools(config);
  if (parted && !given("ftl.read_only")) config.read_only_placement = "mixed";
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
                          .drive_defaults = set_write_buffer_of_drive<FmsConfig>,
                          .check = check_fms,
                          .remark = remark_on_marks,
                          .policies = fms_policies,
                          .figures = separation_figures,
                          .many_in_flight = true,
                          .hand_over = hand_over_fms,
                          .needs_future = [](const Study& study) -> std::string_view {
                            return study.configs.get<FmsConfig>().separation == "future" ? "ftl.separation" : "";
                          }};

}  // namespace ftlab::platform::firmwares
