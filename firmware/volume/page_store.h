// What touches the flash on behalf of a volume: pages with their metadata, the marks and headers of segments, format
// and mount. Two kinds: NOR headers with marks cleared in place, NAND spare bytes with summaries and checkpoints.
// Tables in memory are the callers'; a page store keeps the sequence numbers and what lies beside the pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/map/segment_table.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"

namespace ftlab {

/// A logical page with what is kept beside its data.
struct PageMetadata {
  std::uint32_t lpn = 0;
  std::uint32_t updates = 0;
  std::uint64_t stamp = 0;
  bool copied = false;      ///< not from the host
  bool unreadable = false;  ///< copied all the same: the copy must be unreadable, too
};

class PageStore {
 public:
  PageStore() = default;
  PageStore(const PageStore&) = delete;
  PageStore& operator=(const PageStore&) = delete;

  /// The volume is cleared before both. Afterwards it is the mounted one.
  virtual FtlStatus format() = 0;
  virtual FtlStatus mount() = 0;
  /// Whatever is not durable by itself becomes so.
  virtual FtlStatus flush() = 0;

  /// From `offset` within the page.
  virtual FlashStatus read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset,
                           std::span<std::byte> into) = 0;
  /// Writes and commits with the next sequence number. A slot that failed is void.
  virtual FlashStatus append(std::uint32_t segment, std::uint32_t slot, const PageMetadata& page,
                             const std::byte* data) = 0;
  /// Whether append() takes pages that are unreadable.
  [[nodiscard]] virtual bool copies_unreadable() const { return false; }
  /// A newer copy of the page is durable. Not ok only when this copy would count without that.
  virtual FlashStatus invalidate(std::uint32_t ppn) = 0;
  /// The host gave the page up; its tables still name it. program_failed: some copy of it cannot be voided, so that
  /// only a newer one keeps it from coming back.
  virtual FlashStatus trim(std::uint32_t ppn) = 0;
  /// The same of a page that is lost. program_failed: the next mount would find it lost again.
  virtual FlashStatus trim_lost() { return FlashStatus::ok; }
  /// The copy cannot be read, and its tables still name it: from now on its page is lost. False: the store knows lost
  /// pages by their copies alone.
  virtual bool lose(std::uint32_t) { return false; }

  /// Takes an erased segment into use; sets the row's stream, stamp and sequence.
  virtual FlashStatus open(std::uint32_t segment, StreamId stream) = 0;
  /// The segment is in use now; `active`: as its stream's open segment.
  virtual void opened(std::uint32_t segment, bool active) = 0;
  /// Nothing more goes there.
  virtual void close(std::uint32_t segment) = 0;
  /// Before an erase: every copy in the segment is void, newer ones are durable elsewhere. Unless ok it must not be
  /// erased: what an erase leaves that power loss interrupts could count.
  virtual FlashStatus void_all(std::uint32_t segment) = 0;
  /// ok, or why not: write_protected when an erase would bring back something that must not come back, erase_failed
  /// when the segment turns out to be bad.
  virtual FlashStatus may_erase(std::uint32_t segment) = 0;
  /// The segment was erased and counted: the erase header, where there is one.
  virtual FlashStatus erased(std::uint32_t segment) = 0;
  /// A program failed there; `row.retired` is set already.
  virtual void retired(std::uint32_t segment) = 0;
  /// It failed and holds no valid page: bad for good. `row.retired` as it was before.
  virtual void marked_bad(std::uint32_t segment) = 0;
  /// In idle time: where reads wear the data, so many are on record that a power loss takes few.
  virtual void record_reads() = 0;

 protected:
  ~PageStore() = default;
};

}  // namespace ftlab
