// Values by the names that firmware writes, over the socket.
#include "platform/machine/core/study_values.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "hw/regs/study_values_regs.h"
#include "tests/unit/platform/machine/core/bus_master.h"

namespace ftlab::platform {
namespace {

namespace values_reg = hw::study_values::reg;

struct StudyValuesTest : ::testing::Test {
  StudyValuesTest() { device.give({{"spare", 200'000}, {"spares", 7}, {"none", 0}}); }

  /// As firmware does.
  std::optional<std::uint32_t> value(std::string_view name) {
    for (const char c : name) master.write(values_reg::kName, static_cast<unsigned char>(c));
    master.write(values_reg::kName, 0);
    if (master.read(values_reg::kFound) == 0) {
      EXPECT_EQ(master.read(values_reg::kValue), 0U);
      return {};
    }
    return master.read(values_reg::kValue);
  }

  StudyValues device{"values"};
  BusMaster master{"master", device};
};

TEST_F(StudyValuesTest, a_name_has_its_value_shown) {
  EXPECT_EQ(value("spare"), 200'000U);
  EXPECT_EQ(value("spares"), 7U);
  EXPECT_EQ(value("none"), 0U);
  EXPECT_EQ(value("spar"), std::nullopt);
  EXPECT_EQ(value(""), std::nullopt);
  EXPECT_EQ(value("spare"), 200'000U);
}

TEST_F(StudyValuesTest, a_name_that_begins_or_a_reset_hides_the_value_before) {
  ASSERT_EQ(value("spare"), 200'000U);
  master.write(values_reg::kName, 's');
  EXPECT_EQ(master.read(values_reg::kFound), 0U);
  EXPECT_EQ(master.read(values_reg::kValue), 0U);
  device.reset();
  EXPECT_EQ(value("none"), 0U) << "the s was of a name that never ended";
}

TEST_F(StudyValuesTest, says_what_has_been_asked_for) {
  (void)value("spares");
  (void)value("sparse");
  (void)value("sparse");
  device.reset();
  EXPECT_TRUE(device.has_asked("spares")) << "after a loss of power as well";
  EXPECT_FALSE(device.has_asked("spare"));
  EXPECT_FALSE(device.has_asked("sparse"));
  EXPECT_EQ(device.missed(), (std::vector<std::string>{"sparse"}));
}

TEST_F(StudyValuesTest, names_without_end_are_none_and_take_no_memory) {
  const std::string longest(hw::study_values::kLongestName, 'x');
  device.give({{longest, 3}});
  EXPECT_EQ(value(longest), 3U);
  EXPECT_EQ(value(longest + "x"), std::nullopt);
  EXPECT_EQ(value(std::string(100'000, 'x')), std::nullopt);
  EXPECT_EQ(device.missed(), (std::vector<std::string>{longest + "x"})) << "one character more is kept";
  for (int i = 0; i < 1000; ++i) (void)value("name" + std::to_string(i));
  EXPECT_LT(device.missed().size(), 100U);
}

TEST_F(StudyValuesTest, has_these_registers_and_no_others) {
  EXPECT_FALSE(master.has(tlm::TLM_READ_COMMAND, values_reg::kName));
  EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, values_reg::kFound));
  EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, values_reg::kValue));
  EXPECT_FALSE(master.has(tlm::TLM_READ_COMMAND, 0x0C));
  EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, values_reg::kName, 1));
}

}  // namespace
}  // namespace ftlab::platform
