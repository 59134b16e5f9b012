// PartPort of the Samsung Flex-OneNAND: in what order operations meet the dies, and which of them overlap.
// Knows PartOps and geometry; the command sequences are in sequences.h, what is under way in dies.h. Memory: this
// object alone; nothing is allocated.
//
// A copy stays inside one die; one across dies ends with program_failed, as it has no buffer to go through.
// Invariants: when submit() returns nothing is under way but background erases and what was submitted with no_wait, one
// operation per die at most.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/driver/common/done_ring.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/driver/onenand/bad_block_markers.h"
#include "firmware/driver/onenand/bus.h"
#include "firmware/driver/onenand/config.h"
#include "firmware/driver/onenand/dies.h"
#include "firmware/driver/onenand/page_buffer.h"
#include "firmware/driver/onenand/sequences.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

class OneNandDriver final : public PartPort {
 public:
  /// Per page: the user bytes of its sectors.
  static constexpr std::uint32_t kSpareBytes =
      hw::flexonenand::spare_slot::kUserBytes * hw::flexonenand::kSectorsPerPage;

  /// `port`: the part's window of 128 KiB, from address 0. All arguments but `config` must outlive the driver.
  OneNandDriver(MmioPort& port, ProbePort& probe, const OneNandDriverConfig& config);

  /// Resets and identifies the part, unlocks all segments and reads the boundary of the SLC area. Nothing else may be
  /// called before it returned ok. May be called again after the part was powered off; operations not reaped are
  /// forgotten.
  OneNandAttachStatus attach();
  /// Waits for what is under way; the results stay to be reaped.
  void release();

  [[nodiscard]] const PartGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const PartCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const PartOp> ops) override;
  std::size_t reap(std::span<PartDone> done, bool wait) override;

 private:
  [[nodiscard]] OneNandPlace place_of(const PartOp& op) const { return layout_.place_of(op.segment, op.offset); }
  [[nodiscard]] bool fits(const PartOp& op) const;
  [[nodiscard]] bool may_stay_under_way(const PartOp& op) const;
  PartStatus execute(const PartOp& op);
  OneNandResult copy(const PartOp& op);
  void push(std::uint32_t tag, OneNandResult result);

  // Runs of operations of one submit (driver_runs.cpp).
  [[nodiscard]] std::size_t run_length(std::span<const PartOp> ops) const;
  PartStatus execute_all(std::span<const PartOp> ops);
  PartStatus program_run(std::span<const PartOp> ops);
  PartStatus read_run(std::span<const PartOp> ops);

  ProbePort& probe_;
  const OneNandDriverConfig config_;
  OneNandBus bus_;
  OneNandSequences sequences_;
  OneNandPageBuffer buffer_;
  OneNandBadBlockMarkers markers_;
  OneNandLayout layout_;
  DoneRing finished_;
  OneNandDies dies_;
  PartGeometry geometry_;
  PartCapabilities capabilities_;
};

}  // namespace ftlab
