// How a run says how far it is.
#pragma once

#include <functional>

namespace ftlab::platform {

/// Reports how far a run is, 0..1.
using ProgressFn = std::function<void(double share)>;

}  // namespace ftlab::platform
