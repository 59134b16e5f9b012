// Writes that know when their page is written again.
#include "workloads/future_source.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fixtures/list_source.h"

namespace ftlab::workloads::future_test {
namespace {

using tests::ListSource;

constexpr std::uint32_t kPage = 4096;

Request write_of(std::uint64_t offset, std::uint32_t length = kPage) { return {.length = length, .offset = offset}; }

std::vector<Request> told(const std::vector<Request>& requests) {
  FutureSource source([&] { return std::make_unique<ListSource>(requests); }, kPage);
  std::vector<Request> all(1000);
  // In two parts, so that the place within a request is kept.
  const std::size_t first = source.next(std::span(all).first(3));
  all.resize(first + source.next(std::span(all).subspan(first)));
  EXPECT_EQ(all.size(), source.size_hint());
  return all;
}

std::vector<std::uint32_t> lives(const std::vector<Request>& requests) {
  std::vector<std::uint32_t> found;
  for (const Request& request : told(requests)) found.push_back(request.rewritten_in);
  return found;
}

TEST(FutureSource, counts_the_pages_written_until_the_page_is_written_again) {
  EXPECT_EQ(lives({write_of(0), write_of(kPage), write_of(kPage), write_of(0)}),
            (std::vector<std::uint32_t>{3, 1, 0, 0}));
}

TEST(FutureSource, tells_each_page_of_a_long_request) {
  const std::vector<Request> found = told({write_of(0, 3 * kPage), write_of(2 * kPage), write_of(kPage)});
  ASSERT_EQ(found.size(), 5U);
  const std::vector<std::uint32_t> expected{0, 3, 1, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].offset, i * kPage);
    EXPECT_EQ(found[i].length, kPage);
    EXPECT_EQ(found[i].rewritten_in, expected[i]) << i;
  }
}

TEST(FutureSource, keeps_the_ends_of_requests_inside_pages) {
  const std::vector<Request> found = told({write_of(1024, kPage), write_of(kPage, 512)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].length, kPage - 1024);
  EXPECT_EQ(found[1].offset, kPage);
  EXPECT_EQ(found[1].length, 1024U);
  EXPECT_EQ(found[1].rewritten_in, 1U);
  EXPECT_EQ(found[2].length, 512U);
}

TEST(FutureSource, leaves_other_requests_as_they_are) {
  Request read = write_of(0, 2 * kPage);
  read.kind = RequestKind::read;
  const std::vector<Request> found = told({write_of(0), read, write_of(0)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].rewritten_in, 1U) << "a read is no write";
  EXPECT_EQ(found[1].length, 2 * kPage);
}

}  // namespace
}  // namespace ftlab::workloads::future_test
