// Random streams of descriptors: a burst is its descriptors one by one, and the shorter ways for the usual case lead to
// where the one for rare features leads when there are none.
#include <random>
#include <sstream>

#include "tests/device/array/array_fixture.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::hw::testing {
namespace {

/// What may be seen of a device after a stream.
struct Seen {
  std::vector<std::pair<Ticks, Completion>> completions;
  OperationTotals totals{};
  AccessTotals accesses{};
  std::vector<Ticks> die_times;
  std::vector<Ticks> channel_times;
  Ticks accessing{};
  Ticks end{};
  std::string image;
};

void expect_same(const Seen& a, const Seen& b) {
  ASSERT_EQ(a.completions.size(), b.completions.size());
  for (std::size_t i = 0; i < a.completions.size(); ++i) EXPECT_EQ(a.completions[i], b.completions[i]) << i;
  for (std::size_t i = 0; i < kDeviceOpKinds; ++i) {
    EXPECT_EQ(a.totals[i].operations, b.totals[i].operations) << i;
    EXPECT_EQ(a.totals[i].bytes, b.totals[i].bytes) << i;
    EXPECT_EQ(a.totals[i].busy, b.totals[i].busy) << i;
    EXPECT_EQ(a.totals[i].die_time, b.totals[i].die_time) << i;
    EXPECT_EQ(a.totals[i].energy, b.totals[i].energy) << i;
    EXPECT_EQ(a.totals[i].failed, b.totals[i].failed) << i;
    EXPECT_EQ(a.accesses[i].bytes, b.accesses[i].bytes) << i;
    EXPECT_EQ(a.accesses[i].busy, b.accesses[i].busy) << i;
  }
  EXPECT_EQ(a.accessing, b.accessing);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.die_times, b.die_times);
  EXPECT_EQ(a.channel_times, b.channel_times);
  EXPECT_TRUE(a.image == b.image) << "images differ";
}

/// What units had worked by some time, with more of it queued.
struct Look {
  Ticks at{};
  std::vector<Ticks> dies;
  std::vector<Ticks> channels;
  friend bool operator==(const Look&, const Look&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Look& look) { return out << "at " << look.at.count(); }
};

enum class Split { burst, singles_at_once, singles_in_turn, thirds };

/// Mostly legal descriptors, as a translation layer's would be, and some that are not.
class Stream {
 public:
  Stream(std::uint32_t seed, ArrayFixture& fixture, Split split, std::uint16_t control, std::uint16_t overtaking)
      : random_(seed), fixture_(fixture), split_(split), next_(fixture.core.spec().segments) {
    fixture_.write16(array::reg::kControl, control);
    fixture_.write16(array::reg::kOvertaking, overtaking);
  }

  Seen run(std::uint32_t bursts) {
    for (std::uint32_t i = 0; i < bursts; ++i) {
      std::vector<Descriptor> burst(1 + random_() % 40);
      for (Descriptor& d : burst) d = draw();
      if (random_() % 2 == 0) clean(burst);
      write(burst);
      look();
      pass_time();
      look();
    }
    collect(kNever);
    seen_.totals = fixture_.core.operation_totals();
    seen_.accesses = fixture_.core.access_totals();
    seen_.die_times = fixture_.core.die_times();
    seen_.channel_times = fixture_.core.channel_times();
    std::ostringstream out;
    fixture_.core.save_image(out);
    seen_.image = out.str();
    seen_.end = fixture_.now;
    return seen_;
  }

  /// Has what was worked looked at behind every burst and every pause from now on.
  void look_into(std::vector<Look>& looks) { looks_ = &looks; }

