// Programming voltage: refused without it, failed when it goes away, from the socket or the on-card generator.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace cmr = series2plus::cmr;

class WithoutVpp : public ::testing::Test {
 protected:
  CardRig rig{part_spec("series2plus-8mb"), false};
  void expect_refused(std::uint8_t error_bit) {
    EXPECT_TRUE(rig.core.line_level(rig.now));
    EXPECT_EQ(rig.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kVppLow | error_bit));
    EXPECT_EQ(rig.gsr(0) & 0x2020, 0x2020);
    EXPECT_EQ(rig.bsr(0) & 0x2424, 0x2424);
    EXPECT_TRUE(rig.observer.started.empty());
    rig.command(0, command::kClearStatus);
    EXPECT_EQ(rig.csr(0), 0x8080);
  }
};

TEST_F(WithoutVpp, program_erase_and_lock_are_refused_with_vpp_low) {
  rig.program_word(0, 0);
  expect_refused(regs::csr::kWriteError);
  rig.page_program(0, pattern(512));
  expect_refused(regs::csr::kWriteError);
  rig.erase(0);
  expect_refused(regs::csr::kEraseError);
  rig.set_attribute(cmr::kWriteProtection, 0);
  rig.command(0, command::kLockBlock);
  rig.command(0, command::kConfirm);
  expect_refused(regs::csr::kWriteError);
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
}

TEST_F(WithoutVpp, uploads_and_buffer_loads_still_work) {
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  rig.finish();
  EXPECT_EQ(rig.bsr(0), 0xC0C0);
  rig.load(0, pattern(512));
  rig.command(0, command::kReadPageBuffer);
  EXPECT_EQ(rig.read8(5), std::to_integer<std::uint8_t>(pattern(512)[5]));
}

TEST_F(WithoutVpp, generator_has_to_rise_first) {
  rig.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  rig.program_word(0, 0);
  expect_refused(regs::csr::kWriteError);
  rig.now += rig.core.spec().timing.generator_rise;
  EXPECT_EQ(rig.attribute(cmr::kVoltageControl), cmr::kVoltageVppEnable | cmr::kVoltageVppValid);
  rig.program_word(0, 0);
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0);
}

TEST_F(WithoutVpp, enabling_the_generator_again_does_not_restart_its_rise) {
  rig.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  rig.now += rig.core.spec().timing.generator_rise;
  rig.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  EXPECT_NE(rig.attribute(cmr::kVoltageControl) & cmr::kVoltageVppValid, 0);
}

TEST(VppLoss, fails_what_is_under_way_with_vpp_low) {
  CardRig rig;
  rig.core.poke(0, std::vector<std::byte>(1024, std::byte{0x00}));
  rig.erase(0);
  rig.now += rig.core.spec().timing.erase / 2;
  rig.core.set_vpp_pin(rig.now, false);
  EXPECT_EQ(rig.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kVppLow | regs::csr::kEraseError));
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_TRUE(rig.observer.ended[0].failed);
}

TEST(VppLoss, switching_the_generator_off_is_one_too) {
  CardRig rig(part_spec("series2plus-8mb"), false);
  rig.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  rig.now += rig.core.spec().timing.generator_rise;
  rig.erase(0);
  rig.set_attribute(cmr::kVoltageControl, 0);
  EXPECT_EQ(rig.csr(0) & 0x0808, 0x0808);
}

TEST(VppLoss, socket_takes_over_from_the_generator) {
  CardRig rig;
  rig.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  rig.erase(0);
  rig.set_attribute(cmr::kVoltageControl, 0);
  rig.finish();
  EXPECT_EQ(rig.csr(0), 0x8080);
}

}  // namespace
}  // namespace ftlab::hw::testing
