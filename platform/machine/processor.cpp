#include "platform/machine/processor.h"

#include <utility>

namespace ftlab::platform {

Processor::Processor(sc_core::sc_module_name name, std::function<void()> program)
    : sc_module(name), program_(std::move(program)) {
  SC_HAS_PROCESS(Processor);
  SC_THREAD(thread);
}

void Processor::thread() {
  try {
    program_();
    synchronise();
    program_has_ended();
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel ends the thread this way
  } catch (const std::exception&) {
    error_ = std::current_exception();
  }
  sc_core::sc_stop();
}

void Processor::rethrow_error() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace ftlab::platform
