// A NAND array behind its controller: SystemC model, ready line, driver.
#include <fmt/format.h>

#include "common/input_error.h"
#include "firmware/driver/array/driver.h"
#include "firmware/target/board.h"
#include "firmware/target/handover.h"
#include "hw/array/core.h"
#include "hw/array/shell.h"
#include "hw/base/energy.h"
#include "platform/machine/families/families.h"
#include "platform/machine/families/read_drive_power.h"
#include "platform/machine/families/read_link.h"
#include "platform/study/firmware_row.h"
#include "platform/study/page_sizes.h"

namespace ftlab::platform {
namespace {

struct ArraySetup {
  hw::ArraySpec spec;
  hw::DeviceOptions options;
  hw::LineStyle line = hw::LineStyle::asked;
  std::optional<LinkTiming> link;
  std::optional<DrivePower> drive_power;
  ArrayDriverConfig driver;
  AgeChoices age;
  std::string part_where;
  double supply_v = 0;
};

class ArrayDevice final : public Device {
 public:
  explicit ArrayDevice(const ArraySetup& setup) : setup_(setup), part_("array", setup.spec, setup.options, setup.line) {
    part_.line.bind(ready_);
    for (std::uint32_t s = 0; s < setup.spec.segments && setup.age.cycles > 0; ++s)
      part_.core().set_erase_count(s, static_cast<std::uint32_t>(setup.age.cycles));
  }

  void bind(Processor& cpu) override {
    cpu.add_window("common", BusCycle::memory).bind(part_.window("common"));
    if (keeps_bytes()) cpu.add_window("data", BusCycle::memory).bind(part_.window("data"));
    cpu.ready.bind(ready_);
    cpu.hint.bind(part_.hint);
  }

  void attach(DriverPorts& cpu) override {
    driver_ = std::make_unique<ArrayDriver>(cpu.port("common"), keeps_bytes() ? &cpu.port("data") : nullptr,
                                            cpu.clock(), setup_.driver);
    if (driver_->attach() != ArrayAttachStatus::ok) {
      throw InputError(fmt::format("{}the driver cannot use this array; check part_overrides", setup_.part_where));
    }
  }
  void hand_over(target::Handover& handover) const override {
    handover.part = target::SocketedPart::array;
    target::to_numbers(kArrayDriverFields, setup_.driver, handover.array);
  }
  [[nodiscard]] FlashPort* array() override { return driver_.get(); }

  void age_data(Ticks now) override {
    const AgeChoices& age = setup_.age;
    const hw::ArrayErrors& errors = setup_.spec.errors;
    const double faster = hw::arrhenius(errors.activation_ev, errors.reference_c, age.temperature_c);
    part_.core().store_data(now, age.days * faster, static_cast<std::uint32_t>(age.reads));
  }

