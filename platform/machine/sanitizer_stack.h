// Where the address sanitizer takes the main thread's stack to be. Does nothing in other builds.
#pragma once

namespace ftlab::platform {

/// To be called on the main stack when sc_start has returned: the kernel switches back to it without saying so, and
/// what is thrown from then on would be checked against the stack of the coroutine that ran last.
void name_main_stack();

}  // namespace ftlab::platform
