// Pages shared, changed and released; regular ones come back as what was written.
#include "hw/onenand/array/page_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "hw/onenand/array/data_ram.h"

namespace ftlab::hw {
namespace {

using Bytes = std::array<std::byte, PagePool::kPageBytes>;

/// Each sector an arithmetic sequence of words.
Bytes regular(std::uint64_t seed) {
  Bytes bytes;
  for (std::size_t word = 0; word < bytes.size() / 8; ++word) {
    const std::uint64_t sector = word / 64;
    const std::uint64_t value = seed * 77 + sector + word % 64 * (seed + 2 * sector);
    std::memcpy(&bytes[word * 8], &value, sizeof value);
  }
  return bytes;
}

Bytes irregular(unsigned seed) {
  Bytes bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * i + seed) % 251);
  return bytes;
}

Bytes bytes_of(const PagePool::Page& page) {
  Bytes bytes{};
  page.read(0, bytes);
  return bytes;
}

TEST(PagePoolTest, pages_hold_what_was_written) {
  PagePool pool;
  EXPECT_EQ(bytes_of(pool.take(regular(5))), regular(5));
  EXPECT_EQ(bytes_of(pool.take(irregular(5))), irregular(5));
  Bytes blank;
  blank.fill(std::byte{0xFF});
  EXPECT_EQ(bytes_of(pool.blank()), blank);
  EXPECT_EQ(bytes_of(pool.zero()), Bytes{});
}

TEST(PagePoolTest, one_bit_makes_a_page_irregular_and_is_kept) {
  PagePool pool;
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{511}, std::size_t{512}, std::size_t{4095}}) {
    Bytes bytes = regular(3);
    bytes[at] ^= std::byte{0x10};
    EXPECT_EQ(bytes_of(pool.take(bytes)), bytes) << at;
  }
}

TEST(PagePoolTest, reads_of_any_part_agree) {
  PagePool pool;
  for (const Bytes& all : {regular(9), irregular(9)}) {
    const PagePool::Page page = pool.take(all);
    for (const auto& [offset, size] : {std::pair<std::size_t, std::size_t>{512, 1024}, {2, 2}, {510, 4}, {4000, 96}}) {
      std::vector<std::byte> part(size);
      page.read(offset, part);
      EXPECT_EQ(std::memcmp(part.data(), &all[offset], size), 0) << offset;
    }
  }
}

TEST(PagePoolTest, a_released_page_leaves_nothing_behind) {
  PagePool pool;
  for (unsigned round = 0; round < 300; ++round) {
    const PagePool::Page first = pool.take(irregular(round));
    PagePool::Page second = pool.take(regular(round));
    EXPECT_EQ(bytes_of(second), regular(round));
    second = pool.take(first);
    EXPECT_FALSE(second.shared());
    EXPECT_EQ(bytes_of(second), irregular(round));
  }
}

class DataRamTest : public ::testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static Bytes page(unsigned seed) { return GetParam() ? regular(seed) : irregular(seed); }
  [[nodiscard]] Bytes shown() const {
    Bytes bytes{};
    ram_.read(0, bytes);
    return bytes;
  }

  PagePool pool_;
  DataRam ram_{pool_};
};

TEST_P(DataRamTest, a_write_leaves_the_page_in_the_cells_as_it_is) {
  const PagePool::Page cell = pool_.take(page(1));
  ram_.show(cell);
  ram_.write(0, page(2));
  EXPECT_EQ(shown(), page(2));
  EXPECT_EQ(bytes_of(cell), page(1));
  ram_.show(cell);
  ram_.write(100, std::array{std::byte{0xA5}, std::byte{0x5A}});
  Bytes changed = page(1);
  changed[100] = std::byte{0xA5};
  changed[101] = std::byte{0x5A};
  EXPECT_EQ(shown(), changed);
  EXPECT_EQ(bytes_of(cell), page(1));
}

TEST_P(DataRamTest, a_program_takes_what_stands_there_at_that_moment) {
  ram_.write(0, page(1));
  const PagePool::Page taken = ram_.page();
  ram_.write(0, page(2));
  ram_.own()[7] = std::byte{1};
  EXPECT_EQ(bytes_of(taken), page(1));
}

TEST_P(DataRamTest, a_page_written_back_unchanged_reads_the_same) {
  const PagePool::Page cell = pool_.take(page(4));
  ram_.show(cell);
  ram_.write(0, page(4));
  EXPECT_EQ(shown(), page(4));
  ram_.own()[0] ^= std::byte{1};
  EXPECT_EQ(bytes_of(cell), page(4));
}

INSTANTIATE_TEST_SUITE_P(Contents, DataRamTest, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "regular" : "irregular"; });

}  // namespace
}  // namespace ftlab::hw
