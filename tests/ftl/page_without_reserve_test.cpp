// The page-mapped layer where no segment is free any more, or none can be programmed.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "tests/fixtures/emulated_array.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

/// Segments as power losses may leave them: none is free, and what room there is belongs to another stream than the
/// emptiest segment.
class PageWithoutReserve : public testing::Test {
 protected:
  static constexpr std::uint32_t kSegments = 12;
  static constexpr std::uint32_t kLogical = 24;

  PageWithoutReserve() {
    config_.selection = "greedy";
    config_.separation = "oracle";
    config_.logical_pages = kLogical;
    // One page of four is valid in the first segment, two or more in each of the next ones.
    for (const std::uint32_t lpn : {0U, 1U, 2U, 3U}) program(lpn, 0);
    for (std::uint32_t segment = 1; segment + 1 < kSegments; ++segment) {
      const std::uint32_t kept = 4 + 2 * (segment - 1);
      for (const std::uint32_t lpn : {1 + segment % 3, kept, kept + 1, 1 + (segment + 1) % 3}) program(lpn, 1);
    }
    program(1, 1);
  }

  void program(std::uint32_t lpn, std::uint32_t stream) {
    array_.write_buffer(0, 0, content(lpn));
    const FlashOp op{FlashOpKind::program, true, 0,     next_,
                     FlashOp::kNoPage,     0,    false, volume::metadata_of(lpn, stream, next_ + 1)};
    ++next_;
    array_.submit({&op, 1});
    std::array<FlashDone, 1> done;
    while (array_.collect(done) == 0) array_.wait(UINT64_MAX);
    ASSERT_EQ(done[0].status, FlashStatus::ok);
  }
  static std::vector<std::byte> content(std::uint32_t lpn) {
    return std::vector<std::byte>(64, static_cast<std::byte>(lpn + 1));
  }

  EmulatedArray array_{{.segments = kSegments,
                        .pages_per_segment = 4,
                        .page_bytes = 64,
                        .dies = 1,
                        .rated_erase_cycles = 1000,
                        .buffers = 8,
                        .keeps_metadata = true},
                       1};
  VolumeConfig config_;

 private:
  std::uint32_t next_ = 0;
};

TEST_F(PageWithoutReserve, cleaning_goes_on_in_the_room_of_another_stream) {
  MountSession<PageFtl, VolumeConfig> session(array_, config_);
  ASSERT_EQ(session->config_error(), nullptr);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  for (std::uint32_t segment = 0; segment < kSegments; ++segment)
    ASSERT_NE(session->segment(SegmentId(segment)).state, SegmentState::free);
  for (std::uint32_t i = 0; i < 10 * kLogical; ++i) {
    const std::uint32_t lpn = i * 7 % kLogical;
    const WriteHint hint{.data_class = static_cast<std::uint8_t>(1 + i % 2)};
    ASSERT_EQ(session->write(std::uint64_t{lpn} * 64, content(lpn), hint, 0), FtlStatus::ok) << "write " << i;
  }
  EXPECT_EQ(session->self_check(), nullptr);
  for (std::uint32_t lpn = 0; lpn < kLogical; ++lpn) {
    std::vector<std::byte> data(64);
    EXPECT_EQ(session->read(std::uint64_t{lpn} * 64, data, 0), FtlStatus::ok);
    EXPECT_EQ(data, content(lpn)) << "page " << lpn;
  }
  EXPECT_EQ(array_.illegal(), 0U);
}

TEST(PageWornOut, takes_more_reports_of_failed_copies_than_a_few_segments_have_pages) {
  EmulatedNandOptions part = small_nand();
  part.segments = part.pages = 64;
  EmulatedNand flash(part);
  PagedConfig config;
  config.low_water = 40;
  // As full as it can be: so many copies for each page that is gained.
  config.logical_pages = 1341;
  MountSession<PagedLayer, PagedConfig> session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  const std::vector<std::byte> data(flash.geometry().program_unit_bytes);
  const auto write = [&](std::uint32_t i) {
    return session->write(std::uint64_t{i % config.logical_pages} * data.size(), data, {}, 0);
  };
  std::uint32_t done = 0;
  while (done < 3 * config.logical_pages) ASSERT_EQ(write(done++ * 7), FtlStatus::ok);
  for (std::uint32_t segment = 0; segment < flash.geometry().segments; ++segment) flash.refuse(segment);
  EXPECT_EQ(write(done), FtlStatus::read_only);
  EXPECT_EQ(session->self_check(), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
