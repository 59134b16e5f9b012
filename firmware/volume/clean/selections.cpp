// The table of selections: a new one is a file in select/ and a line here.
#include <array>

#include "firmware/policy/select/by_valid.h"
#include "firmware/volume/clean/select/d_choices.h"
#include "firmware/volume/clean/select/greedy.h"
#include "firmware/volume/clean/select/lru.h"
#include "firmware/volume/clean/select/windowed_greedy.h"
#include "firmware/volume/clean/selection.h"

namespace ftlab::volume {
namespace {

constexpr auto kOneBin = [](std::uint32_t) { return std::uint32_t{1}; };
constexpr auto kByValid = [](std::uint32_t pages) { return pages + 1; };
/// And one for those that are not looked at.
constexpr auto kWindow = [](std::uint32_t pages) { return pages + 2; };

constexpr std::array kSelections{
    SelectionEntry{fms::kGreedy.name, fms::kGreedy.help, true, kByValid, make_selection<Greedy>},
    SelectionEntry{"lru", "least recently written first", false, kOneBin, make_selection<Lru>},
    SelectionEntry{fms::kWindowedGreedy.name, fms::kWindowedGreedy.help, true, kWindow, make_selection<WindowedGreedy>},
    SelectionEntry{fms::kDChoices.name, fms::kDChoices.help, false, kOneBin, make_selection<DChoices>},
};

}  // namespace

std::span<const SelectionEntry> selections() { return kSelections; }

}  // namespace ftlab::volume
