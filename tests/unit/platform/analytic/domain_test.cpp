// Every input outside its domain is refused with the reason, every other one has a value.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

using test::refusal;

const Inputs kGood{.spare_factor = 0.1,
                   .pages_per_segment = 64,
                   .access = {0.9, 0.1},
                   .data = {0.05, 0.95},
                   .split = {0.4, 0.6},
                   .d = 10};

/// The refusal of each model that takes the input, all the same.
void expect_refused(const InputRow& row, const Inputs& inputs, const std::string& text) {
  int models_asked = 0;
  for (const Model* model : models()) {
    if (std::ranges::find(model->needs, &row) == model->needs.end()) continue;
    EXPECT_EQ(refusal(model->name, inputs), text) << model->name;
    ++models_asked;
  }
  EXPECT_GT(models_asked, 0);
}

template <class T>
Inputs with(T Inputs::*member, const T& value) {
  Inputs inputs = kGood;
  inputs.*member = value;
  return inputs;
}

TEST(Domain, spare_factor_lies_between_0_and_1) {
  expect_refused(kSpareFactor, with(&Inputs::spare_factor, std::numeric_limits<double>::quiet_NaN()),
                 "spare_factor: is missing; give a number above 0 and below 1");
  for (const auto& [value, text] : {std::pair{0., "0"}, {1., "1"}, {-0.1, "-0.1"}, {1.5, "1.5"}, {HUGE_VAL, "inf"}}) {
    expect_refused(kSpareFactor, with(&Inputs::spare_factor, value),
                   std::string("spare_factor: ") + text + " is out of range; give a number above 0 and below 1");
  }
}

