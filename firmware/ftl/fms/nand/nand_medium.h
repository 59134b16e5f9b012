// NAND: records in the spare bytes, a summary at the end of each segment, checkpoints. Nothing is cleared in place:
// what an old copy is worth is told by sequence numbers, what is trimmed by the checkpoint (docs/media-format.md).
// Knows the NAND layer and the state; all pages of a segment are used (PageMode::full).
#pragma once

#include <array>

#include "firmware/ftl/fms/frontier.h"
#include "firmware/ftl/fms/medium.h"
#include "firmware/ftl/fms/segment_pool.h"
#include "firmware/ftl/fms/state.h"
#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_store.h"
#include "firmware/volume/nand/scan.h"
#include "firmware/volume/nand/undo_copies.h"

namespace ftlab::fms {

class NandMedium final : public Medium, private nand::CheckpointSource, private nand::ScanVisitor {
 public:
  NandMedium(FmsState& state, SegmentPool& pool, Frontier& frontier);

  /// Arena beside the tables of the state.
  static void measure(Arena& arena, const FlashGeometry& geometry, const FmsConfig& config);
  void layout(Arena& arena);

  FtlStatus format() override;
  FtlStatus mount() override;
  FtlStatus flush() override;
  FlashStatus read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::byte* into,
                   std::uint32_t length) override;
  FlashStatus append(std::uint32_t segment, std::uint32_t slot, const PageRecord& page, const std::byte* data) override;
  FlashStatus invalidate(std::uint32_t) override { return FlashStatus::ok; }  // the higher sequence decides
  FlashStatus trim(std::uint32_t ppn) override;
  FlashStatus trim_lost() override {
    checkpoints_.note_change();
    return FlashStatus::ok;
  }
  /// As a trim: a checkpoint comes before the erase, and has the page as mapped without a copy.
  bool lose(std::uint32_t ppn) override { return trim(ppn) == FlashStatus::ok; }
  FlashStatus open(std::uint32_t segment, StreamId stream) override;
  void opened(std::uint32_t segment, std::uint16_t logged) override;
  void close(std::uint32_t segment) override;
  FlashStatus void_all(std::uint32_t) override { return FlashStatus::ok; }
  /// Writes a checkpoint first when the segment holds the newest copy of a page trimmed since the last one.
  /// erase_failed for one that a mount found without valid pages and with a bad mark.
  FlashStatus may_erase(std::uint32_t segment) override;
  FlashStatus born(std::uint32_t segment) override;
  void retired(std::uint32_t segment) override;
  void buried(std::uint32_t segment) override;

 private:
  /// One active segment of each stream, and the one that a swap fills.
  static constexpr std::uint32_t kOpenSegments = kStreams + 1;

  [[nodiscard]] nand::CheckpointRow checkpoint_row(std::uint32_t segment) const override;
  [[nodiscard]] bool checkpoint_mapped(std::uint32_t lpn) const override;
  [[nodiscard]] bool checkpoint_valid(std::uint32_t segment, std::uint32_t slot) const override;
  std::uint32_t replace_checkpoint_segment(std::uint32_t failed) override;
  void page(std::uint32_t segment, std::uint32_t slot, const nand::PageMetadata& record) override;
  void lost(std::uint32_t lpn, std::uint64_t after) override;
  void segment(const nand::ScannedSegment& found) override;

  /// A record's stamp has 40 bits: of nanoseconds they are full after 18 minutes. Units of 2^20 ns last for 36 years.
  [[nodiscard]] unsigned stamp_shift() const { return s_.config.age_clock == FmsConfig::AgeClock::time ? 20 : 0; }
  /// Policy clock and stamps on the medium, which are coarser where the clock is the host's time.
  [[nodiscard]] std::uint64_t to_stamp(std::uint64_t clock) const;
  [[nodiscard]] std::uint64_t from_stamp(std::uint64_t stamp) const;
  bool write_checkpoint(nand::CheckpointKind kind = nand::CheckpointKind::complete);
  void want_refresh(std::uint32_t segment);
  /// Whether a segment found open is gone on with.
  bool take_up_open(nand::Scan& scan);
  FlashStatus undo_copies(nand::Scan& scan, bool& undone);
  void build_free_list();
  void set_fixed();
  [[nodiscard]] bool looks_new(std::uint32_t segment);
  FtlStatus prepare(std::uint32_t segment, bool new_part);

  FmsState& s_;
  SegmentPool& pool_;
  Frontier& frontier_;
  nand::PageStore store_;
  nand::Checkpoints checkpoints_;
  std::span<std::uint64_t> sequences_;  ///< mount: of the copy that counts so far, per logical page
  nand::UndoCopies* undo_ = nullptr;    ///< mount: during its second scan
  std::array<nand::ScannedSegment, 2 * kOpenSegments> open_found_{};
  std::uint32_t open_count_ = 0;
  bool checkpoints_lost_ = false;  ///< no segment takes checkpoints any more: trims cannot be kept
};

}  // namespace ftlab::fms
