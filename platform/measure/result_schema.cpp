#include "platform/measure/result_schema.h"

#include <algorithm>
#include <string>
#include <vector>

#include "platform/measure/figures.h"
#include "platform/study/firmware_values.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

ordered_json type_of(FigureType type) {
  switch (type) {
    case FigureType::integer:
    case FigureType::index:
      return {{"type", "integer"}};
    case FigureType::number:
      return {{"type", "number"}};
    case FigureType::text:
      return {{"type", "string"}};
    case FigureType::boolean:
      return {{"type", "boolean"}};
    case FigureType::numbers_by_name:
      return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
    case FigureType::object:
      return {{"type", "object"}};
    case FigureType::list:
      return {{"type", "array"}, {"items", {{"type", "number"}}}};
  }
  return {};
}

ordered_json type_of(const Param& param) {
  ordered_json schema;
  switch (param.type) {
    case ParamType::boolean:
      schema = {{"type", "boolean"}};
      break;
    case ParamType::integer:
      schema = {{"type", "integer"}, {"minimum", param.min}, {"maximum", param.max}};
      break;
    case ParamType::number:
      schema = {{"type", "number"}, {"minimum", param.min}, {"maximum", param.max}};
      break;
    case ParamType::text:
    case ParamType::path:
      schema = {{"type", "string"}};
      break;
    case ParamType::choice:
      schema = {{"enum", param.choices}};
      break;
    case ParamType::text_list:
      schema = {{"type", "array"}, {"items", {{"type", "string"}}}};
      break;
    case ParamType::number_list:
      schema = {{"type", "array"}, {"items", {{"type", "number"}, {"minimum", param.min}, {"maximum", param.max}}}};
      break;
  }
  return schema;
}

/// Puts a leaf under its dotted path: nested objects whose properties are closed, each listed as required unless
/// `optional`.
void put(ordered_json& root, const std::string& path, ordered_json leaf, bool optional) {
  ordered_json* at = &root;
  std::size_t from = 0;
  for (;;) {
    const std::size_t dot = path.find('.', from);
    const std::string name = path.substr(from, dot - from);
    if (!optional) {
      ordered_json& required = (*at)["required"];
      if (!required.is_array()) required = ordered_json::array();
      if (std::find(required.begin(), required.end(), name) == required.end()) required.push_back(name);
    }
    ordered_json& properties = (*at)["properties"];
    if (dot == std::string::npos) {
      properties[name] = std::move(leaf);
      return;
    }
    if (!properties.contains(name)) properties[name] = {{"type", "object"}, {"additionalProperties", false}};
    at = &properties[name];
    from = dot + 1;
  }
}

ordered_json described(ordered_json schema, const std::string& help, const std::string& unit) {
  schema["description"] = help;
  if (!unit.empty()) schema["unit"] = unit;
  return schema;
}

}  // namespace

ordered_json result_schema() {
  ordered_json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "ftlab-result 1: one simulation"},
                       {"type", "object"},
                       {"additionalProperties", false}};
  put(root, "schema", {{"const", "ftlab-result"}}, false);
  put(root, "version", {{"const", 1}}, false);
  for (const Param& param : params()) {
    if (!param.read) continue;
    put(root, "config." + param.key, described(type_of(param), param.help, param.unit), param.fallback.empty());
  }
  for (const FreeTable& table : free_tables()) {
    // Natively there is no core, and few studies have a program of their own.
    const bool may_lack = table.name == "core_overrides" || table.name == kFirmwareValues;
    put(root, "config." + std::string(table.name), described({{"type", "object"}}, std::string(table.help), ""),
        may_lack);
  }
  put(root, "config.documents", described({{"type", "object"}}, "the part, host, core and scenario that ran", ""),
      false);
  put(root, "seed", described({{"type", "integer"}}, "seed of this run", ""), false);
  for (const Figure& figure : figures()) {
    ordered_json schema = type_of(figure.type);
    if (figure.nullable) schema["type"] = ordered_json::array({schema["type"], "null"});
    put(root, figure.path, described(std::move(schema), figure.help, figure.unit), figure.optional);
  }
  put(root, "workload", described({{"type", "object"}}, "what was asked of the device", ""), false);
  put(root, "summary", described({{"type", "object"}}, "what ran, a line each for people", ""), true);
  put(root, "ensemble", described({{"type", "object"}}, "spread over the seeds", ""), true);
  put(root, "run",
      described({{"type", "object"}}, "the only part that differs between two runs of one configuration", ""), false);
  return root;
}

}  // namespace ftlab::platform
