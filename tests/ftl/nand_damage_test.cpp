// Damage at rest on NAND, for FlexFS; at its fullest for FMS, too: a page or a segment that cannot be read any more, or
// that has vanished, costs what it held, and that is reported; nothing old stands in for it, now or after later mounts.
// Of what the newest checkpoint records that holds for any damage, of what was written since for a page that has one
// behind it in its segment.
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
  static FmsVolume fullest() {
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
  static FlexFsConfig config() {
    FlexFsConfig config = small_flexfs("la");
    config.checkpoint_every = 150;
    return config;
  }
  static FlexFsConfig fullest() {
    FlexFsConfig config = FlexFsOnNand::config();
    config.logical_pages = flexfs::max_logical_pages(config, flexfs_geometry(small_nand()));
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
    for (std::uint32_t lpn = 3; lpn < pages_.size(); lpn += 10) {
      EXPECT_EQ(session_->trim(lpn * 512U, 512, 0), FtlStatus::ok);
      pages_[lpn].assign(512, std::byte{0xFF});
    }
    write_until_checkpoint(session_);
  }

  /// Page 0, again and again; the checkpoint has the last of these.
  void write_until_checkpoint(Session& session) {
    const std::uint64_t before = session->flexfs_stats().checkpoints;
    for (std::uint32_t i = 0; session->flexfs_stats().checkpoints == before; ++i) {
      ASSERT_LE(i, config_.checkpoint_every);
      ASSERT_EQ(session->write(0, pages_[0] = Bytes(512, static_cast<std::byte>(i)), {}, 0), FtlStatus::ok);
    }
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
    PartOp erase;
    erase.kind = PartOpKind::erase;
    erase.segment = SegmentId{segment};
    ASSERT_EQ(run_one(flash_, erase), PartStatus::ok);
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
  const std::uint32_t records = volume::trim_records(config_.logical_pages, flexfs_geometry(flash_));
  ASSERT_EQ(records, 1U);
  std::uint32_t reported = 0;
  std::uint32_t valid = 0;
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
      // One of them may name trimmed pages, which are erased by the checkpoint as well.
      ASSERT_LE(outcome.reported, held) << id;
      ASSERT_GE(outcome.reported + records, held) << id;
      reported += outcome.reported;
      valid += held;
      // A checkpoint of that session knows them as lost.
      write_until_checkpoint(next);
      ASSERT_EQ(next->trim(0, 512, 0), FtlStatus::ok);
      pages_[0] = Bytes(512, std::byte{0xFF});
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
  EXPECT_EQ(reported + 2 * records, valid);
}

TEST_F(FlexFsDamage, of_any_page_is_reported_but_of_the_last_ones_written_since_the_checkpoint) {
  const std::vector<EmulatedNand::Segment> recorded = [&] {
    std::vector<EmulatedNand::Segment> segments;
    for (std::uint32_t id = 0; id < flash_.geometry().segments; ++id) segments.push_back(flash_.at_rest(id));
    return segments;
  }();
  const auto is_recorded = [&](std::uint32_t segment, std::uint32_t page) {
    return flash_.erase_count(segment) == recorded[segment].erases &&
           recorded[segment].state[page] != EmulatedNand::PageState::blank;
  };
  write(60);
  const EmulatedNand::Image image = flash_.snapshot();
  std::uint32_t reported = 0;
  std::uint32_t silent = 0;
  for (std::uint32_t segment = 0; segment < flash_.geometry().segments; ++segment) {
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
      // The last page of a segment looks like one whose program was interrupted.
      if (page != last || is_recorded(segment, page)) {
        ASSERT_EQ(outcome.silent, 0U) << id;
      }
      ASSERT_LE(outcome.silent, 1U) << id;
      reported += outcome.reported;
      silent += outcome.silent;
      flash_.restore(image);
    }
  }
  EXPECT_GT(reported, 50U);
  // Few pages of the host fill few segments, and copies of what the checkpoint records are known by it.
  EXPECT_LE(silent, 60U / 8 + 1);
}

using Layers = testing::Types<FmsOnNand, FlexFsOnNand>;
template <class Layer>
class FullestNand : public testing::Test {};
TYPED_TEST_SUITE(FullestNand, Layers);

TYPED_TEST(FullestNand, volume_with_unreadable_pages_is_written_on_and_reports_them_until_they_are_written) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EmulatedNand flash(small_nand());
    const auto config = TypeParam::fullest();
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
