// What holds for every registered policy, whatever it does: a new one is held to it without an edit here.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

template <class F>
void for_each_policy(F&& f) {
  for (const PolicyFamily& family : policy_families())
    for (const PolicyEntry& entry : family.members) f(family, entry);
}

/// The value of a parameter that is a number.
std::optional<double> in_unit_of_key(const FieldText& field, const void* at) {
  switch (field.type) {
    case FieldType::u32:
      return *static_cast<const std::uint32_t*>(at);
    case FieldType::u64:
    case FieldType::scaled:
      return static_cast<double>(*static_cast<const std::uint64_t*>(at)) / field.scale;
    case FieldType::number:
      return *static_cast<const double*>(at);
    default:
      return std::nullopt;
  }
}

TEST(EveryPolicy, has_a_name_of_its_own_in_its_family_and_a_sentence) {
  for_each_policy([](const PolicyFamily& family, const PolicyEntry& entry) {
    EXPECT_TRUE(std::ranges::all_of(entry.name, [](char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    })) << entry.name;
    EXPECT_GT(entry.help.size(), 10U) << entry.name;
    EXPECT_NE(entry.help.back(), '.') << entry.name;
    EXPECT_EQ(family.members.find(entry.name), &entry);
  });
  EXPECT_EQ(selections().find("gready"), nullptr);
}

TEST(EveryPolicy, is_listed_by_its_own_name) {
  const auto check = [](const auto& list, const auto& files) {
    ASSERT_EQ(list.size(), std::size(files));
    for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i].name, files[i]);
  };
  check(triggers(), kTriggerFiles);
  check(selections(), kSelectionFiles);
  check(redistributions(), kRedistributionFiles);
  check(placements(), kPlacementFiles);
  check(wear_levelers(), kWearLevelingFiles);
  check(separations(), kSeparationFiles);
  check(pool_choices(), kPoolChoiceFiles);
}

TEST(EveryPolicy, has_parameters_with_keys_of_their_own_sentences_and_defaults_in_range) {
  std::set<std::string_view> keys;
  PolicyParams params;
  for_each_policy([&](const PolicyFamily&, const PolicyEntry& entry) {
    EXPECT_EQ(entry.fields.empty(), entry.fill == nullptr) << entry.name;
    for (const Field<ParamBlock>& field : entry.fields) {
      EXPECT_TRUE(keys.insert(field.name).second) << field.name << " twice";
      EXPECT_GT(field.help.size(), 10U) << field.name;
      const auto value = in_unit_of_key(field, field.at(params.of(entry)));
      if (!value) continue;
      EXPECT_GE(*value, field.min) << field.name;
      EXPECT_LE(*value, field.max) << field.name;
    }
  });
}

TEST(EveryPolicy, has_parameters_that_no_other_policy_sees) {
  for_each_policy([](const PolicyFamily&, const PolicyEntry& entry) {
    for (const Field<ParamBlock>& field : entry.fields) {
      PolicyParams params;
      const PolicyParams before;
      ASSERT_TRUE(params.set(field.name, 1)) << field.name;
      for_each_policy([&](const PolicyFamily&, const PolicyEntry& other) {
        if (&other == &entry) return;
        EXPECT_EQ(params.of(other).bytes, before.of(other).bytes) << field.name;
      });
    }
  });
  PolicyParams params;
  EXPECT_FALSE(params.set("swap_never", 1));
  EXPECT_EQ(params.get("swap_never"), std::nullopt);
  ASSERT_TRUE(params.set("candidates", 7));
  EXPECT_EQ(params.get("candidates"), 7U);
}

TEST(EveryPolicy, uses_shared_keys_that_exist_and_are_no_policys_own) {
  std::set<std::string_view> shared;
  for (const Field<SharedParams>& field : kSharedFields) shared.insert(field.name);
  std::set<std::string_view> used;
  for_each_policy([&](const PolicyFamily&, const PolicyEntry& entry) {
    for (const std::string_view key : entry.uses) EXPECT_TRUE(shared.contains(key)) << entry.name << " uses " << key;
    used.insert(entry.uses.begin(), entry.uses.end());
    for (const Field<ParamBlock>& field : entry.fields) EXPECT_FALSE(shared.contains(field.name)) << field.name;
  });
  EXPECT_EQ(used, shared) << "a key that no policy uses";
}

TEST(EverySelectionThatDoesNotDraw, uses_the_key_of_ties) {
  for (const SelectionEntry& entry : selections()) EXPECT_TRUE(entry.by_chance || entry.uses_key("ties")) << entry.name;
}

TEST(EverySelectionWithLists, takes_as_much_memory_for_them_as_it_measures) {
  const PolicyParams params;
  for (const SelectionEntry& entry : selections()) {
    if (!entry.listed.exists()) continue;
    std::vector<std::max_align_t> memory(1000);
    Arena arena(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(std::max_align_t));
    ListedSegments segments;
    segments.layout(arena, {8, 2, entry.listed.bins(31), entry.listed.sort_by_valid});
    const std::size_t before = arena.used();
    Arena measure(nullptr, 0);
    EXPECT_EQ(entry.listed.make(measure, {segments, 1, 4, 31, 1, 2}, params.of(entry)), nullptr) << entry.name;
    EXPECT_NE(entry.listed.make(arena, {segments, 1, 4, 31, 1, 2}, params.of(entry)), nullptr) << entry.name;
    EXPECT_NEAR(static_cast<double>(arena.used() - before), static_cast<double>(measure.used()), 16) << entry.name;
  }
}

class Memory : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(EveryPolicy, Memory, testing::Values(kUsualExponent, kExponentSteps));

TEST_P(Memory, is_as_much_as_it_measures) {
  PolicyFixture fixture(8, 31, 10);
  const PolicySetup setup{fixture.geometry, 31, 10, {.ties = Ties::lowest_index, .age_exponent = GetParam()}};
  const PolicyParams params;
  const auto check = [&](const auto& list) {
    for (const auto& entry : list) {
      Arena measure(nullptr, 0);
      EXPECT_EQ(entry.make(measure, setup, params.of(entry)), nullptr) << entry.name;
      std::vector<std::max_align_t> memory(measure.used() / sizeof(std::max_align_t) + 1);
      Arena arena(reinterpret_cast<std::byte*>(memory.data()), measure.used());
      EXPECT_NE(entry.make(arena, setup, params.of(entry)), nullptr) << entry.name;
      EXPECT_EQ(arena.used(), measure.used()) << entry.name;
      EXPECT_TRUE(arena.fits()) << entry.name;
    }
  };
  check(triggers());
  check(selections());
  check(redistributions());
  check(placements());
  check(wear_levelers());
  check(separations());
  check(pool_choices());
}

TEST(PolicyParams, keep_the_initialisers_of_their_members) {
  const PolicyParams params;
  const PolicyEntry& swap = wear::swap;
  ParamBlock block = params.of(swap);
  EXPECT_EQ(*static_cast<std::uint64_t*>(swap.fields[0].at(block)), 900'000U);
  EXPECT_EQ(*static_cast<std::uint32_t*>(swap.fields[1].at(block)), 64U);
}

}  // namespace
}  // namespace ftlab::tests
