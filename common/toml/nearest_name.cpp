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
  // Exclusive. More than a third of the letters is no slip of the hand: "title" is not nearly "idle".
  std::size_t best_distance = std::max<std::size_t>(wrong.size() / 3, 1) + 1;
  const std::string mine = lower(wrong);
  for (const std::string& name : known) {
    if (std::max(mine.size(), name.size()) - std::min(mine.size(), name.size()) >= best_distance) continue;
    const std::string other = lower(name);
    // Most names differ in more letters than a slip of the hand takes.
    if (least_distance(mine, other) >= best_distance) continue;
    const std::size_t d = distance(mine, other);
    if (d < best_distance && d < wrong.size()) {
      best_distance = d;
      best = name;
    }
  }
  return best;
}

namespace {

std::string_view last_name(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string_view table_of(std::string_view key) { return key.substr(0, key.size() - last_name(key).size()); }

/// By the last name alone.
std::string nearest_by_last_name(std::string_view wrong, const std::vector<std::string>& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const std::string& key : known) names.emplace_back(last_name(key));
  const std::string near = nearest_name(last_name(wrong), names);
  if (near.empty()) return {};
  return known[static_cast<std::size_t>(std::find(names.begin(), names.end(), near) - names.begin())];
}

}  // namespace

std::string nearest_key(std::string_view wrong, const std::vector<std::string>& known) {
  // Within a table its name, which is right, makes no key nearer.
  std::vector<std::string> beside, elsewhere;
  for (const std::string& key : known) (table_of(key) == table_of(wrong) ? beside : elsewhere).push_back(key);
  std::string near = nearest_by_last_name(wrong, beside);
  if (near.empty()) near = nearest_name(wrong, elsewhere);
  return near.empty() ? nearest_by_last_name(wrong, elsewhere) : near;
}

}  // namespace ftlab::spec
