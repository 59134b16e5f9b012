// Medium image: what survives without supply, and what is refused.
#include "tests/device/image.h"

#include <sstream>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

ArraySpec part_with(const std::string& content) {
  return array_part({{"content", content}, {"controller.buffer_slots", "2"}});
}

/// Programmed, torn, worn, marked, and a copy of what is torn that says whose it is.
void use(ArrayFixture& fixture) {
  for (std::uint32_t i = 0; i < 5; ++i) {
    Descriptor d = make(Op::program, i, array::kNoPage, 100 + i);
    if (i < 3) d.buffer = 1;
    fixture.run(d);
  }
  for (int i = 0; i < 4; ++i) fixture.run(make(Op::erase, 12));
  fixture.run(make(Op::mark_bad, 18));
  fixture.submit(make(Op::program, 24));
  fixture.submit(make(Op::erase, 30));
  fixture.power_cycle(us(300));
  Descriptor copy = make(Op::copy, 24, 36, 77);
  copy.new_metadata = 1;
  fixture.run(copy, Status::uncorrectable);
}

TEST(ArrayImage, round_trip_keeps_everything_that_survives_without_supply) {
  for (const char* content : {"none", "tag", "bytes"}) {
    SCOPED_TRACE(content);
    ArrayFixture fixture(part_with(content));
    use(fixture);
    const std::string image = image_of(fixture);
    ArrayFixture loaded(part_with(content), {.seed = 2});
    EXPECT_EQ(complaint(loaded, image), "");
    EXPECT_EQ(image_of(loaded), image);
    for (std::uint32_t segment = 0; segment < 64; ++segment) {
      EXPECT_EQ(loaded.core.erase_count(segment), fixture.core.erase_count(segment));
      EXPECT_EQ(loaded.core.next_page(segment), fixture.core.next_page(segment));
      EXPECT_EQ(loaded.core.is_bad(segment), fixture.core.is_bad(segment));
      EXPECT_EQ(loaded.core.endurance_limit(segment), fixture.core.endurance_limit(segment));
    }
    for (std::uint32_t page = 0; page < 64 * 6; ++page) {
      EXPECT_EQ(loaded.core.is_readable(page), fixture.core.is_readable(page)) << page;
      if (!fixture.core.is_readable(page)) continue;
      EXPECT_EQ(loaded.core.metadata(page), fixture.core.metadata(page)) << page;
    }
    EXPECT_FALSE(loaded.core.is_readable(24));
    EXPECT_FALSE(loaded.core.is_readable(30));
    std::vector<std::byte> a(6 * 2048);
    std::vector<std::byte> b(6 * 2048);
    fixture.core.peek(0, a);
    loaded.core.peek(0, b);
    EXPECT_EQ(a, b);
    loaded.run(make(Op::program, 5));
  }
}

TEST(ArrayImage, work_under_way_when_another_array_is_loaded_is_not_undone_in_that_one) {
  ArrayFixture fixture(part_with("tag"));
  const std::string empty = image_of(fixture);
  for (std::uint32_t page = 0; page < 6; ++page) fixture.submit(make(Op::program, page));
  EXPECT_EQ(complaint(fixture, empty), "");
  fixture.core.lose_power(us(1));
  EXPECT_EQ(image_of(fixture), empty);
}

TEST(ArrayImage, other_geometry_content_or_kind_is_refused) {
  ArrayFixture fixture(part_with("tag"));
  const std::string image = image_of(fixture);
  ArrayFixture other_content(part_with("none"));
  EXPECT_TRUE(refuses(other_content, image, "another part"));
  ArrayFixture other_size(array_part({{"content", "tag"}, {"segments", "128"}}));
  EXPECT_TRUE(refuses(other_size, image, "found 64, expected 128"));
  EXPECT_TRUE(refuses(fixture, "FTLABFON" + image.substr(8), "not a medium image of a NAND array"));
  EXPECT_TRUE(refuses(fixture, "", "not a medium image"));
}

TEST(ArrayImage, a_damaged_one_is_refused_and_changes_nothing) {
  ArrayFixture fixture(part_with("tag"));
  use(fixture);
  const std::string image = image_of(fixture);
  constexpr std::size_t kSegment0 = 8 + 8 * 4;
  struct Damage {
    std::size_t at;
    char value;
    const char* reason;
  };
  const Damage damages[] = {{kSegment0 + 3, '\xFF', "segment 0: erase count"},
                            {kSegment0 + 7, '\xFF', "segment 0: cycles to its end of life"},
                            {kSegment0 + 8, '\x07', "segment 0: the page to program next: 7"},
                            {kSegment0 + 10, '\x80', "segment 0: flags: 128"},
                            {kSegment0 + 10, '\x40', "segment 0: it goes on with no LSB page"},
                            {kSegment0 + 10, '\x02', "segment 0: torn"}};
  ArrayFixture target(part_with("tag"));
  target.run(make(Op::program, 60));
  const std::string before = image_of(target);
  for (const Damage& damage : damages) {
    std::string bytes = image;
    bytes[damage.at] = damage.value;
    EXPECT_TRUE(refuses(target, bytes, damage.reason)) << damage.reason << "\n" << complaint(target, bytes);
    EXPECT_EQ(image_of(target), before);
  }
  for (std::size_t size = 8; size < image.size(); size += 7) {
    EXPECT_TRUE(refuses(target, image.substr(0, size), "image")) << size;
  }
  EXPECT_TRUE(refuses(target, image + "x", "goes on"));
  EXPECT_EQ(image_of(target), before);
}

TEST(ArrayImage, any_wrong_byte_is_refused_or_does_no_harm) {
  const ArraySpec part = part_with("bytes");
  ArrayFixture fixture(part);
  use(fixture);
  const std::string image = image_of(fixture);
  for (std::size_t at = 0; at < image.size(); at += at < 1000 ? 1 : 389) {
    for (const unsigned flip : {0x01U, 0x80U}) {
      std::string bytes = image;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flip);
      ArrayFixture target(part);
      if (!complaint(target, bytes).empty()) continue;
      for (std::uint32_t segment = 0; segment < 8; ++segment) {
        target.submit(make(Op::copy, segment * 6, segment * 6 + 5));
        target.submit(make(Op::erase, segment * 6));
        target.submit(make(Op::program, segment * 6));
        target.submit(make(Op::read, segment * 6));
        target.drain();
      }
    }
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
