#include "workloads/generators/classes.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

std::vector<std::uint32_t> counts(std::vector<double> access, std::vector<double> data, std::uint32_t slots,
                                  std::size_t draws) {
  GeneratorConfig config;
  config.class_access = std::move(access);
  config.class_data = std::move(data);
  const SlotSet set{slots, {}};
  const auto pattern = make_classes(set, config, 1, 2);
  std::vector<std::uint32_t> drawn(draws);
  pattern->draw(drawn);
  std::vector<std::uint32_t> count(slots);
  for (const std::uint32_t slot : drawn) ++count.at(slot);
  return count;
}

std::string refused(std::vector<double> access, std::vector<double> data) {
  return test::refusal([&] { counts(std::move(access), std::move(data), 100, 1); });
}

TEST(Classes, each_class_gets_its_accesses_and_the_rest_none) {
  // Per slot: hot 60 %/50 slots, warm 30 %/200 slots, frozen 10 %/250 slots, 500 slots in no class.
  constexpr std::size_t kDraws = 500'000;
  const auto count = counts({0.6, 0.3, 0.1}, {0.05, 0.2, 0.25}, 1000, kDraws);
  EXPECT_EQ(std::ranges::count(count, 0U), 500);
  const auto in_class = [](std::uint32_t low, std::uint32_t high) {
    return [low, high](std::uint32_t n) { return n > low && n < high; };
  };
  EXPECT_EQ(std::ranges::count_if(count, in_class(4000, 8000)), 50);
  EXPECT_EQ(std::ranges::count_if(count, in_class(500, 1000)), 200);
  EXPECT_EQ(std::ranges::count_if(count, in_class(100, 350)), 250);
}

TEST(Classes, lists_of_different_length_are_refused) {
  EXPECT_EQ(refused({0.5, 0.5}, {1}),
            "workload.class_access: 2 classes, but workload.class_data has 1; name a share of both for every class");
}

TEST(Classes, access_shares_that_do_not_sum_to_one_are_refused) {
  EXPECT_EQ(refused({0.5, 0.4}, {0.5, 0.5}), "workload.class_access: the shares sum to 0.9 instead of 1");
}

TEST(Classes, more_data_than_there_is_is_refused) {
  EXPECT_EQ(refused({0.5, 0.5}, {0.7, 0.5}), "workload.class_data: the shares sum to 1.2, more than all data");
}

TEST(Classes, class_without_a_page_is_refused) {
  EXPECT_EQ(refused({0.5, 0.5}, {0.001, 0.5}),
            "workload.class_data: class 1 of 0.001 of 100 pages has no page; use larger shares");
}

}  // namespace
}  // namespace ftlab::workloads
