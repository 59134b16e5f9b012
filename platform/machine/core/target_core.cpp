#include "platform/machine/core/target_core.h"

namespace ftlab::platform {

TargetCore::Answer TargetCore::call(std::uint32_t function, const std::vector<std::uint32_t>& arguments,
                                    std::uint32_t stack_top, std::uint32_t returns_to) {
  constexpr std::uint64_t kLongest = 2'000'000'000;
  const CallRegisters registers = call_registers();
  reset();
  iss::Core& core = iss_core();
  core.set_reg(registers.stack_pointer, stack_top);
  core.set_reg(registers.return_address, returns_to | registers.instruction_mark);
  for (unsigned i = 0; i < arguments.size(); ++i) core.set_reg(registers.first_argument + i, arguments[i]);
  core.set_pc(function & ~registers.instruction_mark);
  const iss::CoreStop stop = core.run(kLongest);
  return {stop.reason == iss::StopReason::breakpoint && stop.pc == returns_to, core.reg(registers.first_argument)};
}

std::unique_ptr<TargetCore> make_core(iss::ElfMachine machine, const std::vector<iss::MemoryRegion>& regions,
                                      const CoreTiming& timing, iss::Bus& bus) {
  return machine == iss::ElfMachine::riscv ? make_riscv_core(regions, timing, bus)
                                           : make_arm_core(regions, timing, bus);
}

}  // namespace ftlab::platform
