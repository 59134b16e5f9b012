// Pages that cannot be read any more: reads say so, in later mounts and after cleaning has moved what is left of them,
// until they are written or trimmed. Versions before never stand in for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/base/random.h"
#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

struct LostPagesCase {
  const char* name;
  std::uint32_t dies;
  std::uint32_t checkpoint_every;
  const char* separation;
  std::uint32_t pages_at_once = 1;
};
void PrintTo(const LostPagesCase& c, std::ostream* out) { *out << c.name; }

class PageLostPages : public ArrayVolume, public testing::WithParamInterface<LostPagesCase> {
 protected:
  static constexpr std::uint32_t kPageBytes = 256;
  static constexpr std::uint32_t kPages = 16;  ///< of a segment

  static FlashGeometry geometry() {
    return {.segments = 24 * GetParam().dies,
            .pages_per_segment = kPages,
            .page_bytes = kPageBytes,
            .pages_at_once = GetParam().pages_at_once,
            .dies = GetParam().dies,
            .rated_erase_cycles = 1000,
            .buffers = 32};
  }
  PageLostPages() {
    make(geometry(), 7);
    config_.separation = GetParam().separation;
    config_.checkpoint_every = GetParam().checkpoint_every;
    fill_share(0.7);
    begin_volume();
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) put(lpn);
    churn(600);
  }

  [[nodiscard]] static std::uint64_t at(std::uint32_t lpn) { return std::uint64_t{lpn} * kPageBytes; }
  [[nodiscard]] bool is_lost(std::uint32_t lpn) const { return std::ranges::find(lost_, lpn) != lost_.end(); }
  /// Of all pages that are not lost.
  void churn(std::uint32_t writes) {
    for (std::uint32_t i = 0; i < writes; ++i) {
      const std::uint32_t lpn =
          random_.below(random_.below(4) == 0 ? config_.logical_pages : config_.logical_pages / 4);
      if (!is_lost(lpn)) put(lpn);
    }
  }
  void check() {
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn)
      ASSERT_EQ(oracle_->look_at(*ftl_, lpn), is_lost(lpn) ? PageOracle::Found::reported : PageOracle::Found::right)
          << "page " << lpn << (is_lost(lpn) ? " is lost" : "");
  }
  /// One that has everything.
  void write_until_checkpoint() {
    const std::uint32_t pages = volume::with_own_pages(config_, geometry()).logical_pages;
    const volume::CheckpointLayout layout{pages, geometry().segments, kPageBytes, kPages};
    for (std::uint64_t before = 0; ftl_->stats().log_erases != before + layout.segments_needed(); put(0))
      before = ftl_->stats().log_erases;
  }
  /// Whose newest versions lie in the program unit.
  [[nodiscard]] std::vector<std::uint32_t> pages_of_unit(std::uint32_t first) const {
    std::vector<std::uint32_t> pages;
    for (std::uint32_t i = 0; i < GetParam().pages_at_once; ++i) {
      const FlashMetadata& metadata = array_->metadata_of(first + i);
      if (!volume::is_known(metadata)) continue;
      const std::uint32_t lpn = volume::lpn_of(metadata);
      if (lpn < config_.logical_pages && find(lpn) == first + i) pages.push_back(lpn);
    }
    return pages;
  }
  [[nodiscard]] std::uint32_t unit_of(std::uint32_t ppn) const { return ppn & ~(GetParam().pages_at_once - 1); }
  /// One whose pages the program unit behind it names, all of them, and that names none that is lost.
  void lose_a_unit() {
    const std::uint32_t at_once = GetParam().pages_at_once;
    for (;;) {
      const std::uint32_t lpn = random_.below(config_.logical_pages);
      const std::optional<std::uint32_t> ppn = find(lpn);
      if (!ppn || is_lost(lpn) || *ppn % kPages >= kPages - at_once) continue;
      const std::vector<std::uint32_t> pages = pages_of_unit(unit_of(*ppn));
      const bool told = std::ranges::all_of(pages, [&](std::uint32_t page) {
        const FlashMetadata& next = array_->metadata_of(place_of(page) + at_once);
        return volume::is_known(next) && volume::before_of(next) == page;
      });
      const std::uint32_t unit = unit_of(*ppn) / at_once;
      const bool neighbour = std::ranges::any_of(
          lost_units_, [unit](std::uint32_t other) { return other + 1 == unit || other == unit + 1; });
      if (!told || neighbour) continue;
      lost_units_.push_back(unit);
      for (std::uint32_t i = 0; i < at_once; ++i) array_->lose_page(unit_of(*ppn) + i);
      lost_.insert(lost_.end(), pages.begin(), pages.end());
      return;
    }
  }
  void lose_pages() {
    for (std::uint32_t i = 0; i < 6 * GetParam().pages_at_once; ++i) lose_a_unit();
  }
  /// In use, and not the checkpoint's. Its pages are lost from now on.
  void lose_a_segment() {
    std::uint32_t most = 0;
    std::vector<std::uint32_t> pages;
    for (std::uint32_t segment = 0; segment < geometry().segments; ++segment) {
      const SegmentInfo info = ftl_->segment(SegmentId{segment});
      if (info.state != SegmentState::sealed || info.valid_pages <= most) continue;
      std::vector<std::uint32_t> here;
      for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn)
        if (const auto ppn = find(lpn); ppn && *ppn / kPages == segment) here.push_back(lpn);
      most = info.valid_pages;
      pages = here;
      lost_segment_ = segment;
    }
    for (std::uint32_t i = 0; i < kPages; ++i) array_->lose_page(lost_segment_ * kPages + i);
    lost_.insert(lost_.end(), pages.begin(), pages.end());
  }
  void expect_they_stay_lost() {
    check();
    for (int session = 0; session < 4; ++session) {
      churn(500);
      check();
      mount();
      check();
    }
  }

  Random random_{5};
  std::vector<std::uint32_t> lost_;
  std::vector<std::uint32_t> lost_units_;
  std::uint32_t lost_segment_ = 0;
};

