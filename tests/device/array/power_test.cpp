// Loss of power: what ended is there, what had not begun never happened, what ran is torn, and the rest is forgotten.
#include <algorithm>
#include <random>
#include <stdexcept>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

using array::Metadata;

TEST(ArrayPowerLoss, a_program_under_way_is_torn) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  fixture.submit(make(Op::program, 0, array::kNoPage, 3));
  fixture.power_cycle(us(100));
  EXPECT_EQ(fixture.core.next_page(0), 1U);
  fixture.run(make(Op::read, 0), Status::uncorrectable);
  fixture.run(make(Op::program, 0), Status::illegal);
  fixture.run(make(Op::program, 1));
}

TEST(ArrayPowerLoss, a_part_made_for_none_refuses_it) {
  ArrayFixture fixture(array_part(), {.loses_power = false});
  EXPECT_THROW(fixture.core.lose_power(us(1)), std::logic_error);
}

TEST(ArrayPowerLoss, a_program_in_its_transfer_leaves_the_page_erased) {
  ArrayFixture fixture;
  fixture.submit(make(Op::program, 0));
  fixture.core.lose_power(us(10));
  EXPECT_EQ(fixture.core.next_page(0), 0U);
  EXPECT_TRUE(fixture.core.is_readable(0));
}

TEST(ArrayPowerLoss, an_erase_under_way_makes_garbage_until_the_next_one) {
  ArrayFixture fixture;
  fixture.run(make(Op::program, 0));
  fixture.submit(make(Op::erase, 0));
  fixture.power_cycle(us(1000));
  for (std::uint32_t page = 0; page < 6; ++page) fixture.run(make(Op::read, page), Status::uncorrectable);
  fixture.run(make(Op::program, 0), Status::illegal);
  EXPECT_EQ(fixture.core.erase_count(0), 1U);
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::read, 0));
}

TEST(ArrayPowerLoss, what_had_not_begun_never_happened) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  fixture.run(make(Op::program, 0, array::kNoPage, 10));
  fixture.run(make(Op::program, 1, array::kNoPage, 11));
  const OperationTotals before = fixture.core.operation_totals();
  // The erase of another segment of the plane holds everything up.
  const std::vector<Descriptor> burst{
      make(Op::erase, 2 * 6), make(Op::erase, 0),    make(Op::program, 0, array::kNoPage, 20),
      make(Op::copy, 0, 1),   make(Op::mark_bad, 0), make(Op::fence, 0),
      make(Op::read, 0)};
  fixture.submit(burst);
  EXPECT_TRUE(fixture.core.is_bad(0));
  fixture.core.lose_power(fixture.now + us(2000));
  EXPECT_FALSE(fixture.core.is_bad(0));
  EXPECT_EQ(fixture.core.next_page(0), 2U);
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
  EXPECT_EQ(fixture.core.metadata(0), (Metadata{10, ~10ULL}));
  EXPECT_EQ(fixture.core.metadata(1), (Metadata{11, ~11ULL}));
  const OperationTotals& after = fixture.core.operation_totals();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool erase = i == static_cast<std::size_t>(DeviceOpKind::erase);
    EXPECT_EQ(after[i].operations, before[i].operations + (erase ? 1 : 0)) << i;
    EXPECT_EQ(after[i].failed, before[i].failed + (erase ? 1 : 0)) << i;
    if (!erase) {
      EXPECT_EQ(after[i].busy, before[i].busy) << i;
      EXPECT_EQ(after[i].energy, before[i].energy) << i;
      EXPECT_EQ(after[i].bytes, before[i].bytes) << i;
    }
  }
  const OperationTotal& erases = fixture.total(DeviceOpKind::erase);
  EXPECT_EQ(erases.busy, us(2000 - 0.1));
}

TEST(ArrayPowerLoss, the_controller_forgets_everything) {
  ArrayFixture fixture;
  fixture.write16(array::reg::kControl, 3);
  fixture.submit(make(Op::erase, 0));
  fixture.run(make(Op::program, 16 * 6));
  fixture.submit(make(Op::erase, 0));
  fixture.now += us(10);
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  fixture.now += us(10);
  EXPECT_EQ(fixture.read16(array::reg::kStatus), 0xFFFF) << "no supply";
  fixture.submit(make(Op::erase, 0));
  fixture.core.restore_power(fixture.now);
  EXPECT_EQ(fixture.read16(array::reg::kStatus), 0);
  EXPECT_EQ(fixture.read16(array::reg::kControl), 0);
  EXPECT_EQ(fixture.run(make(Op::erase, 0)), us(0.1 + 1 + 3000)) << "dies and channels are free";
}