 private:
  void look() {
    if (looks_ == nullptr) return;
    const Ticks now = fixture_.now;
    looks_->push_back({now, fixture_.core.die_times(now), fixture_.core.channel_times(now)});
  }
  Descriptor draw() {
    const ArraySpec& spec = fixture_.core.spec();
    const std::uint32_t segment = random_() % spec.segments;
    const std::uint32_t page = random_() % spec.pages_per_segment;
    const std::uint32_t target = random_() % spec.segments;
    Descriptor d = ArrayFixture::descriptor(Op::none, fixture_.page(segment, page), array::kNoPage, random_());
    d.report = static_cast<std::uint8_t>(random_() % 2);
    d.new_metadata = static_cast<std::uint8_t>(random_() % 2);
    d.tag = static_cast<std::uint16_t>(random_());
    if (random_() % 3 == 0) d.buffer = static_cast<std::uint16_t>(random_() % 4);
    switch (random_() % 16) {
      case 0:
        d.op = Op::erase;
        next_[segment] = 0;
        break;
      case 1:
        d.op = static_cast<Op>(random_() % 6);  // often out of order
        d.target = random_() % (spec.pages() + 5);
        break;
      case 2:
        d.op = d.tag % 2 == 0 ? Op::check : Op::fence;
        break;
      case 3:
      case 4:
      case 5:
        d.op = Op::read;
        break;
      case 6:
      case 7:
      case 8:
        d.op = Op::program;
        d.page = fixture_.page(segment, next(segment));
        break;
      default:
        d.op = Op::copy;
        d.target = fixture_.page(target, next(target));
    }
    return d;
  }
  /// Copies from one segment to another, as cleaning does, with something else between them now and then.
  void clean(std::vector<Descriptor>& burst) {
    const std::uint32_t segments = fixture_.core.spec().segments;
    const std::uint32_t from = random_() % segments;
    const std::uint32_t to = random_() % segments;
    for (Descriptor& d : burst) {
      if (random_() % 16 == 0) continue;
      d.op = Op::copy;
      d.report = random_() % 8 == 0 ? 1 : 0;
      d.page = fixture_.page(from, random_() % fixture_.core.spec().pages_per_segment);
      d.target = fixture_.page(to, fixture_.core.next_page(to) + static_cast<std::uint32_t>(&d - burst.data()));
    }
  }
  std::uint32_t next(std::uint32_t segment) { return next_[segment]++ % fixture_.core.spec().pages_per_segment; }

  void write(std::span<const Descriptor> burst) {
    const Ticks begin = fixture_.now;
    Ticks took{};
    std::size_t step = burst.size();
    if (split_ == Split::singles_at_once || split_ == Split::singles_in_turn) step = 1;
    if (split_ == Split::thirds) step = burst.size() / 3 + 1;
    for (std::size_t i = 0; i < burst.size(); i += step) {
      const BusResult result = fixture_.submit(burst.subspan(i, std::min(step, burst.size() - i)));
      EXPECT_EQ(result.error, BusError::none);
      took += result.time;
      if (split_ == Split::singles_in_turn) fixture_.now += result.time;
    }
    fixture_.now = begin + took;
    seen_.accessing += took;
  }
  void pass_time() {
    if (random_() % 4 == 0) return;
    collect(fixture_.now + us(static_cast<double>(random_() % 4000)));
  }
  void collect(Ticks until) {
    while (fixture_.core.line_level(fixture_.now) || fixture_.core.next_ready_edge(fixture_.now) <= until) {
      if (!fixture_.core.line_level(fixture_.now) && fixture_.core.next_ready_edge(fixture_.now) == kNever) break;
      const Completion completion = fixture_.wait();
      seen_.completions.emplace_back(fixture_.now, completion);
    }
    if (until != kNever) fixture_.now = std::max(fixture_.now, until);
  }

  std::mt19937 random_;
  ArrayFixture& fixture_;
  Split split_;
  std::vector<std::uint32_t> next_;
  Seen seen_;
  std::vector<Look>* looks_ = nullptr;
};

struct Variant {
  const char* name;
  ArrayOverrides overrides;
  std::uint16_t control = 0;
  std::uint16_t overtaking = 0;
  bool contended = false;  ///< by reads before
};

