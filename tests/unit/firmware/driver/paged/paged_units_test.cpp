// Program units of several pages on NAND: when they are programmed, what is read before, what a page of them says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "firmware/driver/paged/paged_flash.h"
#include "tests/fixtures/emulated_nand.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageBytes = 64;
constexpr std::uint32_t kAtOnce = 4;
constexpr std::uint32_t kPages = 8 * kAtOnce;  ///< of a segment
constexpr std::uint32_t kFirst = 3 * kPages;   ///< page of a segment that carries no notes

EmulatedNandOptions part() {
  EmulatedNandOptions options;
  options.pages = kPages / kAtOnce;
  options.page_bytes = kAtOnce * kPageBytes;
  options.spare_bytes = paged::unit_tag_bytes(kAtOnce);
  return options;
}

class PagedUnits : public testing::Test {
 protected:
  PagedUnits() { boot(); }

  void boot() {
    const PagedFlashConfig config{.page_bytes = kPageBytes, .buffers = 8, .begun_units = 2};
    ASSERT_EQ(PagedFlash::check(nand_, config), nullptr);
    memory_.assign(PagedFlash::arena_bytes(nand_, config), std::byte{});
    port_ = std::make_unique<PagedFlash>(nand_, probe_, config, memory_);
  }
  std::vector<FlashDone> collect() {
    std::vector<FlashDone> all;
    FlashDone done;
    while (port_->collect({&done, 1}) == 1) all.push_back(done);
    return all;
  }
  std::vector<FlashDone> run(std::vector<FlashOp> ops) {
    for (FlashOp& op : ops) op.report = true;
    port_->submit(ops);
    return collect();
  }
  void erase(std::uint32_t page) {
    const auto done = run({{FlashOpKind::erase, true, 0, page}});
    ASSERT_EQ(done.size(), 1U);
    ASSERT_EQ(done[0].status, FlashStatus::ok);
  }
  static FlashMetadata metadata_of(std::uint64_t n) { return {n | (5ULL << 32) | (n << 40), (n + 100) | (7ULL << 48)}; }
  std::vector<FlashDone> program(std::uint32_t page, std::uint64_t n) {
    std::array<std::byte, kPageBytes> data{};
    data.fill(static_cast<std::byte>(n));
    const auto buffer = static_cast<std::uint16_t>(page % kAtOnce);
    port_->write_buffer(buffer, 0, data);
    return run({{FlashOpKind::program, true, 0, page, FlashOp::kNoPage, buffer, false, metadata_of(n)}});
  }
  FlashDone metadata(std::uint32_t page) { return run({{FlashOpKind::read, true, 0, page}}).at(0); }
  FlashDone read(std::uint32_t page, std::byte& first) {
    const FlashDone done = run({{FlashOpKind::read, true, 0, page, FlashOp::kNoPage, 7}}).at(0);
    port_->read_buffer(7, 0, {&first, 1});
    return done;
  }
  void fill_unit(std::uint32_t page, std::uint64_t n) {
    for (std::uint32_t i = 0; i < kAtOnce; ++i) (void)program(page + i, n + i);
  }

  EmulatedNand nand_{part()};
  NullProbe probe_;
  std::vector<std::byte> memory_;
  std::unique_ptr<PagedFlash> port_;
};

TEST_F(PagedUnits, are_programmed_with_their_last_page_and_can_be_read_before) {
  erase(kFirst);
  for (std::uint32_t i = 0; i < kAtOnce - 1; ++i) EXPECT_TRUE(program(kFirst + i, 10 + i).empty());
  EXPECT_EQ(nand_.programs(), 0U);
  const std::uint64_t reads = nand_.reads();
  std::byte first{};
  EXPECT_EQ(read(kFirst + 1, first).metadata.low, metadata_of(11).low);
  EXPECT_EQ(first, std::byte{11});
  EXPECT_EQ(nand_.reads(), reads) << "it is in memory";
  const std::vector<FlashDone> ended = program(kFirst + 3, 13);
  ASSERT_EQ(ended.size(), kAtOnce) << "all are on the part";
  EXPECT_EQ(nand_.programs(), 1U);
  boot();
  for (std::uint32_t i = 0; i < kAtOnce; ++i) {
    const FlashDone done = read(kFirst + i, first);
    EXPECT_EQ(done.status, FlashStatus::ok);
    EXPECT_EQ(done.metadata.low, metadata_of(10 + i).low);
    EXPECT_EQ(done.metadata.high, metadata_of(10 + i).high);
    EXPECT_EQ(first, std::byte{static_cast<unsigned char>(10 + i)});
  }
}

