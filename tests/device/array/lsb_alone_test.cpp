// Segments of which LSB units alone are programmed: in which order, how pages that are left out read, and what a loss
// of power leaves. tR 50 / 75 us, tPROG 400 / 2200 us (LSB / MSB), command 1 us, transfer of a page 20 us, descriptor
// 0.1 us.
#include <optional>
#include <random>
#include <sstream>

#include "common/input_error.h"
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

using array::Metadata;

struct LsbShape {
  const char* part;
  std::uint32_t at_once;
};

/// Eight program units in a segment, or nine of three page types.
class ArrayLsbAlone : public ::testing::TestWithParam<LsbShape> {
 protected:
  static ArraySpec spec_of(const LsbShape& shape, const char* content) {
    ArrayOverrides all = small_array();
    const bool tlc = std::string(shape.part) == "array-tlc";
    for (const auto& [key, value] : ArrayOverrides{{"content", content},
                                                   {"pages_per_segment", tlc ? "9" : "8"},
                                                   {"errors.codeword_bytes", "512"},
                                                   {"controller.buffer_slots", "4"},
                                                   {"errors.base", "0"},
                                                   {"errors.wear", "0"},
                                                   {"errors.disturb", "0"}})
      all.emplace_back(key, value);
    const ArraySpec part = array_part(all, shape.part);
    if (shape.at_once == 1) return part;
    std::string reason;
    const std::optional<ArraySpec> units = in_units(part, part.page_bytes / shape.at_once, reason);
    EXPECT_TRUE(units) << reason;
    return *units;
  }
  void SetUp() override { start("tag"); }
  void start(const char* content) { fixture_.emplace(spec_of(GetParam(), content)); }

  [[nodiscard]] ArrayFixture& fixture() { return *fixture_; }
  [[nodiscard]] std::uint32_t bits() { return fixture().core.spec().bits_per_cell; }
  [[nodiscard]] std::uint32_t at_once() { return GetParam().at_once; }
  [[nodiscard]] std::uint32_t pages() { return fixture().core.spec().pages_per_segment; }
  [[nodiscard]] std::uint32_t units() { return pages() / at_once(); }
  [[nodiscard]] std::uint32_t page(std::uint32_t segment, std::uint32_t unit, std::uint32_t i = 0) {
    return segment * pages() + unit * at_once() + i;
  }
  /// All pages of a unit, told apart by their metadata; gives the time of the last one.
  Ticks program(std::uint32_t segment, std::uint32_t unit) {
    std::vector<Descriptor> burst;
    for (std::uint32_t i = 0; i < at_once(); ++i) {
      const std::uint32_t at = page(segment, unit, i);
      burst.push_back(make(Op::program, at, array::kNoPage, 1000 + at));
      if (fixture().core.content() == array::Content::bytes) burst.back().buffer = 0;
    }
    return ends_well(burst);
  }
  Ticks copy(std::uint32_t from, std::uint32_t segment, std::uint32_t unit) {
    std::vector<Descriptor> burst;
    for (std::uint32_t i = 0; i < at_once(); ++i) burst.push_back(make(Op::copy, from + i, page(segment, unit, i)));
    return ends_well(burst);
  }
  Ticks ends_well(const std::vector<Descriptor>& burst) {
    const Ticks begin = fixture().now;
    fixture().submit(burst);
    for (std::size_t i = 0; i < burst.size(); ++i) EXPECT_EQ(fixture().wait().status, Status::ok) << burst[i].page;
    return fixture().now - begin;
  }
  void fill(std::uint32_t segment, std::uint32_t end) {
    for (std::uint32_t unit = 0; unit < end; unit += bits()) program(segment, unit);
  }
  void refused(std::uint32_t segment, std::uint32_t unit) {
    fixture().run(make(Op::program, page(segment, unit)), Status::illegal);
    fixture().run(make(Op::copy, page(segment, 0), page(segment, unit)), Status::illegal);
  }
  void expect_erased(std::uint32_t at) {
    fixture().submit(make(Op::read, at));
    const Completion found = fixture().wait();
    EXPECT_EQ(found.status, Status::ok) << at;
    EXPECT_EQ(found.metadata[0], ~0ULL) << at;
    EXPECT_EQ(found.metadata[1], ~0ULL) << at;
    EXPECT_TRUE(fixture().core.is_readable(at));
    EXPECT_EQ(fixture().core.metadata(at), array::kErasedMetadata) << at;
  }
  /// Of a segment whose LSB units below `end` are programmed.
  void expect_filled(std::uint32_t segment, std::uint32_t end) {
    for (std::uint32_t unit = 0; unit < units(); ++unit) {
      for (std::uint32_t i = 0; i < at_once(); ++i) {
        const std::uint32_t at = page(segment, unit, i);
        if (unit >= end || unit % bits() != 0) {
          expect_erased(at);
        } else {
          fixture().run(make(Op::read, at));
          EXPECT_EQ(fixture().core.metadata(at)[0], 1000 + at);
        }
      }
    }
  }

