// What a log holds of a run.
#include "platform/measure/log_span.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

constexpr Ticks after_s(int seconds) { return std::chrono::seconds{seconds}; }

TEST(LogSpan, holds_all_of_a_run_unless_it_is_given) {
  LogSpan whole;
  EXPECT_TRUE(whole.holds(after_s(0), after_s(0)));
  whole.begin_measuring(after_s(100));
  EXPECT_TRUE(whole.holds(after_s(1), after_s(2)));
}

TEST(LogSpan, holds_what_touches_it_from_the_begin_of_the_measured_phase_on) {
  LogSpan span(after_s(10), after_s(20));
  EXPECT_FALSE(span.holds(after_s(12), after_s(13))) << "before that phase";
  span.begin_measuring(after_s(100));
  EXPECT_FALSE(span.holds(after_s(109), after_s(110)));
  EXPECT_TRUE(span.holds(after_s(109), after_s(111)));
  EXPECT_TRUE(span.holds(after_s(110), after_s(110))) << "at its first moment";
  EXPECT_TRUE(span.holds(after_s(119), after_s(130)));
  EXPECT_TRUE(span.holds(after_s(90), after_s(190)));
  EXPECT_FALSE(span.holds(after_s(120), after_s(121)));
}

}  // namespace
}  // namespace ftlab::platform
