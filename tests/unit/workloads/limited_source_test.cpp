#include "workloads/limited_source.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab::workloads {
namespace {

/// Reads and writes of 100 bytes in turn, ten of them.
class Turns final : public RequestSource {
 public:
  std::size_t next(std::span<Request> batch) override {
    std::size_t n = 0;
    for (; n < batch.size() && given_ < 10; ++n, ++given_) {
      batch[n] = {};
      batch[n].kind = given_ % 2 == 0 ? RequestKind::read : RequestKind::write;
      batch[n].length = 100;
      batch[n].offset = given_ * 100;
      batch[n].arrival = Ticks{static_cast<std::int64_t>(given_ + 1)};
    }
    return n;
  }

 private:
  std::uint64_t given_ = 0;
};

TEST(LimitedSource, ends_with_the_request_that_writes_the_last_byte) {
  Turns whole;
  std::array<Request, 64> batch;
  LimitedSource part(whole, 101);
  EXPECT_EQ(part.next(batch), 4U);
  EXPECT_EQ(batch[3].offset, 300U);
  EXPECT_EQ(part.next(batch), 0U);
  EXPECT_EQ(part.last_arrival(), Ticks{4});
  EXPECT_EQ(whole.next(std::span(batch).first(1)), 1U) << "the rest stays in the stream";
  EXPECT_EQ(batch[0].offset, 400U);
}

TEST(LimitedSource, ends_with_the_stream_and_takes_nothing_for_nothing) {
  Turns whole;
  std::array<Request, 64> batch;
  LimitedSource none(whole, 0);
  EXPECT_EQ(none.next(batch), 0U);
  LimitedSource all(whole, 1'000'000);
  EXPECT_EQ(all.next(std::span(batch).first(3)), 3U);
  EXPECT_EQ(all.next(batch), 7U);
  EXPECT_EQ(all.next(batch), 0U);
}

}  // namespace
}  // namespace ftlab::workloads
