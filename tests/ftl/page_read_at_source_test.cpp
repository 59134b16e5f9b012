// Reads of pages that are being copied: they find the source, which waits for no copy before it, as long as only that
// can be meant.
#include <algorithm>

#include "tests/fixtures/array_volume.h"
#include "tests/fixtures/dice.h"

namespace ftlab::tests {
namespace {

class PageReadAtSource : public ArrayVolume {
 protected:
  static constexpr std::uint32_t kPageBytes = 256;

  void start(std::uint32_t pages_at_once, VolumeConfig::Frontiers frontiers) {
    make({.segments = 32,
          .pages_per_segment = 24,
          .page_bytes = kPageBytes,
          .pages_at_once = pages_at_once,
          .dies = 2,
          .rated_erase_cycles = 1000,
          .buffers = 64});
    config_.frontiers = frontiers;
    fill_share(0.9);
    begin_volume();
    for (std::uint32_t page = 0; page < config_.logical_pages; ++page) write(page, 8);
    drain();
  }
  /// How many pages are read where they were; each holds there what it should.
  std::uint32_t read_at_source() {
    std::uint32_t count = 0;
    for (std::uint32_t page = 0; page < config_.logical_pages; ++page) {
      const std::uint32_t place = ftl_->log().place_to_read(page);
      if (place == ftl_->log().ppn_of(page)) continue;
      ++count;
      EXPECT_EQ(volume::lpn_of(array_->metadata_of(place)), page);
      EXPECT_TRUE(oracle_->holds(array_->bytes_of(place), page * kAll, kAll, oracle_->last(page))) << page;
    }
    return count;
  }
};

TEST_F(PageReadAtSource, is_where_the_newest_content_was_until_all_copies_have_ended) {
  for (const std::uint32_t unit : {1U, 3U}) {
    for (const auto frontiers : {VolumeConfig::Frontiers::one, VolumeConfig::Frontiers::host_and_cleaning}) {
      start(unit, frontiers);
      Dice dice(9);
      std::uint32_t seen = 0;
      for (int i = 0; i < 3000; ++i) {
        // Hot pages have several versions in a segment.
        write(dice.chance(700) ? dice.below(12) : dice.below(config_.logical_pages), 2);
        if (i % 7 == 0) seen += read_at_source();
        if (i % 5 == 0) submit(host_->read(dice.below(config_.logical_pages) * kAll, kAll));
      }
      EXPECT_GT(seen, 500U) << "pages at once " << unit;
      drain();
      EXPECT_EQ(ftl_->flush(0), FtlStatus::ok);
      while (ftl_->log().is_at_work()) step();
      EXPECT_EQ(read_at_source(), 0U);
      expect_all_right();
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
