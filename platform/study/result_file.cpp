// Texts of overrides come back as they were: the documents hold their values, so that only later ones change anything.
#include "platform/study/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/input_error.h"
#include "platform/files/file_document.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;  // of ftlab-result, docs/results.md

/// A value of an override as it stands in a result: strings have lost their quotes, what is no string or number has
/// become its text.
std::string override_text(const ordered_json& value) {
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  const bool toml = text == "true" || text == "false" || text.starts_with('{') || text.starts_with('[') ||
                    text.starts_with("0x") || text.starts_with("0o") || text.starts_with("0b");
  return toml ? text : value.dump();
}

constexpr const char* kOverrides[] = {"part_overrides", "host_overrides", "core_overrides", "scenario_overrides"};

/// What is taken apart here must be tables; keys of a study are checked as those of one.
void check_tables(const ordered_json& config, const std::string& where) {
  if (!config.is_object()) throw InputError(where + ": must be a table; is the file complete?");
  const auto check = [&](const char* name) {
    if (!config.contains(name) || config.at(name).is_object()) return;
    throw InputError(fmt::format("{}.{}: must be a table; is the file complete?", where, name));
  };
  std::ranges::for_each(kOverrides, check);
  check("documents");
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// A result has both keys of what can be said by either; a setting of one takes the place of the other.
ordered_json without_replaced(ordered_json config, std::span<const Setting> settings) {
  struct Ways {
    std::string_view setting;
    std::string_view result;
  };
  constexpr Ways kWays[] = {{"spare_factor", "utilization"}, {"firmware", "update"}, {"update", "firmware"}};
  const auto found = config.find("ftl");
  if (found == config.end() || !found->is_object()) return config;
  const ordered_json before = *found;
  const auto set_of = [settings](std::string_view name) {
    return std::ranges::find(settings, fmt::format("ftl.{}", name), &Setting::key);
  };
  for (const Ways& ways : kWays) {
    const auto setting = set_of(ways.setting);
    if (setting == settings.end() || set_of(ways.result) != settings.end()) continue;
    // What stays as it was goes with the rest as it was.
    const std::string was = before.value(std::string(ways.setting), ordered_json()).dump();
    if (without_quotes(was) != without_quotes(setting->text)) found->erase(std::string(ways.result));
  }
  return config;
}

/// Another processor has another core.
bool changes_processor(const ordered_json& config, std::span<const Setting> settings) {
  const ordered_json* const was = config.contains("platform") ? &config.at("platform") : nullptr;
  const auto setting = std::ranges::find(settings, "platform.processor", &Setting::key);
  if (setting == settings.end() || was == nullptr || !was->is_object() || !was->contains("processor")) return false;
  return without_quotes(was->at("processor").dump()) != without_quotes(setting->text);
}

/// The configuration without what is no key of a study.
std::string study_text(const ordered_json& config, const std::string& where) {
  ordered_json keys = config;
  keys.erase("documents");
  std::string overrides;
  for (const char* table : kOverrides) {
    if (!keys.contains(table)) continue;
    for (const auto& [key, value] : keys.at(table).items())
      overrides += fmt::format("{}.{} = {}\n", table, key, override_text(value));
    keys.erase(table);
  }
  return toml_text(keys, where) + overrides;
}

const ordered_json* at_key(const ordered_json& document, std::string_view key) {
  const ordered_json* node = &document;
  while (!key.empty()) {
    const std::size_t dot = key.find('.');
    const auto next = node->is_object() ? node->find(std::string(key.substr(0, dot))) : node->end();
    if (next == node->end()) return nullptr;
    node = &*next;
    key = dot == std::string_view::npos ? std::string_view{} : key.substr(dot + 1);
  }
  return node;
}

/// Other JSON files of ours in a result's place.
[[noreturn]] void refuse_kind(const fs::path& path, const ordered_json& schema) {
  struct JsonKind {
    std::string_view schema;
    std::string_view what;
    std::string_view fix;
  };
  constexpr JsonKind kJsonKinds[] = {
      {"ftlab-sweep", "says what the table of a sweep holds", "`ftlab sweep SWEEP.toml` runs a sweep"},
      {"ftlab-study", "says which runs the main study has", "each of its folders holds a result.json"},
      {"ftlab-reproduce", "is a comparison with published figures", "`ftlab reproduce` makes it anew"},
  };
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const JsonKind& kind : kJsonKinds) {
    if (schema != kind.schema) continue;
    throw InputError(fmt::format("{}: {}, and is no result of a run; {}, and `ftlab report {}` draws it", path.string(),
                                 kind.what, kind.fix, folder.string()));
  }
  throw InputError(fmt::format("{}: not a result of ftlab (\"schema\" is not \"ftlab-result\")", path.string()));
}

