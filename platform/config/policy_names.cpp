// Names equal the file names of the policies in firmware.
#include "platform/config/policy_names.h"

namespace ftlab::platform {

std::vector<std::string> selection_names() { return {"greedy", "cost_benefit", "cat"}; }
std::vector<std::string> redistribution_names() { return {"sequential", "segment_based", "fine_grained"}; }
std::vector<std::string> update_names() { return {"out_of_place"}; }
std::vector<std::string> wear_leveling_names() { return {"none", "swap"}; }

}  // namespace ftlab::platform
