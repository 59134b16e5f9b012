#include "platform/measure/model_beside.h"

#include "common/input_error.h"
#include "platform/analytic/model.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform {
namespace {

/// Which model is of which policy and workload.
struct Covered {
  std::string_view selection;
  std::string_view workload;
  std::string_view model;
};

constexpr Covered kCovered[] = {
    {"lru", "uniform", "lru"},
    {"lru", "hot_cold", "lru_hotcold"},
    {"lru", "classes", "lru_classes"},
    {"greedy", "uniform", "greedy_exact"},
    {"greedy", "hot_cold", "greedy_hotcold"},
    {"d_choices", "uniform", "d_choices"},
};

std::string_view covering(std::string_view selection, const Study& study) {
  for (const Covered& c : kCovered) {
    if (c.selection == selection && c.workload == study.workload.kind) return c.model;
  }
  return {};
}

/// Whether the host's writes are what all of the models assume: pages, drawn from all of the data.
bool draws_pages(const Study& study, std::uint32_t page_bytes) {
  const workloads::GeneratorConfig& g = study.generator;
  const bool pages = g.request_bytes == 0 || g.request_bytes == page_bytes;
  return pages && g.read_share < 1 && g.read_only_share == 0 && study.workload.fill;
}

/// With the data that no class covers as one that is never written.
void set_classes(analytic::Inputs& inputs, const workloads::GeneratorConfig& g) {
  constexpr double kRounding = 1e-9;
  inputs.access = g.class_access;
  inputs.data = g.class_data;
  double rest = 1;
  for (const double share : g.class_data) rest -= share;
  if (rest <= kRounding) return;
  inputs.access.push_back(0);
  inputs.data.push_back(rest);
}

}  // namespace

std::optional<ModelBeside> model_beside(const Study& study, const PageSpace& space) {
  const auto modelled = firmware_of(study).modelled;
  const std::optional<ModelledCleaning> cleaning = modelled != nullptr ? modelled(study) : std::nullopt;
  if (!cleaning) return std::nullopt;
  if (space.usable_pages <= space.logical_pages || !draws_pages(study, space.page_bytes)) return std::nullopt;
  const analytic::Model* model = analytic::find_model(covering(cleaning->selection, study));
  if (model == nullptr) return std::nullopt;
  analytic::Inputs inputs{
      .spare_factor = 1 - static_cast<double>(space.logical_pages) / static_cast<double>(space.usable_pages),
      .pages_per_segment = space.pages_per_segment,
      .d = cleaning->candidates};
  if (study.workload.kind == "hot_cold") {
    inputs.access = {study.generator.hot_access, 1 - study.generator.hot_access};
    inputs.data = {study.generator.hot_data, 1 - study.generator.hot_data};
  } else if (study.workload.kind == "classes") {
    set_classes(inputs, study.generator);
  }
  try {
    return ModelBeside{model->name, analytic::evaluate(*model, inputs).value};
  } catch (const InputError&) {
    return std::nullopt;  // outside its domain
  }
}

}  // namespace ftlab::platform