TEST_F(PagedUnits, reads_and_copies_that_follow_each_other_sense_a_unit_once) {
  erase(kFirst);
  erase(kFirst + kPages);
  fill_unit(kFirst, 20);
  const std::uint64_t reads = nand_.reads();
  std::vector<FlashOp> ops;
  for (std::uint32_t i = 0; i < kAtOnce; ++i)
    ops.push_back(
        {FlashOpKind::copy, true, 0, kFirst + i, kFirst + kPages + i, FlashOp::kNoBuffer, true, metadata_of(30 + i)});
  const std::vector<FlashDone> copied = run(ops);
  ASSERT_EQ(copied.size(), kAtOnce);
  EXPECT_TRUE(std::ranges::all_of(copied, [](const FlashDone& d) { return d.status == FlashStatus::ok; }));
  EXPECT_EQ(nand_.reads(), reads + 1);
  ops.clear();
  for (std::uint16_t i = 1; i < kAtOnce; ++i)
    ops.push_back({FlashOpKind::read, true, i, kFirst + kPages + i, FlashOp::kNoPage, i});
  const std::vector<FlashDone> found = run(ops);
  EXPECT_EQ(nand_.reads(), reads + 2);
  for (std::uint16_t i = 1; i < kAtOnce; ++i) {
    EXPECT_EQ(found[i - 1U].metadata.high, metadata_of(30 + i).high);
    std::byte first{};
    port_->read_buffer(i, 0, {&first, 1});
    EXPECT_EQ(first, std::byte{static_cast<unsigned char>(20 + i)});
  }
}

TEST_F(PagedUnits, a_program_that_fails_takes_all_pages_and_the_segment) {
  erase(kFirst);
  nand_.fail_at(1);
  for (std::uint32_t i = 0; i < kAtOnce - 1; ++i) EXPECT_TRUE(program(kFirst + i, i).empty());
  for (const FlashDone& done : program(kFirst + 3, 3)) EXPECT_EQ(done.status, FlashStatus::program_failed);
  fill_unit(kFirst + kAtOnce, 5);
  EXPECT_EQ(nand_.programs(), 1U) << "it takes no other one before its erase";
}

TEST_F(PagedUnits, a_copy_of_what_cannot_be_read_leaves_the_others_readable) {
  erase(kFirst);
  erase(kFirst + kPages);
  fill_unit(kFirst, 20);
  fill_unit(kFirst + kAtOnce, 40);
  nand_.lose_page(3, 0);
  const auto copy = [](std::uint32_t from, std::uint32_t to) {
    return FlashOp{FlashOpKind::copy,   true, 0, kFirst + from, kFirst + kPages + to, FlashOp::kNoBuffer, true,
                   metadata_of(50 + to)};
  };
  const std::vector<FlashDone> copied = run({copy(2, 0), copy(4, 1), copy(3, 2), copy(5, 3)});
  ASSERT_EQ(copied.size(), kAtOnce);
  for (std::uint32_t i = 0; i < kAtOnce; ++i) {
    const FlashStatus expected = i % 2 == 0 ? FlashStatus::uncorrectable : FlashStatus::ok;
    EXPECT_EQ(copied[i].status, expected) << i;
    const FlashDone found = metadata(kFirst + kPages + i);
    EXPECT_EQ(found.status, expected) << i;
    EXPECT_EQ(found.metadata.low, metadata_of(50 + i).low) << "whose page it was is known";
  }
}

TEST_F(PagedUnits, the_first_blank_unit_of_an_earlier_session_is_used_up_with_all_its_pages) {
  erase(kFirst);
  fill_unit(kFirst, 1);
  boot();
  for (std::uint32_t i = 0; i < 3 * kAtOnce; ++i) {
    const bool torn = i / kAtOnce == 1;
    EXPECT_EQ(metadata(kFirst + i).status, torn ? FlashStatus::uncorrectable : FlashStatus::ok) << i;
  }
  for (std::uint32_t i = 0; i < kAtOnce - 1; ++i) EXPECT_TRUE(program(kFirst + 2 * kAtOnce + i, i).empty());
  for (const FlashDone& done : program(kFirst + 3 * kAtOnce - 1, 9)) EXPECT_EQ(done.status, FlashStatus::ok);
}

TEST_F(PagedUnits, refuse_what_breaks_a_promise) {
  erase(kFirst);
  EXPECT_EQ(program(kFirst + 1, 1).at(0).status, FlashStatus::illegal) << "not the first";
  EXPECT_TRUE(program(kFirst, 1).empty());
  EXPECT_EQ(program(kFirst, 1).at(0).status, FlashStatus::illegal) << "a second time";
  EXPECT_EQ(run({{FlashOpKind::read, true, 0, kFirst + 1}}).at(0).status, FlashStatus::illegal) << "it has not come";
  EXPECT_EQ(run({{FlashOpKind::erase, true, 0, kFirst}}).at(0).status, FlashStatus::illegal) << "a page waits";
  const FlashMetadata other{2, 8ULL << 48};
  EXPECT_EQ(run({{FlashOpKind::program, true, 0, kFirst + 1, FlashOp::kNoPage, 0, false, other}}).at(0).status,
            FlashStatus::illegal)
      << "of another volume";
  EXPECT_TRUE(program(kFirst + 1, 2).empty());
}

}  // namespace
}  // namespace ftlab::tests
