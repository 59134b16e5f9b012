// The device's face: pins, supply, accounting, inspection. The bus is in onenand_bus.cpp, the image in
// onenand_image.cpp.
#include "hw/onenand/onenand_core.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "hw/base/energy.h"
#include "hw/onenand/onenand_core_impl.h"

namespace ftlab::hw {

namespace regs = flexonenand;

OneNandCore::Impl::Impl(const OneNandSpec& spec, const OneNandOptions& chosen, CellArray cells)
    : options(chosen),
      device(spec, chosen, std::move(cells)),
      meter(device.spec, options.observe_accesses ? options.observer : nullptr),
      die_mask(spec.dies - 1) {
  for (std::uint32_t i = 0; i < spec.dies; ++i) {
    dies.push_back(std::make_unique<Die>(device, i));
    dies.back()->scramble_ram();
    dies.back()->finish_boot();
  }
}

void OneNandCore::Impl::default_registers() {
  device.registers = OneNandRegisters{};
  meter.configure(device.registers.config);
  id_mode = boot_load_set = false;
}

void OneNandCore::Impl::halt(Ticks now) {
  settle(now);
  for (auto& die : dies) die->halt(now);
  default_registers();
}

OneNandCore::OneNandCore(const OneNandSpec& spec, const OneNandOptions& options)
    : impl_(std::make_unique<Impl>(spec, options, CellArray(spec, options.seed, options.store_content))) {}

OneNandCore::~OneNandCore() = default;

void OneNandCore::renew() {
  const OneNandSpec spec = impl_->device.spec;
  const OneNandOptions options = impl_->options;
  CellArray cells = std::move(impl_->device.cells);
  cells.renew();
  // In place: what was handed out of it stays where it is.
  std::destroy_at(impl_.get());
  std::construct_at(impl_.get(), spec, options, std::move(cells));
}

bool OneNandCore::int_pin(Ticks now) const {
  const OneNandRegisters& r = impl_->device.registers;
  if (!impl_->answers() || (r.config & regs::config::kOutputsOn) == 0) return false;
  const Die& die = impl_->host_die();
  const bool active = (die.interrupt() & regs::interrupt::kInt) != 0 || die.interrupt_at() <= now;
  return active == ((r.config & regs::config::kInterruptHigh) != 0);
}

Ticks OneNandCore::next_ready_edge(Ticks now) const {
  const Die& die = impl_->host_die();
  if (!impl_->answers() || (impl_->device.registers.config & regs::config::kOutputsOn) == 0) return kNever;
  if ((die.interrupt() & regs::interrupt::kInt) != 0) return kNever;
  return die.interrupt_at() > now ? die.interrupt_at() : kNever;
}

Ticks OneNandCore::next_status_change(Ticks now) const {
  Ticks next = kNever;
  for (const auto& die : impl_->dies) next = std::min(next, die->next_event(now));
  return next;
}

void OneNandCore::settle(Ticks now) { impl_->settle(now); }

void OneNandCore::reset_pin(Ticks now, bool asserted) {
  if (asserted == impl_->in_reset) return;
  impl_->in_reset = asserted;
  if (!impl_->powered) return;
  if (asserted) return impl_->halt(now);
  for (auto& die : impl_->dies) die->reset(now, impl_->booted ? ResetKind::warm : ResetKind::cold);
  impl_->booted = true;
}

void OneNandCore::power_cut(Ticks now) {
  if (!impl_->powered) return;
  impl_->halt(now);
  impl_->powered = impl_->booted = false;
  impl_->powered_before += now - impl_->powered_since;
}

void OneNandCore::power_up(Ticks now) {
  if (impl_->powered) return;
  impl_->powered = true;
  impl_->powered_since = now;
  for (auto& die : impl_->dies) {
    die->scramble_ram();
    if (!impl_->in_reset) die->reset(now, ResetKind::cold);
  }
  impl_->booted = !impl_->in_reset;
}

const AccessTotals& OneNandCore::access_totals() const { return impl_->meter.totals(); }

StateEnergy OneNandCore::state_energy(Ticks until) const {
  Ticks time = impl_->powered_before;
  if (impl_->powered) time += std::max(until - impl_->powered_since, Ticks::zero());
  return {long_energy_of(spec().power.standby_nw * spec().dies, time), {}, {}};
}

const OneNandSpec& OneNandCore::spec() const { return impl_->device.spec; }

std::uint32_t OneNandCore::erase_count(std::uint32_t segment) const { return impl_->device.cells.at(segment).cycles; }

std::uint32_t OneNandCore::endurance_limit(std::uint32_t segment) const {
  return impl_->device.aging.limit(impl_->device.cells.at(segment), impl_->slc(segment));
}

bool OneNandCore::is_factory_bad(std::uint32_t segment) const { return impl_->device.cells.at(segment).bad; }

bool OneNandCore::is_bad(std::uint32_t segment) const {
  return impl_->device.cells.at(segment).bad || impl_->device.cells.at(segment).worn;
}

bool OneNandCore::is_slc(std::uint32_t segment) const { return impl_->slc(segment); }

bool OneNandCore::locked(std::uint32_t segment) const {
  return impl_->die_of(segment).protection(segment % spec().segments_per_die) != regs::protect::kUnlocked;
}

std::uint32_t OneNandCore::boundary(std::uint32_t die) const { return impl_->dies[die]->boundary(); }

bool OneNandCore::is_programmed(std::uint32_t segment, std::uint32_t page) const {
  return impl_->device.cells.at(segment).flags(page) != 0;
}

std::array<std::uint8_t, 8> OneNandCore::page_errors(std::uint32_t segment, std::uint32_t page, Ticks now) const {
  return impl_->device.errors.errors(impl_->device.cells, segment, page, impl_->slc(segment), false, now).bits;
}

double OneNandCore::bit_error_rate(std::uint32_t segment, std::uint32_t page, Ticks now) const {
  if (!is_programmed(segment, page)) return 0;
  return impl_->device.errors.rate(impl_->device.cells.at(segment), page, impl_->slc(segment), now);
}

void OneNandCore::peek(std::uint64_t address, std::span<std::byte> into) const {
  PageBytes page;
  while (!into.empty()) {
    const auto index = static_cast<std::uint32_t>(address / regs::kPageBytes);
    const std::size_t offset = address % regs::kPageBytes;
    const std::size_t n = std::min(into.size(), regs::kPageBytes - offset);
    impl_->device.cells.read(index / OneNandSpec::kPagesPerSegment, index % OneNandSpec::kPagesPerSegment, page.main,
                             page.spare);
    std::memcpy(into.data(), &page.main[offset], n);
    into = into.subspan(n);
    address += n;
  }
}

void OneNandCore::peek_spare(std::uint32_t segment, std::uint32_t page, std::span<std::byte, 128> into) const {
  PageBytes bytes;
  impl_->device.cells.read(segment, page, bytes.main, into);
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
  CellArray& cells = impl_->device.cells;
  while (!from.empty()) {
    const auto index = static_cast<std::uint32_t>(address / regs::kPageBytes);
    const std::uint32_t segment = index / OneNandSpec::kPagesPerSegment;
    const std::uint32_t page = index % OneNandSpec::kPagesPerSegment;
    const std::size_t offset = address % regs::kPageBytes;
    const std::size_t n = std::min(from.size(), regs::kPageBytes - offset);
    cells.read(segment, page, bytes.main, bytes.spare);
    std::memcpy(&bytes.main[offset], from.data(), n);
    if (cells.at(segment).next_page == 0) cells.at(segment).slc = impl_->slc(segment);
    cells.store(segment, page, poked_flags(page, impl_->slc(segment)), Ticks::zero(), bytes.main, bytes.spare);
    from = from.subspan(n);
    address += n;
  }
}

void OneNandCore::poke_spare(std::uint32_t segment, std::uint32_t page, std::span<const std::byte, 128> from) {
  PageBytes bytes;
  CellArray& cells = impl_->device.cells;
  cells.read(segment, page, bytes.main, bytes.spare);
  if (cells.at(segment).next_page == 0) cells.at(segment).slc = impl_->slc(segment);
  cells.store(segment, page, poked_flags(page, impl_->slc(segment)), Ticks::zero(), bytes.main, from);
}

void OneNandCore::set_erase_count(std::uint32_t segment, std::uint32_t cycles) {
  impl_->device.cells.at(segment).cycles = cycles;
  impl_->device.errors.refresh(impl_->device.cells.at(segment));
}

}  // namespace ftlab::hw
