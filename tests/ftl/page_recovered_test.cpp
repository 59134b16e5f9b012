// Layers on a NAND part that begin anew: pages of one program unit that only the recovery read gives, and what the time
// before has left under way.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"

namespace ftlab::tests {
namespace {

using Session = MountSession<PagedLayer, PagedConfig>;

constexpr std::uint32_t kAtOnce = 8;
constexpr std::uint32_t kPageBytes = 64;

TEST(PageRecovered, pages_that_share_a_program_unit_move_together) {
  EmulatedNandOptions options;
  options.spare_bytes = paged::unit_tag_bytes(kAtOnce);
  options.page_bytes = kAtOnce * kPageBytes;
  EmulatedNand nand(options);
  PagedConfig config;
  config.part.page_bytes = kPageBytes;
  config.logical_pages = 200;
  const std::vector<std::byte> written(options.page_bytes, std::byte{7});
  {
    Session session(nand, config);
    ASSERT_EQ(session->config_error(), nullptr);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    ASSERT_EQ(session->write(0, written, {}, 0), FtlStatus::ok);
  }
  std::uint32_t recovered = 0;
  for (std::uint32_t segment = 0; segment < options.segments; ++segment) {
    if (nand.page_state(segment, 0) != EmulatedNand::PageState::whole) continue;
    nand.at_rest(segment).state[0] = EmulatedNand::PageState::recovered;
    ++recovered;
  }
  ASSERT_EQ(recovered, 1U);
  Session session(nand, config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  EXPECT_EQ(session->stats().pages_copied, kAtOnce);
  EXPECT_EQ(session->stats().pages_padded, 0U);
  std::vector<std::byte> read(written.size());
  nand.lose_recovered_pages();
  EXPECT_EQ(session->read(0, read, 0), FtlStatus::ok);
  EXPECT_EQ(read, written);
}

TEST(PageBeginsAnew, whatever_a_refresh_has_under_way) {
  EmulatedNandOptions options;
  options.parallel_units = 2;
  options.no_wait = true;
  options.segments = 48;
  PagedConfig config;
  config.part.page_bytes = options.page_bytes / 2;
  config.part.refresh.reads = 40;
  config.logical_pages = 200;
  const std::vector<std::byte> written(std::size_t{config.logical_pages} * config.part.page_bytes, std::byte{7});
  std::vector<std::byte> read(config.part.page_bytes);
  std::uint64_t refreshes = 0;
  for (std::uint32_t reads = 1; reads < 240; ++reads) {
    // From some on the copies of a refresh fail while it is waited for.
    options.faults.seed = reads;
    options.faults.program_failures = reads < 120 ? 0 : 300;
    EmulatedNand nand(options);
    Session session(nand, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    ASSERT_EQ(session->write(0, written, {}, 0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < reads % 120; ++i) ASSERT_EQ(session->read(0, read, 0), FtlStatus::ok);
    refreshes += session->stats().refreshes;
    ASSERT_EQ(reads % 2 == 0 ? session->mount(0) : session->format(0), FtlStatus::ok) << reads;
    ASSERT_EQ(session->self_check(), nullptr);
  }
  EXPECT_GT(refreshes, 0U);
}

}  // namespace
}  // namespace ftlab::tests
