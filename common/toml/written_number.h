// Numbers as people write them: with a unit behind. Knows spellings and factors; nothing of TOML or of keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::spec {

/// "16KiB", "15 %", "20 MiB/h": a finite number and what stands behind it.
struct WrittenNumber {
  double value = 0;
  std::string_view unit;  ///< a part of the text; never empty, and not looked up
};
/// nullopt when the text is no number with something behind it.
std::optional<WrittenNumber> written_number(std::string_view text);

/// What may stand behind a number that counts in a unit. A plain number ("1") has "%"; of two units ("MiB/h") each may
/// be another of its kind; a counting word ("segments") has itself alone.
std::vector<std::string> spellings_of(std::string_view unit);

/// The number in the unit `wanted`; nullopt when its own is no spelling of that.
std::optional<double> value_in(std::string_view wanted, const WrittenNumber& number);

/// How much of the unit `wanted` one of a spelling of it is, exactly: "1024", "1/1000", "3600/1024".
std::string factor_text(std::string_view spelling, std::string_view wanted);

}  // namespace ftlab::spec
