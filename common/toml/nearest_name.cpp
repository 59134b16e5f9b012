// Spelling help: optimal string alignment distance (insert, delete, replace, swap neighbours), letter case ignored.
#include <algorithm>
#include <array>
#include <cctype>

#include "common/toml/toml_file.h"

namespace ftlab::spec {
namespace {

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Never more than the distance, and quickly found: letters that one has and the other has not.
std::size_t least_distance(std::string_view a, std::string_view b) {
  std::array<int, 256> surplus{};
  for (const char c : a) ++surplus[static_cast<unsigned char>(c)];
  for (const char c : b) --surplus[static_cast<unsigned char>(c)];
  std::size_t more = 0;
  for (const int count : surplus) more += static_cast<std::size_t>(std::max(count, 0));
  return std::max(more, more + b.size() - a.size());
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char ca = a[i - 1];
      const char cb = b[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (ca == cb ? 0U : 1U)});
      if (i > 1 && j > 1 && ca == b[j - 2] && a[i - 2] == cb) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known) {
  // Nothing that long is a misspelt name; comparing it would only cost time.
  constexpr std::size_t kLongestName = 200;
  if (wrong.empty() || wrong.size() > kLongestName) return {};
  std::string best;
  std::size_t best_distance = wrong.size() < 4 ? 2 : 3 + (wrong.size() - 4) / 4;  // exclusive bound
  const std::string mine = lower(wrong);
  for (const std::string& name : known) {
    if (std::max(mine.size(), name.size()) - std::min(mine.size(), name.size()) >= best_distance) continue;
    const std::string other = lower(name);
    // Most names differ in more letters than a slip of the hand takes.
    if (least_distance(mine, other) >= best_distance) continue;
    const std::size_t d = distance(mine, other);
    // Replacing every other letter is no slip of the hand: "nope" is not nearly "name", nor "X" nearly "Q".
    if (d < best_distance && 2 * d < std::max<std::size_t>(wrong.size(), 3) && d < wrong.size()) {
      best_distance = d;
      best = name;
    }
  }
  return best;
}

std::string nearest_last_name(std::string_view wrong, const std::vector<std::string>& known) {
  const auto last = [](std::string_view key) { return key.substr(key.rfind('.') + 1); };
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const std::string& key : known) names.emplace_back(last(key));
  const std::string near = nearest_name(last(wrong), names);
  if (near.empty()) return {};
  return known[static_cast<std::size_t>(std::find(names.begin(), names.end(), near) - names.begin())];
}

}  // namespace ftlab::spec
