// Pages in a run: programs that overlap with the next transfer, loads that overlap with the transfer before.
#include "firmware/driver/onenand/sequences.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

FlashStatus OneNandSequences::program_in_run(const OneNandPlace& place, bool last, bool& previous_failed) {
  address(place);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << onenand::start_address::kPageShift));
  command(last ? onenand::command::kProgram : onenand::command::kCacheProgram);
  previous_failed = false;
  if (!await_program().met) return give_up();
  const std::uint16_t status = port_.read16(reg::kControllerStatus);
  if ((status & onenand::status::kError) == 0) return FlashStatus::ok;

  previous_failed = (status & onenand::status::kPreviousCacheFail) != 0;
  const WaitResult idle = port_.wait_until({.address = reg::kControllerStatus,
                                            .mask = onenand::status::kOnGo,
                                            .expected = 0,
                                            .style = WaitStyle::spin,
                                            .poll_interval_ns = config_.program_poll_ns,
                                            .deadline_ns = config_.deadline_ns});
  if (!idle.met) return give_up();
  // This page went into a segment that had just failed: it is not trusted whatever the status says of it.
  if (previous_failed) return FlashStatus::program_failed;
  // Refused at once while the page before was in the array: what ended there is that one.
  if ((status & onenand::status::kOnGo) != 0) {
    previous_failed = (idle.value & onenand::status::kCurrentCacheFail) != 0;
  }
  return refusal(place, FlashStatus::program_failed);
}

bool OneNandSequences::unlocked(const OneNandPlace& place) {
  address(place);
  return (port_.read16(reg::kWriteProtect) & onenand::protect::kUnlocked) != 0;
}

void OneNandSequences::start_superload(const OneNandPlace& next) {
  address(next);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(next.page << onenand::start_address::kPageShift));
  command(onenand::command::kSuperload);
}

OneNandResult OneNandSequences::wait_superload() {
  if (!await(onenand::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met) return {.status = give_up()};
  return judge_load();
}

}  // namespace ftlab
