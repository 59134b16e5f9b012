// What descriptors may do in which order, and how each refusal is answered: at once, and nothing has happened.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

class ArrayOrder : public ::testing::Test {
 protected:
  /// Answered when the controller has taken it, with nothing under way.
  void refused(const Descriptor& d, Status status) {
    const Ticks begin = fixture.now;
    const OperationTotals before = fixture.core.operation_totals();
    Descriptor silent = d;
    silent.report = 0;
    fixture.submit(silent);
    const Completion completion = fixture.wait();
    EXPECT_EQ(completion.op, d.op);
    EXPECT_EQ(completion.status, status);
    EXPECT_EQ(completion.page, d.page);
    EXPECT_EQ(fixture.now - begin, ticks_from_ns(100));
    EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(fixture.core.operation_totals()[i].operations, before[i].operations);
    }
  }
  Descriptor make(Op op, std::uint32_t segment, std::uint32_t index, std::uint32_t target = array::kNoPage) {
    return ArrayFixture::descriptor(op, fixture.page(segment, index), target);
  }

  ArrayFixture fixture;
};

TEST_F(ArrayOrder, pages_of_a_segment_are_programmed_ascending_without_gaps) {
  refused(make(Op::program, 3, 1), Status::illegal);
  for (std::uint32_t i = 0; i < 6; ++i) {
    fixture.run(make(Op::program, 3, i));
    EXPECT_EQ(fixture.core.next_page(3), i + 1);
    refused(make(Op::program, 3, i), Status::illegal);
  }
  refused(make(Op::program, 3, 0), Status::illegal);
  fixture.run(make(Op::erase, 3, 4));
  EXPECT_EQ(fixture.core.next_page(3), 0U);
  EXPECT_EQ(fixture.core.erase_count(3), 1U);
  fixture.run(make(Op::program, 3, 0));
}

TEST_F(ArrayOrder, copies_program_their_target_in_order) {
  fixture.run(make(Op::program, 0, 0));
  refused(make(Op::copy, 0, 0, fixture.page(1, 1)), Status::illegal);
  fixture.run(make(Op::copy, 0, 0, fixture.page(1, 0)));
  EXPECT_EQ(fixture.core.next_page(1), 1U);
  refused(make(Op::copy, 0, 0, fixture.page(1, 0)), Status::illegal);
  fixture.run(make(Op::copy, 0, 0, fixture.page(40, 0)));
  EXPECT_EQ(fixture.core.next_page(40), 1U);
}

TEST_F(ArrayOrder, what_lies_outside_of_the_array_is_illegal) {
  const std::uint32_t end = 64 * 6;
  for (const Op op : {Op::read, Op::program, Op::erase, Op::copy, Op::check, Op::mark_bad, Op::fence}) {
    refused(ArrayFixture::descriptor(op, end, 0), Status::illegal);
    refused(ArrayFixture::descriptor(op, array::kNoPage, 0), Status::illegal);
  }
  refused(ArrayFixture::descriptor(Op::copy, 0, end), Status::illegal);
  refused(ArrayFixture::descriptor(Op::copy, 0), Status::illegal);
  fixture.run(make(Op::read, 63, 5));
}

TEST_F(ArrayOrder, unknown_operations_are_illegal) {
  refused(ArrayFixture::descriptor(static_cast<Op>(8), 0), Status::illegal);
  refused(ArrayFixture::descriptor(static_cast<Op>(0xFF), 0), Status::illegal);
  // A completion with op none says that there is none, so only the status of this one differs.
  fixture.submit(ArrayFixture::descriptor(Op::none, 0));
  EXPECT_EQ(fixture.wait().status, Status::illegal);
}

TEST_F(ArrayOrder, a_marked_segment_takes_nothing_but_checks) {
  fixture.run(make(Op::program, 5, 0));
  fixture.run(make(Op::check, 5, 3));
  fixture.run(make(Op::mark_bad, 5, 2));
  EXPECT_TRUE(fixture.core.is_bad(5));
  refused(make(Op::read, 5, 0), Status::bad_segment);
  refused(make(Op::program, 5, 1), Status::bad_segment);
  refused(make(Op::erase, 5, 0), Status::bad_segment);
  refused(make(Op::copy, 5, 0, fixture.page(6, 0)), Status::bad_segment);
  refused(make(Op::copy, 6, 0, fixture.page(5, 1)), Status::bad_segment);
  fixture.run(make(Op::check, 5, 0), Status::bad_segment);
  fixture.run(make(Op::fence, 5, 0));
  fixture.run(make(Op::mark_bad, 5, 0));
  EXPECT_EQ(fixture.core.next_page(6), 0U);
}

TEST_F(ArrayOrder, an_erased_page_can_be_read_and_copied) {
  fixture.run(make(Op::read, 7, 5));
  fixture.run(make(Op::copy, 7, 5, fixture.page(8, 0)));
}

TEST_F(ArrayOrder, slots_that_are_not_there_are_illegal_where_bytes_are_kept) {
  ArrayFixture bytes(array_part({{"content", "bytes"}, {"controller.buffer_slots", "2"}}));
  Descriptor d = make(Op::program, 0, 0);
  d.buffer = 2;
  bytes.run(d, Status::illegal);
  d.buffer = 1;
  bytes.run(d);
  d.op = Op::read;
  bytes.run(d);
  d.buffer = 2;
  bytes.run(d, Status::illegal);
  d.op = Op::program;
  fixture.run(d);  // a part without data RAM does not look at slots
}

TEST_F(ArrayOrder, only_what_asks_or_does_not_end_well_is_reported) {
  Descriptor quiet = make(Op::program, 0, 0);
  quiet.report = 0;
  fixture.submit(quiet);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  fixture.drain();
  fixture.submit(quiet);
  EXPECT_EQ(fixture.wait().status, Status::illegal);
}

TEST_F(ArrayOrder, completions_come_oldest_end_first_then_in_the_order_of_descriptors) {
  std::vector<Descriptor> burst{make(Op::erase, 0, 0), make(Op::program, 16, 0), make(Op::program, 33, 0)};
  for (std::uint16_t i = 0; i < 3; ++i) burst[i].tag = static_cast<std::uint16_t>(70 + i);
  fixture.submit(burst);
  EXPECT_EQ(fixture.wait().tag, 71);
  EXPECT_EQ(fixture.wait().tag, 72);
  EXPECT_EQ(fixture.wait().tag, 70);
  // Refused at one time by way of two writes at that time: the earlier descriptor is first.
  ArrayFixture other(array_part({{"controller.descriptor", "0.1"}}));
  for (std::uint16_t i = 0; i < 4; ++i) {
    Descriptor d = ArrayFixture::descriptor(Op::program, 5);
    d.tag = i;
    other.submit(d);
  }
  other.now += us(1);
  for (std::uint16_t i = 0; i < 4; ++i) EXPECT_EQ(other.take().tag, i);
}

TEST_F(ArrayOrder, a_completion_names_page_target_and_tag) {
  fixture.run(make(Op::program, 0, 0));
  Descriptor d = make(Op::copy, 0, 0, fixture.page(9, 0));
  d.tag = 0xABCD;
  fixture.submit(d);
  const Completion completion = fixture.wait();
  EXPECT_EQ(completion.op, Op::copy);
  EXPECT_EQ(completion.tag, 0xABCD);
  EXPECT_EQ(completion.page, fixture.page(0, 0));
  EXPECT_EQ(completion.target, fixture.page(9, 0));
}

}  // namespace
}  // namespace ftlab::hw::testing
