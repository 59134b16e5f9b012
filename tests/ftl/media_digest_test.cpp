// What a layer puts on flash is the same, byte by byte, whatever machine it runs on: so each mounts what another wrote.
// The digests hold for the versions in docs/media-format.md and change with them.
#include <gtest/gtest.h>

#include "firmware/base/crc32.h"
#include "tests/fixtures/flexfs_fixture.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/random_host.h"

namespace ftlab::tests {
namespace {

constexpr int kRequests = 3000;
constexpr std::uint64_t kSeed = 20;

std::uint32_t digest(const EmulatedFlash& flash) {
  std::uint32_t crc = 0;
  for (const auto& segment : flash.snapshot().segments) crc = crc32c(segment->data.data(), segment->data.size(), crc);
  return crc;
}

std::uint32_t digest(const EmulatedNand& flash) {
  std::uint32_t crc = 0;
  for (const auto& segment : flash.snapshot().segments) {
    crc = crc32c(segment->data.data(), segment->data.size(), crc);
    crc = crc32c(segment->spare.data(), segment->spare.size(), crc);
  }
  return crc;
}

template <class Layer, class Flash, class Config>
std::uint32_t digest_of_use(Flash& flash, const Config& config, const OracleRules& rules) {
  PageOracle oracle(config.logical_pages, Layer(flash, config)->page_bytes(), rules);
  RandomHost host(kSeed);
  // Two mount sessions, so that what a mount writes counts, too.
  for (const bool again : {false, true}) {
    Layer layer(flash, config);
    EXPECT_EQ(again ? layer->mount(0) : layer->format(0), FtlStatus::ok);
    for (int i = 0; i < kRequests / 2; ++i) EXPECT_EQ(host.step(*layer, oracle), FtlStatus::ok);
    EXPECT_EQ(layer->flush(host.now_ns()), FtlStatus::ok);
  }
  return digest(flash);
}

TEST(MediaDigest, of_the_fms_on_nor_is_that_of_every_machine) {
  EmulatedFlash flash(small_part());
  const FmsVolume config = small_config();
  EXPECT_EQ(digest_of_use<FmsSession>(flash, config, {}), 791517094U);
}

TEST(MediaDigest, of_the_fms_on_nand_is_that_of_every_machine) {
  EmulatedNand flash({});
  FmsVolume config = small_config();
  config.page_bytes = 512;
  config.logical_pages = 170;
  config.age_clock = FmsVolume::AgeClock::time;
  EXPECT_EQ(digest_of_use<FmsSession>(flash, config, {}), 4040029530U);
}

TEST(MediaDigest, of_flexfs_is_that_of_every_machine) {
  EmulatedNand flash(small_nand());
  const FlexFsConfig config = small_flexfs();
  EXPECT_EQ(digest_of_use<FlexFsSession>(flash, config, kPartsNeedFlush), 1892753153U);
}

}  // namespace
}  // namespace ftlab::tests
