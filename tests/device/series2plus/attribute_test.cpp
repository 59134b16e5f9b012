// Attribute memory: CIS bytes, management registers, write protection, soft reset and power-down.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace cmr = series2plus::cmr;

std::vector<std::uint8_t> tuple_of(CardFixture& fixture, std::uint8_t code) {
  std::uint32_t at = 0;
  while (fixture.attribute(at) != code) {
    if (fixture.attribute(at) == regs::cis::kEnd) return {};
    at += 2 * (2U + fixture.attribute(at + 2));
  }
  std::vector<std::uint8_t> body(fixture.attribute(at + 2));
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = fixture.attribute(at + 4 + 2 * static_cast<std::uint32_t>(i));
  return body;
}

TEST(Cis, stands_on_even_bytes_and_states_device_geometry_and_jedec_id) {
  CardFixture fixture;
  EXPECT_EQ(fixture.attribute(0), regs::cis::kDevice);
  EXPECT_EQ(fixture.attribute(1), 0xFF) << "odd bytes are not valid";
  EXPECT_EQ(tuple_of(fixture, regs::cis::kDevice), (std::vector<std::uint8_t>{0x53, 0x1E, 0xFF}));
  EXPECT_EQ(tuple_of(fixture, regs::cis::kDeviceGeometry), (std::vector<std::uint8_t>{0x02, 0x11, 1, 1, 1, 1}));
  EXPECT_EQ(tuple_of(fixture, regs::cis::kJedecCommon), (std::vector<std::uint8_t>{0x89, 0xA0}));
  EXPECT_EQ(tuple_of(fixture, regs::cis::kConfig), (std::vector<std::uint8_t>{0x01, 0x00, 0x00, 0x40, 0x03}));
  const auto version = tuple_of(fixture, regs::cis::kVersion1);
  const std::string text(version.begin() + 2, version.end());
  EXPECT_EQ(text, std::string("Intel\0S2E8 SW\0\xFF", 15));
}

TEST(Cis, size_byte_and_product_string_follow_the_capacity_of_the_part) {
  const struct {
    const char* name;
    std::uint8_t size;
    const char* product;
  } parts[] = {{"series2plus-4mb", 0x0E, "S2E4 SW"},     {"series2plus-8mb", 0x1E, "S2E8 SW"},
               {"series2plus-20mb", 0x4E, "S2E20SW"},    {"series2plus-24mb", 0x5E, "S2E24SW"},
               {"series2plus-24mb-dd", 0x5E, "S2E24SW"}, {"series2plus-40mb", 0x9E, "S2E40SW"}};
  for (const auto& part : parts) {
    CardFixture fixture(part_spec(part.name));
    EXPECT_EQ(tuple_of(fixture, regs::cis::kDevice)[1], part.size) << part.name;
    const auto version = tuple_of(fixture, regs::cis::kVersion1);
    EXPECT_EQ(std::string(version.begin() + 8, version.end() - 2), part.product) << part.name;
  }
}

TEST(Cis, is_hard_wired) {
  CardFixture fixture;
  fixture.set_attribute(0, 0x55);
  EXPECT_EQ(fixture.attribute(0), regs::cis::kDevice);
}

TEST(ManagementRegisters, power_up_values) {
  CardFixture fixture(part_spec("series2plus-8mb"), false);
  EXPECT_EQ(fixture.attribute(cmr::kConfigurationOption), 0x00);
  EXPECT_EQ(fixture.attribute(cmr::kConfigurationStatus), 0x00);
  EXPECT_EQ(fixture.attribute(cmr::kCardStatus), 0x01);
  EXPECT_EQ(fixture.attribute(cmr::kWriteProtection), 0x04);
  EXPECT_EQ(fixture.attribute(cmr::kVoltageControl), 0x00);
  EXPECT_EQ(fixture.attribute(cmr::kReadyBusyMode), 0x02);
}

TEST(ManagementRegisters, voltage_control_senses_3v3) {
  CardFixture fixture(part_spec("series2plus-8mb", Voltage::v3_3), false);
  EXPECT_EQ(fixture.attribute(cmr::kVoltageControl), cmr::kVoltageIs3V3);
}

