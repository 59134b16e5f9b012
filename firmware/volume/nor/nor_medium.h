// NOR: a header at the start of each segment, marks cleared in place, a fixed segment with counts and log.
// docs/media-format.md gives every byte and what a power cut leaves.
#pragma once

#include <optional>

#include "firmware/ftl/fms/frontier.h"
#include "firmware/ftl/fms/medium.h"
#include "firmware/ftl/fms/segment_pool.h"
#include "firmware/ftl/fms/state.h"
#include "firmware/volume/nor/journal.h"
#include "firmware/volume/nor/record_check.h"

namespace ftlab::fms {

class NorMedium final : public Medium {
 public:
  NorMedium(FmsState& state, SegmentPool& pool, Frontier& frontier)
      : s_(state), pool_(pool), frontier_(frontier), journal_(state) {}

  FtlStatus format() override;
  FtlStatus mount() override;
  FtlStatus flush() override { return FtlStatus::ok; }  // every request is durable when it is answered
  FlashStatus read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::byte* into,
                   std::uint32_t length) override;
  FlashStatus append(std::uint32_t segment, std::uint32_t slot, const PageRecord& page, const std::byte* data) override;
  /// Clears the valid mark. A segment that refuses is retired.
  FlashStatus invalidate(std::uint32_t ppn) override;
  FlashStatus trim(std::uint32_t ppn) override;
  FlashStatus trim_lost() override { return FlashStatus::program_failed; }
  FlashStatus open(std::uint32_t segment, StreamId stream) override;
  void opened(std::uint32_t segment, std::uint16_t logged) override { journal_.append(logged, segment); }
  /// A page checksum can be made not to match.
  [[nodiscard]] bool copies_unreadable() const override { return s_.config.data_checksum; }
  void close(std::uint32_t) override {}
  FlashStatus void_all(std::uint32_t segment) override;
  FlashStatus may_erase(std::uint32_t) override { return FlashStatus::ok; }
  FlashStatus born(std::uint32_t segment) override;
  void retired(std::uint32_t segment) override;
  void buried(std::uint32_t segment) override;

 private:
  FlashStatus clear_mark(std::uint32_t segment, std::uint32_t offset_in_marks);
  FlashStatus clear_valid(std::uint32_t segment, std::uint32_t slot);
  FlashStatus read_entry(std::uint32_t segment, std::uint32_t slot, CheckedEntry& entry);
  /// Whether a mount would take the entry for a page; nullopt when it cannot be read now.
  [[nodiscard]] std::optional<bool> counts(std::uint32_t segment, std::uint32_t slot);
  /// Whether a mount would not find the page trimmed if the mark of its newest copy were cleared: there is a copy that
  /// cannot be voided, or damage.
  [[nodiscard]] bool would_come_back(std::uint32_t lpn);
  [[nodiscard]] FlashStatus verify(std::uint32_t segment, std::uint32_t slot, const std::byte* page);
  [[nodiscard]] std::uint32_t data_check(const std::byte* page);
  /// All of it but the erase header.
  [[nodiscard]] bool is_blank(std::uint32_t segment);

  FmsState& s_;
  SegmentPool& pool_;
  Frontier& frontier_;
  Journal journal_;
};

}  // namespace ftlab::fms
