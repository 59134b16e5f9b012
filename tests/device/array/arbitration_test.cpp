// Channels that much crosses: who comes first, against a plain model of the queues of dies, and what holds whatever is
// moved. tR 50 / 75 us, tPROG 400 / 2200 us, tBERS 3000 us; command 1, transfer 80, descriptor 0.1 us.
#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>

#include "common/passage.h"
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint32_t kDies = 8;
constexpr std::uint32_t kChannels = 2;

ArraySpec busy_channels(const ArrayOverrides& more = {}) {
  ArrayOverrides all = {{"dies_per_channel", "4"}, {"planes", "1"}, {"channel.rate", "25.6"}, {"segments", "64"}};
  all.insert(all.end(), more.begin(), more.end());
  return array_part(all);
}

/// A page of a die; segments go round the dies.
std::uint32_t page_of(std::uint32_t die, std::uint32_t index) { return (die * 8 + index / 6) * 6 + index % 6; }

class Waits final : public PassageObserver {
 public:
  void reported(const Passage& passage) override { all.push_back(passage); }
  [[nodiscard]] Ticks mark() const override { return {}; }
  std::vector<Passage> all;
};

struct QueuedRead {
  double time = 0;
  std::uint32_t die = 0;
  double sense = 0;
  double end = 0;
  double waits = 0;  ///< for its channel
};

/// When each ends: a die does one after the other, and of those whose data is there the first one crosses.
void take_turns(std::vector<QueuedRead>& reads) {
  std::vector<std::deque<std::size_t>> queued(kDies);
  for (std::size_t i = 0; i < reads.size(); ++i) queued[reads[i].die].push_back(i);
  std::vector<double> free(kDies);
  std::vector<double> channel_free(kChannels);
  const auto ready = [&](std::size_t i) { return std::max(reads[i].time, free[reads[i].die]) + 1 + reads[i].sense; };
  for (std::size_t left = reads.size(); left > 0; --left) {
    std::size_t first = reads.size();
    for (const std::deque<std::size_t>& of_die : queued) {
      if (of_die.empty()) continue;
      const std::size_t i = of_die.front();
      if (first == reads.size() || ready(i) < ready(first) - 1e-6 || (ready(i) < ready(first) + 1e-6 && i < first))
        first = i;
    }
    QueuedRead& read = reads[first];
    double& channel = channel_free[read.die % kChannels];
    read.waits = std::max(channel - ready(first), 0.0);
    read.end = ready(first) + read.waits + 80;
    channel = free[read.die] = read.end;
    queued[read.die].pop_front();
  }
}

