// Classes of a trace's pages, and what the analytic models make of them (Desnoyers, section 4.3). Knows how classes
// become inputs; counting and models are elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/analytic/model.h"
#include "workloads/traces/access_classes.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform::cli {

struct Prediction {
  std::string model;
  std::size_t classes = 0;
  std::optional<double> value{};
  std::string refused{};  ///< why there is no value
};

struct TraceClasses {
  workloads::TraceInfo info;
  std::uint64_t data_pages = 0;  ///< pages written, or more: the others are a class that is never written
  analytic::Inputs inputs;       ///< without classes
  std::vector<workloads::AccessClass> classes;
  std::vector<Prediction> predictions;
};

/// The page writes in `quantiles`, and the models' answers. The trace writes something, and not to more pages than
/// there are.
TraceClasses predict(workloads::TraceInfo info, std::uint32_t quantiles, std::uint64_t data_pages,
                     const analytic::Inputs& inputs);

std::string trace_classes_text(const TraceClasses& found);
/// One object, stable keys (docs/workloads.md).
std::string trace_classes_json(const TraceClasses& found);

}  // namespace ftlab::platform::cli