  void lose_power(Ticks now) override { part_.core().lose_power(now); }
  void restore_power(Ticks now) override {
    part_.core().restore_power(now);
    part_.supply_changed();
  }
  [[nodiscard]] bool holds_up() const override { return setup_.spec.power_loss_protection; }
  [[nodiscard]] bool holds_page(std::uint32_t page, Ticks now) override { return part_.core().holds_page(page, now); }
  void advance_to(Ticks now) override { part_.core().advance_to(now); }
  [[nodiscard]] Ticks next_begin(Ticks now) const override { return part_.core().next_begin(now); }
  [[nodiscard]] const hw::AccessTotals& accesses() const override { return part_.core().access_totals(); }
  [[nodiscard]] const hw::OperationTotals* operations() const override { return &part_.core().operation_totals(); }
  [[nodiscard]] const hw::UndoneTotals* undone() const override {
    return setup_.options.loses_power ? &part_.core().undone_totals() : nullptr;
  }
  bool watch_passages(PassageObserver* observer) override {
    part_.core().watch_passages(observer);
    return true;
  }
  [[nodiscard]] UnitTimes unit_times_by(Ticks until) const override {
    return {part_.core().die_times(until), part_.core().channel_times(until), setup_.spec.planes};
  }
  [[nodiscard]] std::vector<PageTypeReads> page_reads() const override {
    const hw::ArraySpec& spec = setup_.spec;
    if (!spec.errors.any() || (!spec.errors.by_power_law() && !spec.read_retry.any())) return {};
    std::vector<PageTypeReads> all;
    for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) {
      const hw::array::PageReads& reads = part_.core().page_reads()[type];
      all.push_back({std::string(spec.type_name(type)), reads.reads, reads.retries, reads.unreadable, reads.wrong_bits,
                     static_cast<double>(reads.reads) * spec.page_bytes * 8, reads.lost_codewords, reads.lost_bits});
    }
    return all;
  }
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override {
    const hw::StateEnergy energy = part_.core().state_energy(until);
    return {energy.standby, energy.sleep};
  }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override {
    return part_.core().erase_count(segment);
  }
  [[nodiscard]] hw::OperationEnergies operation_energies() const override {
    const hw::ArraySpec& spec = setup_.spec;
    const auto program = [&spec](std::uint32_t type) {
      return hw::energy_of(spec.power.program_uw, spec.timing.program[type]) + spec.power.transfer;
    };
    hw::OperationEnergies energies;
    energies.slc_program = program(0);
    Picojoules all{};
    for (std::uint32_t type = 0; type < spec.bits_per_cell; ++type) all += program(type);
    energies.mlc_program = Picojoules{static_cast<std::int64_t>(all.count() / spec.bits_per_cell)};
    energies.load = hw::energy_of(spec.power.read_uw, spec.timing.read[0]) + spec.power.transfer + spec.power.decode;
    energies.erase = hw::energy_of(spec.power.erase_uw, spec.timing.erase);
    return energies;
  }
  [[nodiscard]] bool keeps_data() const override { return keeps_bytes(); }
  [[nodiscard]] std::uint32_t pages_of_wordlines() const override {
    const hw::ArraySpec& spec = setup_.spec;
    return spec.pages_at_once > spec.units_of_page ? spec.pages_at_once : 1;
  }
  [[nodiscard]] const LinkTiming* link() const override { return setup_.link ? &*setup_.link : nullptr; }
  [[nodiscard]] const DrivePower* drive_power() const override {
    return setup_.drive_power ? &*setup_.drive_power : nullptr;
  }
  [[nodiscard]] PartFacts facts() const override {
    const hw::ArraySpec& spec = setup_.spec;
    return {
        spec.name,
        spec.title,
        setup_.supply_v,
        {spec.segments, static_cast<std::uint32_t>(spec.segment_bytes()), spec.dies(), spec.endurance.rated_cycles}};
  }

 private:
  [[nodiscard]] bool keeps_bytes() const { return part_.core().content() == hw::array::Content::bytes; }

