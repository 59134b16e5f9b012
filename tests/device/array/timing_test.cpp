// How long operations take, alone and overlapped, against numbers worked out by hand.
// tR 50 / 75 us, tPROG 400 / 2200 us (even / odd pages), tBERS 3000 us; command 1 us, transfer 20 us, descriptor 0.1
// us.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

class ArrayTiming : public ::testing::Test {
 protected:
  /// Ends of the completions of a burst, by tag.
  std::vector<Ticks> ends(std::vector<Descriptor> burst) {
    for (std::size_t i = 0; i < burst.size(); ++i) burst[i].tag = static_cast<std::uint16_t>(i);
    const Ticks begin = fixture.now;
    EXPECT_EQ(fixture.submit(burst).error, BusError::none);
    std::vector<Ticks> found(burst.size());
    for (std::size_t i = 0; i < burst.size(); ++i) {
      const Completion completion = fixture.wait();
      EXPECT_EQ(completion.status, Status::ok) << i;
      found[completion.tag] = fixture.now - begin;
    }
    return found;
  }
  Descriptor program(std::uint32_t segment, std::uint32_t index) {
    return ArrayFixture::descriptor(Op::program, fixture.page(segment, index));
  }
  Descriptor read(std::uint32_t segment, std::uint32_t index) {
    return ArrayFixture::descriptor(Op::read, fixture.page(segment, index));
  }
  Descriptor erase(std::uint32_t segment) { return ArrayFixture::descriptor(Op::erase, fixture.page(segment, 0)); }
  Descriptor copy(std::uint32_t from, std::uint32_t index, std::uint32_t to, std::uint32_t target) {
    return ArrayFixture::descriptor(Op::copy, fixture.page(from, index), fixture.page(to, target));
  }

  static constexpr double kTake = 0.1;
  // Segments 0-15 are on die 0, 16-31 on die 1 (the other channel), 32-47 on die 2 (channel 0 again).
  ArrayFixture fixture;
};

using Times = std::vector<Ticks>;

TEST_F(ArrayTiming, operations_alone) {
  EXPECT_EQ(fixture.run(erase(0)), us(kTake + 1 + 3000));
  EXPECT_EQ(fixture.run(program(0, 0)), us(kTake + 1 + 20 + 400));
  EXPECT_EQ(fixture.run(program(0, 1)), us(kTake + 1 + 20 + 2200));
  EXPECT_EQ(fixture.run(read(0, 0)), us(kTake + 1 + 50 + 20));
  EXPECT_EQ(fixture.run(read(0, 1)), us(kTake + 1 + 75 + 20));
  EXPECT_EQ(fixture.run(copy(0, 1, 0, 2)), us(kTake + 1 + 75 + 1 + 400));
  EXPECT_EQ(fixture.run(copy(0, 1, 16, 0)), us(kTake + 1 + 75 + 20 + 1 + 20 + 400));
  EXPECT_EQ(fixture.run(ArrayFixture::descriptor(Op::check, 0)), us(kTake + 1 + 50));
  EXPECT_EQ(fixture.run(ArrayFixture::descriptor(Op::mark_bad, 0)), us(kTake + 1 + 400));
  EXPECT_EQ(fixture.run(ArrayFixture::descriptor(Op::fence, 0)), us(kTake));
}

TEST_F(ArrayTiming, a_fence_ends_with_the_last_that_its_die_was_given_and_holds_nothing_up) {
  const Descriptor fence = ArrayFixture::descriptor(Op::fence, 0);
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), fence, program(0, 1)}), (Times{first, first, first + us(21 + 2200)}));
}

TEST_F(ArrayTiming, programs_of_a_plane_follow_each_other) {
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), program(0, 1), program(0, 2)}),
            (Times{first, first + us(21 + 2200), first + us(21 + 2200 + 21 + 400)}));
}

TEST_F(ArrayTiming, programs_of_two_planes_overlap_but_for_their_transfers) {
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), program(1, 0), program(0, 1)}), (Times{first, first + us(21), first + us(21 + 2200)}));
}

TEST_F(ArrayTiming, dies_on_two_channels_do_not_know_each_other) {
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), program(16, 0)}), (Times{first, first + us(kTake)}));
}