TEST_P(PageLostPages, stay_lost_in_a_session) {
  lose_pages();
  expect_they_stay_lost();
}

TEST_P(PageLostPages, are_found_lost_by_a_mount) {
  lose_pages();
  mount();
  expect_they_stay_lost();
}

TEST_P(PageLostPages, are_there_again_once_they_are_written) {
  lose_pages();
  mount();
  const std::vector<std::uint32_t> written = std::exchange(lost_, {});
  for (const std::uint32_t lpn : written) put(lpn);
  expect_they_stay_lost();
}

TEST_P(PageLostPages, read_as_erased_once_they_are_trimmed) {
  lose_pages();
  mount();
  for (const std::uint32_t lpn : std::exchange(lost_, {})) {
    submit(host_->trim(lpn, 1));
    drain();
  }
  check();
  mount();
  check();
}

TEST_P(PageLostPages, refuse_writes_of_a_part_until_the_whole_page_is_written) {
  lose_pages();
  mount();
  std::vector<std::byte> part(kPageBytes / 2);
  EXPECT_EQ(ftl_->write(at(lost_.front()), part, {}, 0), FtlStatus::read_failed);
  check();
}

TEST_P(PageLostPages, of_a_segment_are_known_from_the_checkpoint) {
  if (config_.checkpoint_every == 0) return;
  write_until_checkpoint();
  lose_a_segment();
  ASSERT_FALSE(lost_.empty());
  check();
  mount();
  check();
  // Its pages have no place any more, and the next checkpoint says so.
  churn(2 * config_.checkpoint_every);
  mount();
  check();
  for (const std::uint32_t lpn : std::exchange(lost_, {})) put(lpn);
  mount();
  check();
}

TEST_P(PageLostPages, that_read_as_erased_at_the_end_of_an_open_segment_are_known_from_the_checkpoint) {
  if (config_.checkpoint_every == 0) return;
  for (std::optional<std::uint32_t> last; !last;) {
    write_until_checkpoint();
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages && !last; ++lpn) {
      const std::uint32_t ppn = place_of(lpn);
      const SegmentInfo info = ftl_->segment(SegmentId{ppn / kPages});
      const std::uint32_t unit = unit_of(ppn);
      if (info.state != SegmentState::open || unit % kPages == 0) continue;
      if (unit % kPages + GetParam().pages_at_once != info.used_pages) continue;
      last = ppn;
      lost_ = pages_of_unit(unit);
      for (std::uint32_t i = 0; i < GetParam().pages_at_once; ++i) array_->blank_page(unit + i);
    }
  }
  mount();
  check();
  churn(60);
  check();
  EXPECT_EQ(array_->illegal(), 0U);
  mount();
  check();
}

INSTANTIATE_TEST_SUITE_P(
    , PageLostPages,
    testing::Values(LostPagesCase{"one_die", 1, 0, "none"}, LostPagesCase{"three_dies", 3, 0, "none"},
                    LostPagesCase{"streams", 2, 0, "sepbit"}, LostPagesCase{"checkpoints", 1, 150, "none"},
                    LostPagesCase{"checkpoints_and_streams", 2, 90, "recency"}, LostPagesCase{"units", 2, 0, "none", 4},
                    LostPagesCase{"units_and_streams", 1, 0, "sepbit", 2},
                    LostPagesCase{"units_and_checkpoints", 2, 150, "none", 2}),
    [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace ftlab::tests
