// NOR: a header at the start of each segment, marks cleared in place, a fixed segment with counts and log.
// docs/media-format.md gives every byte and what a power loss leaves.
#pragma once

#include <optional>

#include "firmware/volume/nor/log.h"
#include "firmware/volume/nor/record_check.h"
#include "firmware/volume/page_store.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

class NorPageStore final : public PageStore {
 public:
  NorPageStore(Volume& volume, SegmentPool& pool, WriteFrontier& frontier)
      : v_(volume), pool_(pool), frontier_(frontier), log_(volume, pool) {}

  FtlStatus format() override;
  FtlStatus mount() override;
  FtlStatus flush() override { return FtlStatus::ok; }  // every request is durable when it is answered
  void record_reads() override {}
  FlashStatus read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::span<std::byte> into) override;
  FlashStatus append(std::uint32_t segment, std::uint32_t slot, const PageMetadata& page,
                     const std::byte* data) override;
  /// Clears the valid mark. A segment that refuses is retired.
  FlashStatus invalidate(std::uint32_t ppn) override;
  FlashStatus trim(std::uint32_t ppn) override;
  FlashStatus trim_lost() override { return FlashStatus::program_failed; }
  FlashStatus open(std::uint32_t segment, StreamId stream) override;
  void opened(std::uint32_t segment, bool active) override {
    log_.append(active ? v_.segments.row(segment).stream : nor::kNoStream, segment);
  }
  /// A page checksum can be made not to match.
  [[nodiscard]] bool copies_unreadable() const override { return v_.config.data_checksum; }
  void close(std::uint32_t) override {}
  FlashStatus void_all(std::uint32_t segment) override;
  FlashStatus may_erase(std::uint32_t) override { return FlashStatus::ok; }
  FlashStatus erased(std::uint32_t segment) override;
  void retired(std::uint32_t segment) override;
  void marked_bad(std::uint32_t segment) override;

 private:
  FlashStatus mark_dead(std::uint32_t segment);
  FlashStatus clear_mark(std::uint32_t segment, std::uint32_t offset_in_marks);
  FlashStatus clear_valid(std::uint32_t segment, std::uint32_t slot);
  FlashStatus read_entry(std::uint32_t segment, std::uint32_t slot, nor::CheckedEntry& entry);
  /// Whether a mount would take the entry for a page; nullopt when it cannot be read now.
  [[nodiscard]] std::optional<bool> counts(std::uint32_t segment, std::uint32_t slot);
  /// Whether a mount would not find the page trimmed if the mark of its newest copy were cleared: there is a copy that
  /// cannot be voided, or damage.
  [[nodiscard]] bool would_come_back(std::uint32_t lpn);
  [[nodiscard]] FlashStatus verify(std::uint32_t segment, std::uint32_t slot, const std::byte* page);
  [[nodiscard]] std::uint32_t data_check(const std::byte* page);
  /// All of it but the erase header.
  [[nodiscard]] bool is_blank(std::uint32_t segment);

  Volume& v_;
  SegmentPool& pool_;
  WriteFrontier& frontier_;
  nor::Log log_;
};

}  // namespace ftlab
