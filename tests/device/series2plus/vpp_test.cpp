// Programming voltage: refused without it, failed when it goes away, from the socket or the on-card generator.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace cmr = series2plus::cmr;

class WithoutVpp : public ::testing::Test {
 protected:
  CardFixture fixture{part_spec("series2plus-8mb"), false};
  void expect_refused(std::uint8_t error_bit) {
    EXPECT_TRUE(fixture.core.line_level(fixture.now));
    EXPECT_EQ(fixture.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kVppLow | error_bit));
    EXPECT_EQ(fixture.gsr(0) & 0x2020, 0x2020);
    EXPECT_EQ(fixture.bsr(0) & 0x2424, 0x2424);
    EXPECT_TRUE(fixture.observer.started.empty());
    fixture.command(0, command::kClearStatus);
    EXPECT_EQ(fixture.csr(0), 0x8080);
  }
};

TEST_F(WithoutVpp, program_erase_and_lock_are_refused_with_vpp_low) {
  fixture.program_word(0, 0);
  expect_refused(regs::csr::kWriteError);
  fixture.page_program(0, pattern(512));
  expect_refused(regs::csr::kWriteError);
  fixture.erase(0);
  expect_refused(regs::csr::kEraseError);
  fixture.set_attribute(cmr::kWriteProtection, 0);
  fixture.command(0, command::kLockBlock);
  fixture.command(0, command::kConfirm);
  expect_refused(regs::csr::kWriteError);
  EXPECT_EQ(fixture.peek16(0), 0xFFFF);
}

TEST_F(WithoutVpp, uploads_and_buffer_loads_still_work) {
  fixture.command(0, command::kUploadLockBits);
  fixture.command(0, command::kConfirm);
  fixture.finish();
  EXPECT_EQ(fixture.bsr(0), 0xC0C0);
  fixture.load(0, pattern(512));
  fixture.command(0, command::kReadPageBuffer);
  EXPECT_EQ(fixture.read8(5), std::to_integer<std::uint8_t>(pattern(512)[5]));
}

TEST_F(WithoutVpp, generator_has_to_rise_first) {
  fixture.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  fixture.program_word(0, 0);
  expect_refused(regs::csr::kWriteError);
  fixture.now += fixture.core.spec().timing.generator_rise;
  EXPECT_EQ(fixture.attribute(cmr::kVoltageControl), cmr::kVoltageVppEnable | cmr::kVoltageVppValid);
  fixture.program_word(0, 0);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0);
}

TEST_F(WithoutVpp, enabling_the_generator_again_does_not_restart_its_rise) {
  fixture.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  fixture.now += fixture.core.spec().timing.generator_rise;
  fixture.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  EXPECT_NE(fixture.attribute(cmr::kVoltageControl) & cmr::kVoltageVppValid, 0);
}

TEST(VppLoss, fails_what_is_under_way_with_vpp_low) {
  CardFixture fixture;
  fixture.core.poke(0, std::vector<std::byte>(1024, std::byte{0x00}));
  fixture.erase(0);
  fixture.now += fixture.core.spec().timing.erase / 2;
  fixture.core.set_vpp_pin(fixture.now, false);
  EXPECT_EQ(fixture.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kVppLow | regs::csr::kEraseError));
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_TRUE(fixture.observer.ended[0].failed);
}

TEST(VppLoss, switching_the_generator_off_is_one_too) {
  CardFixture fixture(part_spec("series2plus-8mb"), false);
  fixture.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  fixture.now += fixture.core.spec().timing.generator_rise;
  fixture.erase(0);
  fixture.set_attribute(cmr::kVoltageControl, 0);
  EXPECT_EQ(fixture.csr(0) & 0x0808, 0x0808);
}

TEST(VppLoss, socket_takes_over_from_the_generator) {
  CardFixture fixture;
  fixture.set_attribute(cmr::kVoltageControl, cmr::kVoltageVppEnable);
  fixture.erase(0);
  fixture.set_attribute(cmr::kVoltageControl, 0);
  fixture.finish();
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

}  // namespace
}  // namespace ftlab::hw::testing