const Variant kVariants[] = {
    {"plain", {}, 0},
    {"wearing", {{"endurance.rated_cycles", "4"}, {"endurance.program_growth", "-0.1"}}, 0},
    {"suspend", {}, 3},
    {"overtaking", {}, 0, 2},
    {"overtaking_tag", {{"content", "tag"}, {"planes", "1"}}, 0, 16},
    {"overtaking_and_suspend", {{"content", "bytes"}, {"controller.buffer_slots", "4"}}, 1, 3},
    {"variation", {{"variation.die", "0.05"}, {"variation.segment", "0.05"}}, 0},
    {"drawn_reads", {{"timing.read_distribution", "exponential"}}, 3, 3},
    {"tag", {{"content", "tag"}}, 0},
    {"bytes", {{"content", "bytes"}, {"controller.buffer_slots", "4"}}, 0},
    {"errors", {{"errors.base", "0.001"}, {"content", "tag"}}, 0},
    {"contended", {{"channel.rate", "5"}}, 0, 0, true},
    {"contended_overtaking", {{"channel.rate", "8"}, {"planes", "1"}, {"content", "tag"}}, 0, 4, true},
    {"contended_planes", {{"channel.rate", "8"}, {"dies_per_channel", "4"}}, 0, 16, true},
    {"contended_suspend", {{"channel.rate", "8"}, {"content", "bytes"}, {"controller.buffer_slots", "4"}}, 3, 3, true},
    {"contended_cache_reads", {{"channel.rate", "8"}, {"timing.read_cache", "5"}}, 0, 0, true},
    {"contended_drawn_reads",
     {{"channel.rate", "10"}, {"dies_per_channel", "4"}, {"timing.read_distribution", "exponential"}},
     0,
     0,
     true},
    {"all",
     {{"content", "bytes"},
      {"controller.buffer_slots", "4"},
      {"errors.base", "0.001"},
      {"endurance.rated_cycles", "5"},
      {"variation.segment", "0.1"},
      {"bad_segments.initial_share", "0.1"}},
     3},
};

Seen run_stream(std::uint32_t seed, const Variant& variant, Split split, const DeviceOptions& options = {}) {
  ArrayFixture fixture(array_part(variant.overrides), options);
  if (variant.contended) fixture.contend();
  return Stream(seed, fixture, split, variant.control, variant.overtaking).run(60);
}

class ArrayStream : public ::testing::TestWithParam<Variant> {};

TEST_P(ArrayStream, a_burst_is_its_descriptors_one_by_one) {
  for (std::uint32_t seed = 1; seed <= tests::repetitions(8); ++seed) {
    SCOPED_TRACE(seed);
    const Seen burst = run_stream(seed, GetParam(), Split::burst);
    expect_same(burst, run_stream(seed, GetParam(), Split::singles_at_once));
    expect_same(burst, run_stream(seed, GetParam(), Split::singles_in_turn));
    expect_same(burst, run_stream(seed, GetParam(), Split::thirds));
    EXPECT_GT(burst.completions.size(), 100U);
  }
}

TEST_P(ArrayStream, an_observer_changes_nothing_and_sees_what_the_sums_say) {
  for (std::uint32_t seed = 1; seed <= tests::repetitions(4); ++seed) {
    SCOPED_TRACE(seed);
    ArrayRecorder recorder;
    const Seen seen = run_stream(seed, GetParam(), Split::burst, {.observer = &recorder});
    expect_same(seen, run_stream(seed, GetParam(), Split::burst));
    OperationTotals heard{};
    for (const DeviceOp& op : recorder.started) {
      OperationTotal& total = heard[static_cast<std::size_t>(op.kind)];
      ++total.operations;
      total.bytes += op.bytes;
      total.busy += op.busy;
      total.energy += op.energy;
      total.failed += op.failed ? 1 : 0;
    }
    for (std::size_t i = 0; i < kDeviceOpKinds; ++i) {
      EXPECT_EQ(heard[i].operations, seen.totals[i].operations) << i;
      EXPECT_EQ(heard[i].bytes, seen.totals[i].bytes) << i;
      EXPECT_EQ(heard[i].busy, seen.totals[i].busy) << i;
      EXPECT_EQ(heard[i].energy, seen.totals[i].energy) << i;
      EXPECT_EQ(heard[i].failed, seen.totals[i].failed) << i;
    }
    for (std::size_t i = 1; i < recorder.ended.size(); ++i) EXPECT_GE(recorder.ended[i].end, recorder.ended[i - 1].end);
  }
}

/// The time up to `until` in which at least one of the die's operations that began had not ended, by the observer's
/// reports.
Ticks time_of_die(std::vector<DeviceOp> ended, std::uint32_t die, Ticks until = kNever) {
  std::erase_if(ended, [die](const DeviceOp& op) { return op.device != die; });
  std::ranges::sort(ended, {}, &DeviceOp::start);
  Ticks sum{};
  Ticks done{};
  for (const DeviceOp& op : ended) {
    const Ticks end = std::min(op.end, until);
    if (end > done) sum += std::max(end - std::max(op.start, done), Ticks::zero());
    done = std::max(done, end);
  }
  return sum;
}

