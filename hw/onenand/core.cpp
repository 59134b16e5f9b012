// The device put together from its parts; inspection.
#include "hw/onenand/core.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "hw/base/energy.h"
#include "hw/onenand/bus/bus_meter.h"
#include "hw/onenand/bus/control.h"
#include "hw/onenand/bus/window.h"
#include "hw/onenand/commands/dies.h"
#include "hw/onenand/context.h"
#include "hw/onenand/image/image.h"

namespace ftlab::hw {

namespace regs = flexonenand;

struct OneNandCore::Parts {
  /// On cells that another device may have had.
  Parts(const OneNandSpec& spec, const DeviceOptions& chosen, CellArray cells)
      : options(chosen),
        device(spec, chosen, std::move(cells)),
        meter(device.spec, options.observe_accesses ? options.observer : nullptr),
        dies(device),
        control(device, meter, dies),
        window(device, meter, dies, control) {}

  [[nodiscard]] bool drives_int() const {
    return control.answers() && (device.registers.config & regs::config::kOutputsOn) != 0;
  }

  DeviceOptions options;
  OneNandContext device;
  BusMeter meter;
  Dies dies;
  OneNandControl control;
  OneNandWindow window;
};

OneNandCore::OneNandCore(const OneNandSpec& spec, const DeviceOptions& options)
    : parts_(std::make_unique<Parts>(spec, options, CellArray(spec, options.seed, options.store_content))),
      windows_{&parts_->window} {}

OneNandCore::~OneNandCore() = default;

void OneNandCore::renew() {
  const OneNandSpec spec = parts_->device.spec;
  const DeviceOptions options = parts_->options;
  CellArray cells = std::move(parts_->device.cells);
  cells.renew();
  // In place: what was handed out of it stays where it is.
  std::destroy_at(parts_.get());
  std::construct_at(parts_.get(), spec, options, std::move(cells));
}

AddressWindow& OneNandCore::bus() { return parts_->window; }

bool OneNandCore::line_level(Ticks now) const {
  if (!parts_->drives_int()) return false;
  const Die& die = parts_->dies.host();
  const bool active = (die.interrupt() & regs::interrupt::kInt) != 0 || die.interrupt_at() <= now;
  return active == ((parts_->device.registers.config & regs::config::kInterruptHigh) != 0);
}

Ticks OneNandCore::next_ready_edge(Ticks now) const {
  const Die& die = parts_->dies.host();
  if (!parts_->drives_int() || (die.interrupt() & regs::interrupt::kInt) != 0) return kNever;
  return die.interrupt_at() > now ? die.interrupt_at() : kNever;
}

Ticks OneNandCore::next_status_change(Ticks now) const {
  Ticks next = kNever;
  for (const auto& die : parts_->dies) next = std::min(next, die->next_event(now));
  return next;
}

void OneNandCore::advance_to(Ticks now) { parts_->dies.advance_to(now); }

void OneNandCore::reset_pin(Ticks now, bool asserted) {
  advance_to(now);
  parts_->control.reset_pin(now, asserted);
}

void OneNandCore::lose_power(Ticks now) {
  advance_to(now);
  parts_->control.lose_power(now);
}

void OneNandCore::restore_power(Ticks now) { parts_->control.restore_power(now); }

const AccessTotals& OneNandCore::access_totals() const { return parts_->meter.totals(); }

StateEnergy OneNandCore::state_energy(Ticks until) const {
  return {long_energy_of(spec().power.standby_nw * spec().dies, parts_->control.powered_time(until)), {}, {}};
}

const OneNandSpec& OneNandCore::spec() const { return parts_->device.spec; }

std::uint32_t OneNandCore::erase_count(std::uint32_t segment) const { return parts_->device.cells.at(segment).cycles; }

std::uint32_t OneNandCore::endurance_limit(std::uint32_t segment) const {
  return parts_->device.aging.limit(parts_->device.cells.at(segment), parts_->dies.is_slc(segment));
}

bool OneNandCore::is_factory_bad(std::uint32_t segment) const { return parts_->device.cells.at(segment).bad; }

bool OneNandCore::is_bad(std::uint32_t segment) const {
  return parts_->device.cells.at(segment).bad || parts_->device.cells.at(segment).worn;
}

bool OneNandCore::is_slc(std::uint32_t segment) const { return parts_->dies.is_slc(segment); }

bool OneNandCore::locked(std::uint32_t segment) const {
  return parts_->dies.of_segment(segment).protection().state(segment % spec().segments_per_die) !=
         regs::protect::kUnlocked;
}

std::uint32_t OneNandCore::boundary(std::uint32_t die) const { return parts_->dies.at(die).protection().boundary(); }

bool OneNandCore::is_programmed(std::uint32_t segment, std::uint32_t page) const {
  return parts_->device.cells.at(segment).flags(page) != 0;
}

std::array<std::uint8_t, 8> OneNandCore::page_errors(std::uint32_t segment, std::uint32_t page, Ticks now) const {
  return parts_->device.errors.errors(parts_->device.cells, segment, page, parts_->dies.is_slc(segment), false, now)
      .bits;
}

double OneNandCore::bit_error_rate(std::uint32_t segment, std::uint32_t page, Ticks now) const {
  if (!is_programmed(segment, page)) return 0;
  return parts_->device.errors.rate(parts_->device.cells.at(segment), page, parts_->dies.is_slc(segment), now);
}

void OneNandCore::peek(std::uint64_t address, std::span<std::byte> into) const {
  PageBytes page;
  while (!into.empty()) {
    const auto index = static_cast<std::uint32_t>(address / regs::kPageBytes);
    const std::size_t offset = address % regs::kPageBytes;
    const std::size_t n = std::min(into.size(), regs::kPageBytes - offset);
    parts_->device.cells.read(index / OneNandSpec::kPagesPerSegment, index % OneNandSpec::kPagesPerSegment, page.main,
                              page.spare);
    std::memcpy(into.data(), &page.main[offset], n);
    into = into.subspan(n);
    address += n;
  }
}

void OneNandCore::peek_spare(std::uint32_t segment, std::uint32_t page, std::span<std::byte, 128> into) const {
  PageBytes bytes;
  parts_->device.cells.read(segment, page, bytes.main, into);
}

namespace {

/// Flags of a page set from outside: as programmed by the sheet's rules, whatever it was.
std::uint8_t poked_flags(std::uint32_t page, bool slc) {
  const bool fast = slc || regs::paired::is_lsb(page);
  return page_flag::kProgrammed | page_flag::kParity | (fast ? page_flag::kFast : std::uint8_t{0});
}

}  // namespace

void OneNandCore::poke(std::uint64_t address, std::span<const std::byte> from) {
  PageBytes bytes;
  CellArray& cells = parts_->device.cells;
  while (!from.empty()) {
    const auto index = static_cast<std::uint32_t>(address / regs::kPageBytes);
    const std::uint32_t segment = index / OneNandSpec::kPagesPerSegment;
    const std::uint32_t page = index % OneNandSpec::kPagesPerSegment;
    const std::size_t offset = address % regs::kPageBytes;
    const std::size_t n = std::min(from.size(), regs::kPageBytes - offset);
    cells.read(segment, page, bytes.main, bytes.spare);
    std::memcpy(&bytes.main[offset], from.data(), n);
    if (cells.at(segment).next_page == 0) cells.at(segment).slc = parts_->dies.is_slc(segment);
    cells.store(segment, page, poked_flags(page, parts_->dies.is_slc(segment)), Ticks::zero(), bytes.main, bytes.spare);
    from = from.subspan(n);
    address += n;
  }
}

void OneNandCore::poke_spare(std::uint32_t segment, std::uint32_t page, std::span<const std::byte, 128> from) {
  PageBytes bytes;
  CellArray& cells = parts_->device.cells;
  cells.read(segment, page, bytes.main, bytes.spare);
  if (cells.at(segment).next_page == 0) cells.at(segment).slc = parts_->dies.is_slc(segment);
  cells.store(segment, page, poked_flags(page, parts_->dies.is_slc(segment)), Ticks::zero(), bytes.main, from);
}

void OneNandCore::set_erase_count(std::uint32_t segment, std::uint32_t cycles) {
  parts_->device.cells.at(segment).cycles = cycles;
  parts_->device.errors.refresh(parts_->device.cells.at(segment));
}

void OneNandCore::save_image(std::ostream& out) const { save_onenand_image(out, spec(), parts_->device.cells); }

void OneNandCore::load_image(std::istream& in, const std::string& name) {
  OneNandContext& device = parts_->device;
  load_onenand_image(in, name, spec(), device.cells);
  for (Segment& segment : device.cells.all()) device.errors.refresh(segment);
  for (const auto& die : parts_->dies) die->read_cells(Ticks::zero());
}

}  // namespace ftlab::hw
