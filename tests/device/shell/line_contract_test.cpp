// The ready or interrupt line and the time hint, over every family.
#include <gtest/gtest.h>

#include "tests/device/shell/families.h"
#include "tests/device/shell/master.h"

namespace ftlab::hw {
namespace {

using testing::Master;

template <class Family>
class LineContract : public ::testing::Test {
 protected:
  using Module = typename Family::Module;

  LineContract() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  void run(LineStyle style, const std::function<void(Master&, Module&)>& script) {
    Module part("part", Family::spec(), {}, style);
    Family::power_on(part);
    testing::run_on(part, [&](Master& master) {
      Family::enable_line(master);
      script(master, part);
    });
  }
};

TYPED_TEST_SUITE(LineContract, testing::Families, testing::FamilyName);

TYPED_TEST(LineContract, a_driven_line_is_low_while_the_part_works_and_rises_when_the_work_ends) {
  this->run(LineStyle::driven, [](Master& master, auto& part) {
    Master::let_line_follow();
    EXPECT_EQ(master.line.read(), TypeParam::kLineAtRest);
    const Ticks length = TypeParam::make_busy(master);
    const Ticks end = Master::now() + length;
    Master::let_line_follow();
    EXPECT_FALSE(master.line.read());
    EXPECT_FALSE(part.core().line_level(Master::now()));
    sc_core::wait(master.line.posedge_event());
    EXPECT_EQ(Master::now(), end);
    EXPECT_FALSE(TypeParam::busy(master));
  });
}

TYPED_TEST(LineContract, a_line_that_is_asked_never_moves) {
  this->run(LineStyle::asked, [](Master& master, auto&) {
    const bool level = master.line.read();
    const Ticks length = TypeParam::make_busy(master);
    Master::let_line_follow();
    EXPECT_EQ(master.line.read(), level);
    sc_core::wait(to_sc_time(length));
    EXPECT_EQ(master.line.read(), level);
  });
}

TYPED_TEST(LineContract, the_hint_names_the_end_of_work_and_never_afterwards) {
  this->run(LineStyle::asked, [](Master& master, auto& part) {
    EXPECT_EQ(master.hint->next_ready_edge(Master::now()), kNever);
    const Ticks length = TypeParam::make_busy(master);
    const Ticks end = Master::now() + length;
    EXPECT_EQ(master.hint->next_ready_edge(Master::now()), end);
    EXPECT_EQ(master.hint->next_ready_edge(end - Ticks{1}), end);
    EXPECT_EQ(master.hint->next_ready_edge(end), kNever) << "an edge is ahead, never now";
    EXPECT_EQ(part.core().next_line_change(Master::now()), end);
    EXPECT_TRUE(TypeParam::busy(master)) << "to ask changes nothing";
  });
}

TYPED_TEST(LineContract, both_styles_agree_on_every_edge) {
  this->run(LineStyle::driven, [](Master& master, auto&) {
    for (int round = 0; round < 3; ++round) {
      TypeParam::make_busy(master);
      const Ticks foretold = master.hint->next_ready_edge(Master::now());
      sc_core::wait(master.line.posedge_event());
      EXPECT_EQ(Master::now(), foretold);
    }
  });
}

TYPED_TEST(LineContract, power_loss_during_work_leaves_nothing_to_wait_for) {
  this->run(LineStyle::asked, [](Master& master, auto& part) {
    TypeParam::make_busy(master);
    part.core().lose_power(Master::now());
    EXPECT_EQ(master.hint->next_ready_edge(Master::now()), kNever);
    EXPECT_EQ(master.hint->next_status_change(Master::now()), kNever);
  });
}

template <class Family>
class ModuleContract : public ::testing::Test {
 protected:
  ModuleContract() { sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW); }
};

TYPED_TEST_SUITE(ModuleContract, testing::Families, testing::FamilyName);

TYPED_TEST(ModuleContract, wrong_time_resolution_is_refused) {
  try {
    typename TypeParam::Module part("part", TypeParam::spec());
    FAIL() << "built with the default resolution";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.what()).find("100 ps"), std::string::npos);
  }
}

TYPED_TEST(ModuleContract, an_unknown_window_is_refused_with_the_names_there_are) {
  sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
  typename TypeParam::Module part("part", TypeParam::spec());
  try {
    (void)part.window("cellar");
    FAIL() << "there is no such window";
  } catch (const sc_core::sc_report& report) {
    const std::string text = report.what();
    EXPECT_NE(text.find("cellar"), std::string::npos);
    EXPECT_NE(text.find(part.core().windows().front()->shape().name), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ftlab::hw