std::vector<Look> looks_at_stream(std::uint32_t seed, const Variant& variant, DeviceOptions options) {
  std::vector<Look> looks;
  ArrayFixture fixture(array_part(variant.overrides), options);
  Stream stream(seed, fixture, Split::thirds, variant.control, variant.overtaking);
  stream.look_into(looks);
  stream.run(30);
  fixture.core.advance_to(kNever - Ticks{1});
  looks.push_back({kNever, fixture.core.die_times(), fixture.core.channel_times()});
  return looks;
}

TEST_P(ArrayStream, what_was_worked_by_a_time_has_nothing_in_it_of_what_is_queued_behind) {
  for (std::uint32_t seed = 1; seed <= tests::repetitions(6); ++seed) {
    SCOPED_TRACE(seed);
    ArrayRecorder recorder;
    const std::vector<Look> looks = looks_at_stream(seed, GetParam(), {.observer = &recorder});
    EXPECT_EQ(looks, looks_at_stream(seed, GetParam(), {.loses_power = false, .tells_work = true}));
    for (std::size_t i = 0; i < looks.size(); ++i) {
      const Look& look = looks[i];
      for (std::uint32_t die = 0; die < look.dies.size(); ++die)
        EXPECT_EQ(look.dies[die], time_of_die(recorder.ended, die, look.at)) << i << " " << die;
      for (std::size_t channel = 0; i > 0 && channel < look.channels.size(); ++channel) {
        const Ticks more = look.channels[channel] - looks[i - 1].channels[channel];
        EXPECT_GE(more, Ticks::zero()) << i;
        EXPECT_LE(more, look.at - looks[i - 1].at) << i;
      }
    }
  }
}

TEST_P(ArrayStream, time_of_dies_is_that_of_their_operations_without_overlaps_with_and_without_loss_of_power) {
  // Reads that overtake move what others only wait for.
  const std::uint64_t seeds = tests::repetitions(GetParam().overtaking != 0 && !GetParam().contended ? 210 : 20);
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    ArrayRecorder recorder;
    ArrayFixture fixture(array_part(GetParam().overrides), {.observer = &recorder});
    if (GetParam().contended) fixture.contend();
    Stream stream(seed, fixture, Split::thirds, GetParam().control, GetParam().overtaking);
    stream.run(10);
    const std::vector<Descriptor> last{make(Op::erase, 0), make(Op::read, 8), make(Op::erase, 12),
                                       make(Op::copy, 8, 0)};
    fixture.submit(last);
    const Ticks loss = fixture.now + us(seed * 500.0);
    fixture.core.lose_power(loss);
    TickSum by_die{};
    const std::vector<Ticks> dies = fixture.core.die_times();
    for (std::uint32_t die = 0; die < dies.size(); ++die) {
      by_die += dies[die];
      EXPECT_EQ(dies[die], time_of_die(recorder.ended, die)) << die;
      EXPECT_LE(dies[die], loss) << die;
    }
    TickSum by_operation{};
    for (const OperationTotal& total : fixture.core.operation_totals()) {
      EXPECT_GE(total.die_time, TickSum{});
      by_operation += total.die_time;
    }
    EXPECT_TRUE(by_operation == by_die);
  }
}

TEST_P(ArrayStream, a_supply_that_stays_on_changes_nothing) {
  for (std::uint32_t seed = 1; seed <= tests::repetitions(8); ++seed) {
    SCOPED_TRACE(seed);
    const Seen seen = run_stream(seed, GetParam(), Split::burst);
    expect_same(seen, run_stream(seed, GetParam(), Split::burst, {.loses_power = false}));
    expect_same(seen, run_stream(seed, GetParam(), Split::thirds, {.loses_power = false}));
    expect_same(seen, run_stream(seed, GetParam(), Split::singles_in_turn, {.loses_power = false}));
  }
}

TEST_P(ArrayStream, the_same_seed_gives_the_same_stream) {
  expect_same(run_stream(3, GetParam(), Split::burst), run_stream(3, GetParam(), Split::burst));
}

INSTANTIATE_TEST_SUITE_P(All, ArrayStream, ::testing::ValuesIn(kVariants),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ftlab::hw::testing
