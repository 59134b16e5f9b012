// Order and suspension in the command queue, without a card around it.
#include "hw/series2plus/commands/operation_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::hw {
namespace {

constexpr Ticks kLatency{80};

class Queue : public ::testing::Test {
 protected:
  void add(OperationKind kind, std::uint32_t block, std::int64_t duration, std::int64_t now) {
    Operation& slot = queue.next_slot();
    slot = Operation{};
    slot.request.kind = kind;
    slot.request.block = block;
    slot.remaining = Ticks{duration};
    queue.schedule(Ticks{now}, kLatency);
  }
  /// Runs to the end: (block, end) of every operation in order of completion.
  std::vector<std::pair<std::uint32_t, std::int64_t>> run() {
    std::vector<std::pair<std::uint32_t, std::int64_t>> done;
    while (queue.running()) {
      const Ticks t = queue.next_event();
      if (queue.next_event_finishes()) {
        queue.account_finish();
        done.emplace_back(queue.running_operation().request.block, t.count());
        queue.pop(t);
      } else {
        queue.give_way(t);
      }
    }
    return done;
  }
  OperationQueue queue;
  using Done = std::vector<std::pair<std::uint32_t, std::int64_t>>;
};

TEST_F(Queue, runs_in_order_back_to_back) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::erase, 2, 1000, 10);
  EXPECT_EQ(queue.idle_at(), Ticks{2000});
  EXPECT_EQ(run(), (Done{{1, 1000}, {2, 2000}}));
}

TEST_F(Queue, program_of_another_block_interrupts_an_erase_after_the_latency) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::program, 2, 60, 100);
  EXPECT_EQ(queue.idle_at(), Ticks{1060});
  EXPECT_EQ(run(), (Done{{2, 240}, {1, 1060}}));
}

TEST_F(Queue, program_of_the_same_block_waits) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::program, 1, 60, 100);
  EXPECT_EQ(run(), (Done{{1, 1000}, {1, 1060}}));
}

TEST_F(Queue, program_does_not_overtake_work_on_its_own_block) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::erase, 2, 1000, 10);
  add(OperationKind::program, 2, 60, 100);
  EXPECT_EQ(run(), (Done{{1, 1000}, {2, 2000}, {2, 2060}}));
}

TEST_F(Queue, nothing_overtakes_a_lock_or_an_erase_of_all) {
  add(OperationKind::erase_all, 0, 1000, 0);
  add(OperationKind::program, 2, 60, 100);
  EXPECT_EQ(run(), (Done{{0, 1000}, {2, 1060}}));
  add(OperationKind::lock, 3, 60, 2000);
  add(OperationKind::program, 2, 60, 2000);
  EXPECT_EQ(run(), (Done{{3, 2060}, {2, 2120}}));
}

TEST_F(Queue, suspend_asked_during_an_overtaking_program_takes_effect_after_it) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::program, 2, 600, 100);
  queue.give_way(queue.next_event());
  EXPECT_TRUE(queue.suspend(Ticks{200}, Ticks{50}));
  EXPECT_EQ(queue.idle_at(), Ticks{780});
  EXPECT_EQ(run(), (Done{{2, 780}}));
  EXPECT_TRUE(queue.suspended());
  EXPECT_TRUE(queue.resume(Ticks{5000}));
  EXPECT_EQ(queue.slot(0).suspended, Ticks{5000 - 780});
  EXPECT_EQ(run(), (Done{{1, 5000 + 820}}));
}

TEST_F(Queue, asking_for_the_end_changes_nothing) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::program, 2, 60, 100);
  EXPECT_EQ(queue.idle_at(), queue.idle_at());
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.next_event(), Ticks{180});
}

TEST_F(Queue, stopping_books_the_work_done_so_far) {
  add(OperationKind::erase, 1, 1000, 0);
  add(OperationKind::erase, 2, 1000, 0);
  queue.stop_all(Ticks{400});
  EXPECT_EQ(queue.slot(0).worked, Ticks{400});
  EXPECT_EQ(queue.slot(0).remaining, Ticks{600});
  EXPECT_EQ(queue.slot(1).worked, Ticks{0});
  EXPECT_FALSE(queue.running());
}

}  // namespace
}  // namespace ftlab::hw
