// Walks the parameter table over a TOML file. What belongs together is checked afterwards, in study_check.cpp.
#include "platform/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/toml_text.h"
#include "common/toml/written_number.h"
#include "platform/files/former_part_keys.h"
#include "platform/study/firmware_row.h"
#include "platform/study/former_keys.h"
#include "platform/study/json_pointer.h"
#include "platform/study/params.h"
#include "platform/study/part_defaults.h"
#include "platform/study/study_check.h"
#include "platform/study/without_effect.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

bool is_path(std::string_view text) { return text.find('/') != std::string_view::npos || text.ends_with(".toml"); }

std::string checked_choice(const spec::TomlFile& file, const Param& param) {
  std::string name = file.get_string(param.key);
  for (const std::string& choice : param.choices) {
    if (choice == name) return name;
  }
  const std::string near = spec::nearest_name(name, param.choices);
  throw InputError(near.empty() ? fmt::format("{}'{}' is not one of {}", file.where(param.key), name, range_text(param))
                                : fmt::format("{}'{}' is not one of {}; did you mean '{}'?", file.where(param.key),
                                              name, range_text(param), near));
}

/// Whether a study was written by its user or by a run, as the configuration of a result.
enum class Author { user, run };

std::string resolved_path(const spec::TomlFile& file, const Param& param, Author author) {
  std::string text = file.get_string(param.key);
  if (text.empty()) throw InputError(fmt::format("{}must not be empty", file.where(param.key)));
  // All but traces may be plain names; what comes from the command line is relative to where the user stands.
  const bool name = (param.key != "workload.path" && !is_path(text)) || text == "-";
  if (name || file.overridden(param.key) || author == Author::run) return text;
  return (fs::path(file.path()).parent_path() / text).lexically_normal().string();
}

/// A word may stand in a number's place; what begins like a number is none.
bool holds_word(const spec::TomlFile& file, const Param& param) {
  return !param.choices.empty() && file.holds_text(param.key) && !spec::written_number(file.get_string(param.key));
}

std::string default_core(ProcessorKind kind) { return kind == ProcessorKind::arm ? "cortex-m4" : "rv32imc"; }

ParamValue read_value(const spec::TomlFile& file, const Param& param, Author author = Author::user) {
  const bool may_hold_text = file.holds_text(param.key) || param.type == ParamType::number_list;
  const std::string example = may_hold_text ? written_example(param) : std::string{};
  const spec::KeyUnit unit{written_unit(param), example};
  switch (param.type) {
    case ParamType::boolean:
      return file.get_bool(param.key);
    case ParamType::integer:
      return static_cast<std::uint64_t>(file.get_integer(param.key, static_cast<std::int64_t>(param.min),
                                                         static_cast<std::int64_t>(param.max), unit));
    case ParamType::number:
      if (holds_word(file, param)) return checked_choice(file, param);
      return file.get_number(param.key, param.min, param.max, unit);
    case ParamType::text:
      return file.get_string(param.key);
    case ParamType::text_list:
      return file.get_strings(param.key);
    case ParamType::number_list:
      return file.get_numbers(param.key, param.min, param.max, unit);
    case ParamType::choice:
      return checked_choice(file, param);
    case ParamType::path:
      return resolved_path(file, param, author);
  }
  throw std::logic_error("parameter type without a reader");
}

std::vector<FileOverride> overrides_in(const spec::TomlFile& file, const std::string& table) {
  std::vector<FileOverride> all;
  for (auto& [key, text] : file.texts(table)) {
    std::string origin = file.where(fmt::format("{}.{}", table, key));
    origin.resize(origin.size() - key.size() - 3);  // ".KEY: " comes again from the file that is overridden
    all.push_back({std::move(key), std::move(text), std::move(origin)});
  }
  return all;
}

nlohmann::ordered_json json_of(const ParamValue& value) {
  return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

/// TOML text of an override as JSON: numbers stay numbers, strings lose their quotes, tables stay text.
nlohmann::ordered_json json_of_toml(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) return text.substr(1, text.size() - 2);
  return text;
}

