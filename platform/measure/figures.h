// The registry of figures: every value of result.json that a run measures, with unit, sentence and kind. The document,
// its JSON Schema, `ftlab figures` and comparisons come from it. Counters come from the rows beside their structs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/counters.h"
#include "platform/files/processor_profile.h"
#include "platform/measure/run_record.h"

namespace ftlab::platform {

enum class FigureType : std::uint8_t {
  integer,
  number,
  index,  ///< a whole number that names something: no mean of it means anything
  text,
  boolean,
  numbers_by_name,
  object,
  list,
};

/// "integer", "numbers by name".
std::string_view name_of(FigureType type);

struct Figure {
  std::string path;  ///< dotted place in result.json
  std::string unit;  ///< empty: a plain number, or no number
  std::string help;  ///< one sentence, no full stop
  FigureType type = FigureType::number;
  CounterKind kind = CounterKind::flow;
  bool nullable = false;                                          ///< null where nothing is to be said
  std::function<nlohmann::ordered_json(const RunRecord&)> value;  ///< null for a figure that a run may lack: left out
  bool optional = false;
};

/// Counters of the firmware's own, by their names.
inline constexpr const char* kFirmwareFigures = "firmware.figures";

/// In the order of the document.
const std::vector<Figure>& figures();
/// The figure at the path, or the table of figures that the path is in (time.by_cause_s.host); nullptr: none.
const Figure* find_figure(std::string_view path);

}  // namespace ftlab::platform
