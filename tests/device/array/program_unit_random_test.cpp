// Program units of any kind under random work: what a loss of power leaves of them, and what it costs.
#include <optional>
#include <random>
#include <string>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

/// Quarters of pages, or halves of those that one program takes of two planes; 24 to a segment.
ArraySpec unit_of_any_kind(std::uint32_t seed, const char* content) {
  std::string reason;
  const char* reads = seed % 7 < 2 ? "exponential" : "constant";
  const char* const rate = seed % 3 == 1 ? "4" : "102.4";
  if (seed % 5 != 0) {
    const ArrayOverrides quarters{{"errors.codeword_bytes", "512"},
                                  {"timing.read_distribution", reads},
                                  {"content", content},
                                  {"channel.rate", rate},
                                  {"controller.buffer_slots", "2"}};
    return in_units(array_part(quarters), 512, reason).value();
  }
  const ArrayOverrides one_shot{{"segments", "128"},
                                {"planes_at_once", "2"},
                                {"one_shot_pages", "2"},
                                {"wordline_pages", "1"},
                                {"timing.program", "1 ms"},
                                {"timing.read_planes", "90 us"},
                                {"timing.read_part", "40 us"},
                                {"timing.read_distribution", reads},
                                {"channel.further_read", "0.5 us"},
                                {"channel.output", "0.3 us"},
                                {"channel.further_output", "0.6 us"},
                                {"channel.further_load", "0.7 us"},
                                {"channel.program_command", "2 us"},
                                {"errors.codeword_bytes", "512"},
                                {"content", content},
                                {"channel.rate", rate},
                                {"controller.buffer_slots", "2"}};
  return in_units(array_part(one_shot), 1024, reason).value();
}

/// Random work at random times. What ended is there, what did not is not, or torn with all of its program unit; costs
/// are those of what the observer heard.
TEST(ArrayProgramUnitsAtRandom, lose_power_as_a_whole) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    ArrayRecorder recorder;
    const char* content = seed % 2 == 0 ? "tag" : "bytes";
    const ArraySpec spec = unit_of_any_kind(seed, content);
    const std::uint32_t at_once = spec.pages_at_once;
    ArrayFixture fixture(spec, {.observer = &recorder});
    if (seed % 3 == 0) fixture.write16(array::reg::kControl, 3);
    if (seed % 4 == 0) fixture.write16(array::reg::kOvertaking, 3);
    if (seed % 3 == 1) fixture.contend();
    // Some to copy from.
    for (std::uint32_t page = 0; page < 24; ++page) {
      for (const std::uint32_t segment : {40U, 60U})
        fixture.submit(make(Op::program, segment * 24 + page, array::kNoPage, 1000 + page));
    }
    fixture.drain();
    std::vector<std::uint32_t> next(16);
    // Since each erase of the segment.
    std::vector<std::vector<std::vector<std::uint64_t>>> asked(16, {std::vector<std::uint64_t>(24)});
    std::uint64_t value = 0;
    for (int i = 0; i < 900; ++i) {
      const std::uint32_t segment = random() % 16;
      if (next[segment] == 24) {
        fixture.submit(make(Op::erase, segment * 24));
        next[segment] = 0;
        asked[segment].emplace_back(24);
      }
      const std::uint32_t target = segment * 24 + next[segment]++;
      Descriptor d = make(Op::program, target, array::kNoPage, ++value);
      asked[segment].back()[target % 24] = value;
      if (random() % 3 == 0) {
        d.op = Op::copy;
        d.new_metadata = 1;
        d.target = std::exchange(d.page, (random() % 2 == 0 ? 40 : 60) * 24 + random() % 24);
      }
      d.buffer = array::kNoBuffer;
      fixture.submit(d);
      if (random() % 5 == 0) fixture.submit(make(Op::read, segment * 24));
      if (random() % 3 == 0) fixture.now += us(static_cast<double>(random() % 1000));
    }
    fixture.core.lose_power(fixture.now + us(static_cast<double>(random() % 10'000)));
    OperationTotals heard{};
    for (const DeviceOp& op : recorder.ended) {
      OperationTotal& total = heard[static_cast<std::size_t>(op.kind)];
      total.busy += op.busy;
      total.energy += op.energy;
    }
    for (std::size_t kind = 0; kind < kDeviceOpKinds; ++kind) {
      EXPECT_EQ(heard[kind].busy, fixture.core.operation_totals()[kind].busy) << kind;
      EXPECT_EQ(heard[kind].energy, fixture.core.operation_totals()[kind].energy) << kind;
    }
    for (std::uint32_t segment = 0; segment < 16; ++segment) {
      const std::uint32_t there = fixture.core.next_page(segment);
      ASSERT_LT(fixture.core.erase_count(segment), asked[segment].size());
      const auto& last = asked[segment][fixture.core.erase_count(segment)];
      EXPECT_EQ(there % at_once, 0U) << segment;
      for (std::uint32_t first = 0; first < there; first += at_once) {
        const bool readable = fixture.core.is_readable(segment * 24 + first);
        for (std::uint32_t i = first; i < first + at_once; ++i) {
          const std::uint32_t page = segment * 24 + i;
          EXPECT_EQ(fixture.core.is_readable(page), readable) << page;
          if (readable) {
            EXPECT_EQ(fixture.core.metadata(page)[0], last[i]) << page;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