TEST(ArrayPowerLoss, the_observer_hears_the_end_of_all_it_heard_begin) {
  ArrayRecorder recorder;
  ArrayFixture fixture(array_part(), {.observer = &recorder});
  const std::vector<Descriptor> burst{make(Op::program, 0), make(Op::program, 1), make(Op::program, 2)};
  fixture.submit(burst);
  fixture.core.lose_power(us(1000));
  ASSERT_EQ(recorder.ended.size(), 3U);
  EXPECT_FALSE(recorder.ended[0].failed);
  EXPECT_TRUE(recorder.ended[1].failed);
  EXPECT_EQ(recorder.ended[1].end, us(1000));
  EXPECT_TRUE(recorder.ended[1].begun);
  EXPECT_TRUE(recorder.ended[2].failed);
  EXPECT_FALSE(recorder.ended[2].begun);
  EXPECT_EQ(recorder.ended[2].busy, Ticks::zero());
  EXPECT_EQ(recorder.ended[2].energy, Picojoules{});
}

void add_difference(OperationTotals& sum, const OperationTotals& before, const OperationTotals& after) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i].operations += after[i].operations - before[i].operations;
    sum[i].bytes += after[i].bytes - before[i].bytes;
    sum[i].failed += after[i].failed - before[i].failed;
    sum[i].busy += after[i].busy - before[i].busy;
    sum[i].die_time += after[i].die_time - before[i].die_time;
    sum[i].energy += after[i].energy - before[i].energy;
  }
}

/// What a page must be after the loss.
enum class Fate { erased, written, torn };