/// What is no JSON, such as the study of the result.
[[noreturn]] void refuse_text(const fs::path& path) {
  throw InputError(fmt::format(
      "{}: is no result of ftlab, which is JSON; give a result.json or a folder that holds one", path.string()));
}

/// Where a value of a document came from, when it says so.
std::string source_at(const ordered_json& document, const std::string& key) {
  const ordered_json* node = at_key(document, key);
  if (node == nullptr || !node->is_object() || !node->contains("source")) return {};
  return node->at("source").is_string() ? node->at("source").get<std::string>() : std::string{};
}

}  // namespace

ordered_json read_result(const fs::path& place) {
  if (place.empty()) throw InputError("the name of a result must not be empty; give a result.json or its folder");
  std::error_code ignored;
  const fs::path path = fs::is_directory(place, ignored) ? place / "result.json" : place;
  if (!fs::exists(path, ignored)) {
    throw InputError(fmt::format("{}: no such file; give a result.json or a folder that holds one", path.string()));
  }
  if (fs::is_directory(path, ignored))
    throw InputError(fmt::format("{}: is a directory; give a result.json or a folder that holds one", path.string()));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be opened; check its permissions", path.string()));
  ordered_json document;
  try {
    document = ordered_json::parse(in);
  } catch (const ordered_json::parse_error& error) {
    if (!looks_like_result(path)) refuse_text(path);
    throw InputError(fmt::format("{}: not valid JSON at byte {}; is the file complete?", path.string(), error.byte));
  } catch (const ordered_json::out_of_range& error) {
    const std::string text = error.what();  // "[...] number overflow parsing '1e999'"
    throw InputError(fmt::format("{}: holds a number that is too large ({}); make it anew with `ftlab run`",
                                 path.string(), text.substr(text.find("] ") + 2)));
  }
  const ordered_json schema = document.is_object() ? document.value("schema", ordered_json()) : ordered_json();
  if (schema != "ftlab-result") refuse_kind(path, schema);
  const ordered_json version = document.value("version", ordered_json());
  if (version != kVersion) {
    throw InputError(fmt::format("{}: has version {} of ftlab-result, and this ftlab reads version {}; {}",
                                 path.string(), version.is_null() ? "(none)" : version.dump(), kVersion,
                                 "make it anew with `ftlab run`, or use the ftlab that wrote it"));
  }
  return document;
}

bool looks_like_result(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream in(path, std::ios::binary);
  char first = 0;
  return (in >> first) ? first == '{' : path.extension() == ".json";
}

Study study_of_result(const fs::path& path, const ordered_json& result, std::span<const Setting> settings) {
  const std::string where = path.string() + ": config";
  if (!result.contains("config")) throw InputError(fmt::format("{}: missing; is the file complete?", where));
  ordered_json config = result.at("config");
  check_tables(config, where);
  if (changes_processor(config, settings)) {
    for (const char* key : {"core", "core_overrides"}) config.erase(key);
    if (config.contains("documents")) config.at("documents").erase("core");
  }
  const auto given = [settings](const std::string& key) {
    return std::ranges::any_of(settings, [&](const Setting& setting) { return setting.key == key; });
  };
  Study study = parse_resolved(study_text(without_replaced(config, settings), where), where, settings);
  const auto take = [&](const char* name, const std::string& key, const std::string& table, std::string& document,
                        std::vector<FileOverride>& overrides) {
    const ordered_json* found = at_key(config, std::string("documents.") + name);
    if (found == nullptr || given(key)) return;
    document = toml_text(*found, fmt::format("{}.documents.{}", where, name));
    // An empty text would stand for the file itself.
    if (document.empty())
      throw InputError(fmt::format("{}.documents.{}: holds nothing; is the file complete?", where, name));
    for (FileOverride& o : overrides) {
      const std::string source = source_at(*found, o.key);
      if (!source.empty() && !given(table + "." + o.key)) o.origin = source;
    }
  };
  take("part", "part", "part_overrides", study.documents.part, study.part_overrides);
  take("host", "host", "host_overrides", study.documents.host, study.host_overrides);
  take("core", "core", "core_overrides", study.documents.core, study.core_overrides);
  take("scenario", "workload.scenario", "scenario_overrides", study.documents.scenario, study.scenario_overrides);
  study.documents.where = where + ".documents";
  std::error_code ignored;
  const ordered_json* trace = at_key(result, "run.trace");
  if (trace != nullptr && trace->is_string() && !given("workload.path") && !fs::exists(study.workload.path, ignored)) {
    study.trace_as_named = study.workload.path;
    study.workload.path = trace->get<std::string>();
  }
  const ordered_json* program = at_key(result, "run.program");
  if (program != nullptr && program->is_string() && !given("firmware.elf")) {
    std::string& elf = study.configs.edit<OwnProgram>().elf;
    if (!fs::exists(elf, ignored)) elf = program->get<std::string>();
  }
  return study;
}

}  // namespace ftlab::platform