class ArrayArbitration : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(ArrayArbitration, a_channel_goes_to_the_read_that_is_ready_first) {
  ArrayFixture fixture(busy_channels());
  fixture.contend();
  Waits waits;
  fixture.core.watch_passages(&waits);
  std::mt19937 random(GetParam());
  std::vector<QueuedRead> reads;
  const Ticks begin = fixture.now;
  std::map<std::uint32_t, double> ends;
  const auto take_until = [&](Ticks until) {
    while (fixture.core.line_level(fixture.now) || fixture.core.next_ready_edge(fixture.now) <= until) {
      if (!fixture.core.line_level(fixture.now)) fixture.now = fixture.core.next_ready_edge(fixture.now);
      ends[fixture.take().tag] = static_cast<double>((fixture.now - begin).count()) / 10'000;
    }
  };
  double time = 0;
  for (std::uint16_t i = 0; i < 300; ++i) {
    if (i % 40 != 0) time += static_cast<double>(random() % 700) / 10;
    take_until(begin + us(time));
    fixture.now = std::max(fixture.now, begin + us(time));
    const std::uint32_t die = random() % kDies;
    const std::uint32_t index = random() % 12;
    Descriptor d = make(Op::read, page_of(die, index));
    d.tag = i;
    fixture.submit(d);
    const double queued = reads.empty() ? time + 0.1 : std::max(time, reads.back().time) + 0.1;
    reads.push_back({queued, die, index % 2 == 0 ? 50.0 : 75.0});
  }
  take_until(kNever - Ticks{1});
  take_turns(reads);
  ASSERT_EQ(ends.size(), reads.size());
  for (std::uint32_t i = 0; i < reads.size(); ++i) ASSERT_NEAR(ends[i], reads[i].end, 1e-3) << i;
  for (const Passage& one : waits.all)
    EXPECT_NEAR(static_cast<double>(one.channel.count()) / 10'000, reads[one.tag].waits, 1e-3) << one.tag;
}

using Spans = std::vector<std::pair<Ticks, Ticks>>;

/// How many of them begin before one that began earlier has ended.
std::size_t overlaps(Spans spans) {
  std::ranges::sort(spans);
  std::size_t count = 0;
  Ticks done{};
  for (const auto& [begin, end] : spans) {
    count += begin < done ? 1 : 0;
    done = std::max(done, end);
  }
  return count;
}

/// Reads, programs, copies and erases on all dies, most of them reads.
void submit_any(ArrayFixture& fixture, std::mt19937& random, std::vector<std::uint32_t>& next) {
  const std::uint32_t segment = random() % 64;
  std::uint32_t& page = next[segment];
  Descriptor d = make(Op::read, fixture.page(segment, random() % 6));
  const std::uint32_t kind = random() % 16;
  if (kind == 0 || page == 6) {
    d = make(Op::erase, fixture.page(segment, 0));
    page = 0;
  } else if (kind < 3) {
    d = make(Op::program, fixture.page(segment, page++));
  } else if (kind == 3) {
    d = make(Op::copy, d.page % 6 + random() % 64 * 6, fixture.page(segment, page++));
  }
  fixture.submit(d);
}

TEST_P(ArrayArbitration, nothing_crosses_a_channel_at_once_and_a_die_does_one_thing_at_a_time) {
  for (const char* planes : {"1", "2"}) {
    SCOPED_TRACE(planes);
    ArrayRecorder recorder;
    ArrayFixture fixture(busy_channels({{"planes", planes}}), {.observer = &recorder});
    fixture.write16(array::reg::kOvertaking, 4);
    fixture.contend();
    Waits waits;
    fixture.core.watch_passages(&waits);
    std::mt19937 random(GetParam());
    std::vector<std::uint32_t> next(64);
    for (int i = 0; i < 400; ++i) {
      submit_any(fixture, random, next);
      if (random() % 4 == 0) fixture.now += us(static_cast<double>(random() % 200));
      if (random() % 64 == 0) fixture.drain();
    }
    fixture.drain();
    EXPECT_GT(waits.all.size(), 300U);
    for (const Passage& one : waits.all) {
      EXPECT_GE(one.channel, Ticks::zero());
      // The rest is its wait for the die.
      EXPECT_LE(one.gathered + one.channel + one.transfer + one.cells, one.end - one.queued);
    }
    std::vector<Spans> crossings(kChannels);
    std::vector<Spans> on_die(kDies);
    for (const DeviceOp& op : recorder.ended) {
      // What a copy within its die reads and programs does not cross.
      const bool crosses_out = op.kind == DeviceOpKind::load && op.busy > us(1 + 75);
      const bool crosses_in = op.busy == us(1 + 80 + 400) || op.busy == us(1 + 80 + 2200);
      if (crosses_out) crossings[op.device % kChannels].emplace_back(op.end - us(80), op.end);
      if (crosses_in) crossings[op.device % kChannels].emplace_back(op.start, op.start + us(81));
      if (op.kind == DeviceOpKind::load && !crosses_out) continue;
      on_die[op.device].emplace_back(op.start, op.end);
    }
    for (const Spans& spans : crossings) {
      EXPECT_GT(spans.size(), 150U);
      EXPECT_EQ(overlaps(spans), 0U);
    }
    if (*planes == '2') continue;
    for (const Spans& spans : on_die) EXPECT_EQ(overlaps(spans), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ArrayArbitration, ::testing::Range(1U, 9U));

}  // namespace
}  // namespace ftlab::hw::testing
