#include "firmware/ftl/fms/fms_on_dies.h"

#include "firmware/policy/die_geometry.h"

namespace ftlab::fms {

const char* check_on_dies(const FmsConfig& config, const ArrayGeometry& array) {
  if (config.data_checksum)
    return "data_checksum is for NOR parts: an array corrects and detects bit errors itself; leave it out";
  if (config.low_water == 0 || config.high_water == 0) return "low_water and high_water must be at least 1";
  return check_policies(config, die_geometry(array), {});
}

}  // namespace ftlab::fms
