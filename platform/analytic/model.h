// Analytic models of write amplification: what a simulated run can be held against, and what sizes a firmware's pools.
// Desnoyers, Analytic Modeling of SSD Write Performance, SYSTOR 2012, with its misprints mended (docs/models.md), and
// two mean-field models beside it. Knows no run, no firmware, no file.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "platform/analytic/inputs.h"

namespace ftlab::analytic {

/// An intermediate quantity of a model.
struct Detail {
  std::string_view name;
  std::string_view help;       ///< no full stop
  std::vector<double> values;  ///< one, or one for each class
  bool per_class = false;
};

struct Result {
  double value = 0;
  std::vector<Detail> details{};

  /// The values of a detail that the model has; another name is a broken contract (std::logic_error).
  [[nodiscard]] const std::vector<double>& detail(std::string_view name) const;
};

/// A model is a file in models/ and a line in its members.inc.
struct Model {
  std::string_view name;
  std::string_view help;  ///< one sentence with the equations, no full stop
  std::span<const InputRow* const> needs;
  Result (*evaluate)(const Inputs&);  ///< of inputs that are checked; throws InputError outside the model's domain
  std::size_t classes = 0;            ///< how many its lists have; 0: any number
  std::string_view value = "write amplification";  ///< what the value is
};

std::span<const Model* const> models();

/// nullptr when there is none of that name.
const Model* find_model(std::string_view name);

/// Checks what the model needs of the inputs, and no more. Throws InputError "KEY: what is wrong; how to mend it" for
/// every input outside its domain.
Result evaluate(const Model& model, const Inputs& inputs);

}  // namespace ftlab::analytic
