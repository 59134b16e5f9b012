// Pages that cannot be read any more: reads say so, in later mounts and after cleaning has moved what is left of them,
// until they are written or trimmed. Versions before never stand in for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ftl/page/page_ftl.h"
#include "tests/fixtures/emulated_array.h"

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

class PageLostPages : public testing::TestWithParam<LostPagesCase> {
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
  PageLostPages() : array_(geometry(), 7), random_(5) {
    config_.separation = GetParam().separation;
    config_.checkpoint_every = GetParam().checkpoint_every;
    config_.logical_pages = static_cast<std::uint32_t>(volume::max_logical_pages(config_, geometry()) * 7 / 10);
    versions_.assign(config_.logical_pages, 0);
    boot();
    EXPECT_EQ(ftl_->format(0), FtlStatus::ok);
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) write(lpn);
    churn(600);
  }

  void boot() {
    arena_.assign(PageFtl::arena_bytes(array_, config_), std::byte{});
    ftl_ = std::make_unique<PageFtl>(array_, probe_, config_, arena_);
    ASSERT_EQ(ftl_->config_error(), nullptr);
  }
  void mount() {
    boot();
    ASSERT_EQ(ftl_->mount(0), FtlStatus::ok);
    const char* broken = ftl_->self_check();
    ASSERT_EQ(broken, nullptr) << broken;
  }
  [[nodiscard]] static std::uint64_t at(std::uint32_t lpn) { return std::uint64_t{lpn} * kPageBytes; }
  [[nodiscard]] bool is_lost(std::uint32_t lpn) const { return std::ranges::find(lost_, lpn) != lost_.end(); }
  void write(std::uint32_t lpn) {
    std::vector<std::byte> data(kPageBytes);
    ++versions_[lpn];
    std::memcpy(data.data(), &lpn, sizeof lpn);
    std::memcpy(data.data() + sizeof lpn, &versions_[lpn], sizeof versions_[lpn]);
    ASSERT_EQ(ftl_->write(at(lpn), data, {}, 0), FtlStatus::ok);
  }
  /// Of all pages that are not lost.
  void churn(std::uint32_t writes) {
    for (std::uint32_t i = 0; i < writes; ++i) {
      const std::uint32_t lpn =
          random_.below(random_.below(4) == 0 ? config_.logical_pages : config_.logical_pages / 4);
      if (!is_lost(lpn)) write(lpn);
    }
  }
  void check() {
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages; ++lpn) {
      std::vector<std::byte> data(kPageBytes);
      const FtlStatus status = ftl_->read(at(lpn), data, 0);
      if (is_lost(lpn)) {
        ASSERT_EQ(status, FtlStatus::read_failed) << "page " << lpn << " is lost, and nobody says so";
        continue;
      }
      ASSERT_EQ(status, FtlStatus::ok) << "page " << lpn;
      std::uint32_t version = 0;
      std::memcpy(&version, data.data() + sizeof lpn, sizeof version);
      ASSERT_EQ(version, versions_[lpn]) << "page " << lpn;
    }
  }
  /// One that has everything.
  void write_until_checkpoint() {
    const std::uint32_t pages = volume::with_own_pages(config_, geometry()).logical_pages;
    const volume::CheckpointLayout layout{pages, geometry().segments, kPageBytes, kPages};
    for (std::uint64_t before = 0; ftl_->stats().log_erases != before + layout.segments_needed(); write(0))
      before = ftl_->stats().log_erases;
  }
  [[nodiscard]] std::optional<std::uint32_t> place_of(std::uint32_t lpn) const {
    std::optional<std::uint32_t> found;
    std::uint64_t newest = 0;
    for (std::uint32_t ppn = 0; ppn < geometry().segments * kPages; ++ppn) {
      const FlashMetadata& metadata = array_.metadata_of(ppn);
      if (!volume::is_known(metadata) || volume::lpn_of(metadata) != lpn || volume::sequence_of(metadata) < newest)
        continue;
      newest = volume::sequence_of(metadata);
      found = ppn;
    }
    return found;
  }
  /// Whose newest versions lie in the program unit.
  [[nodiscard]] std::vector<std::uint32_t> pages_of_unit(std::uint32_t first) const {
    std::vector<std::uint32_t> pages;
    for (std::uint32_t i = 0; i < GetParam().pages_at_once; ++i) {
      const FlashMetadata& metadata = array_.metadata_of(first + i);
      if (!volume::is_known(metadata)) continue;
      const std::uint32_t lpn = volume::lpn_of(metadata);
      if (lpn < config_.logical_pages && place_of(lpn) == first + i) pages.push_back(lpn);
    }
    return pages;
  }
  [[nodiscard]] std::uint32_t unit_of(std::uint32_t ppn) const { return ppn & ~(GetParam().pages_at_once - 1); }
  /// One whose pages the program unit behind it names, all of them, and that names none that is lost.
  void lose_a_unit() {
    const std::uint32_t at_once = GetParam().pages_at_once;
    for (;;) {
      const std::uint32_t lpn = random_.below(config_.logical_pages);
      const std::optional<std::uint32_t> ppn = place_of(lpn);
      if (!ppn || is_lost(lpn) || *ppn % kPages >= kPages - at_once) continue;
      const std::vector<std::uint32_t> pages = pages_of_unit(unit_of(*ppn));
      const bool told = std::ranges::all_of(pages, [&](std::uint32_t page) {
        const FlashMetadata& next = array_.metadata_of(*place_of(page) + at_once);
        return volume::is_known(next) && volume::before_of(next) == page;
      });
      const std::uint32_t unit = unit_of(*ppn) / at_once;
      const bool neighbour = std::ranges::any_of(
          lost_units_, [unit](std::uint32_t other) { return other + 1 == unit || other == unit + 1; });
      if (!told || neighbour) continue;
      lost_units_.push_back(unit);
      for (std::uint32_t i = 0; i < at_once; ++i) array_.lose_page(unit_of(*ppn) + i);
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
        if (const auto ppn = place_of(lpn); ppn && *ppn / kPages == segment) here.push_back(lpn);
      most = info.valid_pages;
      pages = here;
      lost_segment_ = segment;
    }
    for (std::uint32_t i = 0; i < kPages; ++i) array_.lose_page(lost_segment_ * kPages + i);
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

  EmulatedArray array_;
  Random random_;
  NullProbe probe_;
  VolumeConfig config_;
  std::vector<std::byte> arena_;
  std::unique_ptr<PageFtl> ftl_;
  std::vector<std::uint32_t> versions_;
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
  for (const std::uint32_t lpn : written) write(lpn);
  expect_they_stay_lost();
}

