// Reads and programs that are not waited for: two dies work at the same time.
#include <algorithm>

#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

constexpr std::uint32_t kHere = 3;
constexpr std::uint32_t kThere = 1024 + 3;

class OneNandOverlap : public OneNandFixture {
 protected:
  void start_erased() {
    start("flexonenand-8gb-ddp");
    for (const std::uint32_t segment : {kHere, kThere}) ASSERT_EQ(erase(segment), PartStatus::ok);
  }
  void submit(PartOp op, std::uint32_t tag, bool no_wait = true) {
    op.tag = tag;
    op.no_wait = no_wait;
    ASSERT_EQ(driver_->submit({&op, 1}), 1U);
  }
  PartDone reap_one() {
    PartDone done{.tag = 1000};
    EXPECT_EQ(driver_->reap({&done, 1}, true), 1U);
    return done;
  }
  /// What a page of the die costs alone, from submit to reap.
  double seconds_of_program(std::uint32_t segment, std::uint32_t page_number) {
    const Ticks before = port_->now;
    EXPECT_EQ(program(segment, page_number, page(1)), PartStatus::ok);
    return to_seconds(port_->now - before);
  }
};

TEST_F(OneNandOverlap, one_die_offers_none) {
  start("flexonenand-4gb");
  EXPECT_FALSE(driver_->capabilities().no_wait);
}

TEST_F(OneNandOverlap, programs_on_two_dies_take_the_time_of_one_and_the_other_transfer) {
  for (const DriverWait wait : {DriverWait::interrupt, DriverWait::poll}) {
    config_.program_wait = wait;
    start_erased();
    const double alone = seconds_of_program(kHere, 0);
    const Bytes a = page(2);
    const Bytes b = page(3);
    const Ticks before = port_->now;
    submit(program_op(kHere, 1, a), 1);
    const double first = to_seconds(port_->now - before);
    submit(program_op(kThere, 0, b), 2);
    EXPECT_EQ(reap_one().tag, 1U);
    EXPECT_EQ(reap_one().tag, 2U);
    const double both = to_seconds(port_->now - before);
    EXPECT_LT(both, alone + first + 2.0 * static_cast<double>(config_.die_turn_ns) * 1e-9);
    EXPECT_GT(both, alone) << "the second page is in the array longer than the first";
    Bytes data;
    EXPECT_EQ(read(kHere, 1, data).status, PartStatus::ok);
    EXPECT_EQ(data, a);
    EXPECT_EQ(read(kThere, 0, data).status, PartStatus::ok);
    EXPECT_EQ(data, b);
  }
}

TEST_F(OneNandOverlap, read_on_the_other_die_ends_before_the_program) {
  start_erased();
  ASSERT_EQ(program(kThere, 0, page(5)), PartStatus::ok);
  // Pages 0 to 3 of an MLC segment are LSB pages, page 4 is the slow partner of page 0.
  for (std::uint32_t p = 0; p < 4; ++p) ASSERT_EQ(program(kHere, p, page(p)), PartStatus::ok);
  const Bytes slow = page(6);
  Bytes data;
  submit(program_op(kHere, 4, slow), 1);
  submit(read_op(kThere, 0, data), 2);
  EXPECT_EQ(reap_one().tag, 2U);
  EXPECT_EQ(data, page(5));
  EXPECT_EQ(reap_one().tag, 1U);
  EXPECT_EQ(driver_->reap({}, true), 0U);
}

TEST_F(OneNandOverlap, operation_on_the_same_die_waits_for_the_one_under_way) {
  start_erased();
  const Bytes a = page(7);
  Bytes data;
  submit(program_op(kHere, 0, a), 1);
  submit(read_op(kHere, 0, data), 2, false);
  const PartDone first = reap_one();
  EXPECT_EQ(first.tag, 1U);
  EXPECT_EQ(first.status, PartStatus::ok);
  EXPECT_EQ(reap_one().tag, 2U);
  EXPECT_EQ(data, a);
}

TEST_F(OneNandOverlap, failure_on_one_die_is_no_failure_of_the_other) {
  start_erased();
  const Bytes a = page(10);
  const Bytes b = page(11);
  ASSERT_EQ(program(kThere, 2, a), PartStatus::ok);
  submit(program_op(kHere, 0, a), 1);
  submit(program_op(kThere, 1, b), 2);  // out of order: refused
  PartDone done[2] = {reap_one(), reap_one()};
  std::ranges::sort(done, {}, &PartDone::tag);
  EXPECT_EQ(done[0].status, PartStatus::ok);
  EXPECT_EQ(done[1].status, PartStatus::program_failed);
}

TEST_F(OneNandOverlap, attaching_again_forgets_what_was_under_way) {
  start_erased();
  const Bytes a = page(12);
  submit(program_op(kHere, 0, a), 1);
  submit(program_op(kThere, 0, a), 2);
  power_cycle();
  PartDone done;
  EXPECT_EQ(driver_->reap({&done, 1}, true), 0U);
}

TEST_F(OneNandOverlap, release_waits_and_results_stay) {
  start_erased();
  const Bytes a = page(13);
  submit(program_op(kHere, 0, a), 1);
  submit(program_op(kThere, 0, a), 2);
  driver_->release();
  const std::uint64_t accesses = port_->accesses;
  EXPECT_EQ(reap_one().status, PartStatus::ok);
  EXPECT_EQ(reap_one().status, PartStatus::ok);
  EXPECT_EQ(port_->accesses, accesses);
}

}  // namespace
}  // namespace ftlab::test