[[noreturn]] void refuse_bare(const std::string& where, const Param& param) {
  throw InputError(fmt::format("{}wants a number with unit, such as \"{}\"; a plain number of {} is {}", where,
                               written_example(param), param.unit, param.key));
}

/// total = "2GiB" is total_mib: a name without its unit takes values that have one.
void take_bare_names(spec::TomlFile& file) {
  for (const Param& param : params()) {
    if (param.bare.empty() || !file.has(param.bare)) continue;
    if (!file.holds_text(param.bare)) refuse_bare(file.where(param.bare), param);
    if (file.has(param.key))
      throw InputError(file.where(param.bare) + fmt::format("is {} by another name; keep one of the two", param.key));
    file.rename(param.bare, param.key);
  }
}

/// A key by a name that it had adds a line to `notes`.
void apply_setting(spec::TomlFile& file, Setting setting, std::vector<std::string>& notes) {
  if (const auto key = key_formerly(setting.key)) {
    notes.push_back(renamed_line(fmt::format("{}: {}: ", setting.origin, setting.key), *key));
    setting.key = *key;
  }
  const auto named = std::ranges::find_if(
      params(), [&](const Param& param) { return !param.bare.empty() && param.bare == setting.key; });
  if (named == params().end()) return file.set(setting.key, setting.text, setting.origin);
  file.set(named->key, setting.text, setting.origin);
  if (!file.holds_text(named->key)) refuse_bare(fmt::format("{}: {}: ", setting.origin, setting.key), *named);
}

/// Other files of ours in a study's place, by names that no study has at its top.
void refuse_other_files(const std::string& text, const std::string& path) {
  struct Kind {
    std::string_view name;
    std::string_view what;
    std::string_view fix;  ///< before the path
  };
  constexpr Kind kKinds[] = {
      {"objectives", "a search", "run it with `ftlab optimize {}`"},
      {"axes", "a sweep", "run it with `ftlab sweep {}`"},
      {"linked", "a sweep", "run it with `ftlab sweep {}`"},
      {"latin_hypercube", "a sweep", "run it with `ftlab sweep {}`"},
      {"family", "a part", "name it in a study: part = \"{}\""},
      {"shape", "a scenario", "name it in a study: workload.scenario = \"{}\""},
      {"work", "a host", "name it in a study: host = \"{}\""},
  };
  const std::vector<std::string> names = spec::top_names(text);
  for (const Kind& kind : kKinds) {
    if (std::ranges::find(names, kind.name) == names.end()) continue;
    throw InputError(
        fmt::format("{}: is {}, and no study; {}", path, kind.what, fmt::format(fmt::runtime(kind.fix), path)));
  }
}

Study read_study(spec::TomlFile file, std::span<const Setting> settings, Author author = Author::user) {
  Study study;
  take_bare_names(file);
  if (author == Author::user)
    study.notes = take_former_keys(file);
  else
    take_former_keys_of_result(file);
  for (const Setting& setting : settings) apply_setting(file, setting, study.notes);
  if (const auto line = take_former_firmware(file)) study.notes.push_back(*line);
  std::vector<const Param*> given;
  for (const Param& param : params()) {
    if (file.has(param.key)) given.push_back(&param);
  }
  // First what is not a key at all: a misspelt key explains more than the value that is missing because of it.
  for (const FreeTable& free : free_tables()) (void)file.texts(free.name);
  file.finish("`ftlab keys` lists all");
  for (const Param* param : given) param->write(study, read_value(file, *param, author));
  study.part_overrides = overrides_in(file, "part_overrides");
  for (std::string& line : take_former_part_keys(study.part_overrides)) {
    if (author == Author::user) study.notes.push_back(std::move(line));
  }
  study.host_overrides = overrides_in(file, "host_overrides");
  study.core_overrides = overrides_in(file, "core_overrides");
  study.scenario_overrides = overrides_in(file, "scenario_overrides");
  if (auto values = firmware_values(file); !values.empty()) study.configs.edit<OwnProgram>().values = std::move(values);
  for (const Param& param : params()) {
    // Another way to give a key is nowhere unless it is used.
    if (param.read || file.has(param.key)) study.where.emplace(param.key, file.where(param.key));
  }
  study.part_where = file.where("part");
  study.host_where = file.where("host");
  study.core_where = file.where("core");
  study.scenario_where = file.where("workload.scenario");
  // A scenario is made of times and places of its own; only saying so takes them away.
  if (study.workload.kind == "scenario") {
    if (!file.has("workload.arrival")) study.arrival.kind = workloads::Arrival::trace;
    if (!file.has("workload.fill")) study.workload.fill = false;
  }
  const Given has = [&file](std::string_view key) { return file.has(key); };
  // A result gives every key, but for one that a setting has taken the place of.
  const bool whole = author != Author::user && file.has("ftl.firmware");
  const PartKind part = whole ? PartKind{} : kind_of_part(study);
  choose_firmware(study, part, has);
  take_defaults(study, part, has);
  if (study.on_core() && study.core.empty()) study.core = default_core(study.platform.processor);
  choose_load(study, part, has);
  check_study(file, study);
  // Its own run has reported already what has no effect.
  if (author == Author::run) std::erase_if(given, [&](const Param* param) { return !file.overridden(param->key); });
  std::ranges::move(without_effect(study, given), std::back_inserter(study.notes));
  const Given is_given = [&file, author](std::string_view key) {
    return author == Author::user ? file.has(key) : file.overridden(key);
  };
  if (firmware_of(study).refuse != nullptr) firmware_of(study).refuse(study, part, is_given);
  for (std::string& line : remarks(study, part, is_given)) study.notes.push_back(std::move(line));
  return study;
}

}  // namespace

