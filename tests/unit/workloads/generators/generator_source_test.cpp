#include "workloads/generators/generator_source.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::drain;
using test::refusal;

constexpr std::uint64_t kGeneratorDevice = 1000 * 4096;

std::vector<Request> generate(const char* kind, const GeneratorConfig& config, std::uint64_t seed = 1,
                              std::size_t batch = 100) {
  GeneratorSource source(*find_generator(kind), config, kGeneratorDevice, seed);
  auto requests = drain(source, batch);
  EXPECT_EQ(requests.size(), source.size_hint());
  return requests;
}

std::vector<std::uint64_t> offsets(const std::vector<Request>& requests, RequestKind kind) {
  std::vector<std::uint64_t> found;
  for (const Request& request : requests) {
    if (request.kind == kind) found.push_back(request.offset);
  }
  return found;
}

TEST(GeneratorSource, requests_as_many_bytes_as_asked_for) {
  EXPECT_EQ(generate("uniform", {.total_bytes = 192 * kMiB}).size(), 49152U);
  EXPECT_EQ(generate("uniform", {.total_bytes = 4097}).size(), 2U) << "a last part of a page is a whole request";
}

TEST(GeneratorSource, is_the_same_however_it_is_taken) {
  const GeneratorConfig config{.total_bytes = 3000 * 4096, .read_share = 0.4, .read_only_share = 0.2};
  const auto a = generate("hot_cold", config, 3, 1);
  const auto b = generate("hot_cold", config, 3, 777);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].offset, b[i].offset);
    ASSERT_EQ(a[i].kind, b[i].kind);
  }
}

TEST(GeneratorSource, another_seed_is_another_sequence) {
  const GeneratorConfig config{.total_bytes = 100 * 4096};
  EXPECT_NE(offsets(generate("uniform", config, 1), RequestKind::write),
            offsets(generate("uniform", config, 2), RequestKind::write));
}

TEST(GeneratorSource, reads_come_in_their_share_and_leave_the_writes_as_they_are) {
  const GeneratorConfig writes_only{.total_bytes = 20'000 * 4096};
  GeneratorConfig mixed = writes_only;
  mixed.read_share = 0.3;
  const auto all = offsets(generate("hot_cold", writes_only), RequestKind::write);
  const auto requests = generate("hot_cold", mixed);
  const auto writes = offsets(requests, RequestKind::write);
  EXPECT_NEAR(static_cast<double>(writes.size()) / static_cast<double>(requests.size()), 0.7,
              4 * std::sqrt(0.3 * 0.7 / 20'000));
  EXPECT_TRUE(std::equal(writes.begin(), writes.end(), all.begin()));
}

TEST(GeneratorSource, all_bytes_asked_for_follow_what_a_warm_up_writes) {
  GeneratorSource source(*find_generator("uniform"),
                         {.total_bytes = 500 * 4096, .warm_up_bytes = 1000 * 4096, .read_share = 0.5}, kGeneratorDevice,
                         1);
  const auto requests = drain(source, 7);
  std::size_t warm_up = 0;
  for (std::size_t written = 0; written < 1000; ++warm_up) written += requests.at(warm_up).kind == RequestKind::write;
  EXPECT_EQ(requests.size(), warm_up + 500);
  EXPECT_EQ(source.size_hint(), 2500U);
}

TEST(GeneratorSource, a_warm_up_needs_writes) {
  EXPECT_THAT(refusal([] { generate("uniform", {.warm_up_bytes = 4096, .read_share = 1}); }),
              testing::HasSubstr("workload.read_share: 1 writes nothing, so a warm-up never ends"));
  EXPECT_TRUE(generate("uniform", {.total_bytes = 0, .warm_up_bytes = 4096}).empty()) << "there is nothing to measure";
}

TEST(GeneratorSource, read_share_one_only_reads) {
  const auto requests = generate("uniform", {.total_bytes = 100 * 4096, .read_share = 1, .read_only_share = 1});
  EXPECT_EQ(offsets(requests, RequestKind::read).size(), 100U);
}

TEST(GeneratorSource, reads_reach_read_only_pages_too) {
  const GeneratorConfig config{.pages = 100, .total_bytes = 20'000 * 4096, .read_share = 0.5, .read_only_share = 0.25};
  const auto requests = generate("uniform", config);
  const auto distinct = [](std::vector<std::uint64_t> all) {
    std::ranges::sort(all);
    return std::unique(all.begin(), all.end()) - all.begin();
  };
  EXPECT_EQ(distinct(offsets(requests, RequestKind::write)), 75);
  EXPECT_EQ(distinct(offsets(requests, RequestKind::read)), 100);
}

TEST(GeneratorSource, long_requests_start_on_pages_and_stay_inside_the_data) {
  // 10,000 bytes take 3 pages; 1000 pages hold 333 such slots.
  const auto requests = generate("uniform", {.request_bytes = 10'000, .total_bytes = 10'000 * 5000ULL});
  std::uint64_t last = 0;
  for (const Request& request : requests) {
    EXPECT_EQ(request.length, 10'000U);
    EXPECT_EQ(request.offset % (3 * 4096), 0U);
    last = std::max(last, request.offset);
  }
  EXPECT_EQ(last, 332U * 3 * 4096);
}

TEST(GeneratorSource, short_requests_are_partial_pages) {
  for (const Request& request : generate("sequential", {.request_bytes = 1024, .total_bytes = 4096})) {
    EXPECT_EQ(request.length, 1024U);
    EXPECT_EQ(request.offset % 4096, 0U);
  }
}

TEST(GeneratorSource, more_pages_than_the_device_has_are_refused) {
  EXPECT_EQ(
      refusal([] { generate("uniform", {.pages = 1001}); }),
      "workload.pages: 1001 pages of 4096 bytes do not fit a device of 4096000 bytes (1000 pages); use fewer pages "
      "or a larger part");
}

TEST(GeneratorSource, shares_outside_their_range_are_refused) {
  EXPECT_EQ(refusal([] { generate("uniform", {.read_share = 1.5}); }),
            "workload.read_share: 1.5 is not between 0 and 1");
  EXPECT_EQ(refusal([] { generate("uniform", {.hot_access = -1}); }), "workload.hot_access: -1 is not between 0 and 1");
}

TEST(GeneratorSource, nothing_left_to_write_is_refused) {
  EXPECT_EQ(refusal([] { generate("uniform", {.read_share = 0.5, .read_only_share = 1}); }),
            "workload.read_only_share: 1 leaves no page to write; use a smaller share, or read_share = 1");
}

TEST(GeneratorSource, request_larger_than_the_data_is_refused) {
  EXPECT_EQ(refusal([] { generate("uniform", {.pages = 2, .request_bytes = 8193}); }),
            "workload.request_bytes: one request of 8193 bytes is larger than the 2 pages of data; use "
            "smaller requests or more data");
}

}  // namespace
}  // namespace ftlab::workloads
