// Damage at rest on NAND, for FlexFS; at its fullest for FMS, too: a page or a segment that cannot be read any more, or
// that has vanished, costs what it held, and that is reported; nothing old stands in for it, now or after later mounts.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <functional>
#include <string>
#include <vector>

#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/fms_fixture.h"

namespace ftlab::tests {
namespace {

using Bytes = std::vector<std::byte>;

struct FmsOnNand {
  using Session = FmsSession;
  static FmsVolume fullest(const FlashGeometry&) {
    FmsVolume config;
    config.page_bytes = 512;
    config.selection = "greedy";
    config.redistribution = "sequential";
    config.read_only_placement = "mixed";
    config.low_water = config.high_water = 1;
    EmulatedNand flash(small_nand());
    config.logical_pages = max_logical_pages(config, flash);
    return config;
  }
};
struct FlexFsOnNand {
  using Session = FlexFsSession;
  static FlexFsConfig config() { return small_flexfs("la"); }
  static FlexFsConfig fullest(const FlashGeometry& geometry) {
    FlexFsConfig config = FlexFsOnNand::config();
    config.logical_pages = flexfs::max_logical_pages(config, geometry);
    return config;
  }
};

class FlexFsDamage : public testing::Test {
 protected:
  using Session = FlexFsSession;

  FlexFsDamage() : flash_(small_nand()), config_(FlexFsOnNand::config()), session_(flash_, config_), random_(5) {
    EXPECT_EQ(session_->format(0), FtlStatus::ok);
    pages_.assign(session_->capacity_bytes() / 512, Bytes(512, std::byte{0xFF}));
    write(600);
    // Trims, and the checkpoint that keeps them.
    for (std::uint32_t lpn = 3; lpn < pages_.size(); lpn += 10) {
      EXPECT_EQ(session_->trim(lpn * 512U, 512, 0), FtlStatus::ok);
      pages_[lpn].assign(512, std::byte{0xFF});
    }
    EXPECT_EQ(session_->flush(0), FtlStatus::ok);
  }

  void write(int count) {
    for (int i = 0; i < count; ++i) {
      const auto lpn = static_cast<std::uint32_t>(random_() % (random_() % 3 == 0 ? pages_.size() : 30));
      pages_[lpn].assign(512, static_cast<std::byte>(random_()));
      pages_[lpn][0] = static_cast<std::byte>(lpn);
      pages_[lpn][1] = std::byte{1};
      EXPECT_EQ(session_->write(lpn * 512U, pages_[lpn], {}, 0), FtlStatus::ok);
    }
  }

  struct Outcome {
    std::uint32_t reported = 0;
    std::uint32_t silent = 0;
  };
  Outcome read_all(Session& session) {
    Outcome outcome;
    for (std::uint32_t lpn = 0; lpn < pages_.size(); ++lpn) {
      Bytes got(512);
      const FtlStatus status = session->read(lpn * 512U, got, 0);
      if (status == FtlStatus::read_failed)
        ++outcome.reported;
      else if (status != FtlStatus::ok || got != pages_[lpn])
        ++outcome.silent;
    }
    return outcome;
  }
  void vanish(std::uint32_t segment) {
    FlashOp erase;
    erase.kind = FlashOpKind::erase;
    erase.segment = SegmentId{segment};
    ASSERT_EQ(run_one(flash_, erase), FlashStatus::ok);
  }

