// A part that offers commands alone (PartPort) served as an array: each die works off its queue of descriptors by
// itself, as far as the port lets operations overlap, and reports what has ended. Knows descriptors, PartOps and where
// pages lie; no registers. Buffers and queues lie in the arena given to the constructor; nothing else is allocated.
//
// Invariant: one operation a die at the port at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/driver/paged/known_segments.h"
#include "firmware/driver/paged/page_layout.h"
#include "firmware/driver/paged/page_tag.h"
#include "firmware/driver/paged/paged_config.h"
#include "firmware/driver/paged/resume_notes.h"
#include "firmware/driver/paged/segment_groups.h"
#include "firmware/driver/paged/waiting_units.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/port/refresh_limits.h"

namespace ftlab {

class PagedFlash final : public FlashPort, private paged::OperationRunner {
 public:
  /// Null when the part can be served, else a sentence with the reason.
  [[nodiscard]] static const char* check(const PartPort& port, const PagedFlashConfig& config) {
    return paged::check(port, config);
  }
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(PartPort& port, const PagedFlashConfig& config);

  /// Port, probe and arena must outlive the object; check() has passed and the arena is large enough.
  PagedFlash(PartPort& port, ProbePort& probe, const PagedFlashConfig& config, std::span<std::byte> arena);

  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  void submit(std::span<const FlashOp> ops) override;
  std::size_t collect(std::span<FlashDone> done) override;
  /// A part that does not interrupt an operation lets time pass to its end, whatever `until_ns` says.
  void wait(std::uint64_t until_ns) override;
  void write_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<const std::byte> from) override;
  void read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) override;

 private:
  enum class Phase : std::uint8_t { idle, reading, programming, settling, erasing, checking, before_marking, marking };
  struct Queued {
    FlashOp op;
    Cause cause = Cause::host;
  };
  struct Die {
    std::span<Queued> queue;  ///< a ring
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Phase phase = Phase::idle;
    paged::Steps steps;
    std::uint32_t next_step = 0;
    FlashDone done;               ///< of the first of the queue
    std::span<std::byte> page;    ///< a copy on its way; of several pages in a program unit, a unit
    std::span<std::byte> beside;  ///< of the page on its way
    // Of several pages in a program unit: as many of the queue as take from the program unit that was sensed last, and
    // how that ended.
    std::uint32_t run = 0;
    PartStatus sensed_status = PartStatus::ok;
    FlashDone sensed;
  };
  static constexpr std::uint32_t kQueue = 128;  ///< descriptors of a die

  void layout(Arena& arena);
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t page) const { return page / geometry_.pages_per_segment; }
  [[nodiscard]] std::uint32_t index_of(std::uint32_t page) const { return page % geometry_.pages_per_segment; }
  [[nodiscard]] std::uint32_t die_of(std::uint32_t page) const { return page / pages_per_die_; }
  [[nodiscard]] std::uint32_t number_of(const Die& die) const {
    return static_cast<std::uint32_t>(&die - dies_.data());
  }
  [[nodiscard]] std::byte* buffer(std::uint16_t index);

  /// Starts what can start and takes what has ended. False: nothing of either.
  bool advance(bool wait);
  bool start_idle_dies();
  bool take_ended(bool wait);
  void start(Die& die);
  /// For `phase`; run() starts them.
  paged::Steps& begin(Die& die, Phase phase);
  void run(Die& die);
  void submit_step(Die& die);
  void step_ended(Die& die, const PartDone& done);
  void phase_ended(Die& die, PartStatus status);
  void page_read(Die& die, PartStatus status);
  /// `data`: null where there is none that counts.
  void encode_beside(Die& die, const FlashMetadata& metadata, paged::TagKind kind, const std::byte* data);
  [[nodiscard]] paged::DecodedTag decode_beside(const Die& die, const std::byte* data) const;
  [[nodiscard]] std::uint32_t data_check(const std::byte* data) const;
  void start_copy_program(Die& die, bool readable);
  /// Of a mark; only who asks is told of one that the part does not take.
  void finish_mark(Die& die, bool taken);
  /// Bytes that a read wants alone, where the layout can read those.
  [[nodiscard]] bool wants_part(const FlashOp& op) const;

  // Program units of several pages.
  /// False: an operation that goes the way of single pages.
  bool start_in_unit(Die& die);
  void read_waiting(Die& die, const paged::WaitingUnit& unit);
  /// For the first of the queue, and what follows and takes from the same program unit.
  void sense(Die& die);
  void unit_sensed(Die& die, PartStatus status);
  void take_from_sensed(Die& die);
  [[nodiscard]] paged::DecodedTag sensed_tag(const Die& die, std::uint32_t page) const;
  void take_copy(Die& die, const paged::DecodedTag& source, std::span<const std::byte> data, bool fails);
  struct Coming {
    std::uint32_t page = 0;
    FlashMetadata metadata{};
    bool lost = false;
    bool fails = false;
  };
  /// The page of the first of the queue; without data it stays erased.
  void come(Die& die, const Coming& coming, std::span<const std::byte> data);
  void unit_ended(Die& die, paged::WaitingUnit& unit, bool ok);
  /// What metadata that are read for the first time say of how far the segment is written. True: something has to be
  /// made sure of, which is under way.
  bool judge_end(Die& die, const paged::DecodedTag& tag);
  PartStatus run_to_end(PartOp op) override;
  void finish(Die& die, FlashStatus status);
  void report(const FlashDone& done, bool asked);
  /// The first of the queue is done with.
  void pop(Die& die);

  SegmentGroups groups_;  ///< the port where a segment has several erase units
  PartPort& port_;
  ProbePort& probe_;
  PagedFlashConfig config_;
  paged::PageLayout page_layout_;
  paged::KnownSegments known_;
  paged::WaitingUnits waiting_;
  FlashGeometry geometry_;
  std::uint32_t pages_per_die_;
  std::uint32_t under_way_ = 0;             ///< operations at the port
  PartStatus own_status_ = PartStatus::ok;  ///< of the operation that run_to_end() waits for
  bool own_ended_ = false;
  bool own_waits_ = false;    ///< until then nothing else goes on: it might need an operation of our own, too
  std::span<PartDone> held_;  ///< ended meanwhile, one of a die at most
  std::uint32_t held_count_ = 0;
  bool no_supply_ = false;  ///< an operation failed for want of voltage or permission: no segment is to blame
  std::span<Die> dies_;
  std::span<std::byte> buffers_;
  std::span<std::byte>
      previous_;                ///< NOR: of each segment, beside the page whose metadata were read last and are intact
  std::span<FlashDone> ended_;  ///< a ring
  std::uint32_t first_ended_ = 0;
  std::uint32_t ended_count_ = 0;
};

}  // namespace ftlab