TEST(ManagementRegisters, card_status_shows_busy_and_protection) {
  CardFixture fixture;
  fixture.set_attribute(cmr::kWriteProtection, cmr::kProtectCommon | cmr::kProtectCis);
  fixture.core.set_write_protect_switch(true);
  EXPECT_EQ(fixture.attribute(cmr::kCardStatus),
            cmr::kCardReady | cmr::kCardCommonWriteProtect | cmr::kCardCisWriteProtect | cmr::kCardWriteProtectSwitch);
  fixture.set_attribute(cmr::kWriteProtection, 0);
  fixture.core.set_write_protect_switch(false);
  fixture.erase(0);
  EXPECT_EQ(fixture.attribute(cmr::kCardStatus), 0);
  fixture.finish();
  EXPECT_EQ(fixture.attribute(cmr::kCardStatus), cmr::kCardReady);
}

TEST(ManagementRegisters, card_status_is_read_only) {
  CardFixture fixture;
  fixture.set_attribute(cmr::kCardStatus, 0x7E);
  EXPECT_EQ(fixture.attribute(cmr::kCardStatus), 0x01);
}

class WriteProtected : public ::testing::TestWithParam<bool> {
 protected:
  void protect(CardFixture& fixture) {
    if (GetParam()) {
      fixture.core.set_write_protect_switch(true);
    } else {
      fixture.set_attribute(cmr::kWriteProtection, cmr::kProtectCommon);
    }
  }
};

TEST_P(WriteProtected, common_memory_ignores_every_write_cycle) {
  CardFixture fixture;
  fixture.poke16(0, 0x1234);
  protect(fixture);
  fixture.erase(0);
  fixture.program_word(2, 0);
  fixture.command(0, command::kReadCsr);
  EXPECT_EQ(fixture.read16(0), 0x1234);
  EXPECT_TRUE(fixture.observer.started.empty());
}

INSTANTIATE_TEST_SUITE_P(SwitchAndRegister, WriteProtected, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "by_switch" : "by_register"; });

TEST(SoftReset, aborts_work_resets_registers_and_needs_to_be_taken_back) {
  CardFixture fixture;
  fixture.poke16(8, 0xABCD);
  fixture.set_attribute(cmr::kWriteProtection, 0);
  fixture.erase(CardFixture::kSegment);
  fixture.now += fixture.core.spec().timing.erase / 2;
  fixture.set_attribute(cmr::kConfigurationOption, cmr::kOptionSreset);
  EXPECT_NE(fixture.attribute(cmr::kCardStatus) & cmr::kCardSoftReset, 0);
  EXPECT_EQ(fixture.attribute(cmr::kWriteProtection), 0x04);
  EXPECT_EQ(fixture.read16(8), 0xFFFF) << "held components do not drive the bus";
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_TRUE(fixture.observer.ended[0].failed);
  fixture.set_attribute(cmr::kConfigurationOption, 0);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.read16(8), 0xABCD);
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

TEST(PowerDown, puts_all_components_to_sleep_and_back) {
  CardFixture fixture;
  fixture.poke16(8, 0xABCD);
  fixture.set_attribute(cmr::kConfigurationStatus, cmr::kStatusPowerDown);
  EXPECT_NE(fixture.attribute(cmr::kCardStatus) & cmr::kCardPowerDown, 0);
  fixture.program_word(8, 0);
  EXPECT_TRUE(fixture.observer.started.empty());
  const Ticks asleep = fixture.now;
  const Ticks year = std::chrono::hours{24 * 365};
  const StateEnergy before = fixture.core.state_energy(asleep);
  const StateEnergy after = fixture.core.state_energy(asleep + year);
  EXPECT_EQ(after.standby, before.standby);
  EXPECT_NEAR(to_joules(after.sleep - before.sleep), 4 * 5e-6 * 365 * 86400, 1e-3);
  fixture.set_attribute(cmr::kConfigurationStatus, 0);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.read16(8), 0xABCD);
}

}  // namespace
}  // namespace ftlab::hw::testing
