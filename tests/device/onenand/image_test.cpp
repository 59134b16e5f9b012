// Medium image: what survives without supply, and what is refused.
#include "tests/device/image.h"

#include <sstream>

#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

/// A die of four segments, so that an image is a few pages long.
OneNandSpec small_part() {
  Overrides overrides = ideal();
  overrides.emplace_back("segments_per_die", "4");
  return onenand_part("flexonenand-4gb", overrides);
}

TEST(OneNandImage, round_trip_keeps_everything_that_survives_without_supply) {
  OneNandFixture fixture(onenand_part());
  std::uint32_t segment = 1;
  while (fixture.core.is_bad(segment)) ++segment;
  fixture.core.set_erase_count(segment, 77);
  for (std::uint32_t page = 0; page < 6; ++page) fixture.program(segment, page);
  fixture.select(segment, 8);
  fixture.give(command::kProgram);
  fixture.now += ticks_from_ns(300'000);
  fixture.core.lose_power(fixture.now);
  std::stringstream image;
  fixture.core.save_image(image);

  OneNandFixture other(onenand_part(), 99);
  other.core.load_image(image, "image");
  EXPECT_EQ(other.core.erase_count(segment), 77U);
  EXPECT_EQ(other.peek(segment, 3), OneNandFixture::pattern(3));
  EXPECT_TRUE(other.load(segment, 4));
  EXPECT_FALSE(other.load(segment, 8)) << "half done";
  EXPECT_FALSE(other.load(segment, 2)) << "its partner";
  EXPECT_FALSE(other.program(segment, 8));
  EXPECT_TRUE(other.program(segment, 9));
  for (std::uint32_t i = 0; i < 1024; ++i) {
    EXPECT_EQ(other.core.is_factory_bad(i), fixture.core.is_factory_bad(i));
    EXPECT_EQ(other.core.endurance_limit(i), fixture.core.endurance_limit(i));
  }
}

TEST(OneNandImage, boundary_and_locks_come_with_it) {
  OneNandFixture fixture;
  fixture.ecc_off();
  fixture.run(command::kPartitionAccess);
  fixture.erase(0);
  OneNandFixture::Bytes page(regs::kPageBytes, std::byte{0xFF});
  page[0] = std::byte{7};
  page[1] = std::byte{0xFC};
  fixture.program(0, 0, page);
  std::stringstream image;
  fixture.core.save_image(image);
  OneNandFixture other(onenand_part("flexonenand-4gb", ideal()), 5, true);
  other.core.load_image(image, "image");
  EXPECT_EQ(other.core.boundary(0), 7U);
}

TEST(OneNandImage, foreign_or_short_image_is_refused_and_changes_nothing) {
  OneNandFixture fixture;
  fixture.program(5, 0);
  const std::string text = image_of(fixture);
  OneNandFixture bigger(onenand_part("flexonenand-8gb", ideal()));
  OneNandFixture target;
  target.program(6, 0);
  EXPECT_TRUE(refuses(bigger, text, "another part"));
  EXPECT_TRUE(refuses(target, "FTLABS2P" + text.substr(8), "not a medium image"));
  EXPECT_TRUE(refuses(target, text.substr(0, text.size() / 2), "cut short"));
  EXPECT_TRUE(refuses(target, text.substr(0, text.size() - 1), "cut short"));
  EXPECT_TRUE(refuses(target, text + '\0', "goes on behind"));
  EXPECT_TRUE(target.core.is_programmed(6, 0));
  EXPECT_FALSE(target.core.is_programmed(5, 0));
}

TEST(OneNandImage, damaged_field_is_refused_with_segment_and_reason_and_changes_nothing) {
  OneNandFixture fixture(small_part());
  fixture.program(0, 0);
  const std::string text = image_of(fixture);
  constexpr std::size_t kSegment0 = 24;  // behind magic, version and geometry
  constexpr std::size_t kPage0 = kSegment0 + 15;
  struct Damage {
    std::size_t at;
    char value;
    const char* reason;
  };
  const Damage damages[] = {
      {kSegment0 + 3, '\xFF', "segment 0: erase cycles"},
      {kSegment0 + 7, '\xFF', "segment 0: cycles to its end of life"},
      {kSegment0 + 12, '\x20', "segment 0: flags: 32"},
      {kSegment0 + 13, '\x81', "segment 0: the page to program next: 129"},
      {kSegment0 + 13, '\x00', "segment 0: the page to program next is 0, its pages say 1"},
      {kSegment0 + 13, '\x02', "segment 0: the page to program next is 2, its pages say 1"},
      {kSegment0 + 14, '\x02', "segment 0: the mark of segments with pages: 2"},
      {kPage0, '\x20', "segment 0: flags of a page: 32"},
      {kPage0, '\x02', "segment 0: page 0 has data but is blank"},
      {kPage0 + 8, '\x80', "segment 0: the age of a page"},
      {kPage0 + 8, '\x7F', "segment 0: the age of a page"},
  };
  OneNandFixture target(small_part());
  target.program(2, 0);
  for (const Damage& damage : damages) {
    std::string bytes = text;
    bytes[damage.at] = damage.value;
    EXPECT_TRUE(refuses(target, bytes, damage.reason)) << damage.reason << "\n" << complaint(target, bytes);
    EXPECT_TRUE(target.core.is_programmed(2, 0));
    EXPECT_FALSE(target.core.is_programmed(0, 0));
  }
  EXPECT_EQ(complaint(target, text), "");
  EXPECT_TRUE(target.core.is_programmed(0, 0));
}

TEST(OneNandImage, any_wrong_byte_is_refused_or_does_no_harm) {
  const OneNandSpec part = small_part();
  OneNandFixture fixture(part);
  for (std::uint32_t page = 0; page < 6; ++page) fixture.program(1, page);
  const std::string text = image_of(fixture);
  std::uint32_t refused = 0;
  for (std::size_t at = 0; at < text.size(); at += at < 100 ? 1 : 389) {
    for (const unsigned flip : {0x01U, 0x80U}) {
      std::string bytes = text;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flip);
      OneNandFixture target(part);
      if (!complaint(target, bytes).empty()) {
        ++refused;
        continue;
      }
      for (std::uint32_t segment = 0; segment < 4; ++segment) {
        for (const std::uint32_t page : {0U, 5U, 63U}) target.load(segment, page);
        target.program(segment, 62);
        target.erase(segment);
        target.program(segment, 0);
      }
    }
  }
  EXPECT_GT(refused, 60U);
}

TEST(OneNandImage, ages_add_up_over_many_images) {
  const Ticks ten_years{std::int64_t{10} * 365 * 24 * 3600 * 10'000'000'000};
  OneNandFixture first(small_part());
  first.program(1, 0);
  first.now += ten_years;
  first.program(1, 1);
  std::string image = image_of(first);
  for (int i = 0; i < 5; ++i) {
    OneNandFixture next(small_part());
    ASSERT_EQ(complaint(next, image), "") << i;
    EXPECT_TRUE(next.load(1, 0));
    next.now += ten_years;
    next.program(1, 2 + static_cast<std::uint32_t>(i));
    EXPECT_TRUE(next.load(1, 0));
    image = image_of(next);
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
