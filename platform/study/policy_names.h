// Which policies a study may name. The one place where the configuration meets the firmware's tables of policies.
#pragma once

#include <string>
#include <vector>

namespace ftlab::platform {

std::vector<std::string> selection_names();
std::vector<std::string> redistribution_names();
std::vector<std::string> update_names();
std::vector<std::string> wear_leveling_names();
std::vector<std::string> flexfs_scheme_names();
std::vector<std::string> flexfs_victim_names();
std::vector<std::string> flexfs_free_choice_names();

}  // namespace ftlab::platform
