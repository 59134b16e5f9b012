// A complete flash translation layer in three small files: page-mapped, two cleaning policies, mount after a power
// loss. Written as firmware of one's own, outside the ftlab tree: it meets the world through FlashPort and ProbePort
// only, allocates nothing, and could run on a target as it is.
//
// On flash a segment is one header page and page slots. The header holds a SegmentMark and one Entry per slot.
// Order of writing: data, then the slot's entry, then the old copy's entry is cleared in place (NOR clears bits of what
// is programmed). A page whose program a power loss interrupted has no entry and does not exist; of two copies the
// later counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/counters.h"
#include "common/fields.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace example {

struct PageFtlConfig {
  std::uint32_t page_bytes = 4096;
  std::uint32_t logical_pages = 0;  ///< at most max_logical_pages()
  std::uint32_t reserve = 2;        ///< free segments kept so that cleaning always has a place to copy to
  bool oldest_first = false;        ///< cleans the segment opened first, not the one with the fewest valid pages
};

/// The keys of a study that set it. The defaults are the members' initialisers.
inline constexpr ftlab::Field<PageFtlConfig> kPageFtlFields[] = {
    ftlab::integer_field<&PageFtlConfig::reserve>("reserve", "segments", 2, 1000,
                                                  "free segments that cleaning restores, which hold no data"),
};

/// Counters beside FtlStats.
struct PageFtlStats {
  std::uint64_t entries_cleared = 0;
  std::uint64_t free_segments = 0;
};

/// How results, timelines and comparisons name them.
inline constexpr ftlab::Counter<PageFtlStats> kPageFtlCounters[] = {
    ftlab::flow<&PageFtlStats::entries_cleared>("entries_cleared", "entries",
                                                "entries of old copies that were cleared in place"),
    ftlab::state<&PageFtlStats::free_segments>("free_segments", "segments", "free segments"),
};

class PageFtl final : public ftlab::Ftl {
 public:
  /// Why the firmware cannot work on such a part, or with pages of this size on it; null: it can. To be asked before
  /// the others, which take a fitting geometry for granted.
  static const char* cannot_use(const ftlab::FlashGeometry& geometry, const ftlab::FlashCapabilities& capabilities);
  static const char* cannot_divide(const ftlab::FlashGeometry& geometry, std::uint32_t page_bytes);
  /// Pages of the segments that data and spare space share; 0: the reserve leaves no segment.
  static std::uint32_t usable_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);
  static std::uint32_t max_logical_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);
  /// 32-bit words of arena the constructor needs.
  static std::size_t arena_words(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);

  PageFtl(ftlab::FlashPort& flash, ftlab::ProbePort& probe, const PageFtlConfig& config,
          std::span<std::uint32_t> arena);

  ftlab::FtlStatus format(std::uint64_t now_ns) override;
  ftlab::FtlStatus mount(std::uint64_t now_ns) override;
  ftlab::FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  ftlab::FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, ftlab::WriteHint hint,
                         std::uint64_t now_ns) override;
  ftlab::FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  ftlab::FtlStatus flush(std::uint64_t) override { return ftlab::FtlStatus::ok; }  // every write is durable already
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return ftlab::kNoIdleWork; }  // no background work

  [[nodiscard]] std::uint64_t capacity_bytes() const override;
  [[nodiscard]] std::uint32_t page_bytes() const override { return config_.page_bytes; }
  [[nodiscard]] const ftlab::FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return geometry_.segments; }
  [[nodiscard]] ftlab::SegmentInfo segment(ftlab::SegmentId id) const override;
  [[nodiscard]] const char* self_check() const override;

  /// Pages of data in a segment.
  [[nodiscard]] std::uint32_t slots() const { return geometry_.segment_bytes / config_.page_bytes - 1; }
  [[nodiscard]] PageFtlStats own_stats() const { return {entries_cleared_, free_}; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Programmed in two steps: `erased` and `erase_count` after an erase, the rest when the segment is taken into use.
  struct SegmentMark {
    std::uint32_t erased = kNone;
    std::uint32_t erase_count = kNone;
    std::uint32_t sequence = kNone;  ///< order of opening
    std::uint32_t sequence_check = kNone;
  };
  struct Entry {
    std::uint32_t lpn = kNone;
    std::uint32_t check = kNone;  ///< ~lpn; anything else: never committed, or cleared
  };

  /// What is known of one segment; lives in the arena.
  struct Segment {
    ftlab::SegmentState state;
    std::uint32_t used;
    std::uint32_t valid;
    std::uint32_t erase_count;
    std::uint32_t sequence;
  };

  [[nodiscard]] bool in_range(std::uint64_t offset, std::uint64_t length) const;
  ftlab::FlashStatus program(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length);
  ftlab::FlashStatus fetch(std::uint32_t segment, std::uint32_t offset, void* into, std::uint32_t length);
  ftlab::FlashStatus read_page(std::uint32_t ppn, std::uint32_t from, std::span<std::byte> into);

  void forget_everything();
  bool erase(std::uint32_t segment);
  bool open_frontier(bool cleaning);
  [[nodiscard]] std::uint32_t choose_victim();
  bool clean_one();
  ftlab::FtlStatus place(std::uint32_t lpn, const std::byte* data, bool cleaning);
  ftlab::FtlStatus write_page(std::uint32_t lpn, const std::byte* data);
  void drop(std::uint32_t ppn, bool on_flash);
  void load_segment(std::uint32_t segment);
  void adopt(std::uint32_t lpn, std::uint32_t ppn);
  void reopen_frontier();

  ftlab::FlashPort& flash_;
  ftlab::ProbePort& probe_;
  const PageFtlConfig config_;
  const ftlab::FlashGeometry geometry_;
  std::span<std::uint32_t> l2p_;  ///< physical page of each logical one, or kNone
  std::span<std::uint32_t> p2l_;  ///< logical page of each slot, or kNone: erased or not valid any more
  std::span<Segment> table_;
  std::span<std::byte> merge_;  ///< one page: read-modify-write
  std::span<std::byte> copy_;   ///< one page: cleaning
  std::uint32_t frontier_ = kNone;
  std::uint32_t free_ = 0;
  std::uint32_t next_free_ = 0;  ///< where the search for a free segment goes on, so that all take turns
  std::uint32_t sequence_ = 0;
  std::uint64_t entries_cleared_ = 0;
  ftlab::FtlStats stats_;
};

}  // namespace example
