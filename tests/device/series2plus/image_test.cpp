// Medium image: what survives, and what is refused.
#include "tests/device/image.h"

#include <array>
#include <sstream>

#include "common/input_error.h"
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(MediumImage, carries_content_wear_and_lock_bits_to_a_fresh_card) {
  CardFixture fixture;
  fixture.erase(3 * CardFixture::kSegment);
  fixture.finish();
  fixture.page_program(3 * CardFixture::kSegment, pattern(512));
  fixture.finish();
  fixture.set_attribute(regs::cmr::kWriteProtection, 0);
  fixture.command(3 * CardFixture::kSegment, command::kLockBlock);
  fixture.command(3 * CardFixture::kSegment, command::kConfirm);
  fixture.finish();

  CardFixture fresh;
  std::istringstream in(image_of(fixture));
  fresh.core.load_image(in, "card.img");
  EXPECT_EQ(fresh.peek(3 * CardFixture::kSegment, 512), pattern(512));
  EXPECT_EQ(fresh.core.erase_count(3), 1U);
  EXPECT_TRUE(fresh.core.locked(3));
  EXPECT_FALSE(fresh.core.locked(2));
  EXPECT_EQ(image_of(fresh), image_of(fixture));
}

TEST(MediumImage, of_a_card_without_content_carries_wear_and_lock_bits) {
  const CardSpec spec = part_spec("series2plus-4mb");
  CardCore card(spec, {.store_content = false});
  CardCore fresh(spec, {.store_content = false});
  card.set_vpp_pin(Ticks::zero(), true);
  for (const std::uint8_t code : {command::kErase, command::kConfirm}) {
    const std::array<std::byte, 2> cycle{std::byte{code}, std::byte{code}};
    card.common().write(Ticks{10'000}, 3 * CardFixture::kSegment, cycle);
  }
  card.advance_to(std::chrono::seconds{2});
  std::stringstream image;
  card.save_image(image);
  EXPECT_LT(image.str().size(), 1000U) << "no array bytes";
  fresh.load_image(image, "card.img");
  EXPECT_EQ(fresh.erase_count(3), 1U);
  EXPECT_EQ(fresh.erase_count(2), 0U);
}

TEST(MediumImage, cut_short_is_refused_and_changes_nothing) {
  CardFixture fixture;
  fixture.poke16(0, 0x1234);
  const std::string whole = image_of(fixture);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{20}, std::size_t{100}, whole.size() - 1}) {
    CardFixture fresh;
    std::istringstream in(whole.substr(0, size));
    EXPECT_THROW(fresh.core.load_image(in, "card.img"), InputError) << size;
    EXPECT_EQ(fresh.peek16(0), 0xFFFF);
  }
}

TEST(MediumImage, damaged_or_too_long_is_refused_with_the_reason_and_changes_nothing) {
  CardFixture fixture(part_spec("series2plus-4mb"));
  const std::string whole = image_of(fixture);
  std::string flags = whole;
  flags[28 + 2 * 2 * 5 + 4] = 4;  // behind magic, version and geometry: segment 2, its first lane, behind its cycles
  for (const auto& [image, reason] : {std::pair{flags, "segment 2: flags: 4"}, {whole + '\0', "goes on behind"}}) {
    CardFixture fresh(part_spec("series2plus-4mb"));
    fresh.poke16(0, 0x1234);
    EXPECT_TRUE(refuses(fresh, image, reason)) << complaint(fresh, image);
    EXPECT_EQ(fresh.peek16(0), 0x1234);
  }
}

TEST(MediumImage, of_another_geometry_is_refused_by_name) {
  CardFixture small(part_spec("series2plus-4mb"));
  CardFixture fixture;
  EXPECT_TRUE(complaint(fixture, image_of(small)).starts_with("x.img: "));
}

TEST(RenewedCard, is_as_constructed) {
  CardFixture fixture;
  const std::string fresh = image_of(fixture);
  fixture.erase(0);
  fixture.finish();
  fixture.page_program(0, pattern(512));
  fixture.finish();
  const AccessTotals& totals = fixture.core.access_totals();
  ASSERT_NE(image_of(fixture), fresh);
  fixture.core.renew();
  EXPECT_EQ(image_of(fixture), fresh);
  EXPECT_EQ(totals[0].accesses, 0U) << "sums stay where they were";
  EXPECT_EQ(fixture.core.state_energy(Ticks{1'000'000}).total(),
            CardFixture(part_spec("series2plus-8mb"), false).core.state_energy(Ticks{1'000'000}).total());
}

}  // namespace
}  // namespace ftlab::hw::testing
