#include "platform/host/payload.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ftlab::platform {
namespace {

std::vector<std::byte> buffer;

std::vector<std::byte> copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Payload, same_seed_gives_the_same_bytes_and_rewrites_differ) {
  Payload a(7, 8192, Payload::Kept::verified);
  Payload b(7, 8192, Payload::Kept::verified);
  const auto first = copy_of(a.fresh(0, 4096, buffer));
  EXPECT_EQ(first, copy_of(b.fresh(0, 4096, buffer)));
  EXPECT_NE(first, copy_of(a.fresh(0, 4096, buffer)));
}

TEST(Payload, last_version_passes_and_an_older_one_is_caught) {
  Payload payload(1, 8192, Payload::Kept::verified);
  const auto old = copy_of(payload.fresh(1024, 1024, buffer));
  EXPECT_TRUE(payload.check(1024, old));
  const auto now = copy_of(payload.fresh(1024, 1024, buffer));
  EXPECT_TRUE(payload.check(1024, now));
  EXPECT_FALSE(payload.check(1024, old));
}

TEST(Payload, unwritten_sectors_must_read_erased) {
  const Payload payload(1, 8192, Payload::Kept::verified);
  std::vector<std::byte> data(512, std::byte{0xFF});
  EXPECT_TRUE(payload.check(512, data));
  data[3] = std::byte{0};
  EXPECT_FALSE(payload.check(512, data));
}

TEST(Payload, partly_written_and_forgotten_sectors_are_not_judged) {
  Payload payload(1, 8192, Payload::Kept::verified);
  payload.fresh(100, 50, buffer);
  const std::vector<std::byte> anything(512, std::byte{0x5A});
  EXPECT_TRUE(payload.check(0, anything));
  payload.fresh(512, 512, buffer);
  EXPECT_FALSE(payload.check(512, anything));
  payload.forget(512, 512);
  EXPECT_TRUE(payload.check(512, anything));
}

TEST(Payload, half_of_the_bits_are_ones) {
  Payload payload(3, 1 << 20, Payload::Kept::data);
  const auto bytes = payload.fresh(0, 1 << 20, buffer);
  std::uint64_t ones = 0;
  for (const std::byte b : bytes) ones += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
  EXPECT_NEAR(static_cast<double>(ones) / (8.0 * (1 << 20)), 0.5, 0.005);
}

}  // namespace
}  // namespace ftlab::platform
