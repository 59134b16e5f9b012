#include "workloads/traces/mapping/compact.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/workloads/support.h"
#include "tests/unit/workloads/traces/mapping/map_support.h"

namespace ftlab::workloads {
namespace {

using test::make_map;
using test::misfit;
using test::pieces;
using test::text;

constexpr std::uint32_t kPage = 1024;

TraceRecord pages(std::uint64_t first, std::uint64_t count, std::uint32_t device = 0) {
  return {.offset = first * kPage, .length = count * kPage, .device = device};
}

TEST(Compact, numbers_pages_in_the_order_of_first_touch) {
  const auto map = make_map({.page_bytes = kPage}, 8 * kPage);
  EXPECT_EQ(text(pieces(*map, pages(500, 2))), "0+2048");
  EXPECT_EQ(text(pieces(*map, pages(7, 1))), "2048+1024");
  EXPECT_EQ(text(pieces(*map, pages(501, 1))), "1024+1024") << "touched before: same place";
  EXPECT_EQ(text(pieces(*map, pages(500, 1, 9))), "3072+1024") << "another device is another page";
}

TEST(Compact, breaks_a_record_where_its_pages_do_not_lie_side_by_side) {
  const auto map = make_map({.page_bytes = kPage}, 8 * kPage);
  pieces(*map, pages(11, 1));
  EXPECT_EQ(text(pieces(*map, pages(10, 3))), "1024+1024 0+1024 2048+1024");
}

TEST(Compact, keeps_the_place_inside_the_page) {
  const auto map = make_map({.page_bytes = kPage}, 8 * kPage);
  pieces(*map, pages(3, 1));
  EXPECT_EQ(text(pieces(*map, {.offset = 3 * kPage + 300, .length = 100})), "300+100");
  EXPECT_EQ(text(pieces(*map, {.offset = 3 * kPage + 1000, .length = 1100})), "1000+1100");
}

TEST(Compact, more_pages_than_the_device_has_are_refused) {
  const auto map = make_map({.page_bytes = kPage}, 2 * kPage + 5);
  pieces(*map, pages(0, 2));
  EXPECT_EQ(text(pieces(*map, pages(1, 1))), "1024+1024") << "known pages still go on";
  EXPECT_EQ(misfit(*map, pages(2, 1)),
            "the trace touches more than 2 pages of 1024 bytes, which is all that the device has");
}

TEST(Compact, trim_frees_known_pages_and_touches_none) {
  const auto map = make_map({.page_bytes = kPage}, 3 * kPage);
  pieces(*map, pages(5, 1));
  pieces(*map, pages(900, 1));
  TraceRecord trim{.offset = 0, .length = 1ULL << 50, .kind = RequestKind::trim};
  EXPECT_EQ(text(pieces(*map, trim)), "0+2048");
  trim = {.offset = 900 * kPage + 24, .length = 1000, .kind = RequestKind::trim};
  EXPECT_EQ(text(pieces(*map, trim)), "1048+1000");
  EXPECT_EQ(text(pieces(*map, pages(6, 1))), "2048+1024") << "the trims took no place";
}

TEST(Compact, sample_keeps_a_page_always_or_never) {
  const auto map = make_map({.page_bytes = kPage, .write_scale = 0.25}, 10'000 * kPage);
  std::set<std::uint64_t> kept;
  for (std::uint64_t page = 0; page < 10'000; ++page) {
    if (!pieces(*map, pages(page, 1)).empty()) kept.insert(page);
  }
  EXPECT_NEAR(static_cast<double>(kept.size()), 2500, 4 * 43.3);
  for (std::uint64_t page = 0; page < 10'000; ++page) {
    EXPECT_EQ(!pieces(*map, pages(page, 1)).empty(), kept.contains(page));
  }
}

TEST(CompactScattered, places_are_a_permutation_of_the_device_chosen_by_the_seed) {
  constexpr std::uint64_t kPages = 500;
  const auto places = [](std::uint64_t seed) {
    const auto map = make_map({.address = "compact_scattered", .page_bytes = kPage}, kPages * kPage, seed);
    std::vector<std::uint64_t> all;
    for (std::uint64_t page = 0; page < kPages; ++page)
      all.push_back(pieces(*map, pages(page, 1)).front().offset / kPage);
    return all;
  };
  const auto first = places(1);
  EXPECT_EQ(std::set<std::uint64_t>(first.begin(), first.end()).size(), kPages);
  EXPECT_LT(*std::ranges::max_element(first), kPages);
  EXPECT_FALSE(std::ranges::is_sorted(first));
  EXPECT_EQ(first, places(1));
  EXPECT_NE(first, places(2));
}

TEST(AddressMaps, settings_that_make_no_sense_are_refused) {
  const auto refused = [](const TraceConfig& config) { return test::refusal([&] { make_map(config, 8 * kPage); }); };
  EXPECT_EQ(refused({.address = "hash"}),
            "workload.address: \"hash\" is no address mapping; known are compact, compact_scattered, modulo, "
            "scaled, direct");
  EXPECT_EQ(refused({.page_bytes = 9000}), "workload.page_bytes: a device of 8192 bytes holds no page of 9000 bytes");
  EXPECT_EQ(refused({.page_bytes = kPage, .write_scale = 0}), "workload.write_scale: 0 is not above 0");
  EXPECT_EQ(
      refused({.address = "modulo", .page_bytes = kPage, .write_scale = 0.5}),
      "workload.write_scale: below 1 it keeps scattered pages of the trace, which address = \"modulo\" does not pack; "
      "use compact");
}

}  // namespace
}  // namespace ftlab::workloads
