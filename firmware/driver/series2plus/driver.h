// PartPort of the Intel Series 2+ card: which pair an operation meets, in what order, and what is still under way.
// Knows PartOps, pairs and the card's registers through its parts; the command sequences are in
// series2plus_sequences.h. Memory: this object alone; nothing is allocated.
//
// Invariants: reads, programs and waited-for erases are finished when submit() returns; only background erases stay
// under way, one per pair at most; no erase stays suspended after submit(); every pair that does not erase answers
// reads with data between calls, so that a write-protect switch moved then cannot lock it into showing status.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/driver/common/done_ring.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/driver/series2plus/card_control.h"
#include "firmware/driver/series2plus/config.h"
#include "firmware/driver/series2plus/pair.h"
#include "firmware/driver/series2plus/pair_program.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class Series2PlusDriver final : public PartPort {
 public:
  /// `common` and `attribute`: the card's two memory windows, from address 0. All arguments but `config` must outlive
  /// the driver.
  Series2PlusDriver(MmioPort& common, MmioPort& attribute, ProbePort& probe, const Series2PlusDriverConfig& config);

  /// Identifies the card and brings it to a known state. Nothing else may be called before it returned ok. May be
  /// called again after the card was powered off or changed; operations not reaped are forgotten.
  /// A card whose write-protect switch is on hears no commands: it is taken from its CIS as one unit, can be read, and
  /// refuses the rest with write_protected until it is attached again.
  AttachStatus attach();
  /// Waits for background erases (their results stay to be reaped), leaves all pairs in array mode, switches the
  /// generator off.
  void release();

  [[nodiscard]] const PartGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const PartCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const PartOp> ops) override;
  std::size_t reap(std::span<PartDone> done, bool wait) override;

 private:
  AttachStatus identify();
  AttachStatus set_up_pairs();
  PartStatus execute(const PartOp& op);
  void rest();
  PartStatus read(PairState& pair, std::uint32_t base, const PartOp& op);
  PartStatus program(PairState& pair, std::uint32_t base, const PartOp& op);
  PartStatus erase(PairState& pair, std::uint32_t base, const PartOp& op);
  void resume(PairState& pair);
  bool writable(PartStatus& status);
  PartStatus finish_erase(PairState& pair);
  void ended(PairState& pair, PartStatus status);
  void poll_erases();
  PairState* oldest_erase();
  void push(std::uint32_t tag, PartStatus status);

  MmioPort& common_;
  MmioPort& attribute_;
  ProbePort& probe_;
  const Series2PlusDriverConfig config_;
  CardControl control_;
  PairCommands commands_;
  PairErase pair_erase_;
  PairProgram pair_program_;
  PartGeometry geometry_;
  PartCapabilities capabilities_;
  std::uint32_t segments_per_pair_ = 1;
  bool set_up_ = false;  ///< pairs were identified and brought to a known state
  std::array<PairState, kMaxPairs> pairs_{};
  PairState* last_ = nullptr;      ///< pair of the operation before, perhaps not in array mode
  std::uint32_t erasing_ = 0;      ///< pairs with an erase under way
  std::uint32_t suspended_ = 0;    ///< of them: suspended
  std::uint32_t erase_order_ = 0;  ///< next start number
  DoneRing finished_;
};

}  // namespace ftlab
