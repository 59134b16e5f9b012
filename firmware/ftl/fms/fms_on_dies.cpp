#include "firmware/ftl/fms/fms_on_dies.h"

#include "firmware/policy/die_geometry.h"

namespace ftlab::fms {

const char* check_on_dies(const FmsConfig& config, const ArrayGeometry& array) {
  if (config.clean_at_once != 1)
    return "clean_at_once above 1 is for parts that are served one request at a time: each die of an array cleans one "
           "segment, and as many at once as there are dies; use 1";
  if (config.age_clock == FmsConfig::AgeClock::time)
    return "age_clock = \"time\" needs stamps of time beside each page, and an array has no room for them: use "
           "\"writes\"";
  if (config.idle_cleaning)
    return "idle_cleaning is not for arrays, whose dies clean beside the host's requests; leave it out, or raise "
           "ftl.high_water";
  if (config.data_checksum)
    return "data_checksum is for NOR parts: an array corrects and detects bit errors itself; leave it out";
  if (config.low_water == 0 || config.high_water == 0) return "low_water and high_water must be at least 1";
  return check_policies(config, die_geometry(array), {});
}

}  // namespace ftlab::fms
