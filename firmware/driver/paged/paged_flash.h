// A part with a FlashPort served as an array: each die works off its queue of descriptors by itself, as far as the
// port lets operations overlap, and reports what has ended. Knows descriptors, FlashOps and where pages lie; no
// registers. Buffers and queues lie in the arena given to the constructor; nothing else is allocated.
//
// Invariants: one operation a die at the port at most; the first blank page behind others that an earlier session wrote
// counts as written and unreadable, since a program may have been interrupted there without leaving a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/driver/paged/page_layout.h"
#include "firmware/driver/paged/page_tag.h"
#include "firmware/driver/paged/resume_notes.h"
#include "firmware/port/array_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/port/refresh_limits.h"

namespace ftlab {

struct PagedFlashConfig {
  std::uint32_t page_bytes = 0;  ///< 0: the part's, which only NAND has
  std::uint32_t buffers = 32;    ///< pages on their way for the host at once
  RefreshLimits refresh{};       ///< NAND
  bool data_checksum = false;    ///< NOR: a checksum of each page, looked at when the page is read, by copies, too
};

class PagedFlash final : public ArrayPort, private paged::OperationRunner {
 public:
  /// Null when the part can be served, else a sentence with the reason.
  [[nodiscard]] static const char* check(const FlashPort& port, const PagedFlashConfig& config);
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(FlashPort& port, const PagedFlashConfig& config);

  /// Port, probe and arena must outlive the object; check() has passed and the arena is large enough.
  PagedFlash(FlashPort& port, ProbePort& probe, const PagedFlashConfig& config, std::span<std::byte> arena);

  [[nodiscard]] const ArrayGeometry& geometry() const override { return geometry_; }
  void submit(std::span<const ArrayOp> ops) override;
  std::size_t collect(std::span<ArrayDone> done) override;
  /// A part that does not interrupt an operation lets time pass to its end, whatever `until_ns` says.
  void wait(std::uint64_t until_ns) override;
  void write_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<const std::byte> from) override;
  void read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) override;

 private:
  enum class Phase : std::uint8_t { idle, reading, programming, settling, erasing, checking, before_marking, marking };
  struct Queued {
    ArrayOp op;
    Cause cause = Cause::host;
  };
  struct Die {
    std::span<Queued> queue;  ///< a ring
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Phase phase = Phase::idle;
    paged::Steps steps;
    std::uint32_t next_step = 0;
    ArrayDone done;                 ///< of the first of the queue
    std::span<std::byte> page;      ///< a copy on its way
    std::span<std::byte> beside;    ///< of the page on its way
    std::span<std::byte> previous;  ///< beside the page whose metadata were read last
    std::uint32_t previous_page = ArrayOp::kNoPage;
    bool previous_blank = false;
    bool previous_intact = false;
  };
  /// What this session knows of a segment.
  struct Known {
    bool checked = false;  ///< whether it is bad
    bool bad = false;
    bool erased = false;          ///< in this session: what is blank there is
    bool unerased = false;        ///< its erase failed: takes no program
    bool refused = false;         ///< a program failed there: it takes no other one before its erase
    bool noted = false;           ///< NAND: the next session will know where this one went on
    std::uint16_t attempted = 0;  ///< NAND: up to this page programs may have left no trace; 0: none
  };

  static constexpr std::uint32_t kQueue = 128;  ///< descriptors of a die

  void layout(Arena& arena);
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t page) const { return page / geometry_.pages_per_segment; }
  [[nodiscard]] std::uint32_t index_of(std::uint32_t page) const { return page % geometry_.pages_per_segment; }
  [[nodiscard]] std::uint32_t die_of(std::uint32_t page) const {
    return segment_of(page) / geometry_.segments_per_die();
  }
  [[nodiscard]] std::byte* buffer(std::uint16_t index);

  /// Starts what can start and takes what has ended. False: nothing of either.
  bool advance(bool wait);
  bool start_idle_dies();
  bool take_ended(bool wait);
  void start(Die& die);
  void run(Die& die, Phase phase, const paged::Steps& steps);
  void submit_step(Die& die);
  void step_ended(Die& die, const FlashDone& done);
  void phase_ended(Die& die, FlashStatus status);
  void page_read(Die& die, FlashStatus status);
  /// `data`: null where there is none that counts.
  void encode_beside(Die& die, const ArrayMetadata& metadata, paged::TagKind kind, const std::byte* data);
  [[nodiscard]] paged::DecodedTag decode_beside(const Die& die, const std::byte* data) const;
  [[nodiscard]] std::uint32_t data_check(const std::byte* data) const;
  void start_copy_program(Die& die, bool readable);
  /// What metadata that are read for the first time say of how far the segment is written. True: something has to be
  /// made sure of, which is under way.
  bool judge_end(Die& die, const paged::DecodedTag& tag);
  [[nodiscard]] bool may_be_torn(const Die& die, const paged::DecodedTag& tag) const;
  void load_notes();
  /// Before a program. False: it must not be started.
  bool may_program(std::uint32_t page);
  /// The next session will know of it.
  bool note_resumed(std::uint32_t page);
  void programmed(std::uint32_t page, bool ok);
  FlashStatus run_to_end(FlashOp op) override;
  void finish(Die& die, ArrayStatus status);

  FlashPort& port_;
  ProbePort& probe_;
  PagedFlashConfig config_;
  paged::PageLayout page_layout_;
  paged::ResumeNotes notes_;
  ArrayGeometry geometry_;
  std::uint32_t under_way_ = 0;  ///< operations at the port
  bool notes_loaded_ = false;
  FlashStatus own_status_ = FlashStatus::ok;  ///< of the operation that run_to_end() waits for
  bool own_ended_ = false;
  bool own_waits_ = false;     ///< until then nothing else goes on: it might need an operation of our own, too
  std::span<FlashDone> held_;  ///< ended meanwhile, one of a die at most
  std::uint32_t held_count_ = 0;
  bool no_supply_ = false;  ///< an operation failed for want of voltage or permission: no segment is to blame
  std::span<Die> dies_;
  std::span<Known> known_;
  std::span<std::byte> buffers_;
  std::span<ArrayDone> ended_;  ///< a ring
  std::uint32_t first_ended_ = 0;
  std::uint32_t ended_count_ = 0;
};

}  // namespace ftlab
