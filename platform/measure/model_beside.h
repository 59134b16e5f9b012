// The analytic model that covers a run, for its result to be held against. Chooses and asks; computes nothing itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "platform/study/study.h"

namespace ftlab::platform {

struct ModelBeside {
  std::string_view name;  ///< as in `ftlab model`
  double value = 0;       ///< its write amplification
};

/// The space that results when a run is set up.
struct PageSpace {
  std::uint64_t logical_pages = 0;
  std::uint64_t usable_pages = 0;  ///< T in pages; 0: the firmware has no such space
  std::uint32_t pages_per_segment = 0;
  std::uint32_t page_bytes = 0;  ///< a study may leave it to the part
};

/// None for firmwares, policies and workloads without a model, for requests of other sizes than a page, and outside a
/// model's domain.
std::optional<ModelBeside> model_beside(const Study& study, const PageSpace& space);

}  // namespace ftlab::platform