TEST(Domain, whole_numbers_are_given_and_not_too_large) {
  expect_refused(kPagesPerSegment, with(&Inputs::pages_per_segment, std::uint64_t{0}),
                 "pages_per_segment: is missing; give a whole number from 1 to 1000000");
  expect_refused(kPagesPerSegment, with(&Inputs::pages_per_segment, std::uint64_t{1'000'001}),
                 "pages_per_segment: 1000001 is out of range; give a whole number from 1 to 1000000");
  expect_refused(kD, with(&Inputs::d, std::uint64_t{0}), "d: is missing; give a whole number from 1 to 1000000000");
  expect_refused(kD, with(&Inputs::d, std::uint64_t{2'000'000'000}),
                 "d: 2000000000 is out of range; give a whole number from 1 to 1000000000");
  expect_refused(kDataSegments, with(&Inputs::data_segments, std::uint64_t{0}),
                 "data_segments: is missing; give a whole number from 1 to 1000000000000000");
}

TEST(Domain, shares_lie_between_0_and_1_and_sum_to_1) {
  using List = std::vector<double>;
  for (const auto& [row, member] :
       {std::pair{&kAccess, &Inputs::access}, {&kData, &Inputs::data}, {&kSplit, &Inputs::split}}) {
    const std::string key = std::string(row->name) + ": ";
    expect_refused(*row, with(member, List{}), key + "is missing; give a share from 0 to 1 for each class");
    expect_refused(*row, with(member, List{1.5, -0.5}), key + "1.5 is out of range; give shares from 0 to 1");
    expect_refused(*row, with(member, List{-0.5, 0.5}), key + "-0.5 is out of range; give shares from 0 to 1");
    expect_refused(*row, with(member, List{NAN, 0.5}), key + "nan is out of range; give shares from 0 to 1");
    expect_refused(*row, with(member, List{0.4, 0.5}), key + "the shares sum to 0.9; they must sum to 1");
    expect_refused(*row, with(member, List{0.6, 0.40001}), key + "the shares sum to 1.00001; they must sum to 1");
  }
}

TEST(Domain, lists_have_equal_lengths) {
  expect_refused(kData, with(&Inputs::data, {0.2, 0.3, 0.5}),
                 "data: the number of classes is 3, but 2 in access; give a share for each class in both");
  expect_refused(kSplit, with(&Inputs::split, {1.}),
                 "split: the number of classes is 1, but 2 in access; give a share for each class in both");
}

TEST(Domain, every_class_has_data) {
  expect_refused(kData, with(&Inputs::data, {1., 0.}), "data: class 2 has no data; give every class a share above 0");
  expect_refused(kData, with(&Inputs::data, {0.}), "data: class 1 has no data; give every class a share above 0");
}

TEST(Domain, hot_and_cold_are_two_classes) {
  Inputs inputs = kGood;
  inputs.access = {0.5, 0.3, 0.2};
  inputs.data = {0.2, 0.3, 0.5};
  for (const char* model : {"lru_hotcold", "greedy_hotcold", "cat_linear", "cat_log2"}) {
    EXPECT_EQ(refusal(model, inputs),
              std::string("data: ") + model + " takes 2 classes, not 3; give as many, or use a model of any number");
  }
}

TEST(Domain, equation_11_holds_while_victims_are_neither_full_nor_emptier_than_empty) {
  for (const char* model : {"greedy", "optimal_split", "cat_linear", "cat_log2", "marginal"}) {
    EXPECT_EQ(refusal(model, with(&Inputs::spare_factor, 0.9)),
              "spare_factor: 0.9 is above 0.7942, where Eq. 11 ends for 64 pages per segment (victims would hold fewer "
              "than no valid pages); greedy_exact has no such bound");
    EXPECT_EQ(refusal(model, with(&Inputs::spare_factor, 1e-6)),
              "spare_factor: 1e-06 is below 2.035e-05, where Eq. 11 ends for 64 pages per segment (victims would hold "
              "nothing but valid pages); greedy_exact has no such bound");
    EXPECT_EQ(refusal(model, with(&Inputs::pages_per_segment, std::uint64_t{1})),
              "pages_per_segment: 1 is below the domain of Eq. 11, which needs at least 2; greedy_exact takes 1");
  }
  EXPECT_THAT(refusal("greedy_hotcold", with(&Inputs::spare_factor, 0.99)),
              testing::StartsWith("spare_factor: 0.99 is outside the domain of Eq. 16, which for 64 pages per segment "
                                  "gives 0.9922505 instead of a value from 1 to 64; use a smaller spare_factor"));
  EXPECT_THAT(refusal("greedy_hotcold", with(&Inputs::spare_factor, 1e-6)), testing::HasSubstr("use a larger"));
}

/// A number between 10^from and 10^to whose magnitude is drawn evenly.
double magnitude(std::mt19937_64& random, double from, double to) {
  return std::pow(10, std::uniform_real_distribution<double>(from, to)(random));
}

std::vector<double> shares(std::mt19937_64& random, std::size_t count, bool with_zeros) {
  std::vector<double> all(count);
  double sum = 0;
  for (double& share : all) {
    share = with_zeros && random() % 8 == 0 ? 0 : magnitude(random, -9, 0);
    sum += share;
  }
  if (sum == 0) sum = all[0] = 1;
  for (double& share : all) share /= sum;
  return all;
}

TEST(Domain, anything_else_has_a_finite_value_or_a_reason) {
  std::mt19937_64 random(1);
  constexpr double kSpareFactors[] = {1e-300, 1e-12, 1e-6, 0.5, 0.999, 1 - 1e-16};
  constexpr std::uint64_t kPages[] = {1, 2, 3, 64, 1000, 100'000};
  int values = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t classes = 1 + random() % 4;
    const Inputs inputs{
        .spare_factor = random() % 4 == 0 ? kSpareFactors[random() % 6] : std::min(magnitude(random, -7, 0), 0.9999999),
        .pages_per_segment = kPages[random() % 5 + (i % 500 == 0 ? 1 : 0)],
        .access = shares(random, classes, true),
        .data = shares(random, classes, false),
        .split = shares(random, classes, true),
        .d = static_cast<std::uint64_t>(magnitude(random, 0, 9)),
        .data_segments = static_cast<std::uint64_t>(magnitude(random, 0, 15))};
    const Model* model = models()[random() % models().size()];
    if (model->name == "d_choices" && i % 20 != 0) continue;  // the slow one
    try {
      const Result result = evaluate(*model, inputs);
      ++values;
      const bool is_cost = model->name == "marginal";
      EXPECT_TRUE(std::isfinite(result.value)) << model->name;
      EXPECT_GE(result.value, is_cost ? 0 : 1 - 1e-12) << model->name;
      for (const Detail& detail : result.details) {
        for (const double one : detail.values) EXPECT_TRUE(std::isfinite(one)) << model->name << " " << detail.name;
      }
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(values, 5000);
}

}  // namespace
}  // namespace ftlab::analytic
