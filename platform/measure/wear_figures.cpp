#include "platform/measure/wear_figures.h"

#include <utility>

#include "platform/measure/figure_sections.h"

namespace ftlab::platform {

void append_wear_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* name, const char* unit, FigureType type, const char* help) {
    out.push_back({std::string("wear.") + name, unit, help, type, CounterKind::state, false,
                   [name](const RunRecord& r) { return wear_section(r).at(name); }, false});
  };
  add("mean", "erasures", number, "mean erase count of a segment");
  add("stddev", "erasures", number, "sample standard deviation of the erase counts");
  add("min", "erasures", integer, "lowest erase count");
  add("max", "erasures", integer, "highest erase count");
  add("hottest", "", index, "segment with the most erasures");
  add("coldest", "", index, "segment with the fewest erasures");
  out.push_back(
      {"wear.data_segments", "", "the same of the segments that carry data, where the firmware knows them", object,
       CounterKind::state, false,
       [](const RunRecord& r) { return r.counted ? wear_section(r).at("data_segments") : nlohmann::ordered_json(); },
       true});
  add("erase_counts", "erasures", list, "erase count of each segment in address order");
}

}  // namespace ftlab::platform
