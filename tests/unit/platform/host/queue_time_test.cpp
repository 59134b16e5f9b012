#include "platform/host/queue_time.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab::platform {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;

TEST(QueueTime, is_the_number_of_requests_over_time) {
  QueueTime queue(microseconds{100});
  for (int i = 0; i < 3; ++i) queue.join(microseconds{100});
  queue.complete(microseconds{100}, microseconds{110});
  queue.complete(microseconds{100}, microseconds{115});
  EXPECT_FALSE(queue.balances()) << "one is there";
  queue.complete(microseconds{100}, microseconds{117});
  EXPECT_DOUBLE_EQ(to_seconds(queue.integral()), (3 * 10 + 2 * 5 + 2) * 1e-6);
  EXPECT_TRUE(queue.balances());
}

TEST(QueueTime, counts_requests_that_become_known_after_their_arrival_or_before_it) {
  QueueTime queue;
  queue.join(microseconds{0});
  queue.complete(microseconds{0}, microseconds{10});
  queue.join(microseconds{4});
  queue.join(microseconds{40});
  queue.complete(microseconds{4}, microseconds{20});
  queue.complete(microseconds{40}, microseconds{43});
  EXPECT_DOUBLE_EQ(to_seconds(queue.integral()), (10 + 16 + 3) * 1e-6);
  EXPECT_TRUE(queue.balances());
}

TEST(QueueTime, what_is_withdrawn_never_was_there) {
  QueueTime queue;
  for (int i = 0; i < 2; ++i) queue.join(microseconds{0});
  queue.complete(microseconds{0}, microseconds{10});
  queue.withdraw(microseconds{0});
  EXPECT_DOUBLE_EQ(to_seconds(queue.integral()), 10e-6);
  EXPECT_TRUE(queue.balances());
}

TEST(QueueTime, a_caller_that_is_a_tick_wrong_about_an_arrival_does_not_balance) {
  for (const Ticks remembered : {Ticks{0}, Ticks{2}}) {
    QueueTime queue;
    queue.join(Ticks{1});
    queue.complete(remembered, Ticks{1000});
    EXPECT_FALSE(queue.balances()) << remembered.count();
  }
}

TEST(QueueTime, a_full_queue_lasts_for_years) {
  const Ticks years = hours{24 * 365 * 25};
  QueueTime queue;
  for (int i = 0; i < 1024; ++i) queue.join(Ticks{});
  for (int i = 0; i < 1024; ++i) queue.complete(Ticks{}, years);
  EXPECT_DOUBLE_EQ(to_seconds(queue.integral()), 1024.0 * 25 * 365 * 24 * 3600);
  EXPECT_TRUE(queue.balances());
}

}  // namespace
}  // namespace ftlab::platform
