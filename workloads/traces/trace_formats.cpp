#include "workloads/traces/trace_formats.h"

#include <algorithm>

#include "workloads/workload_config.h"

namespace ftlab::workloads {
namespace {

#define FTLAB_MEMBER(name) &formats::name,
constexpr const TraceFormat* kFormats[] = {
#include "workloads/traces/formats/members.inc"
};
#undef FTLAB_MEMBER

}  // namespace

std::span<const TraceFormat* const> trace_formats() { return kFormats; }

std::string_view trace_format_name(std::size_t i) {
  if (i == 0) return "auto";
  return i <= std::size(kFormats) ? kFormats[i - 1]->name : std::string_view{};
}

const TraceFormat* find_trace_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &TraceFormat::name);
  return found == std::end(kFormats) ? nullptr : *found;
}

std::string trace_format_names() {
  std::string names;
  for (const TraceFormat* const format : kFormats) names.append(names.empty() ? "" : ", ").append(format->name);
  return names;
}

}  // namespace ftlab::workloads
