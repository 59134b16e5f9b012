// An array with one page written, and operations that are queued for it at times of its own: when each ends. Times are
// microseconds since the beginning.
#pragma once

#include <utility>
#include <vector>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {

using Ends = std::vector<std::pair<int, double>>;

class QueuedOperations : public ::testing::Test {
 protected:
  explicit QueuedOperations(const DeviceOptions& options = {}, const ArraySpec& spec = array_part())
      : fixture(spec, options) {
    fixture.run(make(Op::program, 4, 0));
    fixture.drain();
    fixture.now = us(10'000);
  }
  Descriptor make(Op op, std::uint32_t segment, std::uint32_t index) {
    Descriptor d = ArrayFixture::descriptor(op, fixture.page(segment, index));
    d.tag = static_cast<std::uint16_t>(segment);
    return d;
  }
  void submit_at(double time, const Descriptor& d) {
    fixture.now = us(10'000 + time);
    fixture.submit(d);
  }
  /// (segment, time) of all completions.
  Ends ends() {
    Ends found;
    for (Completion c = fixture.wait(); c.op != Op::none; c = fixture.wait()) {
      EXPECT_EQ(c.status, Status::ok);
      found.emplace_back(c.tag, static_cast<double>((fixture.now - us(10'000)).count()) / 10'000);
    }
    return found;
  }

  static constexpr double kTake = 0.1;
  ArrayFixture fixture;
};

}  // namespace ftlab::hw::testing
