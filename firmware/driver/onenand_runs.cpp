// Pages in a run: programs that overlap with the next transfer, loads that overlap with the transfer before.
#include "firmware/driver/onenand_sequences.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace regs = hw::flexonenand;
namespace reg = hw::flexonenand::reg;
namespace code = hw::flexonenand::command;

FlashStatus OneNandSequences::cache_program(const OneNandPlace& place, bool& previous_failed) {
  address(place);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << regs::start_address::kPageShift));
  command(code::kCacheProgram);
  if (!await_program().met) return give_up();
  previous_failed = (port_.read16(reg::kControllerStatus) & regs::status::kPreviousCacheFail) != 0;
  return FlashStatus::ok;
}

FlashStatus OneNandSequences::last_program(const OneNandPlace& place, bool& previous_failed) {
  address(place);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << regs::start_address::kPageShift));
  command(code::kProgram);
  if (!await_program().met) return give_up();
  const std::uint16_t status = port_.read16(reg::kControllerStatus);
  previous_failed = (status & regs::status::kPreviousCacheFail) != 0;
  const bool failed =
      (status & regs::status::kError) != 0 && ((status & regs::status::kCurrentCacheFail) != 0 || !previous_failed);
  if (!failed) return FlashStatus::ok;
  return refusal(place, FlashStatus::program_failed);
}

FlashStatus OneNandSequences::end_cache_run(const OneNandPlace& place) {
  select(place.die);
  const WaitResult idle = port_.wait_until({.address = reg::kControllerStatus,
                                            .mask = regs::status::kOnGo,
                                            .expected = 0,
                                            .style = WaitStyle::spin,
                                            .poll_interval_ns = config_.program_poll_ns,
                                            .deadline_ns = config_.deadline_ns});
  if (!idle.met) return give_up();
  return (idle.value & regs::status::kCurrentCacheFail) != 0 ? FlashStatus::program_failed : FlashStatus::ok;
}

void OneNandSequences::start_superload(const OneNandPlace& next) {
  address(next);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(next.page << regs::start_address::kPageShift));
  command(code::kSuperload);
}

OneNandResult OneNandSequences::wait_superload() {
  if (!await(regs::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met) return {.status = give_up()};
  return judge_load();
}

}  // namespace ftlab
