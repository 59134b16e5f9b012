// FlashPort of the Samsung Flex-OneNAND: which die an operation meets, in what order, and what is still under way.
// Knows FlashOps and the layout of spare bytes; the command sequences are in onenand_sequences.h. Memory: this object
// alone; nothing is allocated.
//
// Spare bytes of the port are the 4 user bytes (2 to 5) of each of the eight 16-byte slots, in order: 32 a page.
// A copy stays inside one die; one across dies ends with program_failed, as it has no buffer to go through.
// Invariants: reads, programs, copies, marks and waited-for erases are finished when submit() returns; only background
// erases stay under way, one per die at most.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/driver/common/done_ring.h"
#include "firmware/driver/onenand/config.h"
#include "firmware/driver/onenand/sequences.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class OneNandDriver final : public FlashPort {
 public:
  static constexpr std::uint32_t kSpareBytes = 32;  ///< per page

  /// `port`: the part's window of 128 KiB, from address 0. All arguments but `config` must outlive the driver.
  OneNandDriver(MmioPort& port, ProbePort& probe, const OneNandDriverConfig& config);

  /// Resets and identifies the part, unlocks all segments and reads the boundary of the SLC area. Nothing else may be
  /// called before it returned ok. May be called again after the part was powered off; operations not reaped are
  /// forgotten.
  OneNandAttachStatus attach();
  /// Waits for background erases; their results stay to be reaped.
  void release();

  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const FlashOp> ops) override;
  std::size_t reap(std::span<FlashDone> done, bool wait) override;

 private:
  static constexpr std::uint32_t kMostDies = 2;

  struct DieState {
    bool erasing = false;
    std::uint32_t tag = 0;
    std::uint32_t order = 0;  ///< start number
    OneNandPlace place;
  };

  [[nodiscard]] OneNandPlace place_of(SegmentId segment, std::uint32_t offset) const;
  /// A page in the MLC area that another page's program may have spoiled.
  [[nodiscard]] bool is_lsb(const OneNandPlace& place) const;
  [[nodiscard]] bool fits(const FlashOp& op) const;
  FlashStatus execute(const FlashOp& op);
  /// Status of the operation executed last; waits for it when it is a background erase.
  FlashStatus status_before(FlashStatus status);

  OneNandResult read(const FlashOp& op);
  void hand_over(const FlashOp& op);
  void put_page(const FlashOp& op);
  FlashStatus program(const FlashOp& op);
  OneNandResult copy(const FlashOp& op);
  FlashStatus erase(const FlashOp& op);

  // Runs of operations of one submit (onenand_driver_runs.cpp).
  [[nodiscard]] std::size_t run_length(std::span<const FlashOp> ops) const;
  FlashStatus execute_all(std::span<const FlashOp> ops);
  FlashStatus program_run(std::span<const FlashOp> ops);
  FlashStatus read_run(std::span<const FlashOp> ops);

  // Bad marks (onenand_marks.cpp).
  FlashStatus check_bad(const FlashOp& op);
  FlashStatus mark_bad(const FlashOp& op);

  void await_die(std::uint16_t die);
  FlashStatus finish_erase(DieState& die);
  void ended(DieState& die, FlashStatus status);
  void poll_erases();
  DieState* oldest_erase();
  void push(std::uint32_t tag, OneNandResult result);

  ProbePort& probe_;
  const OneNandDriverConfig config_;
  OneNandSequences sequences_;
  FlashGeometry geometry_;
  FlashCapabilities capabilities_;
  std::uint32_t segments_per_die_ = 1;
  std::array<DieState, kMostDies> dies_{};
  DieState* open_erase_ = nullptr;  ///< the operation before left an erase running here
  std::uint32_t erasing_ = 0;
  std::uint32_t erase_order_ = 0;
  OneNandSpare spare_{};  ///< spare area of the page under way
  DoneRing finished_;
};

}  // namespace ftlab
