// The driver of NAND arrays, on the controller's own core.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "firmware/driver/array/driver.h"
#include "tests/unit/firmware/driver/array/array_bus.h"

namespace ftlab::test {
namespace {

class ArrayDriverTest : public testing::Test {
 protected:
  void start(const std::string& content, const ArrayDriverConfig& config = {}) { start(array_part(content), config); }
  void start(const hw::ArraySpec& part, const ArrayDriverConfig& config) {
    bus_ = std::make_unique<Bus>(part);
    const auto windows = bus_->core.windows();
    registers_ = std::make_unique<WindowPort>(*bus_, bus_->core.common());
    if (windows.size() > 1) data_ = std::make_unique<WindowPort>(*bus_, *windows[1]);
    clock_ = std::make_unique<BusClock>(*bus_);
    driver_ = std::make_unique<ArrayDriver>(*registers_, data_.get(), *clock_, config);
    ASSERT_EQ(driver_->attach(), ArrayAttachStatus::ok);
  }
  /// All that end, in the order in which they do.
  std::vector<FlashDone> collect(std::size_t count) {
    std::vector<FlashDone> all;
    std::array<FlashDone, 5> some;
    while (all.size() < count && !HasFailure()) {
      driver_->wait(UINT64_MAX);
      all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(driver_->collect(some)));
    }
    return all;
  }

