// FlexFS in studies: its keys, and the rules between them.
#include <fmt/format.h>

#include "common/input_error.h"
#include "firmware/ftl/flexfs/decide/victims.h"
#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/members.h"
#include "platform/study/firmware_keys.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfFlexFs[] = {"flexfs.scheme", "flexfs.wear_management"};

std::string flexfs_title(const Study& study) {
  const FlexFsConfig& config = study.configs.get<FlexFsConfig>();
  return fmt::format("FlexFS, scheme {}{}", config.scheme, config.wear_management ? " with wear management" : "");
}

std::vector<PolicyText> flexfs_policies() {
  std::vector<PolicyText> all;
  append_policies(all, "flexfs.scheme", flexfs::schemes());
  append_policies(all, "flexfs.migration_victim", flexfs::migration_victims());
  append_policies(all, "flexfs.free_choice", flexfs::free_choices());
  return all;
}

/// The firmware counts microjoules: a budget that is less than one would be none.
void check_budget(const spec::TomlFile& file, const FlexFsConfig& config) {
  constexpr double kMinEnergyBudget = 0.001;  // mJ/MiB
  constexpr const char* kBudget = "flexfs.energy_budget_mj_per_mib";
  const double budget = file.has(kBudget) ? file.get_number(kBudget, 0, 1e6, {"mJ/MiB", "1mJ/MiB"}) : 0;
  if (config.energy_budget_uj_per_mib != 0 || budget <= 0) return;
  throw InputError(file.where(kBudget) +
                   fmt::format("{:g} is below the least budget, {:g}; use 0 for no budget", budget, kMinEnergyBudget));
}

void check_flexfs(const spec::TomlFile& file, const Study& study) {
  const FlexFsConfig& config = study.configs.get<FlexFsConfig>();
  check_budget(file, config);
  if (&firmware_of(study) != &flexfs || config.wear_window_ns <= config.lifetime_ns) return;
  const double lifetime = static_cast<double>(config.lifetime_ns) * 1e-9;
  throw InputError(
      file.where(file.has("flexfs.wear_window_s") ? "flexfs.wear_window_s" : "flexfs.lifetime_s") +
      fmt::format(
          "wear_window_s {:.12g} is longer than lifetime_s {:.12g}; use at most {:.12g} for flexfs.wear_window_s",
          static_cast<double>(config.wear_window_ns) * 1e-9, lifetime, lifetime));
}

}  // namespace

constexpr FirmwareRow flexfs{
    .name = "flexfs",
    .help = "SLC and MLC regions in one device (NAND parts with paired pages, arrays of one die)",
    .title = flexfs_title,
    .said = kSaidOfFlexFs,
    .make = make_flexfs,
    .table = {"flexfs", "FlexFS, used with ftl.firmware = \"flexfs\""},
    .keys = [](FirmwareKeys& keys) { keys.add(flexfs::kFlexFsFields); },
    .drive_on = DriveOn::arrays,
    .check = check_flexfs,
    .policies = flexfs_policies,
    .figures = [] { return texts_of(flexfs::kFlexFsCounters); },
    .hand_over = hand_over_flexfs,
    .scenarios_take_all = true};

}  // namespace ftlab::platform::firmwares
