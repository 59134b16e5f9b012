#include "firmware/driver/paged/segment_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/fixtures/emulated_flash.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kUnit = 1024;

EmulatedFlashOptions twelve_units() {
  EmulatedFlashOptions options;
  options.geometry = {
      .segments = 12, .segment_bytes = kUnit, .program_unit_bytes = 2, .parallel_units = 2, .rated_erase_cycles = 1000};
  return options;
}

PartOp op_of(PartOpKind kind, std::uint32_t segment, std::uint32_t offset = 0, std::uint32_t length = 0) {
  PartOp op;
  op.kind = kind;
  op.segment = SegmentId{segment};
  op.offset = offset;
  op.length = length;
  return op;
}

std::vector<std::byte> counted_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

struct SegmentGroupsTest : testing::Test {
  PartStatus program(std::uint32_t segment, std::uint32_t offset, const std::vector<std::byte>& bytes) {
    PartOp op = op_of(PartOpKind::program, segment, offset, static_cast<std::uint32_t>(bytes.size()));
    op.from = bytes.data();
    return run_one(groups, op);
  }
  PartStatus read(std::uint32_t segment, std::uint32_t offset, std::vector<std::byte>& into) {
    PartOp op = op_of(PartOpKind::read, segment, offset, static_cast<std::uint32_t>(into.size()));
    op.into = into.data();
    return run_one(groups, op);
  }
  EmulatedFlash part{twelve_units()};
  SegmentGroups groups{part, 3};
};

TEST_F(SegmentGroupsTest, are_fewer_and_larger_segments_on_the_same_devices) {
  EXPECT_EQ(groups.geometry().segments, 4U);
  EXPECT_EQ(groups.geometry().segment_bytes, 3 * kUnit);
  EXPECT_EQ(groups.geometry().unit_of(1), 0U);
  EXPECT_EQ(groups.geometry().unit_of(2), 1U);
}

TEST_F(SegmentGroupsTest, read_and_program_across_erase_units) {
  const std::vector<std::byte> bytes = counted_bytes(2 * kUnit + 100);
  ASSERT_EQ(program(2, 500, bytes), PartStatus::ok);
  std::vector<std::byte> got(bytes.size());
  ASSERT_EQ(read(2, 500, got), PartStatus::ok);
  EXPECT_EQ(got, bytes);
  EXPECT_EQ(part.bytes(6)[500], bytes[0]);
  EXPECT_EQ(part.bytes(8)[599], bytes.back()) << "the third unit of the third segment";
}

/// Notes the erases of a part, in order.
struct ErasesSeen final : ChangeWatcher {
  void before_change(const PartOp& op) override {
    if (op.kind == PartOpKind::erase) units.push_back(op.segment.value());
  }
  std::vector<std::uint32_t> units;
};

TEST_F(SegmentGroupsTest, are_erased_with_their_first_unit_last) {
  ErasesSeen seen;
  part.watch(&seen);
  EXPECT_EQ(run_one(groups, op_of(PartOpKind::erase, 1)), PartStatus::ok);
  part.watch(nullptr);
  EXPECT_EQ(seen.units, (std::vector<std::uint32_t>{5, 4, 3}));
}

TEST_F(SegmentGroupsTest, whose_unit_fails_have_failed_and_keep_what_is_before_it) {
  ASSERT_EQ(program(1, 0, counted_bytes(3 * kUnit)), PartStatus::ok);
  part.fail_at(1, 4);
  EXPECT_EQ(run_one(groups, op_of(PartOpKind::erase, 1)), PartStatus::erase_failed);
  EXPECT_EQ(part.erase_count(3), 0U);
  EXPECT_EQ(part.erase_count(5), 1U);
}

TEST_F(SegmentGroupsTest, answer_each_operation_once_with_its_tag_while_erases_are_under_way) {
  const std::vector<std::byte> bytes = counted_bytes(64);
  PartOp erase = op_of(PartOpKind::erase, 3);
  erase.tag = 77;
  ASSERT_EQ(groups.submit({&erase, 1}), 1U);
  std::vector<PartDone> all;
  for (std::uint32_t i = 0; i < 40; ++i) {
    PartOp op = op_of(PartOpKind::program, 0, 64 * i, 64);
    op.from = bytes.data();
    op.tag = 100 + i;
    ASSERT_EQ(groups.submit({&op, 1}), 1U);
    PartDone done[4];
    const std::size_t count = groups.reap(done, i % 2 == 0);
    all.insert(all.end(), done, done + count);
  }
  for (PartDone done[4]; const std::size_t count = groups.reap(done, true);) all.insert(all.end(), done, done + count);
  ASSERT_EQ(all.size(), 41U);
  EXPECT_EQ(std::ranges::count(all, 77U, &PartDone::tag), 1);
  for (const PartDone& one : all) EXPECT_EQ(one.status, PartStatus::ok) << one.tag;
  for (const std::uint32_t unit : {9U, 10U, 11U}) EXPECT_EQ(part.erase_count(unit), 1U);
}

}  // namespace
}  // namespace ftlab::tests
