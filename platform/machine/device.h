// A part in its socket, as the platform sees it: the SystemC model with its driver, and what is read off it.
// Each family of parts implements it once (families/); nothing else of the platform knows which part runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/link_timing.h"
#include "common/passage.h"
#include "common/sums.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/port/flash_port.h"
#include "hw/base/observer.h"
#include "hw/base/operation_energies.h"
#include "platform/files/processor_profile.h"
#include "platform/machine/drive_power.h"
#include "platform/machine/page_type_reads.h"
#include "platform/machine/processor.h"
#include "platform/study/study.h"

namespace ftlab::target {
struct Handover;  // firmware/target/handover.h
}

namespace ftlab::platform {

/// Energy of the device beyond its operations, by state.
struct StateEnergy {
  Picojoules standby;  ///< powered, ready or holding its standby current beside an operation
  Picojoules sleep;    ///< deep power-down
};

/// For which each die works at all, and each channel is taken, since time zero. Empty where a part does not tell.
struct UnitTimes {
  std::vector<Ticks> dies;
  std::vector<Ticks> channels;
  std::uint32_t planes = 1;  ///< of a die, that work by themselves
};

struct PartSize {
  std::uint32_t segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t parallel_units = 1;  ///< that can be busy at the same time
  std::uint32_t rated_erase_cycles = 0;
};

struct PartFacts {
  std::string name;
  std::string title;
  double supply_v = 0;
  PartSize size;  ///< by the part file; a driver finds it out by itself (part_size.h)
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Windows under their own names, lines and hints; before the simulation starts.
  virtual void bind(Processor& cpu) = 0;
  /// To be called on a processor that has such ports: makes the driver, which identifies the part. Throws InputError
  /// when the driver cannot use it.
  virtual void attach(DriverPorts& cpu) = 0;
  /// What firmware on a core has to know of the part, whose driver it has itself.
  virtual void hand_over(target::Handover&) const {}
  // After attach() one of them is what the driver offers, and the other null.
  /// The part's commands.
  [[nodiscard]] virtual PartPort* part() { return nullptr; }
  /// An array that works off descriptors by itself.
  [[nodiscard]] virtual FlashPort* array() { return nullptr; }

  /// What is on the part has been stored for so long, and read so often, as the study says; nothing is under way. Once.
  virtual void age_data(Ticks /*now*/) {}

  /// The supply goes, of a device made for a study that plans so, and comes back with all pins as they were at first.
  /// What attach() gave is of no use any more.
  virtual void lose_power(Ticks now) = 0;
  virtual void restore_power(Ticks now) = 0;

  /// Capacitors keep it up after a loss of power until its firmware has written its RAM out.
  [[nodiscard]] virtual bool holds_up() const { return false; }
  /// The page that an array's firmware has had programmed holds it by then; of a device that can lose its supply.
  [[nodiscard]] virtual bool holds_page(std::uint32_t /*page*/, Ticks /*now*/) { return true; }

  /// Completes operations that end before `now`, so that the observer has seen them.
  virtual void advance_to(Ticks now) = 0;
  /// See hw::DeviceCore.
  [[nodiscard]] virtual Ticks next_begin(Ticks now) const = 0;
  /// Bus accesses, summed by the device; stays where it is.
  [[nodiscard]] virtual const hw::AccessTotals& accesses() const = 0;
  /// The same of operations, where the device sums them; null where it only reports each.
  [[nodiscard]] virtual const hw::OperationTotals* operations() const { return nullptr; }
  /// What losses of power took off them; null where it only reports each, or keeps its supply.
  [[nodiscard]] virtual const hw::UndoneTotals* undone() const { return nullptr; }
  /// As far as it is queued and not behind `until`; other than kNever in studies that take samples.
  [[nodiscard]] virtual UnitTimes unit_times_by(Ticks /*until*/) const { return {}; }
  /// As far as it is queued.
  [[nodiscard]] UnitTimes unit_times() const { return unit_times_by(kNever); }
  /// The observer hears of each operation whose report the driver reads, from now on; null: nobody does. False: the
  /// part does not tell.
  virtual bool watch_passages(PassageObserver* /*observer*/) { return false; }
  /// Since time zero, by page type, where the part draws errors by a power law or reads again; else empty.
  [[nodiscard]] virtual std::vector<PageTypeReads> page_reads() const { return {}; }
  /// Since time zero.
  [[nodiscard]] virtual StateEnergy state_energy(Ticks until) const = 0;
  [[nodiscard]] virtual std::uint32_t erase_count(std::uint32_t segment) const = 0;
  [[nodiscard]] virtual PartFacts facts() const = 0;
  [[nodiscard]] virtual hw::OperationEnergies operation_energies() const { return {}; }
  /// False: what is read has nothing to do with what was written.
  [[nodiscard]] virtual bool keeps_data() const { return true; }
  /// Mapped pages that one program takes where that is more than a page of the part; else 1.
  [[nodiscard]] virtual std::uint32_t pages_of_wordlines() const { return 1; }
  /// What lies between it and the host; null: nothing that takes time.
  [[nodiscard]] virtual const LinkTiming* link() const { return nullptr; }
  /// What it draws beside its array; null: the part does not say.
  [[nodiscard]] virtual const DrivePower* drive_power() const { return nullptr; }
  /// Segments that may be bad over the part's life, by its data sheet.
  [[nodiscard]] virtual std::uint32_t bad_reserve() const { return 0; }
};

/// Makes the device inside a SystemC hierarchy under construction.
using DeviceFactory = std::function<std::unique_ptr<Device>(hw::DeviceObserver& observer)>;

/// Reads the part file of the study. `observe`: the observer hears of each bus access, and of each operation where the
/// device sums them, too; no figure of the device depends on it. Throws InputError for whatever is wrong with the part,
/// its family or what the study wants of it.
DeviceFactory device_factory(const Study& study, const ProcessorProfile& host, bool observe);

}  // namespace ftlab::platform
