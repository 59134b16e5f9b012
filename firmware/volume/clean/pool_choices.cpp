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

std::span<const PoolChoiceEntry> pool_choices() { return kPoolChoices; }

}  // namespace ftlab::volume