TEST_P(PageLostPages, read_as_erased_once_they_are_trimmed) {
  lose_pages();
  mount();
  for (const std::uint32_t lpn : std::exchange(lost_, {})) {
    ASSERT_EQ(ftl_->trim(at(lpn), kPageBytes, 0), FtlStatus::ok);
    versions_[lpn] = 0xFFFFFFFF;
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
  for (const std::uint32_t lpn : std::exchange(lost_, {})) write(lpn);
  mount();
  check();
}

TEST_P(PageLostPages, that_read_as_erased_at_the_end_of_an_open_segment_are_known_from_the_checkpoint) {
  if (config_.checkpoint_every == 0) return;
  for (std::optional<std::uint32_t> last; !last;) {
    write_until_checkpoint();
    for (std::uint32_t lpn = 0; lpn < config_.logical_pages && !last; ++lpn) {
      const std::uint32_t ppn = place_of(lpn).value();
      const SegmentInfo info = ftl_->segment(SegmentId{ppn / kPages});
      const std::uint32_t unit = unit_of(ppn);
      if (info.state != SegmentState::open || unit % kPages == 0) continue;
      if (unit % kPages + GetParam().pages_at_once != info.used_pages) continue;
      last = ppn;
      lost_ = pages_of_unit(unit);
      for (std::uint32_t i = 0; i < GetParam().pages_at_once; ++i) array_.blank_page(unit + i);
    }
  }
  mount();
  check();
  churn(60);
  check();
  EXPECT_EQ(array_.illegal(), 0U);
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
