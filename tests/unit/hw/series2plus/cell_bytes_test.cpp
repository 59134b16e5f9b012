// The lazily filled array behaves as a plain array of bytes under any mix of operations.
#include "hw/series2plus/array/cell_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace ftlab::hw {
namespace {

class PlainArray {
 public:
  explicit PlainArray(std::size_t size) : bytes(size, CellBytes::kErased) {}
  void program(Lanes lanes, std::uint32_t address, const std::byte* from, std::uint32_t length) {
    for (std::uint32_t i = 0; i < length * 2; ++i) {
      if (includes(lanes, i & 1)) bytes[address + i] &= from[i];
    }
  }
  void erase(Lanes lanes, std::uint32_t address, std::uint32_t length) {
    for (std::uint32_t i = 0; i < length * 2; ++i) {
      if (includes(lanes, i & 1)) bytes[address + i] = CellBytes::kErased;
    }
  }
  std::vector<std::byte> bytes;
};

TEST(CellBytes, equals_a_plain_array_under_random_operations) {
  constexpr std::uint32_t kSize = 16 * 1024;
  constexpr std::uint32_t kBlock = 4096;
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  CellBytes content(kSize, true);
  PlainArray plain(kSize);
  for (int step = 0; step < 4000; ++step) {
    const auto lanes = static_cast<Lanes>(1 + below(3));
    if (below(10) == 0) {
      const std::uint32_t block = below(kSize / kBlock) * kBlock;
      content.erase(lanes, block, kBlock / 2);
      plain.erase(lanes, block, kBlock / 2);
    } else {
      const bool page = below(2) == 0;
      const std::uint32_t length = page ? 256 : 1 + below(600);
      const std::uint32_t address = page ? below(kSize / 512) * 512 : below((kSize - 1200) / 2) * 2;
      std::vector<std::byte> data(std::size_t{length} * 2);
      for (std::byte& byte : data) byte = static_cast<std::byte>(random());
      content.program(lanes, address, data);
      plain.program(lanes, address, data.data(), length);
    }
    const std::uint32_t at = below(kSize - 2000);
    std::vector<std::byte> seen(below(2000));
    content.read(at, seen);
    ASSERT_TRUE(std::equal(seen.begin(), seen.end(), plain.bytes.begin() + at)) << step;
  }
}

TEST(CellBytes, torn_erase_of_one_lane_leaves_the_other_alone) {
  boost::random::taus88 random(1);
  for (const double done : {0.2, 0.4, 0.9}) {
    CellBytes content(8192, true);
    std::vector<std::byte> data(4096, std::byte{0x3C});
    content.poke(0, data);
    content.erase_partly(Lanes::odd, 0, 2048, done, random);
    std::vector<std::byte> seen(4096);
    content.read(0, seen);
    bool changed = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (i % 2 == 0) {
        ASSERT_EQ(seen[i], data[i]);
      } else {
        changed = changed || seen[i] != data[i];
      }
    }
    EXPECT_TRUE(changed) << done;
  }
}

TEST(CellBytes, without_content_holds_nothing_and_reads_erased) {
  CellBytes content(8192, false);
  const std::byte zero[2] = {};
  content.program(Lanes::both, 0, zero);
  std::byte seen[2] = {};
  content.read(0, seen);
  EXPECT_EQ(seen[1], CellBytes::kErased);
  EXPECT_EQ(content.size(), 0U);
}

}  // namespace
}  // namespace ftlab::hw
