// The program of a page that shares its cells with an answered one is interrupted, or fails: what the array has kept of
// that is moved, by the mount or after it was read.
#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

class PageWordlines : public PartsFixture {
 protected:
  /// An answered write of page 4 lies first in a wordline, of which power is lost in the second page.
  std::uint32_t interrupt() {
    start();
    put(3);
    while (place_of(3) % 2 == 0) put(3);
    const std::uint32_t answered = submit(host_->write(4 * kAll, kAll));
    submit(host_->write(5 * kAll, kAll));
    step();
    EXPECT_TRUE(host_->is_answered(answered));
    EXPECT_EQ(place_of(4) % 2, 0U);
    return place_of(4);
  }
};

TEST_F(PageWordlines, a_page_that_was_kept_is_moved_by_the_mount) {
  const std::uint32_t first = interrupt();
  lose_power();
  EXPECT_NE(place_of(4), first);
  EXPECT_EQ(ftl_->stats().pages_copied, 1U);
  expect_all_right();
}

TEST_F(PageWordlines, a_page_that_was_kept_outlives_losses_before_it_is_moved) {
  (void)interrupt();
  for (int loss = 0; loss < 5; ++loss) lose_power();
  expect_all_right();
}

TEST_F(PageWordlines, a_page_that_was_kept_is_moved_once_it_was_read) {
  start();
  put(3);
  while (place_of(3) % 2 != 0) put(3);
  const std::uint32_t first = place_of(3);
  array_->fail_next(1);
  put(4);
  EXPECT_EQ(place_of(3), first);
  submit(host_->read(3 * kAll, kAll));
  drain();
  while (ftl_->idle(0, 1000) != kNoIdleWork) {
  }
  EXPECT_NE(place_of(3), first);
  EXPECT_EQ(ftl_->stats().refreshes, 1U);
  expect_all_right();
}

TEST_F(PageWordlines, a_page_that_nobody_has_kept_is_lost) {
  const std::uint32_t first = interrupt();
  array_->set_wordlines(2, false);
  array_->lose_power();
  for (const std::uint32_t page : {first, first + 1})
    EXPECT_EQ(run_to_end(*array_, {.kind = FlashOpKind::read, .page = page}).status, FlashStatus::uncorrectable);
}

}  // namespace
}  // namespace ftlab::tests