  std::unique_ptr<Bus> bus_;
  std::unique_ptr<WindowPort> registers_;
  std::unique_ptr<WindowPort> data_;
  std::unique_ptr<BusClock> clock_;
  std::unique_ptr<ArrayDriver> driver_;
};

TEST_F(ArrayDriverTest, geometry_is_that_of_the_part) {
  for (const char* content : {"none", "tag", "bytes"}) {
    start(content);
    const FlashGeometry& geometry = driver_->geometry();
    EXPECT_EQ(geometry.segments, 16U);
    EXPECT_EQ(geometry.pages_per_segment, 8U);
    EXPECT_EQ(geometry.page_bytes, 2048U);
    EXPECT_EQ(geometry.dies, 4U);
    EXPECT_EQ(geometry.keeps_metadata, std::string(content) != "none");
    EXPECT_EQ(geometry.buffers > 0, std::string(content) == "bytes");
    EXPECT_FALSE(geometry.holds_up);
  }
}

TEST_F(ArrayDriverTest, capacitors_are_known_beside_what_is_kept) {
  start(array_part("bytes", "array-slc", "true"), {});
  EXPECT_TRUE(driver_->geometry().holds_up);
  EXPECT_GT(driver_->geometry().buffers, 0U);
}

TEST_F(ArrayDriverTest, lsb_units_follow_from_the_bits_of_a_cell) {
  for (const auto& [part, every] :
       {std::pair{"array-slc", 0U}, std::pair{"array-mlc", 2U}, std::pair{"array-tlc", 3U}}) {
    start(array_part("none", part), {});
    EXPECT_EQ(driver_->geometry().lsb_every, every) << part;
  }
}

TEST_F(ArrayDriverTest, every_operation_that_asks_is_collected_once_whether_in_bursts_or_not) {
  std::array<Ticks, 2> ended{};
  for (const bool bursts : {false, true}) {
    start("tag", {.bursts = bursts});
    std::vector<FlashOp> ops;
    for (std::uint16_t i = 0; i < 100; ++i) {
      // Pages 0 to 7 of segments in turn.
      const std::uint32_t page = i % 16U * 8 + i / 16U;
      ops.push_back({FlashOpKind::program, true, i, page, FlashOp::kNoPage, FlashOp::kNoBuffer, false, {i, ~0ULL}});
    }
    driver_->submit(ops);
    EXPECT_EQ(bus_->bursts, bursts ? 2U : 100U);
    std::vector<int> seen(100);
    for (const FlashDone& done : collect(100)) {
      EXPECT_EQ(done.status, FlashStatus::ok);
      ++seen.at(done.tag);
    }
    EXPECT_EQ(std::ranges::count(seen, 1), 100);
    ended.at(bursts ? 1 : 0) = bus_->now;
    std::array<FlashDone, 1> more;
    EXPECT_EQ(driver_->collect(more), 0U);
    EXPECT_EQ(bus_->core.metadata(5 * 8 + 2)[0], 2U * 16 + 5);
  }
  EXPECT_EQ(ended[0], ended[1]);
}

TEST_F(ArrayDriverTest, waits_no_longer_than_asked) {
  start("tag");
  const std::uint64_t now = clock_->now_ns();
  driver_->wait(now + 1000);
  EXPECT_GE(clock_->now_ns(), now + 1000);
  EXPECT_LT(clock_->now_ns(), now + 1100);
  const std::uint64_t later = clock_->now_ns();
  driver_->wait(later);
  EXPECT_EQ(clock_->now_ns(), later);
}

TEST_F(ArrayDriverTest, a_buffer_is_read_from_any_byte_for_any_length) {
  start("bytes");
  std::vector<std::byte> page(driver_->geometry().page_bytes);
  for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<std::byte>(i * 7 + i / 256);
  const std::uint16_t last = static_cast<std::uint16_t>(driver_->geometry().buffers - 1);
  driver_->write_buffer(last, 0, page);
  const auto size = static_cast<std::uint32_t>(page.size());
  for (const std::uint32_t offset : {0U, 1U, 2U, 3U, size / 2 - 1, size - 4, size - 3, size - 2, size - 1, size}) {
    for (const std::uint32_t wanted : {0U, 1U, 2U, 3U, 4U, 5U, 511U, 512U, size - 1, size}) {
      const std::uint32_t length = std::min(wanted, size - offset);
      std::vector<std::byte> read(length + 1, std::byte{0x5A});
      driver_->read_buffer(last, offset, std::span(read).first(length));
      EXPECT_TRUE(std::equal(read.begin(), read.end() - 1, page.begin() + offset)) << offset << " + " << length;
      EXPECT_EQ(read.back(), std::byte{0x5A}) << offset << " + " << length;
    }
  }
}

TEST_F(ArrayDriverTest, a_part_of_a_buffer_is_written_and_the_rest_stays) {
  start("bytes");
  const auto size = driver_->geometry().page_bytes;
  const std::uint16_t last = static_cast<std::uint16_t>(driver_->geometry().buffers - 1);
  for (const std::uint32_t offset : {0U, 1U, 2U, 3U, size / 2 - 1, size - 3, size - 2, size - 1, size}) {
    for (const std::uint32_t wanted : {0U, 1U, 2U, 3U, 4U, 5U, 512U, size - 1, size}) {
      const std::uint32_t length = std::min(wanted, size - offset);
      std::vector<std::byte> expected(size, std::byte{0x5A});
      driver_->write_buffer(last, 0, expected);
      const std::vector<std::byte> part(length, std::byte{0xC3});
      driver_->write_buffer(last, offset, part);
      std::ranges::copy(part, expected.begin() + offset);
      std::vector<std::byte> read(size);
      driver_->read_buffer(last, 0, read);
      EXPECT_EQ(read, expected) << offset << " + " << length;
    }
  }
}

TEST_F(ArrayDriverTest, another_device_is_refused) {
  start("tag");
  class Nothing final : public MmioPort {
   public:
    std::uint8_t read8(std::uint32_t) override { return 0xFF; }
    void write8(std::uint32_t, std::uint8_t) override {}
    std::uint16_t read16(std::uint32_t) override { return 0xFFFF; }
    void write16(std::uint32_t, std::uint16_t) override { ADD_FAILURE() << "a write to an unknown device"; }
    void copy_from(std::uint32_t, std::span<std::byte>) override {}
    void copy_to(std::uint32_t, std::span<const std::byte>) override {}
    WaitResult wait_until(const WaitSpec&) override { return {}; }
    void delay_ns(std::uint64_t) override {}
  } nothing;
  EXPECT_EQ(ArrayDriver(nothing, nullptr, *clock_, {}).attach(), ArrayAttachStatus::wrong_device);
}

TEST_F(ArrayDriverTest, a_page_reads_as_it_was_programmed_until_its_segment_is_erased) {
  start("bytes");
  const std::uint32_t page = 3 * driver_->geometry().pages_per_segment;
  const auto run = [&](const FlashOp& op) {
    driver_->submit({&op, 1});
    const std::vector<FlashDone> done = collect(1);
    EXPECT_EQ(done.at(0).tag, op.tag);
    return done.at(0);
  };
  std::vector<std::byte> data(2048);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::byte(i * 7 & 0xFF);
  const FlashMetadata metadata{0x3C3C'0000'1111'2222, 0x5A5A'3333'4444'5555};
  driver_->write_buffer(2, 0, data);
  const FlashOp program{
      .kind = FlashOpKind::program, .report = true, .tag = 9, .page = page, .buffer = 2, .metadata = metadata};
  EXPECT_EQ(run(program).status, FlashStatus::ok);

  const FlashOp read{.kind = FlashOpKind::read,
                     .report = true,
                     .tag = 10,
                     .page = page,
                     .buffer = 1,
                     .metadata = FlashOp::bytes_wanted(500, 100)};
  const FlashDone programmed = run(read);
  EXPECT_EQ(programmed.status, FlashStatus::ok);
  EXPECT_EQ(programmed.metadata.low, metadata.low);
  EXPECT_EQ(programmed.metadata.high, metadata.high);
  std::vector<std::byte> read_back(100);
  driver_->read_buffer(1, 500, read_back);
  EXPECT_TRUE(std::ranges::equal(read_back, std::span(data).subspan(500, 100)));

  EXPECT_EQ(run(program).status, FlashStatus::illegal) << "programmed already";
  EXPECT_EQ(run({.kind = FlashOpKind::erase, .report = true, .tag = 11, .page = page}).status, FlashStatus::ok);
  const FlashDone erased = run(read);
  EXPECT_EQ(erased.status, FlashStatus::ok);
  EXPECT_EQ(erased.metadata.low & erased.metadata.high, ~0ULL);
  driver_->read_buffer(1, 500, read_back);
  EXPECT_EQ(std::ranges::count(read_back, std::byte{0xFF}), 100);
}

TEST_F(ArrayDriverTest, a_segment_marked_bad_says_so) {
  start("tag");
  const std::uint32_t page = 2 * driver_->geometry().pages_per_segment;
  const auto run = [&](FlashOpKind kind) {
    const FlashOp op{.kind = kind, .report = true, .page = page};
    driver_->submit({&op, 1});
    return collect(1).at(0).status;
  };
  EXPECT_EQ(run(FlashOpKind::check_bad), FlashStatus::ok);
  EXPECT_EQ(run(FlashOpKind::mark_bad), FlashStatus::ok);
  EXPECT_EQ(run(FlashOpKind::check_bad), FlashStatus::bad_segment);
}

}  // namespace
}  // namespace ftlab::test
