// What the figures of an experiment owe to values that the papers leave open: one value at a time, 20 % less and more.
// Knows rows and cells; nothing of what is simulated.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/unpublished_parameters.h"

namespace ftlab::platform {

/// Settings on top of all runs of an experiment.
struct Change {
  std::string label;  ///< for progress; empty: none
  std::vector<Setting> settings;
};

/// For runs whose documents nobody keeps: no figure depends on what pages hold, and they are half again as fast.
inline const Setting kNoContent{"platform.store_content", "false", "reproduce"};

/// The rows of an experiment (make_row) under each of the changes, simulated together.
using RowsUnder = std::function<std::vector<nlohmann::ordered_json>(ExperimentContext&, const std::vector<Change>&)>;

/// The part "sensitivity" of an experiment (docs/results.md). With more than one seed, the first decides which changes
/// move a figure at the decimals shown; these alone run with all seeds. Null when the context does not vary.
nlohmann::ordered_json sensitivity_of(ExperimentContext& context, const ExperimentFrame& frame,
                                      const std::vector<UnpublishedParameter>& values, const RowsUnder& rows_under);

}  // namespace ftlab::platform
