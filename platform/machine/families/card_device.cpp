// The Series 2+ card: SystemC model, ready line, driver.
#include <fmt/format.h>

#include "common/input_error.h"
#include "firmware/driver/series2plus/driver.h"
#include "firmware/target/handover.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/shell.h"
#include "hw/series2plus/spec/choices.h"
#include "platform/machine/families/families.h"

namespace ftlab::platform {
namespace {

const char* explain(AttachStatus status) {
  switch (status) {
    case AttachStatus::ok:
      return "ok";
    case AttachStatus::no_card_information:
      return "the card information structure cannot be read";
    case AttachStatus::wrong_device:
      return "the identifier codes are not those of a Series 2+ card";
    case AttachStatus::bad_geometry:
      return "the sizes in the card information structure do not fit each other";
    case AttachStatus::too_many_pairs:
      return "the card has more component pairs than the driver can hold";
    case AttachStatus::not_ready:
      return "the card stayed busy";
  }
  return "unknown status";
}

struct CardSetup {
  hw::CardSpec spec;
  hw::DeviceOptions options;
  hw::LineStyle line = hw::LineStyle::asked;
  Series2PlusDriverConfig driver;
  std::string part_where;
};

class CardDevice final : public Device {
 public:
  explicit CardDevice(const CardSetup& setup) : setup_(setup), card_("card", setup.spec, setup.options, setup.line) {
    card_.line.bind(ready_);
    card_.core().set_vpp_pin(Ticks::zero(), true);
  }

  void bind(Processor& cpu) override {
    cpu.add_window("common", BusCycle::memory).bind(card_.window("common"));
    cpu.add_window("attribute", BusCycle::attribute).bind(card_.window("attribute"));
    cpu.ready.bind(ready_);
    cpu.hint.bind(card_.hint);
  }

  void attach(DriverPorts& cpu) override {
    driver_ =
        std::make_unique<Series2PlusDriver>(cpu.port("common"), cpu.port("attribute"), cpu.probe(), setup_.driver);
    const AttachStatus status = driver_->attach();
    if (status == AttachStatus::ok) return;
    throw InputError(
        fmt::format("{}the driver cannot use this card: {}; check part_overrides", setup_.part_where, explain(status)));
  }

  void hand_over(target::Handover& handover) const override {
    const Series2PlusDriverConfig& driver = setup_.driver;
    handover.part = target::SocketedPart::series2plus;
    handover.program_method = static_cast<std::uint32_t>(driver.program_method);
    handover.program_wait = static_cast<std::uint32_t>(driver.program_wait);
    handover.erase_wait = static_cast<std::uint32_t>(driver.erase_wait);
    handover.suspend_erase = driver.suspend_erase ? 1 : 0;
    handover.program_poll_ns = driver.program_poll_ns;
    handover.erase_poll_ns = driver.erase_poll_ns;
    handover.rated_erase_cycles = driver.rated_erase_cycles;
  }
  [[nodiscard]] PartPort* part() override { return driver_.get(); }

  void lose_power(Ticks now) override { card_.core().lose_power(now); }
  void restore_power(Ticks now) override {
    card_.core().restore_power(now);
    card_.core().set_vpp_pin(now, true);
    card_.supply_changed();
  }
  void advance_to(Ticks now) override { card_.core().advance_to(now); }
  [[nodiscard]] Ticks next_begin(Ticks now) const override { return card_.core().next_begin(now); }
  [[nodiscard]] const hw::AccessTotals& accesses() const override { return card_.core().access_totals(); }
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override {
    const hw::StateEnergy energy = card_.core().state_energy(until);
    return {energy.standby + energy.vpp, energy.sleep};
  }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override {
    return card_.core().erase_count(segment);
  }
  [[nodiscard]] PartFacts facts() const override {
    const hw::CardSpec& spec = setup_.spec;
    return {spec.name,
            spec.title,
            spec.vcc == hw::Voltage::v5 ? 5.0 : 3.3,
            {spec.segments(), spec.segment_bytes, spec.pairs, spec.endurance.rated_cycles}};
  }

 private:
  CardSetup setup_;
  sc_core::sc_signal<bool> ready_{"ready"};
  hw::Series2PlusCard card_;
  std::unique_ptr<Series2PlusDriver> driver_;
};

Series2PlusDriverConfig driver_config_for(const Study& study, const ProcessorProfile& host, const hw::CardSpec& card) {
  Series2PlusDriverConfig config = study.configs.get<Series2PlusDriverConfig>();
  config.program_wait = driver_wait(study, host);
  config.program_poll_ns = to_ns(host.program_poll);
  config.erase_poll_ns = to_ns(host.erase_poll);
  config.background_erase = study.ftl.erase == Erasing::overlap;
  config.rated_erase_cycles = card.endurance.rated_cycles;
  return config;
}

}  // namespace

DeviceFactory card_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& host,
                           bool observe_accesses) {
  if (!study.power.loss_at_read.empty()) {
    throw InputError(study.where_of("power.loss_at_read") +
                     "reads of a card are cycles of its bus, and no operations; use loss_at_program, loss_at_erase or "
                     "loss_at_s");
  }
  CardSetup setup;
  setup.spec = hw::load_card_spec(part, study.configs.get<hw::CardChoices>().voltage);
  setup.driver = driver_config_for(study, host, setup.spec);
  setup.part_where = study.part_where;
  setup.options.seed = study.seed;
  setup.options.store_content = study.platform.store_content;
  if (study.platform.timing == TimingStyle::event) setup.line = hw::LineStyle::driven;
  setup.options.observe_accesses = observe_accesses;
  setup.options.observe_begins = study.power.counts_operations();
  return [setup](hw::DeviceObserver& observer) {
    CardSetup with_observer = setup;
    with_observer.options.observer = &observer;
    return std::make_unique<CardDevice>(with_observer);
  };
}

}  // namespace ftlab::platform
