// So that a simulation ends with the sweep that started it.
#pragma once

namespace ftlab::platform {

/// Where the environment's FTLAB_DIE_WITH_PARENT holds the parent's process number, this process gets SIGTERM when that
/// one ends, however it does. To be called after prepare_signals(), so that SIGTERM cleans up.
void end_with_parent();

}  // namespace ftlab::platform
