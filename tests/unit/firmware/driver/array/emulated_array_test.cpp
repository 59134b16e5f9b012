// The emulated array takes and refuses programs as the controller does, and both hold the same pages afterwards.
#include "tests/fixtures/emulated_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "firmware/driver/array/driver.h"
#include "hw/array/spec/spec.h"
#include "tests/unit/firmware/driver/array/array_bus.h"

namespace ftlab::test {
namespace {

constexpr std::uint16_t kLast = 0xFFFF;  ///< tag of a check behind everything

struct Kind {
  const char* part;
  std::uint32_t units;  ///< of a page
  bool one_shot = false;
};

hw::ArraySpec small_part(const Kind& kind) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PARTS_DIR) + "/" + kind.part + ".toml");
  const std::pair<const char*, const char*> kSmall[] = {
      {"channels", "1"},    {"dies_per_channel", "1"}, {"planes", "1"},
      {"segments", "4"},    {"content", "tag"},        {"pages_per_segment", "12"},
      {"errors.wear", "0"}, {"errors.base", "0"},      {"page_bytes", "4096"}};
  for (const auto& [key, value] : kSmall) file.set(key, value, "test");
  for (const char* key : {"bad_segments.initial_share", "errors.disturb"}) file.set(key, "0", "test");
  if (kind.one_shot) {
    const std::pair<const char*, const char*> kOneShot[] = {
        {"one_shot_pages", "3"}, {"wordline_pages", "1"}, {"timing.program", "1 ms"}};
    for (const auto& [key, value] : kOneShot) file.set(key, value, "test");
  }
  const hw::ArraySpec part = hw::load_array_spec(file);
  std::string reason;
  return kind.units == 1 ? part : hw::in_units(part, part.page_bytes / kind.units, reason).value();
}

/// What ends, up to the check behind everything, by tag.
std::map<std::uint16_t, FlashStatus> statuses(FlashPort& port, const FlashOp& op) {
  const FlashOp last{.kind = FlashOpKind::fence, .report = true, .tag = kLast};
  const std::array ops{op, last};
  port.submit(ops);
  std::map<std::uint16_t, FlashStatus> found;
  while (!found.contains(kLast)) {
    std::array<FlashDone, 1> done;
    port.wait(UINT64_MAX);
    if (port.collect(done) == 1) found[done[0].tag] = done[0].status;
  }
  return found;
}

FlashMetadata metadata_of(FlashPort& port, std::uint32_t page) {
  const FlashOp read{.kind = FlashOpKind::read, .report = true, .page = page};
  port.submit({&read, 1});
  std::array<FlashDone, 1> done;
  do port.wait(UINT64_MAX);
  while (port.collect(done) == 0);
  return done[0].metadata;
}

const FlashGeometry& attached(ArrayDriver& driver) {
  EXPECT_EQ(driver.attach(), ArrayAttachStatus::ok);
  return driver.geometry();
}

class EmulatedArrayTest : public testing::TestWithParam<Kind> {
 protected:
  /// Mostly one that some segment may go on with.
  std::uint32_t draw_page() {
    const FlashGeometry& geometry = driver_.geometry();
    const std::uint32_t segment = random_() % geometry.segments;
    const std::uint32_t pages = geometry.pages_per_segment;
    const std::uint32_t every = std::min(std::max(geometry.lsb_every, 2U) * geometry.pages_at_once, pages);
    std::uint32_t page = last_[segment] + 1;
    if (random_() % 3 == 0) page = (last_[segment] / every + 1) * every;
    if (random_() % 16 == 0) page = random_() % pages;
    return segment * pages + page % pages;
  }
  FlashOp draw(std::uint16_t tag) {
    FlashOp op{.kind = FlashOpKind::program, .report = true, .tag = tag, .page = draw_page()};
    op.metadata = {tag, 0};
    const std::uint32_t source = random_() % (4 * driver_.geometry().pages_per_segment);
    if (random_() % 24 == 0) {
      op.kind = FlashOpKind::erase;
    } else if (random_() % 3 == 0 && metadata_of(emulated_, source).low != ~0ULL) {
      op.kind = FlashOpKind::copy;
      op.target = std::exchange(op.page, source);
    }
    return op;
  }
  void took(const FlashOp& op) {
    const std::uint32_t page = op.kind == FlashOpKind::copy ? op.target : op.page;
    const std::uint32_t pages = driver_.geometry().pages_per_segment;
    last_.at(page / pages) = op.kind == FlashOpKind::erase ? UINT32_MAX : page % pages;
  }

  Bus bus_{small_part(GetParam())};
  WindowPort registers_{bus_, bus_.core.common()};
  BusClock clock_{bus_};
  ArrayDriver driver_{registers_, nullptr, clock_, {.overtaking_reads = 0}};
  FlashGeometry geometry_ = attached(driver_);
  tests::EmulatedArray emulated_{geometry_, 1};
  std::mt19937 random_{7};
  std::array<std::uint32_t, 4> last_{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
};

TEST_P(EmulatedArrayTest, takes_and_refuses_what_the_controller_does) {
  std::uint32_t refused = 0;
  for (std::uint16_t tag = 1; tag < 20'000; ++tag) {
    const FlashOp op = draw(tag);
    const auto found = statuses(driver_, op);
    ASSERT_EQ(statuses(emulated_, op), found) << "page " << op.page << " to " << op.target;
    const bool takes = !found.contains(tag) || found.at(tag) != FlashStatus::illegal;
    takes ? took(op) : void(++refused);
    if (random_() % 50 != 0) continue;
    emulated_.lose_power();
    bus_.core.lose_power(bus_.now);
    bus_.core.restore_power(bus_.now);
    ASSERT_EQ(driver_.attach(), ArrayAttachStatus::ok);
    for (std::uint32_t page = 0; page < 4 * geometry_.pages_per_segment; ++page)
      ASSERT_EQ(metadata_of(emulated_, page).low, metadata_of(driver_, page).low) << page;
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_LT(refused, 18'000U);
}

INSTANTIATE_TEST_SUITE_P(Parts, EmulatedArrayTest,
                         testing::Values(Kind{"array-slc", 1}, Kind{"array-mlc", 1}, Kind{"array-tlc", 1},
                                         Kind{"array-mlc", 4}, Kind{"array-tlc", 4}, Kind{"array-tlc", 1, true},
                                         Kind{"array-tlc", 2, true}),
                         [](const auto& of) {
                           return std::string(of.param.part).substr(6) + "_" + std::to_string(of.param.units) +
                                  (of.param.one_shot ? "_one_shot" : "");
                         });

}  // namespace
}  // namespace ftlab::test
