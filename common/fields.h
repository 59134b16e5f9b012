// Rows that describe the fields of a configuration: name, unit, range, one sentence, and the member itself.
// The default of a key is the member's initialiser, nowhere else. Knows no file syntax and no study; a row lies beside
// the struct it describes, in firmware, too: no heap, nothing runs unless a row is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ftlab {

enum class FieldType : std::uint8_t {
  boolean,
  u32,
  u64,
  scaled,     ///< a whole number kept in a finer unit than the key's
  number,     ///< double
  choice,     ///< an enumeration, by name
  name,       ///< std::string_view of one of a table of names
  text_name,  ///< the same as std::string
  text,       ///< std::string
  path,       ///< std::string: a name, or the path of a file
  texts,      ///< std::vector<std::string>
  numbers,    ///< std::vector<double>
};

/// A member of an enumeration and its name in a study.
template <class Enum>
struct EnumName {
  std::string_view name;
  Enum value;
};

/// The place of a value among the names.
template <class Enum, std::size_t n>
constexpr std::size_t place_of(Enum value, const EnumName<Enum> (&names)[n]) {
  std::size_t i = 0;
  while (names[i].value != value) ++i;
  return i;
}

/// Another key of the same table, or "table.key", that must have one of the values ("a" or "a|b") for this one to
/// count.
struct CountsWith {
  std::string_view key;
  std::string_view values;
};

/// What a row says, whatever the struct.
struct FieldText {
  std::string_view name;
  FieldType type = FieldType::boolean;
  std::string_view unit;
  double min = 0;
  double max = 0;
  std::string_view help;                               ///< one sentence, no full stop
  double scale = 1;                                    ///< scaled: steps of the member in one unit of the key
  std::string_view (*names)(std::size_t i) = nullptr;  ///< choice, name: the i-th; empty behind the last one
  bool unpublished = false;                            ///< a paper uses such a value and does not give it
  CountsWith counts_with{};
  std::string_view former{};  ///< what it was called, in the same table or as "table.key"; empty: nothing else
  std::optional<std::size_t> on_arrays{};  ///< choice: the default on parts of many dies, where it is another one
  bool shared = false;      ///< other firmwares have this key, too, with defaults and ranges of their own
  std::string_view word{};  ///< number: may stand in its place ...
  double word_value = 0;    ///< ... and is kept as this
};

template <class Config>
struct Field : FieldText {
  void* (*at)(Config&) = nullptr;
  std::uint64_t (*get)(const Config&) = nullptr;  ///< choice: index of the member's value among the names
  void (*set)(Config&, std::size_t i) = nullptr;  ///< choice

  [[nodiscard]] constexpr Field or_word(std::string_view text, double value) const {
    Field f = *this;
    f.word = text;
    f.word_value = value;
    return f;
  }
  /// Of each number of a list.
  [[nodiscard]] constexpr Field in_units_of(std::string_view text) const {
    Field f = *this;
    f.unit = text;
    return f;
  }
  [[nodiscard]] constexpr Field not_published() const {
    Field f = *this;
    f.unpublished = true;
    return f;
  }
  [[nodiscard]] constexpr Field is_shared() const {
    Field f = *this;
    f.shared = true;
    return f;
  }
  /// A choice: the `i`-th name is the default on parts of many dies.
  [[nodiscard]] constexpr Field by_default_on_arrays(std::size_t i) const {
    Field f = *this;
    f.on_arrays = i;
    return f;
  }
  [[nodiscard]] constexpr Field formerly(std::string_view key) const {
    Field f = *this;
    f.former = key;
    return f;
  }
  [[nodiscard]] constexpr Field with(std::string_view key, std::string_view values) const {
    Field f = *this;
    f.counts_with = {key, values};
    return f;
  }
};

namespace detail {

template <class Config, class T>
Config config_of(T Config::*);
template <auto Member>
using ConfigOf = decltype(config_of(Member));
template <auto Member>
using TypeOf = std::remove_reference_t<decltype(std::declval<ConfigOf<Member>&>().*Member)>;

template <auto Member>
constexpr Field<ConfigOf<Member>> row(std::string_view name, FieldType type, std::string_view unit, double min,
                                      double max, std::string_view help) {
  Field<ConfigOf<Member>> f;
  f.name = name;
  f.type = type;
  f.unit = unit;
  f.min = min;
  f.max = max;
  f.help = help;
  f.at = [](ConfigOf<Member>& config) -> void* { return &(config.*Member); };
  return f;
}

}  // namespace detail

template <auto Member>
constexpr auto bool_field(std::string_view name, std::string_view help) {
  static_assert(std::is_same_v<detail::TypeOf<Member>, bool>);
  return detail::row<Member>(name, FieldType::boolean, "", 0, 1, help);
}

/// Whole numbers, never negative.
template <auto Member>
constexpr auto integer_field(std::string_view name, std::string_view unit, double min, double max,
                             std::string_view help) {
  using T = detail::TypeOf<Member>;
  static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>);
  return detail::row<Member>(name, sizeof(T) == 4 ? FieldType::u32 : FieldType::u64, unit, min, max, help);
}

/// `steps` of the member make one `unit` of the key: nanoseconds in the firmware, seconds in a study.
template <auto Member>
constexpr auto scaled_field(std::string_view name, std::string_view unit, double steps, double min, double max,
                            std::string_view help) {
  static_assert(std::is_same_v<detail::TypeOf<Member>, std::uint64_t>);
  auto f = detail::row<Member>(name, FieldType::scaled, unit, min, max, help);
  f.scale = steps;
  return f;
}

template <auto Member>
constexpr auto number_field(std::string_view name, std::string_view unit, double min, double max,
                            std::string_view help) {
  static_assert(std::is_same_v<detail::TypeOf<Member>, double>);
  return detail::row<Member>(name, FieldType::number, unit, min, max, help);
}

/// `type`: text, path, texts or numbers; the member must be what that says.
template <auto Member>
constexpr auto other_field(std::string_view name, FieldType type, double min, double max, std::string_view help) {
  return detail::row<Member>(name, type, "", min, max, help);
}

/// An enumeration; `Names` is an array of EnumName.
template <auto Member, auto& Names>
constexpr auto choice_field(std::string_view name, std::string_view help) {
  using Config = detail::ConfigOf<Member>;
  auto f = detail::row<Member>(name, FieldType::choice, "", 0, 0, help);
  f.names = [](std::size_t i) { return i < std::size(Names) ? Names[i].name : std::string_view{}; };
  f.get = [](const Config& config) {
    std::uint64_t i = 0;
    while (i < std::size(Names) && Names[i].value != config.*Member) ++i;
    return i;
  };
  f.set = [](Config& config, std::size_t i) { config.*Member = Names[i].value; };
  return f;
}

/// One of a table of names, which the member keeps; `names`: the i-th, empty behind the last one.
template <auto Member>
constexpr auto name_field(std::string_view name, std::string_view (*names)(std::size_t), std::string_view help) {
  constexpr bool view = std::is_same_v<detail::TypeOf<Member>, std::string_view>;
  auto f = detail::row<Member>(name, view ? FieldType::name : FieldType::text_name, "", 0, 0, help);
  f.names = names;
  return f;
}

/// The same for `Table()`, a span of entries that have a `name`.
template <auto Member, auto Table>
constexpr auto name_field(std::string_view name, std::string_view help) {
  return name_field<Member>(
      name, [](std::size_t i) { return i < Table().size() ? std::string_view(Table()[i].name) : std::string_view{}; },
      help);
}

}  // namespace ftlab
