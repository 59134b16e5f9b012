// Formats of the page-mapped layer when the numbers of volumes are used up.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "firmware/volume/format/page_metadata.h"
#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

class PageVolumeNumber : public ArrayVolume {
 protected:
  static constexpr std::uint32_t kPages = 16;  ///< of a segment
  static constexpr std::uint32_t kPageBytes = 1024;
  static constexpr std::uint32_t kSegments = 16;

  PageVolumeNumber() {
    make({.segments = kSegments,
          .pages_per_segment = kPages,
          .page_bytes = kPageBytes,
          .dies = 1,
          .rated_erase_cycles = 100'000,
          .buffers = 16,
          .keeps_metadata = true});
    config_.logical_pages = 100;
    boot();
  }

  void format() { ASSERT_EQ(ftl_->format(0), FtlStatus::ok); }
  void write(std::uint32_t lpn) {
    const std::vector<std::byte> data(kPageBytes, std::byte{0x21});
    ASSERT_EQ(ftl_->write(std::uint64_t{lpn} * kPageBytes, data, {}, 0), FtlStatus::ok);
  }
  [[nodiscard]] bool is_written(std::uint32_t lpn) {
    std::vector<std::byte> data(kPageBytes);
    EXPECT_EQ(ftl_->read(std::uint64_t{lpn} * kPageBytes, data, 0), FtlStatus::ok);
    return data.front() == std::byte{0x21};
  }
  /// Which volumes the pages on the array are of.
  [[nodiscard]] std::set<std::uint64_t> volumes() const {
    std::set<std::uint64_t> found;
    for (std::uint32_t page = 0; page < kSegments * kPages; ++page) {
      const FlashMetadata& metadata = array_->metadata_of(page);
      if (volume::is_known(metadata)) found.insert(volume::volume_of(volume::sequence_of(metadata)));
    }
    return found;
  }
  /// As after so many formats, the last of which was stopped right behind its page.
  void begin_volume_of(std::uint64_t number) {
    const FlashOp op{.kind = FlashOpKind::program,
                     .page = (kSegments - 1) * kPages,
                     .metadata = volume::metadata_of(volume::kFormatLpn, 0, number << volume::kVolumeShift)};
    ASSERT_EQ(run_to_end(*array_, op).status, FlashStatus::ok);
    mount();
  }
};

TEST_F(PageVolumeNumber, behind_the_last_number_of_a_volume_the_first_one_follows) {
  format();
  write(3);
  begin_volume_of(0xFFFD);
  EXPECT_FALSE(is_written(3));
  write(4);
  format();
  write(5);
  EXPECT_EQ(volumes(), std::set<std::uint64_t>{0xFFFE});
  format();
  EXPECT_TRUE(volumes().empty()) << "there is no number for a page that says that all others are old";
  write(6);
  EXPECT_EQ(volumes(), std::set<std::uint64_t>{0});
  mount();
  EXPECT_TRUE(is_written(6));
  EXPECT_FALSE(is_written(5));
  format();
  write(7);
  EXPECT_EQ(volumes(), std::set<std::uint64_t>{1});
}

}  // namespace
}  // namespace ftlab::tests
