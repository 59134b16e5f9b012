// The table of pool choices: a new one is a file in pools/ and a line here.
#include <array>

#include "firmware/volume/clean/pool_choice.h"
#include "firmware/volume/clean/pools/cat.h"
#include "firmware/volume/clean/pools/greedy.h"
#include "firmware/volume/clean/pools/marginal.h"
#include "firmware/volume/clean/pools/split.h"

namespace ftlab::volume {
namespace {

constexpr std::array kPoolChoices{
    PoolChoiceEntry{"greedy", "the fewest valid pages over all pools", fewest_valid},
    PoolChoiceEntry{"cat_linear", "CAT between the pools' victims, f(age) = age (Eq. 28)", cat_linear},
    PoolChoiceEntry{"cat_log2", "CAT between the pools' victims, f(age) = log2(age) (Eq. 26-27)", cat_log2},
    PoolChoiceEntry{"split", "keeps a fixed division of the spare space (Eq. 20-22)", fixed_split},
    PoolChoiceEntry{"together", "one pool: the selection looks at all segments", fewest_valid},
    PoolChoiceEntry{"marginal", "the least marginal cost (Eq. 29-30)", marginal},
};

}  // namespace

std::string_view pool_choice_name(std::size_t i) {
  return i < kPoolChoices.size() ? kPoolChoices[i].name : std::string_view{};
}

const PoolChoiceEntry* find_pool_choice(std::string_view name) {
  for (const PoolChoiceEntry& entry : kPoolChoices)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace ftlab::volume
