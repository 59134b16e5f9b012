// The one table of study parameters. Listing, template, validation, messages and resolved configuration come from it.
// Knows names, units, ranges, defaults and the field of Study; nothing of what a value does.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/fields.h"
#include "platform/study/study.h"

namespace ftlab::platform {

enum class ParamType : std::uint8_t { boolean, integer, number, text, text_list, number_list, choice, path };
std::string_view name_of(ParamType type);

/// Integers are never negative here.
using ParamValue =
    std::variant<bool, std::uint64_t, double, std::string, std::vector<std::string>, std::vector<double>>;

/// A key has one of the values, written "a|b"; of a list of numbers, any that is not empty: "[N, ...]"; of a
/// number, any above 0: "N".
struct Condition {
  std::string key;  ///< dotted
  std::string values;
  std::vector<Condition> others = {};  ///< or one of these holds
  std::string firmware = {};           ///< asked of studies with this one, or one of "a|b", alone; empty: of all

  bool operator==(const Condition&) const = default;
};

/// A firmware that shares a key with others, and what it takes.
struct KeySharer {
  std::string firmware;
  std::vector<std::string> choices;
  std::string fallback;  ///< its value unless given
  double min = 0;        ///< integer and number
  double max = std::numeric_limits<double>::infinity();
};

/// What a key was called, by the firmware that had it.
struct FormerKey {
  std::string key;       ///< dotted
  std::string firmware;  ///< empty: all
};

struct Param {
  std::string key;  ///< dotted
  ParamType type = ParamType::text;
  std::string unit;  ///< empty: none
  std::string bare;  ///< the key without the unit in its name: takes values that have one; empty: none
  double min = 0;    ///< integer and number
  double max = std::numeric_limits<double>::infinity();
  std::string fallback;                ///< default as TOML; empty: the key may be absent, see help
  std::string help;                    ///< one sentence, no full stop
  std::vector<std::string> choices;    ///< choice; number: the word that may stand in its place
  bool unpublished = false;            ///< the papers use such a value and do not give it: experiments vary it
  std::vector<Condition> counts_with;  ///< all must hold, else the key has no effect
  std::string table;                   ///< of its key; empty: the top level
  std::string family;                  ///< only parts of this family know it; empty: all
  std::vector<KeySharer> shared_by;    ///< the firmwares that know it, of a key that some share
  std::vector<FormerKey> formerly;     ///< other names that studies may still use
  std::function<void(Study&, const ParamValue&)> write;
  std::function<ParamValue(const Study&)> read;  ///< empty: not part of the resolved configuration
};

/// All parameters, tables together and in the order of the study template.
const std::vector<Param>& params();
/// nullptr when there is none.
const Param* find_param(std::string_view key);

/// The value of the study is what its firmware has unless the key is given. False for parameters without one.
bool is_default(const Param& param, const Study& study);

/// "[part_overrides]" and its like: free tables, with one line of help.
struct FreeTable {
  std::string_view name;
  std::string_view help;
  std::string_view example;
};
std::span<const FreeTable> free_tables();
/// What a [table] of the study is about; the empty name is the top level.
std::string_view table_help(std::string_view table);

/// Throws InputError for a value, other than the default, of a key that only parts of another family know.
void refuse_other_families(const Study& study, std::string_view family);

/// Range or choices for people: "0.05 .. 0.99", "greedy | cost_benefit | cat", "" when anything goes.
std::string range_text(const Param& param);

/// What texts a key takes for a number: none where it has no unit and is no share.
std::string_view written_unit(const Param& param);
/// A value with unit, as a study could hold: "4KiB", "15 %", "12 segments"; empty where the key takes none.
std::string written_example(const Param& param);

/// A study with every key, its help and its default.
std::string study_template();

}  // namespace ftlab::platform