  ArraySetup setup_;
  sc_core::sc_signal<bool> ready_{"ready"};
  hw::NandArray part_;
  std::unique_ptr<ArrayDriver> driver_;
};

/// A firmware that drives all dies says what the controller addresses; others see pages of the part.
hw::ArraySpec in_mapping_units(const hw::ArraySpec& part, const Study& study) {
  if (!firmware_of(study).drives_dies() || study.ftl.page_bytes == 0 || study.ftl.page_bytes == part.page_bytes)
    return part;
  std::string reason;
  if (auto spec = hw::in_units(part, static_cast<std::uint32_t>(study.ftl.page_bytes), reason)) return *spec;
  std::string why_not;
  const auto works = [&](std::uint32_t bytes) { return hw::in_units(part, bytes, why_not).has_value(); };
  throw InputError(fmt::format("{}{} bytes: {}; {}", study.where_of("ftl.page_bytes"), study.ftl.page_bytes, reason,
                               use_one_of(page_sizes_that(works))));
}

void check_board(const Study& study, const hw::ArraySpec& spec) {
  if (!study.on_core()) return;
  if (!study.platform.dma)
    throw InputError(study.where_of("platform.dma") +
                     "the controller of an array takes descriptors whole, as the board's DMA moves them; leave the key "
                     "out");
  const std::uint64_t bytes = std::uint64_t{spec.buffer_slots} * spec.page_bytes;
  if (spec.content == hw::array::Content::bytes && bytes > target::kWindowBytes)
    throw InputError(fmt::format(
        "{}the data RAM of this array has {} MiB, and the board's window {}; set "
        "part_overrides.buffer_slots to {} or less",
        study.where_of("part"), bytes / kMiB, target::kWindowBytes / kMiB, target::kWindowBytes / spec.page_bytes));
}

/// What the part cannot say of data that age.
void check_age(const Study& study, const hw::ArrayErrors& errors) {
  const AgeChoices& age = study.age;
  if (age.days > 0 && !errors.retains())
    throw InputError(study.where_of("age.days") +
                     "data of this part keep for ever; use one whose bit errors grow with time, such as array-tlc-72l, "
                     "or set part_overrides.errors.wear and errors.retention_time");
  if (age.days > 0 && age.temperature_c != errors.reference_c && errors.activation_ev == 0)
    throw InputError(
        study.where_of("age.temperature_c") +
        fmt::format("the part does not say how temperature speeds its errors up (errors.activation_energy); "
                    "use {:g}",
                    errors.reference_c));
  if (age.reads > 0 && !errors.disturbs())
    throw InputError(study.where_of("age.reads") +
                     "reads do not disturb this part; use one that they do, such as array-tlc-72l, or set "
                     "part_overrides.errors.disturb");
}

}  // namespace

DeviceFactory array_factory(spec::TomlFile& part, const Study& study, const ProcessorProfile& /*host*/, bool observe) {
  ArraySetup setup;
  setup.supply_v = part.get_in("power.vcc", "V", 0, 10);
  setup.link = read_link(part);
  setup.drive_power = read_drive_power(part);
  setup.spec = in_mapping_units(hw::load_array_spec(part), study);
  if (!study.platform.store_content) setup.spec.content = hw::array::Content::none;
  check_board(study, setup.spec);
  check_age(study, setup.spec.errors);
  setup.age = study.age;
  setup.driver = study.configs.get<ArrayDriverConfig>();
  setup.part_where = study.part_where;
  setup.options.seed = study.seed;
  setup.options.store_content = study.platform.store_content;
  setup.options.observe_accesses = observe;
  setup.options.observe_begins = study.power.counts_operations();
  const bool plans_losses = study.power.plans_losses();
  const bool holds_up = setup.spec.power_loss_protection && plans_losses;
  // The same at the end of a run.
  if (setup.spec.power_loss_protection && study.on_core())
    throw InputError(study.where_of(plans_losses ? study.power.loss_key() : std::string_view("platform.processor")) +
                     "on a simulated core nobody tells the firmware that capacitors are all it has left; run natively, "
                     "or set part_overrides.controller.power_loss_protection = false");
  // What an operation takes behind a loss is known of each by itself.
  setup.options.observe_operations = observe || setup.options.observe_begins || holds_up;
  // Being able to undo what is queued costs simulation time.
  setup.options.loses_power = study.power.plans_losses();
  setup.options.tells_work = study.platform.sample_s > 0;
  if (setup.options.loses_power && setup.spec.content == hw::array::Content::none) {
    throw InputError(
        study.where_of(study.power.loss_key()) +
        "an array with content = \"none\" keeps nothing that a mount could find; use \"tag\" or \"bytes\"");
  }
  if (study.platform.timing == TimingStyle::event) setup.line = hw::LineStyle::driven;
  return [setup](hw::DeviceObserver& observer) {
    ArraySetup with_observer = setup;
    with_observer.options.observer = &observer;
    return std::make_unique<ArrayDevice>(with_observer);
  };
}

}  // namespace ftlab::platform
