// Names a case of a storm so that it can be repeated exactly: layer, whether faults were on, the seed, and the losses
// that led to it. "fms-nor/17/212:half/3:none" is: at the 212th change of the script torn half-way, then at the third
// change after the mount not begun.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fixtures/emulated_flash.h"

namespace ftlab::tests {

struct Loss {
  std::uint32_t change = 0;
  TornWrite torn = TornWrite::none;
};

struct CaseId {
  std::string layer;  ///< "+faults" behind it: with faults
  std::uint64_t seed = 0;
  std::vector<Loss> losses;
};

inline constexpr std::string_view kTornWriteNames[] = {"none", "half", "tail", "random", "whole"};

inline std::string to_string(const CaseId& id) {
  std::string text = id.layer;
  text.append("/").append(std::to_string(id.seed));
  for (const Loss& loss : id.losses) {
    text.append("/").append(std::to_string(loss.change));
    text.append(":").append(kTornWriteNames[static_cast<std::size_t>(loss.torn)]);
  }
  return text;
}

inline std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::optional<Loss> loss_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto change = number_in(text.substr(0, colon));
  if (!change) return std::nullopt;
  for (std::size_t i = 0; i < std::size(kTornWriteNames); ++i)
    if (text.substr(colon + 1) == kTornWriteNames[i]) return Loss{static_cast<std::uint32_t>(*change), kTornWrites[i]};
  return std::nullopt;
}

/// Null when it is no such name.
inline std::optional<CaseId> parse_case(std::string_view text) {
  CaseId id;
  for (int part = 0; !text.empty(); ++part) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view piece = text.substr(0, slash);
    text.remove_prefix(std::min(slash + 1, text.size()));
    if (part == 0) {
      id.layer = piece;
    } else if (part == 1) {
      const auto seed = number_in(piece);
      if (!seed) return std::nullopt;
      id.seed = *seed;
    } else {
      const auto loss = loss_in(piece);
      if (!loss) return std::nullopt;
      id.losses.push_back(*loss);
    }
  }
  return id.layer.empty() ? std::nullopt : std::optional(id);
}

}  // namespace ftlab::tests
