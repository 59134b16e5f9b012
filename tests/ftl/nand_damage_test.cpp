// A NAND volume at its fullest of which pages of many segments cannot be read any more is written on, and what they
// held is reported until it is written again. Other damage at rest: tests/powerloss/damage.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
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
  static FlexFsConfig fullest() {
    FlexFsConfig config = small_flexfs("la");
    config.checkpoint_every = 150;
    config.logical_pages = flexfs::max_logical_pages(config, flexfs_geometry(small_nand()));
    return config;
  }
};

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
