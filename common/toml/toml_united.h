// Texts that stand for numbers: "16KiB" where a key counts bytes. For this folder only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/toml/toml_tree.h"

namespace ftlab::spec {

template <class T>
struct Bounds {
  T min;
  T max;
};

/// In the key's unit. Throws InputError for another kind of unit, no whole number of the unit, or one out of range.
std::int64_t whole_of_text(const TomlTree& tree, std::string_view key, const toml::node& text,
                           const Bounds<std::int64_t>& bounds, const KeyUnit& unit);
double number_of_text(const TomlTree& tree, std::string_view key, const toml::node& text, const Bounds<double>& bounds,
                      const KeyUnit& unit);

/// A text that is a number with something behind it.
bool is_written(const toml::node& text);

/// "from 0.1 to 0.9", "at least 0".
std::string number_range_text(double min, double max);

}  // namespace ftlab::spec
