// The card put together from its parts.
#include "hw/series2plus/core.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "hw/series2plus/bus/attribute_window.h"
#include "hw/series2plus/bus/common_window.h"
#include "hw/series2plus/bus/control.h"
#include "hw/series2plus/bus/ready_line.h"
#include "hw/series2plus/commands/component_pairs.h"
#include "hw/series2plus/context.h"
#include "hw/series2plus/image/image.h"

namespace ftlab::hw {

struct CardCore::Parts {
  /// On cells and bytes that another card may have had.
  Parts(const CardSpec& spec, const DeviceOptions& chosen, WearModel wear, CellBytes content)
      : options(chosen),
        card(spec, chosen, std::move(wear), std::move(content)),
        pairs(card),
        line(pairs),
        control(card, pairs, line),
        common(card, pairs, control),
        attribute(card, pairs, control) {}

  DeviceOptions options;
  CardContext card;
  ComponentPairs pairs;
  ReadyLine line;
  CardControl control;
  CommonWindow common;
  AttributeWindow attribute;
};

CardCore::CardCore(const CardSpec& spec, const DeviceOptions& options)
    : parts_(std::make_unique<Parts>(spec, options, WearModel(spec, options.seed),
                                     CellBytes(spec.capacity_bytes(), options.store_content))),
      windows_{&parts_->common, &parts_->attribute} {}

CardCore::~CardCore() = default;

void CardCore::renew() {
  const CardSpec spec = parts_->card.spec;
  const DeviceOptions options = parts_->options;
  WearModel wear = std::move(parts_->card.wear);
  CellBytes content = std::move(parts_->card.content);
  wear.renew();
  content.erase(Lanes::both, 0, spec.capacity_bytes() / 2);
  // In place: what was handed out of it stays where it is.
  std::destroy_at(parts_.get());
  std::construct_at(parts_.get(), spec, options, std::move(wear), std::move(content));
}

AddressWindow& CardCore::common() { return parts_->common; }

AddressWindow& CardCore::attribute() { return parts_->attribute; }

bool CardCore::line_level(Ticks now) const { return parts_->line.level(now); }

Ticks CardCore::next_line_change(Ticks now) const { return parts_->line.next_change(now); }

Ticks CardCore::next_ready_edge(Ticks now) const { return parts_->line.next_edge(now); }

Ticks CardCore::next_status_change(Ticks now) const {
  const Ticks vpp = parts_->card.vpp.generator_valid_at;
  Ticks next = vpp > now ? vpp : kNever;
  for (const auto& pair : parts_->pairs) next = std::min(next, pair->next_status_change(now));
  return std::min(next, next_line_change(now));
}

void CardCore::advance_to(Ticks now) { parts_->pairs.advance_to(now); }

void CardCore::set_vpp_pin(Ticks now, bool on) {
  advance_to(now);
  parts_->control.set_vpp_pin(now, on);
}

void CardCore::set_write_protect_switch(bool on) { parts_->control.set_write_protect_switch(on); }

void CardCore::reset_pin(Ticks now, bool asserted) {
  advance_to(now);
  parts_->control.reset_pin(now, asserted);
}

void CardCore::lose_power(Ticks now) {
  advance_to(now);
  parts_->control.lose_power(now);
}

void CardCore::restore_power(Ticks now) { parts_->control.restore_power(now); }

const AccessTotals& CardCore::access_totals() const { return parts_->card.accesses.totals(); }

StateEnergy CardCore::state_energy(Ticks until) const { return parts_->card.idle.until(until); }

const CardSpec& CardCore::spec() const { return parts_->card.spec; }

std::uint32_t CardCore::erase_count(std::uint32_t segment) const {
  const WearModel& wear = parts_->card.wear;
  return std::max(wear.cells(segment, 0).cycles, wear.cells(segment, 1).cycles);
}

std::uint32_t CardCore::endurance_limit(std::uint32_t segment) const {
  const WearModel& wear = parts_->card.wear;
  return std::min(wear.cells(segment, 0).limit, wear.cells(segment, 1).limit);
}

bool CardCore::locked(std::uint32_t segment) const {
  const WearModel& wear = parts_->card.wear;
  return wear.cells(segment, 0).locked && wear.cells(segment, 1).locked;
}

void CardCore::peek(std::uint64_t address, std::span<std::byte> into) const {
  parts_->card.content.read(static_cast<std::uint32_t>(address), into);
}

void CardCore::poke(std::uint64_t address, std::span<const std::byte> from) {
  parts_->card.content.poke(static_cast<std::uint32_t>(address), from);
}

void CardCore::save_image(std::ostream& out) const {
  save_card_image(out, spec(), parts_->card.wear, parts_->card.content);
}

void CardCore::load_image(std::istream& in, const std::string& name) {
  load_card_image(in, name, spec(), parts_->card.wear, parts_->card.content);
}

}  // namespace ftlab::hw
