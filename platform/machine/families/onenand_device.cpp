// The Flex-OneNAND: SystemC model, INT line, driver.
#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"
#include "firmware/driver/onenand/driver.h"
#include "firmware/target/handover.h"
#include "hw/base/energy.h"
#include "hw/onenand/core.h"
#include "hw/onenand/shell.h"
#include "hw/onenand/spec/choices.h"
#include "hw/regs/onenand_regs.h"
#include "platform/machine/families/families.h"

namespace ftlab::platform {
namespace {

const char* explain(OneNandAttachStatus status) {
  switch (status) {
    case OneNandAttachStatus::ok:
      return "ok";
    case OneNandAttachStatus::wrong_device:
      return "the identifiers are not those of a Flex-OneNAND";
    case OneNandAttachStatus::bad_geometry:
      return "buffer sizes, partition boundaries or the number of segments do not go with the device ID";
    case OneNandAttachStatus::not_ready:
      return "the part stayed busy";
    case OneNandAttachStatus::bad_partition:
      return "the partition information holds no partition word; erase and program it again";
    case OneNandAttachStatus::locked:
      return "segments stay write protected, although they were unlocked";
  }
  return "unknown status";
}

struct OneNandSetup {
  hw::OneNandSpec spec;
  hw::DeviceOptions options;
  hw::LineStyle line = hw::LineStyle::asked;
  OneNandDriverConfig driver;
  std::string part_where;
  Ticks read_word{};  ///< asynchronous bus cycle: the slower of host and part
  Ticks write_word{};
  double supply_v = 0;
};

class OneNandDevice final : public Device {
 public:
  explicit OneNandDevice(const OneNandSetup& setup)
      : setup_(setup), part_("onenand", setup.spec, setup.options, setup.line) {
    part_.line.bind(interrupt_);
  }

  void bind(Processor& cpu) override {
    cpu.add_window("bus", BusCycle::memory).bind(part_.window("bus"));
    cpu.ready.bind(interrupt_);
    cpu.hint.bind(part_.hint);
  }

  void attach(DriverPorts& cpu) override {
    driver_ = std::make_unique<OneNandDriver>(cpu.port("bus"), cpu.probe(), setup_.driver);
    const OneNandAttachStatus status = driver_->attach();
    if (status == OneNandAttachStatus::ok) return;
    throw InputError(
        fmt::format("{}the driver cannot use this part: {}; check part_overrides", setup_.part_where, explain(status)));
  }

  void hand_over(target::Handover& handover) const override {
    const OneNandDriverConfig& driver = setup_.driver;
    handover.part = target::SocketedPart::flexonenand;
    handover.program_wait = static_cast<std::uint32_t>(driver.program_wait);
    handover.erase_wait = static_cast<std::uint32_t>(driver.erase_wait);
    handover.segments_per_die = driver.segments_per_die;
    handover.rated_erase_cycles = driver.rated_erase_cycles;
  }
  [[nodiscard]] PartPort* part() override { return driver_.get(); }

  void lose_power(Ticks now) override { part_.core().lose_power(now); }
  void restore_power(Ticks now) override {
    part_.core().restore_power(now);
    part_.supply_changed();
  }
  void advance_to(Ticks now) override { part_.core().advance_to(now); }
  [[nodiscard]] Ticks next_begin(Ticks now) const override { return part_.core().next_begin(now); }
  [[nodiscard]] const hw::AccessTotals& accesses() const override { return part_.core().access_totals(); }
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override {
    const hw::StateEnergy energy = part_.core().state_energy(until);
    return {energy.standby, energy.sleep};
  }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override {
    return part_.core().erase_count(segment);
  }
  [[nodiscard]] PartFacts facts() const override {
    const hw::OneNandSpec& spec = setup_.spec;
    return {spec.name,
            spec.title,
            setup_.supply_v,
            {spec.segments(), hw::OneNandSpec::kSegmentBytes, spec.dies, spec.endurance.rated_mlc}};
  }

  [[nodiscard]] std::uint32_t bad_reserve() const override {
    return setup_.spec.bad_segments.reserve * setup_.spec.dies;
  }
  [[nodiscard]] hw::OperationEnergies operation_energies() const override {
    const hw::OneNandTiming& t = setup_.spec.timing;
    const hw::OneNandPower& p = setup_.spec.power;
    const auto time = [](const std::array<Ticks, hw::kPageTypes>& times, hw::PageType type) {
      return times[static_cast<std::size_t>(type)];
    };
    hw::OperationEnergies energies;
    const Ticks lsb = time(t.program, hw::PageType::lsb);
    const Ticks msb = time(t.program, hw::PageType::msb);
    // A page crosses the bus on its way in and out.
    constexpr std::int64_t kPageWords =
        (hw::flexonenand::kPageBytes + hw::flexonenand::kSpareBytes) / sizeof(std::uint16_t);
    const Picojoules in = hw::energy_of(p.async_write_uw, setup_.write_word * kPageWords);
    const Picojoules out = hw::energy_of(p.async_read_uw, setup_.read_word * kPageWords);
    energies.slc_program = hw::energy_of(p.program_uw, lsb) + in;
    energies.mlc_program = hw::energy_of(p.program_uw, (lsb + msb) / 2) + in;
    energies.load = hw::energy_of(p.load_uw, time(t.load, hw::PageType::lsb)) + out;
    energies.erase = hw::energy_of(p.erase_uw, t.erase_mlc);
    return energies;
  }

 private:
  OneNandSetup setup_;
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
  hw::FlexOneNand part_;
  std::unique_ptr<OneNandDriver> driver_;
};

OneNandDriverConfig onenand_driver_config_for(const Study& study, const ProcessorProfile& host,
                                              const hw::OneNandSpec& part) {
  OneNandDriverConfig config;
  config.program_wait = config.erase_wait = driver_wait(study, host);
  config.background_erase = study.ftl.erase == Erasing::overlap;
  config.segments_per_die = part.segments_per_die;
  config.rated_erase_cycles = part.endurance.rated_mlc;
  return config;
}

}  // namespace

DeviceFactory onenand_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& host,
                              bool observe_accesses) {
  OneNandSetup setup;
  setup.supply_v = part.get_in("power.vcc", "V", 0, 10);
  setup.spec = hw::load_onenand_spec(part, study.configs.get<hw::OneNandChoices>().profile);
  setup.driver = onenand_driver_config_for(study, host, setup.spec);
  setup.part_where = study.part_where;
  setup.read_word = std::max(host.bus_read_cycle, setup.spec.bus.async_read);
  setup.write_word = std::max(host.bus_write_cycle, setup.spec.bus.async_write);
  setup.options.seed = study.seed;
  setup.options.store_content = study.platform.store_content;
  if (study.platform.timing == TimingStyle::event) setup.line = hw::LineStyle::driven;
  setup.options.observe_accesses = observe_accesses;
  setup.options.observe_begins = study.power.counts_operations();
  return [setup](hw::DeviceObserver& observer) {
    OneNandSetup with_observer = setup;
    with_observer.options.observer = &observer;
    return std::make_unique<OneNandDevice>(with_observer);
  };
}

}  // namespace ftlab::platform
