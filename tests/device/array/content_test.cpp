// What is kept of what is written: nothing, metadata, or metadata and data; and what bit errors do to it.
#include <algorithm>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

using array::kErasedMetadata;
using array::Metadata;

class ArrayContent : public ::testing::Test {
 protected:
  static Metadata metadata_of(const Completion& c) { return {c.metadata[0], c.metadata[1]}; }
  static Completion done(ArrayFixture& fixture, const Descriptor& d) {
    fixture.submit(d);
    return fixture.wait();
  }
};

TEST_F(ArrayContent, none_reads_as_ones) {
  ArrayFixture fixture;
  fixture.run(make(Op::program, 0, array::kNoPage, 77));
  EXPECT_EQ(metadata_of(done(fixture, make(Op::read, 0))), kErasedMetadata);
  std::array<std::byte, 4> bytes{};
  fixture.core.peek(0, bytes);
  EXPECT_EQ(bytes[0], std::byte{0});
  fixture.core.peek(2048, bytes);
  EXPECT_EQ(bytes[0], std::byte{0xFF});
}

TEST_F(ArrayContent, tags_are_read_copied_replaced_and_erased) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  fixture.run(make(Op::program, 0, array::kNoPage, 77));
  EXPECT_EQ(metadata_of(done(fixture, make(Op::read, 0))), (Metadata{77, ~77ULL}));
  EXPECT_EQ(metadata_of(done(fixture, make(Op::read, 1))), kErasedMetadata);
  for (const std::uint32_t target : {6U, 16 * 6U}) {
    fixture.run(make(Op::copy, 0, target, 5));
    EXPECT_EQ(metadata_of(done(fixture, make(Op::read, target))), (Metadata{77, ~77ULL}));
    Descriptor fresh = make(Op::copy, 0, target + 1, 5);
    fresh.new_metadata = 1;
    fixture.run(fresh);
    EXPECT_EQ(fixture.core.metadata(target + 1), (Metadata{5, ~5ULL}));
  }
  fixture.run(make(Op::copy, 2, 8, 5));
  EXPECT_EQ(fixture.core.metadata(8), kErasedMetadata) << "of an erased page";
  fixture.run(make(Op::erase, 0));
  EXPECT_EQ(metadata_of(done(fixture, make(Op::read, 0))), kErasedMetadata);
}

TEST_F(ArrayContent, a_read_sees_the_page_as_it_is_in_the_order_of_descriptors) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  const std::vector<Descriptor> burst{make(Op::program, 0, array::kNoPage, 1), make(Op::read, 0), make(Op::erase, 0),
                                      make(Op::program, 0, array::kNoPage, 2), make(Op::read, 0)};
  fixture.submit(burst);
  std::vector<Metadata> read;
  for (int i = 0; i < 5; ++i) {
    const Completion c = fixture.wait();
    if (c.op == Op::read) read.push_back(metadata_of(c));
  }
  EXPECT_EQ(read, (std::vector<Metadata>{{1, ~1ULL}, {2, ~2ULL}}));
}

TEST_F(ArrayContent, bytes_go_through_slots) {
  ArrayFixture fixture(array_part({{"content", "bytes"}, {"controller.buffer_slots", "3"}}));
  AddressWindow& data = *fixture.core.windows()[1];
  std::vector<std::byte> page(2048);
  for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<std::byte>(i * 7);
  const BusResult result = data.write(fixture.now, 2048, page);
  EXPECT_EQ(result.time, ticks_from_ns(1024));
  Descriptor d = make(Op::program, 0, array::kNoPage, 9);
  d.buffer = 1;
  fixture.run(d);
  fixture.run(make(Op::copy, 0, 16 * 6));
  Descriptor read = make(Op::read, 16 * 6);
  read.buffer = 2;
  EXPECT_EQ(metadata_of(done(fixture, read)), (Metadata{9, ~9ULL}));
  std::vector<std::byte> found(2048);
  EXPECT_EQ(data.read(fixture.now, 2 * 2048, found).error, BusError::none);
  EXPECT_EQ(found, page);
  fixture.core.peek(std::uint64_t{16 * 6} * 2048, found);
  EXPECT_EQ(found, page);
  read.page = 1;
  fixture.run(read);
  data.read(fixture.now, 2 * 2048, found);
  EXPECT_EQ(found, std::vector<std::byte>(2048, std::byte{0xFF})) << "an erased page";
  fixture.run(make(Op::program, 1, array::kNoPage, 9));
  fixture.run(read);
  data.read(fixture.now, 2 * 2048, found);
  EXPECT_EQ(found, std::vector<std::byte>(2048, std::byte{0})) << "programmed without data";
}