 private:
  std::optional<ArrayFixture> fixture_;
};

TEST_P(ArrayLsbAlone, are_programmed_in_order_and_nothing_else_of_their_segment_is) {
  refused(3, bits());
  program(3, 0);
  refused(3, 2 * bits());
  for (std::uint32_t unit = bits(); unit < units(); unit += bits()) {
    program(3, unit);
    for (std::uint32_t other = 0; other < units(); ++other)
      if (other != unit + bits()) refused(3, other);
  }
  fixture().run(make(Op::erase, page(3, 0)));
  for (std::uint32_t unit = 0; unit < units(); ++unit) program(3, unit);
}

TEST_P(ArrayLsbAlone, are_none_once_a_second_unit_is_programmed) {
  program(3, 0);
  program(3, 1);
  if (bits() == 3) {
    refused(3, 3);
    program(3, 2);
  }
  program(3, bits());
  refused(3, 2 * bits());
  program(3, bits() + 1);
}

TEST_P(ArrayLsbAlone, are_what_copies_fill_too) {
  fill(0, units());
  for (std::uint32_t unit = 0; unit < units(); unit += bits()) copy(page(0, unit), 2, unit);
  for (std::uint32_t unit = 0; unit < units(); unit += bits())
    for (std::uint32_t i = 0; i < at_once(); ++i)
      EXPECT_EQ(fixture().core.metadata(page(2, unit, i))[0], 1000 + page(0, unit, i));
  refused(2, 1);
  copy(page(2, 1), 4, 0);
  EXPECT_EQ(fixture().core.metadata(page(4, 0)), array::kErasedMetadata) << "a page that is left out has none to give";
}

TEST_P(ArrayLsbAlone, leave_the_others_erased_whatever_was_there_before) {
  for (const char* content : {"none", "tag", "bytes"}) {
    start(content);
    if (fixture().core.content() == array::Content::none) {
      fill(0, units());
      for (std::uint32_t unit = 0; unit < units(); ++unit) expect_erased(page(0, unit));
      continue;
    }
    for (std::uint32_t unit = 0; unit < units(); ++unit) program(0, unit);
    fixture().run(make(Op::erase, page(0, 0)));
    fill(0, 2 * bits());
    expect_filled(0, 2 * bits());
    if (fixture().core.content() != array::Content::bytes) continue;
    std::vector<std::byte> data(fixture().core.spec().page_bytes);
    fixture().core.peek(std::uint64_t{page(0, 1)} * data.size(), data);
    EXPECT_EQ(data, std::vector<std::byte>(data.size(), std::byte{0xFF}));
    Descriptor read = make(Op::read, page(0, 1));
    read.buffer = 1;
    fixture().run(read);
    ASSERT_EQ(fixture().core.windows()[1]->read(fixture().now, data.size(), data).error, BusError::none);
    EXPECT_EQ(data, std::vector<std::byte>(data.size(), std::byte{0xFF}));
  }
}

TEST_P(ArrayLsbAlone, take_the_time_of_their_page_type) {
  const Ticks lsb = program(0, 0);
  EXPECT_EQ(program(0, bits()), lsb);
  EXPECT_EQ(program(0, 2 * bits()), lsb);
  program(2, 0);
  EXPECT_GT(program(2, 1), lsb);
}

TEST_P(ArrayLsbAlone, that_an_interrupted_program_tore_do_not_take_others_along) {
  fill(0, 2 * bits());
  std::vector<Descriptor> burst;
  for (std::uint32_t i = 0; i < at_once(); ++i) burst.push_back(make(Op::program, page(0, 2 * bits(), i)));
  fixture().submit(burst);
  fixture().power_cycle(us(200));
  for (std::uint32_t i = 0; i < at_once(); ++i) EXPECT_FALSE(fixture().core.is_readable(page(0, 2 * bits(), i)));
  for (std::uint32_t unit = 0; unit < 2 * bits(); unit += bits()) fixture().run(make(Op::read, page(0, unit)));
  expect_erased(page(0, 1));
  expect_erased(page(0, 2 * bits() + 1));
  refused(0, 2 * bits() + 1);
  if (3 * bits() < units()) program(0, 3 * bits());
}

