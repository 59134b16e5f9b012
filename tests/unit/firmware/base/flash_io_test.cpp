#include "firmware/base/flash_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace ftlab::tests {
namespace {

constexpr FlashGeometry kGeometry{.segments = 8, .segment_bytes = 4096, .program_unit_bytes = 512, .parallel_units = 4};

/// Ends one operation a reap, in order; none unasked while it is busy. Takes no more than its queue holds.
class HeldPort final : public FlashPort {
 public:
  [[nodiscard]] const FlashGeometry& geometry() const override { return kGeometry; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const FlashOp> ops) override {
    const std::size_t taken = std::min(ops.size(), std::size_t{capabilities_.queue_depth} - held_.size());
    for (const FlashOp& op : ops.first(taken)) held_.push_back(op.tag);
    return taken;
  }
  std::size_t reap(std::span<FlashDone> done, bool wait) override {
    if (held_.empty() || (!wait && busy_)) return 0;
    done[0] = {held_.front(), FlashStatus::ok, 0};
    held_.pop_front();
    return 1;
  }
  void set_busy(bool busy) { busy_ = busy; }
  [[nodiscard]] std::size_t held() const { return held_.size(); }

 private:
  FlashCapabilities capabilities_{.background_erase = true, .queue_depth = 4};
  std::deque<std::uint32_t> held_;
  bool busy_ = false;
};

class FlashIoTest : public testing::Test {
 protected:
  HeldPort port_;
  FlashIo io_{port_};
  std::byte bytes_[4]{};
};

TEST_F(FlashIoTest, erase_that_is_under_way_is_not_waited_for_unasked) {
  ASSERT_TRUE(io_.start_erase(5));
  port_.set_busy(true);
  EXPECT_FALSE(io_.finished_erase(false).has_value());
  EXPECT_EQ(io_.erases_under_way(), 1U);
}

TEST_F(FlashIoTest, forget_waits_for_what_is_under_way_and_reports_none_of_it) {
  ASSERT_TRUE(io_.start_erase(4));
  ASSERT_TRUE(io_.start_erase(5));
  port_.set_busy(true);
  io_.forget();
  EXPECT_EQ(port_.held(), 0U);
  EXPECT_EQ(io_.erases_under_way(), 0U);
  EXPECT_FALSE(io_.finished_erase(true).has_value());
  EXPECT_TRUE(io_.start_erase(6)) << "the queue is free again";
}

TEST_F(FlashIoTest, one_place_of_the_queue_stays_free_for_what_is_waited_for) {
  EXPECT_TRUE(io_.start_erase(4));
  EXPECT_TRUE(io_.start_erase(5));
  EXPECT_TRUE(io_.start_erase(6));
  EXPECT_FALSE(io_.start_erase(7));
  EXPECT_EQ(io_.read(2, 0, bytes_), FlashStatus::ok);
}

}  // namespace
}  // namespace ftlab::tests
