#include "firmware/driver/onenand/bus.h"

#include <array>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

OneNandPlace OneNandLayout::place_of(SegmentId segment, std::uint32_t offset) const {
  return {.die = static_cast<std::uint16_t>(segment.value() / segments_per_die),
          .segment = static_cast<std::uint16_t>(segment.value() % segments_per_die),
          .page = static_cast<std::uint16_t>(offset / onenand::kPageBytes)};
}

bool OneNandLayout::is_lsb(const OneNandPlace& place) const {
  return place.segment >= slc_segments_per_die && onenand::paired::is_lsb(place.page);
}

void OneNandBus::selected_by_reset() {
  port_.write16(reg::kStartAddress2, 0);
  selected_ = 0;
}

void OneNandBus::select(std::uint16_t die) {
  if (die == selected_) return;
  port_.write16(reg::kStartAddress2, die != 0 ? onenand::start_address::kDie : 0);
  selected_ = die;
}

void OneNandBus::address(const OneNandPlace& place) {
  select(place.die);
  const std::uint16_t die = place.die != 0 ? onenand::start_address::kDie : 0;
  port_.write16(reg::kStartAddress1, die | place.segment);
}

void OneNandBus::address_page(const OneNandPlace& place) {
  address(place);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << onenand::start_address::kPageShift));
}

void OneNandBus::command(std::uint16_t code) { port_.write16(reg::kCommand, code); }

WaitResult OneNandBus::await(std::uint16_t bits, DriverWait how, std::uint64_t poll_ns, std::uint64_t deadline_ns) {
  const bool interrupt = how == DriverWait::interrupt;
  return port_.wait_until({.address = reg::kInterrupt,
                           .mask = bits,
                           .expected = bits,
                           .style = interrupt ? WaitStyle::ready_interrupt : WaitStyle::spin,
                           .poll_interval_ns = interrupt ? 0 : poll_ns,
                           .deadline_ns = deadline_ns});
}

WaitResult OneNandBus::await_idle() {
  return port_.wait_until({.address = reg::kControllerStatus,
                           .mask = onenand::status::kOnGo,
                           .expected = 0,
                           .style = WaitStyle::spin,
                           .poll_interval_ns = config_.program_poll_ns,
                           .deadline_ns = config_.deadline_ns});
}

bool OneNandBus::reset_core() {
  command(onenand::command::kCoreReset);
  return await(onenand::interrupt::kReset, DriverWait::poll, config_.erase_poll_ns).met;
}

bool OneNandBus::unlocked(const OneNandPlace& place) {
  address(place);
  return (port_.read16(reg::kWriteProtect) & onenand::protect::kUnlocked) != 0;
}

void OneNandBus::read_main(std::uint32_t offset, std::span<std::byte> into) {
  std::uint32_t at = onenand::area::kDataRam + offset;
  if ((at & 1U) != 0 && !into.empty()) {
    into[0] = static_cast<std::byte>(port_.read16(at - 1) >> 8);
    into = into.subspan(1);
    ++at;
  }
  const std::size_t even = into.size() & ~std::size_t{1};
  if (even != 0) port_.copy_from(at, into.first(even));
  if (even != into.size()) {
    into[even] = static_cast<std::byte>(port_.read16(at + static_cast<std::uint32_t>(even)) & 0xFFU);
  }
}

void OneNandBus::read_spare(OneNandSpare& into) { port_.copy_from(onenand::area::kDataSpare, into); }

void OneNandBus::write_main(std::span<const std::byte> from) { port_.copy_to(onenand::area::kDataRam, from); }

void OneNandBus::blank_main() {
  std::array<std::byte, onenand::kSectorBytes> blank;
  blank.fill(std::byte{0xFF});
  for (std::uint32_t sector = 0; sector < onenand::kSectorsPerPage; ++sector) {
    port_.copy_to(onenand::area::kDataRam + sector * onenand::kSectorBytes, blank);
  }
}

void OneNandBus::write_spare(const OneNandSpare& from) { port_.copy_to(onenand::area::kDataSpare, from); }

void OneNandBus::read_ecc_status(std::span<std::byte> into) { port_.copy_from(reg::kEccStatus1, into); }

}  // namespace ftlab