bool is_default(const Param& param, const Study& study) {
  if (param.fallback.empty() || !param.read) return false;
  static const Study untouched;
  if (param.shared_by.empty()) return param.read(study) == param.read(untouched);
  Study of_firmware;
  of_firmware.ftl.firmware = study.ftl.firmware;
  return param.read(study) == param.read(of_firmware);
}

std::string Study::where_of(std::string_view key) const {
  const auto found = where.find(key);
  return found != where.end() ? found->second : fmt::format("{}: ", key);
}

Setting parse_setting(std::string_view key_equals_value, std::string_view example) {
  const std::size_t equals = key_equals_value.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InputError(
        fmt::format("--set: '{}' is not KEY=VALUE; write for example --set {}", key_equals_value, example));
  }
  return {std::string(key_equals_value.substr(0, equals)), std::string(key_equals_value.substr(equals + 1))};
}

Study load_study(const fs::path& path, std::span<const Setting> settings) {
  const std::string text = spec::text_of_file(path.string());
  refuse_other_files(text, path.string());
  return read_study(spec::TomlFile::parse(text, path.string()), settings);
}

Study parse_study(std::string_view text, const std::string& name, std::span<const Setting> settings) {
  return read_study(spec::TomlFile::parse(text, name), settings);
}

Study parse_resolved(std::string_view text, const std::string& name, std::span<const Setting> settings) {
  return read_study(spec::TomlFile::parse_unseen(text, name), settings, Author::run);
}

nlohmann::ordered_json resolved_config(const Study& study) {
  nlohmann::ordered_json config;
  const auto free_table = [&config](const char* name, const std::vector<FileOverride>& overrides) {
    config[name] = nlohmann::ordered_json::object();
    for (const FileOverride& o : overrides) config[name][o.key] = json_of_toml(o.text);
  };
  for (const Param& param : params()) {
    if (!param.read) continue;
    if (param.key.find('.') != std::string::npos && !config.contains("part_overrides")) {
      free_table("part_overrides", study.part_overrides);
      free_table("host_overrides", study.host_overrides);
      if (study.on_core()) free_table("core_overrides", study.core_overrides);
      free_table("scenario_overrides", study.scenario_overrides);
    }
    const ParamValue value = param.read(study);
    if (param.fallback.empty() && value == ParamValue(std::string{})) continue;
    config[pointer_to(param.key)] = json_of(value);
  }
  if (const auto& values = study.configs.get<OwnProgram>().values; !values.empty())
    config[pointer_to(kFirmwareValues)] = values_json(values);
  if (!study.trace_as_named.empty()) config["workload"]["path"] = study.trace_as_named;
  return config;
}

}  // namespace ftlab::platform
