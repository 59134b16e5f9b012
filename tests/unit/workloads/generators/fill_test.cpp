#include "workloads/generators/fill.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/workloads/support.h"
#include "workloads/generators/generator_source.h"

namespace ftlab::workloads {
namespace {

TEST(Fill, writes_every_page_once_in_address_order) {
  FillSource fill({.page_bytes = 512, .pages = 7, .request_bytes = 512}, 10 * 512, 1);
  EXPECT_EQ(fill.size_hint(), 7U);
  const auto requests = test::drain(fill, 3);
  ASSERT_EQ(requests.size(), 7U);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].kind, RequestKind::write);
    EXPECT_EQ(requests[i].offset, i * 512);
    EXPECT_EQ(requests[i].length, 512U);
    EXPECT_FALSE(requests[i].read_only_data);
    EXPECT_EQ(requests[i].arrival, Ticks{});
  }
}

TEST(Fill, marks_exactly_the_pages_that_the_workload_never_rewrites) {
  constexpr std::uint32_t kPage = 512;
  const GeneratorConfig config{
      .page_bytes = kPage, .pages = 200, .request_bytes = kPage, .total_bytes = 20'000 * kPage, .read_only_share = 0.3};
  FillSource fill(config, 200 * kPage, 5);
  std::set<std::uint64_t> read_only;
  for (const Request& request : test::drain(fill)) {
    if (request.read_only_data) read_only.insert(request.offset);
  }
  EXPECT_EQ(read_only.size(), 60U);
  GeneratorSource writes(*find_generator("uniform"), config, 200 * kPage, 5);
  std::set<std::uint64_t> written;
  for (const Request& request : test::drain(writes)) written.insert(request.offset);
  EXPECT_EQ(written.size(), 140U);
  for (const std::uint64_t offset : written) EXPECT_FALSE(read_only.contains(offset));
}

}  // namespace
}  // namespace ftlab::workloads
