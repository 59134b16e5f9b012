// A NAND array with its controller behind a 64 KiB window of registers, descriptors and completions, a ready line, and
// data RAM in a second window where it keeps bytes. Never knows why an operation happens.
//
// commands/controller.h says when what happens, commands/timeline.h how long it takes.
// Energy: total = operation_totals() + state_energy(); the energy of an operation includes its transfers and is above
// standby, state_energy() is standby power of every die over all time with supply.
// Segments and pages count as hw/regs/array_regs.h says; an array address is page * page_bytes + byte of the page.
// Inspection sees what queued operations will leave, since they change the array when they are queued.
// What is not kept reads as 00h in programmed pages, erased ones as FFh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/passage.h"
#include "common/units.h"
#include "hw/array/aging/page_reads.h"
#include "hw/array/array/page_store.h"
#include "hw/array/spec/spec.h"
#include "hw/base/device_core.h"
#include "hw/base/device_options.h"

namespace ftlab::hw {

class ArrayCore final : public DeviceCore {
 public:
  using Spec = ArraySpec;

  /// Powered and idle, all segments erased. Without DeviceOptions::store_content the content bytes becomes tag.
  ArrayCore(const ArraySpec& spec, const DeviceOptions& options);
  ~ArrayCore() override;

  // --- bus ---
  [[nodiscard]] AddressWindow& common();
  /// "common", and "data" with Content::bytes.
  [[nodiscard]] std::span<AddressWindow* const> windows() override { return windows_; }

  // --- ready line: high while completions can be read, see Controller::gather() ---
  [[nodiscard]] bool line_level(Ticks now) const override;
  /// kNever while it is high.
  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override;
  [[nodiscard]] Ticks next_line_change(Ticks now) const override { return next_ready_edge(now); }
  [[nodiscard]] Ticks next_status_change(Ticks now) const override;
  void advance_to(Ticks now) override;
  [[nodiscard]] Ticks next_begin(Ticks now) const override;

  // --- supply ---
  void lose_power(Ticks now) override;
  void restore_power(Ticks now) override;

  // --- accounting ---
  [[nodiscard]] const AccessTotals& access_totals() const override;
  [[nodiscard]] const OperationTotals& operation_totals() const override;
  /// By the observer's labels.
  [[nodiscard]] const UndoneTotals& undone_totals() const;
  /// For which each die works at all, as far as its operations are queued and not behind `until`, which is no earlier
  /// than the last access; all of it sums to die_time of operation_totals(). Anything but kNever wants
  /// DeviceOptions::tells_work, or loses_power.
  [[nodiscard]] std::vector<Ticks> die_times(Ticks until = kNever) const;
  /// For which each channel is taken, the same.
  [[nodiscard]] std::vector<Ticks> channel_times(Ticks until = kNever) const;
  /// All zero where the part has no errors.
  [[nodiscard]] const array::PageReadsByType& page_reads() const;
  /// The observer hears of each operation whose report is read; null: nobody does. It changes nothing.
  void watch_passages(PassageObserver* observer);
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override;
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override;

  // --- inspection: no time, no state ---
  [[nodiscard]] const ArraySpec& spec() const;
  /// As kept, which may be less than the part file says.
  [[nodiscard]] array::Content content() const;
  /// Marked bad.
  [[nodiscard]] bool is_bad(std::uint32_t segment) const;
  /// The page to program next; pages below it are programmed, or left out.
  [[nodiscard]] std::uint32_t next_page(std::uint32_t segment) const;
  /// Cycles after which the segment fails.
  [[nodiscard]] std::uint32_t endurance_limit(std::uint32_t segment) const;
  /// Not torn, not failed, not a copy of such, or kept by the controller. `page` counts through the array.
  [[nodiscard]] bool is_readable(std::uint32_t page) const;
  /// By then the page is programmed and readable, if everything that is queued goes well; of a device that may lose its
  /// supply.
  [[nodiscard]] bool holds_page(std::uint32_t page, Ticks now);
  /// All ones of an erased page, or where none is kept.
  [[nodiscard]] array::Metadata metadata(std::uint32_t page) const;
  [[nodiscard]] std::uint64_t array_bytes() const override { return spec().capacity_bytes(); }
  void peek(std::uint64_t address, std::span<std::byte> into) const override;
  /// With Content::bytes sets bytes; a blank page and those before it in its segment become programmed ones. Else
  /// without effect.
  void poke(std::uint64_t address, std::span<const std::byte> from) override;
  /// Ages a segment as if it had been erased this often.
  void set_erase_count(std::uint32_t segment, std::uint32_t cycles);
  /// All that is programmed by now has been stored for so long, and each page of it read so often. Once, with nothing
  /// under way. Neither power nor a program undoes it; an image does not have it.
  void store_data(Ticks now, double days_at_reference, std::uint32_t page_reads);

  void save_image(std::ostream& out) const override;
  void load_image(std::istream& in, const std::string& name) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<AddressWindow*> windows_;
};

}  // namespace ftlab::hw