TEST_F(ArrayContent, poked_bytes_can_be_read) {
  ArrayFixture fixture(array_part({{"content", "bytes"}, {"controller.buffer_slots", "1"}}));
  const std::array bytes{std::byte{1}, std::byte{2}};
  fixture.core.poke(2 * 2048 - 1, bytes);
  EXPECT_EQ(fixture.core.next_page(0), 3U) << "pages 1 and 2, and what is before them";
  std::array<std::byte, 2> found{};
  fixture.core.peek(2 * 2048 - 1, found);
  EXPECT_EQ(found, bytes);
}

TEST_F(ArrayContent, bit_errors_are_corrected_up_to_what_the_code_can) {
  ArrayFixture few(array_part({{"errors.base", "0.0005"}, {"errors.factor_lsb", "1"}}));
  few.run(make(Op::program, 0));
  std::uint64_t bits = 0;
  for (int i = 0; i < 200; ++i) {
    const Completion c = done(few, make(Op::read, 0));
    EXPECT_EQ(c.status, c.corrected_bits > 0 ? Status::corrected : Status::ok);
    bits += c.corrected_bits;
  }
  EXPECT_NEAR(static_cast<double>(bits) / 200, 2048 * 8 * 0.0005, 1);
  EXPECT_EQ(done(few, make(Op::read, 1)).status, Status::ok) << "an erased page has none";

  ArrayFixture many(array_part({{"errors.base", "0.01"}, {"errors.factor_lsb", "1"}}));
  many.run(make(Op::program, 0));
  EXPECT_EQ(done(many, make(Op::read, 0)).status, Status::uncorrectable);
  EXPECT_EQ(many.total(DeviceOpKind::load).failed, 1U);
}

TEST_F(ArrayContent, bit_errors_grow_with_wear_and_page_type) {
  const auto mean = [](std::uint32_t page, std::uint32_t cycles) {
    ArrayFixture fixture(array_part({{"errors.wear", "0.0004"}}));
    fixture.core.set_erase_count(0, cycles);
    fixture.run(make(Op::program, 0));
    fixture.run(make(Op::program, 1));
    double bits = 0;
    for (int i = 0; i < 300; ++i) bits += done(fixture, make(Op::read, page)).corrected_bits;
    return bits / 300;
  };
  EXPECT_EQ(mean(0, 0), 0);
  EXPECT_LT(mean(0, 200), mean(0, 900));
  EXPECT_LT(mean(0, 900), mean(1, 900));
}

TEST_F(ArrayContent, a_copy_of_an_uncorrectable_page_is_uncorrectable_until_it_is_erased) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  fixture.submit(make(Op::program, 0, array::kNoPage, 4));
  fixture.power_cycle(us(200));
  for (const std::uint32_t target : {6U, 16 * 6U}) {
    fixture.run(make(Op::copy, 0, target), Status::uncorrectable);
    const Completion c = done(fixture, make(Op::read, target));
    EXPECT_EQ(c.status, Status::uncorrectable);
    EXPECT_EQ(metadata_of(c), kErasedMetadata);
    EXPECT_EQ(fixture.core.next_page(target / 6), 1U);
    Descriptor named = make(Op::copy, 0, target + 1);
    named.new_metadata = 1;
    named.metadata[0] = 77;
    fixture.run(named, Status::uncorrectable);
    const Completion told = done(fixture, make(Op::read, target + 1));
    EXPECT_EQ(told.status, Status::uncorrectable);
    EXPECT_EQ(metadata_of(told)[0], 77U);
    fixture.run(make(Op::program, target + 2));
    fixture.run(make(Op::read, target + 2));
    fixture.run(make(Op::erase, target));
    fixture.run(make(Op::program, target));
    fixture.run(make(Op::read, target));
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
