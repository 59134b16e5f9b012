#include "workloads/traces/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <vector>

#include "common/input_error.h"
#include "workloads/traces/text_reader.h"

namespace ftlab::workloads {
namespace {

constexpr std::size_t kLinesLookedAt = 20;

/// The first whole lines of the window that hold anything.
std::vector<std::string_view> first_lines(std::string_view head, bool whole_file) {
  std::vector<std::string_view> lines;
  while (!head.empty() && lines.size() < kLinesLookedAt) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !whole_file) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

struct Fit {
  std::size_t lines = 0;  ///< accepted before the first refusal
  std::string refusal;    ///< empty: accepted all
};

Fit try_format(const TraceFormat& format, const std::vector<std::string_view>& lines) {
  const std::unique_ptr<LineParser> parser = format.make_parser(ReaderOptions{});
  TraceRecord record;
  Fit fit;
  try {
    for (; fit.lines < lines.size(); ++fit.lines) static_cast<void>(parser->parse(lines[fit.lines], record));
  } catch (const BadLine& bad) {
    fit.refusal = bad.what();
  }
  return fit;
}

/// DiskSim writes its milliseconds with a decimal point, so whole numbers speak for MQSim's nanoseconds; but not below
/// 1,000,000, which may be either and would change the time scale by a factor of a million.
bool are_clearly_nanoseconds(const std::vector<std::string_view>& lines) {
  std::uint64_t largest = 0;
  for (const std::string_view line : lines) {
    std::uint64_t stamp = 0;
    const std::string_view text = Columns(line, Columns::Separator::blanks).text(0);
    if (std::from_chars(text.begin(), text.end(), stamp).ptr != text.end()) return false;
    largest = std::max(largest, stamp);
  }
  return largest >= 1'000'000;
}

[[noreturn]] void refuse_ambiguous(const ByteInput& input, const std::vector<const TraceFormat*>& fitting) {
  std::string names;
  for (const TraceFormat* format : fitting) names.append(names.empty() ? "" : " or ").append(format->name);
  throw InputError(
      fmt::format("{}: the first lines fit the formats {}; say which it is with workload.format (or "
                  "--format)",
                  input.name(), names));
}

void refuse_archive(const ByteInput& input) {
  constexpr std::size_t kTarMagicAt = 257;
  const std::string_view head = input.window();
  if (head.size() > kTarMagicAt && head.substr(kTarMagicAt).starts_with("ustar"))
    throw InputError(fmt::format("{}: is a tar archive; unpack it (tar -xf) and name one trace of it", input.name()));
}

/// What keeps the first line from being a request although the others are: column names.
void refuse_first_line(const ByteInput& input, std::vector<std::string_view> lines) {
  if (lines.empty()) return;
  const std::string_view first = lines.front();
  lines.erase(lines.begin());
  for (const TraceFormat* const known : trace_formats()) {
    const TraceFormat& format = *known;
    if (lines.empty() || format.make_parser == nullptr || !try_format(format, lines).refusal.empty()) continue;
    if (try_format(format, {first}).refusal.empty()) continue;
    throw InputError(
        fmt::format("{}: line 1 is {}, a header line, it seems; the lines behind it fit the format {}; remove "
                    "the first one (tail -n +2)",
                    input.name(), excerpt(first), format.name));
  }
}

[[noreturn]] void refuse_unknown(const ByteInput& input, const std::vector<std::string_view>& lines) {
  refuse_first_line(input, lines);
  const TraceFormat* closest = nullptr;
  Fit best;
  for (const TraceFormat* const known : trace_formats()) {
    const TraceFormat& format = *known;
    if (format.make_parser == nullptr) continue;
    const Fit fit = try_format(format, lines);
    if (fit.lines > best.lines) {
      best = fit;
      closest = &format;
    }
  }
  const std::string reason =
      closest != nullptr ? fmt::format("closest is {}, but line {}: {}", closest->name, best.lines + 1, best.refusal)
                         : fmt::format("the first line is {}", excerpt(lines.empty() ? "" : lines.front()));
  throw InputError(
      fmt::format("{}: the trace format is not recognised ({}); set workload.format (or --format) to one of "
                  "{}",
                  input.name(), reason, trace_format_names()));
}

}  // namespace

const TraceFormat& detect_format(ByteInput& input) {
  const bool whole_file = !input.ensure(ByteInput::kWindowBytes);
  const std::string_view head = input.window();
  if (head.empty()) throw InputError(fmt::format("{}: the file is empty", input.name()));
  refuse_archive(input);
  const std::vector<std::string_view> lines = first_lines(head.substr(byte_order_mark(input)), whole_file);
  std::vector<const TraceFormat*> fitting;
  for (const TraceFormat* const known : trace_formats()) {
    const TraceFormat& format = *known;
    if (format.looks_like != nullptr && format.looks_like(head)) return format;
    if (format.make_parser != nullptr && !lines.empty() && try_format(format, lines).refusal.empty()) {
      fitting.push_back(&format);
    }
  }
  if (fitting.empty()) refuse_unknown(input, lines);
  const auto is_mqsim = [](const TraceFormat* format) { return format->name == "mqsim"; };
  const auto mqsim = std::ranges::find_if(fitting, is_mqsim);
  if (fitting.size() > 1 && mqsim != fitting.end() && are_clearly_nanoseconds(lines)) return **mqsim;
  if (fitting.size() > 1) refuse_ambiguous(input, fitting);
  return *fitting.front();
}

}  // namespace ftlab::workloads
