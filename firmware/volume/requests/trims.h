// Which pages were trimmed, as the records on the array say it. Knows the log; writes nothing itself.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/in_flight/workbench.h"

namespace ftlab::volume {

class Trims {
 public:
  /// `host_pages`: logical pages of the host; the records lie behind them.
  Trims(Workbench& bench, std::uint32_t host_pages) : bench_(bench), host_pages_(host_pages) {}

  void layout(Arena& arena);
  void clear();

  /// Records, one for each group of pages; 0: the part keeps no data.
  [[nodiscard]] std::uint32_t records() const { return records_; }
  [[nodiscard]] std::uint32_t covered() const { return covered_; }
  /// Logical page of a record.
  [[nodiscard]] std::uint32_t page_of(std::uint32_t record) const { return host_pages_ + record; }
  [[nodiscard]] std::uint32_t record_of(std::uint32_t lpn) const { return page_of(lpn / covered_); }
  /// Of a page of the host: named in its record, or was.
  [[nodiscard]] bool is_set(std::uint32_t lpn) const { return (trimmed_[lpn / 64] >> (lpn % 64) & 1U) != 0; }
  void set(std::uint32_t lpn, bool is) {
    const std::uint64_t bit = std::uint64_t{1} << (lpn % 64);
    trimmed_[lpn / 64] = is ? trimmed_[lpn / 64] | bit : trimmed_[lpn / 64] & ~bit;
  }
  /// Pages of the group of `lpn`. A record without them may come when they are on the array, or versions from before
  /// their trim could come back.
  [[nodiscard]] bool has_written_again(std::uint32_t lpn) const;
  /// In the page buffer: what is trimmed of the group of `lpn` up to the program queued last.
  void make_record(std::uint32_t lpn);
  /// Mount: what the record in the page buffer names and nobody has written since is trimmed. `newest`: of each logical
  /// page.
  void apply(std::uint32_t record, std::span<const FoundSequence> newest);

 private:
  struct Group {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Group group_of(std::uint32_t lpn) const;

  Workbench& bench_;
  std::uint32_t host_pages_;
  std::uint32_t records_ = 0;
  std::uint32_t covered_ = 1;
  std::span<std::uint64_t> trimmed_;  ///< a bit for each page of the host
};

}  // namespace ftlab::volume