TEST_F(ArrayTiming, dies_on_one_channel_take_turns_with_it) {
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), program(32, 0)}), (Times{first, first + us(21)}));
}

TEST_F(ArrayTiming, a_transfer_uses_a_gap_before_one_that_is_far_ahead) {
  // Die 0 has the channel at 0.1 and again at 421.1; die 2 fits its own between the two.
  const Ticks first = us(kTake + 21 + 400);
  EXPECT_EQ(ends({program(0, 0), program(0, 1), program(32, 0)}),
            (Times{first, first + us(21 + 2200), us(kTake + 21 + 21 + 400)}));
}

TEST_F(ArrayTiming, a_read_has_its_die_alone) {
  fixture.run(program(0, 0));
  const Ticks erased = us(kTake + 1 + 3000);
  const Times found = ends({erase(1), read(0, 0), program(2, 0)});
  EXPECT_EQ(found, (Times{erased, erased + us(1 + 50 + 20), erased + us(71 + 21 + 400)}));
}

TEST_F(ArrayTiming, transfers_of_reads_wait_for_the_channel) {
  fixture.run(program(0, 0));
  fixture.run(program(32, 0));
  const Ticks first = us(kTake + 1 + 50 + 20);
  EXPECT_EQ(ends({read(0, 0), read(32, 0)}), (Times{first, first + us(20)}));
}

TEST_F(ArrayTiming, copies_on_two_planes_overlap_and_leave_the_channel_alone) {
  fixture.run(program(0, 0));
  fixture.run(program(1, 0));
  const Times found = ends({copy(0, 0, 2, 0), copy(1, 0, 3, 0), program(32, 0)});
  EXPECT_EQ(found[0], us(kTake + 1 + 50 + 1 + 400));
  EXPECT_EQ(found[1], us(kTake + 1 + 1 + 50 + 1 + 400)) << "its command waits for the first one's";
  EXPECT_EQ(found[2], us(3 * kTake + 21 + 400));
}

TEST_F(ArrayTiming, the_source_plane_of_a_copy_is_free_again_after_its_read) {
  fixture.run(program(0, 0));
  const Times found = ends({copy(0, 0, 1, 0), erase(2)});
  EXPECT_EQ(found[1], us(kTake + 1 + 50 + 1 + 3000));
}

TEST_F(ArrayTiming, erases_on_two_planes_overlap) {
  const Ticks first = us(kTake + 1 + 3000);
  EXPECT_EQ(ends({erase(0), erase(1), erase(2)}), (Times{first, first + us(1), first + us(1 + 3000)}));
}

TEST_F(ArrayTiming, what_comes_later_than_the_work_before_it_begins_at_once) {
  fixture.run(program(0, 0));
  fixture.now += us(12345);
  EXPECT_EQ(fixture.run(program(0, 1)), us(kTake + 21 + 2200));
}

TEST_F(ArrayTiming, wear_changes_times) {
  ArrayFixture worn(array_part({{"endurance.program_growth", "-0.25"}, {"endurance.erase_growth", "0.5"}}));
  worn.core.set_erase_count(0, 500);
  EXPECT_EQ(worn.run(ArrayFixture::descriptor(Op::program, 0)), us(kTake + 21 + 350));
  EXPECT_EQ(worn.run(erase(0)), us(kTake + 1 + 3750));
}

TEST_F(ArrayTiming, variation_is_of_dies_and_segments_and_of_the_seed) {
  const auto times = [](std::uint64_t seed, const char* die, const char* segment) {
    ArrayFixture varied(array_part({{"variation.die", die}, {"variation.segment", segment}}), {.seed = seed});
    std::vector<Ticks> found;
    for (const std::uint32_t s : {0U, 1U, 16U}) {
      found.push_back(varied.run(ArrayFixture::descriptor(Op::program, varied.page(s, 0))));
    }
    return found;
  };
  const Times of_die = times(1, "0.1", "0");
  EXPECT_EQ(of_die[0], of_die[1]);
  EXPECT_NE(of_die[0], of_die[2]);
  EXPECT_EQ(of_die, times(1, "0.1", "0"));
  EXPECT_NE(of_die, times(2, "0.1", "0"));
  const Times of_segment = times(1, "0", "0.1");
  EXPECT_NE(of_segment[0], of_segment[1]);
}

}  // namespace
}  // namespace ftlab::hw::testing
