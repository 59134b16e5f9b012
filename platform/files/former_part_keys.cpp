#include "platform/files/former_part_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

struct Renamed {
  std::string_view former;
  std::string_view key;
};
constexpr std::string_view kRated = "endurance.rated_cycles";
constexpr Renamed kRenamed[] = {{"endurance.rated", kRated}, {"endurance.rated_mlc", kRated}};
// In cycles; a multiple of the rated ones now.
constexpr Renamed kMedian{"endurance.median", "endurance.median_ratio"};

std::string_view key_of_now(std::string_view key) {
  const auto* found = std::ranges::find(kRenamed, key, &Renamed::former);
  return found == std::end(kRenamed) ? key : found->key;
}

/// Without unit; 0 for what is none.
double number_of(const FileOverride& change) {
  const char* end = change.text.data() + change.text.size();
  double number = 0;
  const auto [read, error] = std::from_chars(change.text.data(), end, number);
  return error == std::errc{} && read == end ? number : 0;
}

/// The median in multiples of the rated cycles, which the same changes have to give.
std::string ratio_text(const FileOverride& median, const std::vector<FileOverride>& changes, std::string_view behind) {
  const auto rated = std::ranges::find(changes, kRated, &FileOverride::key);
  const double cycles = number_of(median);
  const double of = rated == changes.end() ? 0 : number_of(*rated);
  if (cycles <= 0 || of <= 0) {
    throw InputError(fmt::format("{}{}{}: is called {} now, and is a multiple of {}; write 10 for ten times as many",
                                 median.origin, behind, median.key, kMedian.key, kRated));
  }
  return fmt::format("{}", cycles / of);
}

void rename_in(spec::TomlFile& part, const std::string& prefix) {
  for (const Renamed& renamed : kRenamed) {
    const std::string former = prefix + std::string(renamed.former);
    const std::string key = prefix + std::string(renamed.key);
    if (!part.has(former)) continue;
    if (part.has(key))
      throw InputError(fmt::format("{}is {} by its former name; keep one of the two", part.where(former), key));
    part.rename(former, key);
  }
}

}  // namespace

void take_former_part_keys(spec::TomlFile& part) {
  rename_in(part, "");
  for (const std::string& profile : part.keys("profiles")) rename_in(part, "profiles." + profile + ".");
  if (part.has(kMedian.former) && part.has(kRated)) {
    const double ratio = part.get_in(kMedian.former, "cycles", 1, 1e9) / part.get_in(kRated, "cycles", 1, 1e9);
    const std::string source = part.get_quantity(kMedian.former).source;
    part.change(kMedian.key, fmt::format("{{ value = {}, unit = \"1\", source = '{}' }}", ratio, source), part.path());
  }
  // Arrays had their rates at the rated cycles.
  if (part.has("errors.codeword_bytes") && !part.has("errors.wear_cycles")) {
    part.change("errors.wear_cycles", "{ value = 0, unit = \"cycles\", source = \"0: the rated cycles\" }",
                part.path());
  }
  // A loss of power spoiled no earlier page.
  if (part.has("errors.codeword_bytes") && !part.has("wordline_pages")) {
    part.change("wordline_pages", "{ value = 1, unit = \"1\", source = \"as without the key\" }", part.path());
    part.change("controller.open_wordlines", "\"lost\"", part.path());
  }
}

std::vector<std::string> take_former_part_keys(std::vector<FileOverride>& changes, std::string_view behind) {
  std::vector<std::string> lines;
  const auto take = [&](FileOverride& change, std::string_view key) {
    if (std::ranges::find(changes, key, &FileOverride::key) != changes.end()) {
      throw InputError(
          fmt::format("{}{}{}: is {} by its former name; keep one of the two", change.origin, behind, change.key, key));
    }
    lines.push_back(fmt::format("{}{}{}: is called {} now", change.origin, behind, change.key, key));
    change.key = key;
  };
  for (FileOverride& change : changes) {
    if (const std::string_view key = key_of_now(change.key); key != change.key) take(change, key);
  }
  for (FileOverride& change : changes) {
    if (change.key != kMedian.former) continue;
    const std::string text = ratio_text(change, changes, behind);
    take(change, kMedian.key);
    lines.back() += fmt::format(", and is a multiple of {}: {}", kRated, text);
    change.text = text;
  }
  return lines;
}

}  // namespace ftlab::platform
