// The table of models.
#include "platform/analytic/model.h"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

TEST(Models, are_found_by_their_names) {
  std::set<std::string_view> names;
  for (const Model* model : models()) {
    EXPECT_EQ(find_model(model->name), model);
    EXPECT_TRUE(names.insert(model->name).second) << model->name;
    EXPECT_FALSE(model->help.empty());
    EXPECT_FALSE(model->help.ends_with('.'));
  }
  EXPECT_EQ(find_model("gredy"), nullptr);
}

TEST(Models, need_only_inputs_that_are_listed) {
  std::set<const InputRow*> needed;
  for (const Model* model : models()) needed.insert(model->needs.begin(), model->needs.end());
  EXPECT_THAT(needed, testing::UnorderedElementsAreArray(input_rows()));
}

TEST(Models, details_have_names_of_their_own) {
  const Inputs inputs{.spare_factor = 0.1,
                      .pages_per_segment = 64,
                      .access = {0.9, 0.1},
                      .data = {0.05, 0.95},
                      .split = {0.4, 0.6},
                      .d = 10};
  for (const Model* model : models()) {
    std::set<std::string_view> names{"schema", "version", "model", "inputs", "value"};
    const Result result = evaluate(*model, inputs);
    for (const Detail& detail : result.details) {
      EXPECT_TRUE(names.insert(detail.name).second) << model->name << " " << detail.name;
      EXPECT_EQ(detail.values.size(), detail.per_class ? 2U : 1U) << model->name << " " << detail.name;
    }
    EXPECT_THROW(static_cast<void>(result.detail("nothing")), std::logic_error);
  }
}

TEST(Models, inputs_that_a_model_does_not_need_do_not_matter) {
  const Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 0, .access = {7}, .data = {}};
  EXPECT_EQ(test::value("lru", inputs), test::value("lru", {.spare_factor = 0.1}));
}

TEST(Models, one_share_names_the_first_of_two_classes) {
  const Inputs brief{.spare_factor = 0.1, .access = {0.9}, .data = {0.05}};
  const Inputs full{.spare_factor = 0.1, .access = {0.9, 0.1}, .data = {0.05, 0.95}};
  EXPECT_DOUBLE_EQ(test::value("lru_hotcold", brief), test::value("lru_hotcold", full));
}

TEST(Models, shares_may_be_rounded) {
  const Inputs thirds{.spare_factor = 0.1, .access = {0.3333333, 0.3333333, 0.3333333}, .data = {0.2, 0.3, 0.5}};
  const Inputs exact{.spare_factor = 0.1, .access = {1. / 3, 1. / 3, 1. / 3}, .data = {0.2, 0.3, 0.5}};
  EXPECT_NEAR(test::value("lru_classes", thirds), test::value("lru_classes", exact), 1e-12);
}

}  // namespace
}  // namespace ftlab::analytic