  EmulatedNand flash_;
  FlexFsConfig config_;
  Session session_;
  boost::random::mt19937_64 random_;
  std::vector<Bytes> pages_;
};

TEST_F(FlexFsDamage, of_a_whole_segment_is_reported_page_by_page_and_stays_so_until_they_are_written) {
  const EmulatedNand::Image image = flash_.snapshot();
  const std::vector<Bytes> pages = pages_;
  std::uint32_t reported = 0;
  for (const bool vanishes : {false, true}) {
    for (std::uint32_t segment = 0; segment < flash_.geometry().segments; ++segment) {
      const std::string id = std::string(vanishes ? "vanished " : "unreadable ") + std::to_string(segment);
      flash_.restore(image);
      pages_ = pages;
      const std::uint32_t held = session_->segment(SegmentId{segment}).valid_pages;
      if (vanishes)
        vanish(segment);
      else
        flash_.scramble(segment);
      Session next(flash_, config_);
      ASSERT_EQ(next->mount(0), FtlStatus::ok) << id;
      ASSERT_STREQ(next->self_check(), nullptr) << id;
      auto outcome = read_all(next);
      ASSERT_EQ(outcome.silent, 0U) << id;
      ASSERT_EQ(outcome.reported, held) << id;
      reported += held;
      // A checkpoint of that session knows them as lost.
      ASSERT_EQ(next->write(0, pages_[0] = Bytes(512, std::byte{9}), {}, 0), FtlStatus::ok);
      ASSERT_EQ(next->trim(0, 512, 0), FtlStatus::ok);
      pages_[0] = Bytes(512, std::byte{0xFF});
      ASSERT_EQ(next->flush(0), FtlStatus::ok);
      outcome = read_all(next);
      for (int mounts = 0; mounts < 2; ++mounts) {
        Session later(flash_, config_);
        ASSERT_EQ(later->mount(0), FtlStatus::ok) << id;
        const auto again = read_all(later);
        ASSERT_EQ(again.silent, 0U) << id;
        ASSERT_EQ(again.reported, outcome.reported) << id;
      }
      // Half of them are written, the others trimmed.
      Session healing(flash_, config_);
      ASSERT_EQ(healing->mount(0), FtlStatus::ok) << id;
      std::uint32_t healed = 0;
      for (std::uint32_t lpn = 0; lpn < pages_.size(); ++lpn) {
        Bytes got(512);
        if (healing->read(lpn * 512U, got, 0) == FtlStatus::ok) continue;
        const bool written = ++healed % 2 == 0;
        pages_[lpn] = Bytes(512, written ? std::byte{8} : std::byte{0xFF});
        ASSERT_EQ(written ? healing->write(lpn * 512U, pages_[lpn], {}, 0) : healing->trim(lpn * 512U, 512, 0),
                  FtlStatus::ok)
            << id;
      }
      ASSERT_EQ(healing->flush(0), FtlStatus::ok) << id;
      ASSERT_STREQ(healing->self_check(), nullptr) << id;
      Session last(flash_, config_);
      ASSERT_EQ(last->mount(0), FtlStatus::ok) << id;
      const auto whole = read_all(last);
      ASSERT_EQ(whole.silent + whole.reported, 0U) << id;
    }
  }
  EXPECT_GT(reported, 200U);
}

TEST_F(FlexFsDamage, of_any_page_is_reported_also_where_its_segment_has_no_summary_yet) {
  // Written after the checkpoint: records name the page before them, and only the last page of a segment has none
  // after.
  write(60);
  const EmulatedNand::Image image = flash_.snapshot();
  std::uint32_t reported = 0;
  std::uint32_t silent = 0;
  for (std::uint32_t segment = 2; segment < flash_.geometry().segments; ++segment) {
    const bool open = session_->segment(SegmentId{segment}).state == SegmentState::open;
    std::uint32_t last = 0;
    for (std::uint32_t page = 0; page < 16; ++page)
      if (flash_.page_state(segment, page) != EmulatedNand::PageState::blank) last = page;
    for (std::uint32_t page = 0; page <= last; ++page) {
      const std::string id = "segment " + std::to_string(segment) + " page " + std::to_string(page);
      if (flash_.page_state(segment, page) == EmulatedNand::PageState::blank) continue;
      flash_.restore(image);
      flash_.lose_page(segment, page);
      Session next(flash_, config_);
      ASSERT_EQ(next->mount(0), FtlStatus::ok) << id;
      ASSERT_STREQ(next->self_check(), nullptr) << id;
      const auto outcome = read_all(next);
      // The last page of a segment being filled looks like one whose program was interrupted.
      if (!open || page != last) {
        ASSERT_EQ(outcome.silent, 0U) << id;
      }
      reported += outcome.reported;
      silent += outcome.silent;
      flash_.restore(image);
    }
  }
  EXPECT_GT(reported, 50U);
  EXPECT_LE(silent, 2U) << "one page for each segment being filled";
}

using Layers = testing::Types<FmsOnNand, FlexFsOnNand>;
template <class Layer>
class FullestNand : public testing::Test {};
TYPED_TEST_SUITE(FullestNand, Layers);

TYPED_TEST(FullestNand, volume_with_unreadable_pages_is_written_on_and_reports_them_until_they_are_written) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EmulatedNand flash(small_nand());
    const auto config = TypeParam::fullest(flash.geometry());
    typename TypeParam::Session session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    boost::random::mt19937_64 random(seed);
    std::vector<std::byte> content(config.logical_pages);
    const auto write = [&](std::uint32_t lpn) {
      content[lpn] = static_cast<std::byte>(random());
      ASSERT_EQ(session->write(lpn * 512U, Bytes(512, content[lpn]), {}, 0), FtlStatus::ok) << seed << " page " << lpn;
    };
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) write(lpn);
    for (int i = 0; i < 300; ++i) write(static_cast<std::uint32_t>(random() % config.logical_pages));
    for (std::uint32_t id = 0; id < flash.geometry().segments; ++id)
      if (id % 4 == seed % 4 && session->segment(SegmentId{id}).state == SegmentState::sealed)
        for (const std::uint32_t page : {1U, 6U}) flash.lose_page(id, page);
    Bytes got(512);
    std::vector<bool> lost(config.logical_pages);
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
      lost[lpn] = session->read(lpn * 512U, got, 0) != FtlStatus::ok;
    ASSERT_GT(std::count(lost.begin(), lost.end(), true), 0);
    for (int i = 0; i < 1000; ++i) {
      const auto lpn = static_cast<std::uint32_t>(random() % config.logical_pages);
      if (!lost[lpn]) write(lpn);
    }
    for (int mounts = 0; mounts < 2; ++mounts) {
      for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) {
        const FtlStatus status = session->read(lpn * 512U, got, 0);
        ASSERT_EQ(status, lost[lpn] ? FtlStatus::read_failed : FtlStatus::ok) << seed << " page " << lpn;
        if (!lost[lpn]) {
          ASSERT_EQ(got, Bytes(512, content[lpn])) << seed << " page " << lpn;
        }
      }
      ASSERT_STREQ(session->self_check(), nullptr) << seed;
      ASSERT_EQ(session->mount(0), FtlStatus::ok) << seed;
    }
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) write(lpn);
    ASSERT_EQ(session->mount(0), FtlStatus::ok) << seed;
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) {
      ASSERT_EQ(session->read(lpn * 512U, got, 0), FtlStatus::ok) << seed << " page " << lpn;
      ASSERT_EQ(got, Bytes(512, content[lpn])) << seed << " page " << lpn;
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
