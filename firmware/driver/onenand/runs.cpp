// Pages in a run: programs that overlap with the next transfer, loads that overlap with the transfer before.
#include "firmware/driver/onenand/sequences.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

PartStatus OneNandSequences::program_in_run(const OneNandPlace& place, bool last, bool& previous_failed) {
  bus_.address_page(place);
  bus_.command(last ? onenand::command::kProgram : onenand::command::kCacheProgram);
  previous_failed = false;
  if (!await(OneNandWork::program, config_.deadline_ns).met) return give_up();
  const std::uint16_t status = bus_.read16(reg::kControllerStatus);
  if ((status & onenand::status::kError) == 0) return PartStatus::ok;

  previous_failed = (status & onenand::status::kPreviousCacheFail) != 0;
  const WaitResult idle = bus_.await_idle();
  if (!idle.met) return give_up();
  // This page went into a segment that had just failed: it is not trusted whatever the status says of it.
  if (previous_failed) return PartStatus::program_failed;
  // Refused at once while the page before was in the array: what ended there is that one.
  if ((status & onenand::status::kOnGo) != 0) {
    previous_failed = (idle.value & onenand::status::kCurrentCacheFail) != 0;
  }
  return refusal(place, PartStatus::program_failed);
}

void OneNandSequences::start_superload(const OneNandPlace& next) {
  bus_.address_page(next);
  bus_.command(onenand::command::kSuperload);
}

OneNandResult OneNandSequences::wait_superload() {
  if (!await(OneNandWork::load, config_.deadline_ns).met) return {.status = give_up()};
  return judge_load();
}

}  // namespace ftlab