TEST_P(ArrayLsbAlone, that_had_not_begun_never_were) {
  program(0, 0);
  fixture().submit(make(Op::erase, page(2, 0)));
  std::vector<Descriptor> burst;
  for (std::uint32_t unit = bits(); unit <= 2 * bits(); unit += bits())
    for (std::uint32_t i = 0; i < at_once(); ++i) burst.push_back(make(Op::program, page(0, unit, i)));
  fixture().submit(burst);
  EXPECT_GT(fixture().core.next_page(0), 2 * bits() * at_once());
  fixture().power_cycle(us(100));
  expect_filled(0, 1);
  EXPECT_EQ(fixture().core.next_page(0), at_once());
  program(0, 1);
}

TEST_P(ArrayLsbAlone, are_there_again_when_an_erase_had_not_begun) {
  fill(0, 2 * bits());
  fixture().submit(make(Op::erase, page(2, 0)));
  fixture().submit(make(Op::erase, page(0, 0)));
  fixture().power_cycle(us(100));
  expect_filled(0, 2 * bits());
  refused(0, 1);
  program(0, 2 * bits());
}

TEST_P(ArrayLsbAlone, are_in_images_as_they_are) {
  for (const char* content : {"none", "tag", "bytes"}) {
    for (std::uint32_t filled = 2; filled * bits() < units(); ++filled) {
      start(content);
      fill(0, filled * bits());
      std::stringstream image;
      fixture().core.save_image(image);
      start(content);
      for (std::uint32_t unit = 0; unit < units(); ++unit) program(0, unit);
      fixture().core.load_image(image, "x.img");
      std::stringstream again;
      fixture().core.save_image(again);
      EXPECT_EQ(again.str(), image.str());
      if (fixture().core.content() != array::Content::none) expect_filled(0, filled * bits());
      refused(0, 1);
      program(0, filled * bits());
    }
  }
}

class ArrayLsbUnitsAlone : public ArrayLsbAlone {};

TEST_P(ArrayLsbUnitsAlone, that_are_not_whole_are_in_no_image_and_lost_with_the_power) {
  program(0, 0);
  fixture().submit(make(Op::program, page(0, bits())));
  std::stringstream image;
  fixture().core.save_image(image);
  fixture().power_cycle(us(1));
  program(0, 1);
  start("tag");
  fixture().core.load_image(image, "x.img");
  program(0, 1);
}

TEST_P(ArrayLsbAlone, that_are_changed_by_hand_are_whole_segments_again) {
  start("bytes");
  fill(0, 2 * bits());
  const std::uint64_t page_bytes = fixture().core.spec().page_bytes;
  const std::byte one{1};
  fixture().core.poke(page(0, bits()) * page_bytes, {&one, 1});
  expect_erased(page(0, 1));
  fixture().core.poke(page(0, bits() + 1) * page_bytes, {&one, 1});
  std::byte found{};
  fixture().core.peek(page(0, 1) * page_bytes, {&found, 1});
  EXPECT_EQ(found, std::byte{0});
  program(0, 2 * bits());
  program(0, 2 * bits() + 1);
}

std::string name_of(const ::testing::TestParamInfo<LsbShape>& of) {
  return std::string(of.param.part).substr(6) + "_" + std::to_string(of.param.at_once);
}

INSTANTIATE_TEST_SUITE_P(Parts, ArrayLsbAlone,
                         ::testing::Values(LsbShape{"array-mlc", 1}, LsbShape{"array-tlc", 1}, LsbShape{"array-mlc", 4},
                                           LsbShape{"array-tlc", 4}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Parts, ArrayLsbUnitsAlone,
                         ::testing::Values(LsbShape{"array-mlc", 4}, LsbShape{"array-tlc", 4}), name_of);

TEST(ArrayLsbAloneOfSlc, are_all_units) {
  ArrayFixture fixture(array_part({{"bad_segments.initial_share", "0"}}, "array-slc"));
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::program, 2), Status::illegal);
  fixture.run(make(Op::program, 1));
  fixture.run(make(Op::program, 3), Status::illegal);
}

TEST(ArrayLsbAloneOfMlc, take_as_long_as_lsb_pages_of_other_segments) {
  ArrayFixture fixture;
  fixture.run(make(Op::program, 0));
  EXPECT_EQ(fixture.run(make(Op::program, 2)), us(0.1 + 1 + 20 + 400));
  EXPECT_EQ(fixture.run(make(Op::program, 4)), us(0.1 + 1 + 20 + 400));
}

}  // namespace
}  // namespace ftlab::hw::testing
