// The Flex-OneNAND driver's exact bus cycles on a scripted window, and parts that are not what they should be.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "firmware/driver/onenand/driver.h"
#include "hw/regs/onenand_regs.h"
#include "tests/fixtures/counting_probe.h"
#include "tests/unit/firmware/driver/script_port.h"

namespace ftlab::test {
namespace {

namespace regs = hw::flexonenand;
using testing::ElementsAre;

class OneNandSequence : public testing::Test {
 protected:
  void SetUp() override {
    port_.cells[regs::area::kBootRam] = {regs::id::kSamsung};
    port_.cells[regs::area::kBootRam + 2] = {0x0258};  // 4 Gb in two dies: half the segments each
    port_.cells[regs::reg::kManufacturerId] = {regs::id::kSamsung};
    port_.cells[regs::reg::kDeviceId] = {0x0258};
    port_.cells[regs::reg::kVersionId] = {regs::speed_grade::k83Mhz << regs::speed_grade::kShift};
    port_.cells[regs::reg::kDataBufferSize] = {0x0800};
    port_.cells[regs::reg::kBufferCount] = {0x0201};
    port_.cells[regs::reg::kInterrupt] = {0x80F0};
    port_.cells[regs::reg::kControllerStatus] = {0};
    port_.cells[regs::reg::kWriteProtect] = {regs::protect::kUnlocked};
    port_.cells[regs::area::kDataRam] = {regs::partition::kFactory};
  }
  OneNandAttachStatus attach() {
    driver_.emplace(port_, probe_, config_);
    const OneNandAttachStatus status = driver_->attach();
    port_.log.clear();
    return status;
  }

  ScriptPort port_;
  tests::CountingProbe probe_;
  OneNandDriverConfig config_;
  std::optional<OneNandDriver> driver_;
};

TEST_F(OneNandSequence, program_fills_both_areas_then_addresses_then_commands) {
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  port_.log.clear();
  const std::array<std::byte, 4096> data{};
  EXPECT_EQ(run_one(*driver_, {.kind = PartOpKind::program,
                               .segment = SegmentId{5},
                               .offset = 3 * 4096,
                               .length = 4096,
                               .from = data.data()}),
            PartStatus::ok);
  EXPECT_THAT(port_.log,
              ElementsAre("W 01E202 0000",  // attach left the second die selected
                          "B 000400 4096", "B 010020 128", "W 01E200 0005", "W 01E20E 000C", "W 01E440 0080",
                          "I 01E482 0040", "R 01E480"));
}

TEST_F(OneNandSequence, die_is_selected_before_its_buffer_is_touched) {
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  std::array<std::byte, 4096> data{};
  const PartOp first{.kind = PartOpKind::read, .segment = SegmentId{5}, .length = 4096, .into = data.data()};
  PartOp second = first;
  second.segment = SegmentId{512 + 5};
  port_.cells[regs::reg::kEccStatus1] = {0};
  run_one(*driver_, first);
  port_.log.clear();
  run_one(*driver_, second);
  EXPECT_EQ(port_.log[0], "W 01E202 8000");
  EXPECT_EQ(port_.log[1], "W 01E200 8005");
}

TEST_F(OneNandSequence, synchronous_bursts_follow_the_speed_grade) {
  config_.sync_burst = true;
  driver_.emplace(port_, probe_, config_);
  ASSERT_EQ(driver_->attach(), OneNandAttachStatus::ok);
  EXPECT_THAT(port_.log, testing::Contains("W 01E442 E0E4")) << "RM, latency 6, INT and RDY on, HF";
}

TEST_F(OneNandSequence, part_with_disagreeing_identifiers_is_refused) {
  port_.cells[regs::reg::kDeviceId] = {0x0250};
  EXPECT_EQ(attach(), OneNandAttachStatus::bad_geometry);
}

TEST_F(OneNandSequence, part_with_other_buffers_is_refused) {
  port_.cells[regs::reg::kDataBufferSize] = {0x0400};
  EXPECT_EQ(attach(), OneNandAttachStatus::bad_geometry);
}

TEST_F(OneNandSequence, dies_with_different_boundaries_are_refused) {
  port_.cells[regs::area::kDataRam] = {0xFC00, 0xFC07};
  EXPECT_EQ(attach(), OneNandAttachStatus::bad_geometry);
}

TEST_F(OneNandSequence, part_of_another_maker_is_refused) {
  port_.cells[regs::area::kBootRam] = {0x0020};
  EXPECT_EQ(attach(), OneNandAttachStatus::wrong_device);
}

TEST_F(OneNandSequence, part_with_a_segment_that_stays_locked_is_refused) {
  port_.cells[regs::reg::kWriteProtect] = {regs::protect::kUnlocked, regs::protect::kUnlocked,
                                           regs::protect::kLockedTight, regs::protect::kUnlocked};
  driver_.emplace(port_, probe_, config_);
  EXPECT_EQ(driver_->attach(), OneNandAttachStatus::locked);
  EXPECT_EQ(port_.log[port_.log.size() - 2], "W 01E200 0002");
  EXPECT_EQ(port_.log.back(), "R 01E49C");
}

TEST_F(OneNandSequence, time_out_of_a_background_erase_resets_its_own_die) {
  config_.background_erase = true;
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  port_.cells[regs::reg::kEccStatus1] = {0};
  std::array<std::byte, 4096> data{};
  const std::array<PartOp, 2> ops{
      PartOp{.kind = PartOpKind::erase, .segment = SegmentId{5}},
      PartOp{.kind = PartOpKind::read, .segment = SegmentId{512 + 7}, .length = 4096, .into = data.data()}};
  ASSERT_EQ(driver_->submit(ops), 2U);
  std::array<PartDone, 1> done;
  ASSERT_EQ(driver_->reap(done, true), 1U) << "the read of the other die, whose address is in F100h now";
  port_.cells[regs::reg::kInterrupt] = {0};
  port_.log.clear();
  ASSERT_EQ(driver_->reap(done, true), 1U);
  EXPECT_EQ(done[0].status, PartStatus::timeout);
  const auto reset = std::ranges::find(port_.log, "W 01E440 00F0");
  ASSERT_NE(reset, port_.log.end());
  EXPECT_EQ(*(reset - 1), "W 01E200 0005");
}

TEST_F(OneNandSequence, part_that_stays_busy_is_not_ready) {
  port_.cells[regs::reg::kInterrupt] = {0};
  EXPECT_EQ(attach(), OneNandAttachStatus::not_ready);
}

}  // namespace
}  // namespace ftlab::test
