// Values that the papers leave open, as settings that change them by 20 %. Knows where each kind is marked: keys of the
// study by Param::unpublished, numbers of a host, part or scenario by `estimate` and `fitted`, of a scenario by
// "free:".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// What a value is changed to, for people ("704 us"), and the settings that do it.
struct ParameterVariant {
  std::string text;
  std::vector<Setting> settings;
};

struct UnpublishedParameter {
  std::string name;                        ///< "flexfs.hot_files", "host work.page_write", "scenario bursts.file"
  std::string used;                        ///< for people: "880 us"; "as given" when several numbers change together
  std::vector<ParameterVariant> variants;  ///< 20 % less and more; of switches and names every other choice
};

/// Unpublished keys of a table of the study ("flexfs"), from their values in `base`. Whole numbers are rounded away
/// from the value, and what the key's range forbids is left out; a value without variants is not listed.
std::vector<UnpublishedParameter> unpublished_keys(const Study& base, std::string_view table);

/// Fitted and judged numbers of the base's host.
std::vector<UnpublishedParameter> host_values(const Study& base);

/// Fitted and judged numbers below a table of the base's part ("power").
std::vector<UnpublishedParameter> part_values(const Study& base, std::string_view table);

/// Unpublished, fitted and judged numbers of the base's scenario, counts and bytes rounded to whole ones. Unpublished
/// ones of one name in several of its tables are one value: they change together.
std::vector<UnpublishedParameter> scenario_values(const Study& base);

/// One value after the other.
std::vector<UnpublishedParameter> joined(std::vector<std::vector<UnpublishedParameter>> lists);

}  // namespace ftlab::platform
