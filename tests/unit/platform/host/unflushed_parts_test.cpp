// Which sectors a loss of power leaves unknown where parts of pages are buffered.
#include "platform/host/unflushed_parts.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::platform {
namespace {

using workloads::Request;
using workloads::RequestKind;

struct UnflushedFixture {
  Payload payload{1, 1 << 20, Payload::Kept::verified};
  UnflushedParts parts{4096};
  std::vector<std::byte> buffer;

  void write(std::uint64_t offset, std::uint32_t length) {
    (void)payload.fresh(offset, length, buffer);
    Request request;
    request.offset = offset;
    request.length = length;
    parts.answered(request);
  }
  /// Reads as erased, which nothing that was written is: right only where it is not known.
  [[nodiscard]] bool forgotten(std::uint64_t sector) const {
    const std::vector<std::byte> erased(512, std::byte{0xFF});
    return payload.check(sector * 512, erased);
  }
};

TEST(UnflushedParts, are_those_parts_of_pages_that_no_flush_made_durable) {
  UnflushedFixture f;
  f.write(4096 - 1024, 4096 + 2048);  // the end of a page, a whole one, the beginning of the next
  f.write(5 * 4096, 1024);
  f.write(5 * 4096, 4096);  // durable, and the part with it
  f.parts.forget(f.payload);
  for (std::uint64_t sector = 6; sector < 18; ++sector)
    EXPECT_EQ(f.forgotten(sector), sector < 8 || sector >= 16) << sector;
  for (std::uint64_t sector = 40; sector < 48; ++sector) EXPECT_FALSE(f.forgotten(sector)) << sector;
  f.write(7 * 4096, 1024);
  f.parts.answered({.kind = RequestKind::flush});
  f.write(8 * 4096, 1024);
  f.write(8 * 4096 + 1024, 1024);
  f.parts.replace(8 * 4096 + 512, 1024);  // is on its way again
  f.parts.forget(f.payload);
  EXPECT_FALSE(f.forgotten(56));
  EXPECT_TRUE(f.forgotten(64));
  EXPECT_FALSE(f.forgotten(65));
  EXPECT_FALSE(f.forgotten(66));
  EXPECT_TRUE(f.forgotten(67));
}

}  // namespace
}  // namespace ftlab::platform
