#include "platform/analytic/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/input_error.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic {
namespace {

#define FTLAB_MEMBER(name) &members::name,
constexpr const Model* kModels[] = {
#include "platform/analytic/models/members.inc"
};
#undef FTLAB_MEMBER

}  // namespace

const std::vector<double>& Result::detail(std::string_view name) const {
  const auto found = std::ranges::find(details, name, &Detail::name);
  if (found == details.end()) throw std::logic_error("the model has no detail " + std::string(name));
  return found->values;
}

std::span<const Model* const> models() { return kModels; }

const Model* find_model(std::string_view name) {
  const auto* const found = std::ranges::find(kModels, name, &Model::name);
  return found == std::end(kModels) ? nullptr : *found;
}

Result evaluate(const Model& model, const Inputs& inputs) {
  const Inputs good = checked(inputs, model.needs);
  if (model.classes != 0 && good.data.size() != model.classes) {
    throw InputError(fmt::format("{}: {} takes {} classes, not {}; give as many, or use a model of any number",
                                 kData.name, model.name, model.classes, good.data.size()));
  }
  return model.evaluate(good);
}

}  // namespace ftlab::analytic
