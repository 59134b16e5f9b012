// Calls, power losses and faults in any order: the FMS on NOR.
#include "tests/fuzz/firmware/session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ftlab::fuzz::run_session<ftlab::fuzz::FmsOnNor>(data, size);
}