/// Random work at random times; every page is as its last operation that ended left it, or torn where one ran on it or,
/// where the controller keeps nothing, on the other one of its wordline.
TEST(ArrayPowerLoss, at_any_time_every_page_is_old_new_or_torn) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    ArrayRecorder recorder;
    const char* content = seed % 2 == 0 ? "tag" : "bytes";
    const bool keeps = seed % 5 != 0;
    ArrayFixture fixture(array_part({{"content", content},
                                     {"controller.buffer_slots", "2"},
                                     {"timing.read_distribution", seed % 7 == 0 ? "exponential" : "constant"},
                                     {"controller.open_wordlines", keeps ? "capacitors" : "lost"}}),
                         {.observer = &recorder});
    if (seed % 3 == 0) fixture.write16(array::reg::kControl, 3);
    if (seed % 4 == 0) fixture.write16(array::reg::kOvertaking, 3);
    std::vector<std::uint32_t> next(64);
    std::vector<OperationTotals> queued(kOperationLabels);
    std::uint64_t value = 0;
    // Each operation as it was asked for, copies within a die apart; the recorder knows when it ran.
    struct Asked {
      Op op;
      std::uint32_t page;
      std::uint64_t value;
    };
    std::vector<Asked> asked;
    for (int i = 0; i < 150; ++i) {
      const std::uint32_t segment = random() % 24;
      Descriptor d = make(random() % 8 == 0 ? Op::erase : Op::program, 0, array::kNoPage, ++value);
      if (d.op == Op::program && next[segment] == 6) d.op = Op::erase;
      d.page = fixture.page(segment, d.op == Op::erase ? 0 : next[segment]);
      if (d.op == Op::program && random() % 3 == 0) {
        // From a segment that nobody touches, on the same die or another one.
        d.op = Op::copy;
        d.new_metadata = 1;
        d.target = std::exchange(d.page, fixture.page(24 + random() % 40, 0));
      }
      next[segment] = d.op == Op::erase ? 0 : next[segment] + 1;
      const bool across = d.op == Op::copy && d.page / 96 != d.target / 96;
      const Op counted = d.op == Op::copy && !across ? Op::copy : d.op == Op::erase ? Op::erase : Op::program;
      asked.push_back({counted, d.op == Op::copy ? d.target : d.page, value});
      const OperationTotals before = fixture.core.operation_totals();
      recorder.number = static_cast<std::uint8_t>(random() % kOperationLabels);
      fixture.submit(d);
      if (random() % 5 == 0) fixture.submit(make(Op::read, fixture.page(random() % 24, 0)));
      add_difference(queued[recorder.number], before, fixture.core.operation_totals());
      if (random() % 3 == 0) fixture.now += us(static_cast<double>(random() % 3000));
    }
    const Ticks loss = fixture.now + us(static_cast<double>(random() % 20'000));
    fixture.core.lose_power(loss);
    OperationTotals heard{};
    std::vector<OperationTotals> heard_of(kOperationLabels);
    for (const DeviceOp& op : recorder.ended) {
      for (OperationTotals* totals : {&heard, &heard_of[recorder.labels[op.tag - 100]]}) {
        (*totals)[static_cast<std::size_t>(op.kind)].busy += op.busy;
        (*totals)[static_cast<std::size_t>(op.kind)].energy += op.energy;
      }
    }
    OperationTotals left{};
    for (std::uint32_t label = 0; label < kOperationLabels; ++label) {
      add_difference(left, fixture.core.undone_totals()[label], queued[label]);
      for (std::size_t i = 0; i < kDeviceOpKinds; ++i) {
        const OperationTotal& undone = fixture.core.undone_totals()[label][i];
        EXPECT_EQ(queued[label][i].busy - undone.busy, heard_of[label][i].busy) << label << " " << i;
        EXPECT_EQ(queued[label][i].energy - undone.energy, heard_of[label][i].energy) << label << " " << i;
      }
    }
    for (std::size_t i = 0; i < kDeviceOpKinds; ++i) {
      const OperationTotal& total = fixture.core.operation_totals()[i];
      EXPECT_EQ(left[i].operations, total.operations) << i;
      EXPECT_EQ(left[i].bytes, total.bytes) << i;
      EXPECT_EQ(left[i].failed, total.failed) << i;
      EXPECT_EQ(left[i].die_time, total.die_time) << i;
    }
    for (std::size_t i = 0; i < kDeviceOpKinds; ++i) {
      EXPECT_EQ(heard[i].busy, fixture.core.operation_totals()[i].busy) << i;
      EXPECT_EQ(heard[i].energy, fixture.core.operation_totals()[i].energy) << i;
    }
    // Ends as the observer heard them, by the order in which operations were asked for.
    std::vector<DeviceOp> changes;
    for (const DeviceOp& op : recorder.ended) {
      if (op.kind != DeviceOpKind::load) changes.push_back(op);
    }
    std::sort(changes.begin(), changes.end(), [](const DeviceOp& a, const DeviceOp& b) { return a.tag < b.tag; });
    ASSERT_EQ(changes.size(), asked.size());
    std::vector<std::pair<Fate, std::uint64_t>> pages(64 * 6, {Fate::erased, 0});
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const bool ended = !changes[i].failed;
      const Ticks lead = us(asked[i].op == Op::program ? 21 : 1);
      const bool torn = !ended && changes[i].busy > lead;
      if (asked[i].op != Op::erase) {
        if (ended) pages[asked[i].page] = {Fate::written, asked[i].value};
        if (torn) pages[asked[i].page] = {Fate::torn, 0};
        if (torn && !keeps && asked[i].page % 2 == 1) pages[asked[i].page - 1] = {Fate::torn, 0};
      } else if (ended || torn) {
        const auto first = pages.begin() + asked[i].page;
        std::fill(first, first + 6, std::pair{ended ? Fate::erased : Fate::torn, std::uint64_t{0}});
      }
    }
    for (std::uint32_t page = 0; page < pages.size(); ++page) {
      const auto& [fate, expected] = pages[page];
      EXPECT_EQ(fixture.core.is_readable(page), fate != Fate::torn) << page;
      EXPECT_EQ(page % 6 < fixture.core.next_page(page / 6), fate != Fate::erased) << page;
      if (fate != Fate::written) continue;
      EXPECT_EQ(fixture.core.metadata(page)[0], expected) << page;
    }
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
