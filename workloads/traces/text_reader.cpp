#include "workloads/traces/text_reader.h"

#include <fmt/format.h>

#include <utility>

#include "common/input_error.h"

namespace ftlab::workloads {

std::size_t byte_order_mark(ByteInput& input) {
  constexpr std::string_view kUtf8 = "\xEF\xBB\xBF";
  input.ensure(kUtf8.size());
  const std::string_view head = input.window();
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    throw InputError(fmt::format("{}: begins with the byte order mark of UTF-16; convert it (iconv -f UTF-16 -t UTF-8)",
                                 input.name()));
  }
  return head.starts_with(kUtf8) ? kUtf8.size() : 0;
}

TextReader::TextReader(ByteInput input, std::unique_ptr<LineParser> parser, std::string_view format, bool detected)
    : input_(std::move(input)), parser_(std::move(parser)), format_(format), detected_(detected) {}

std::string TextReader::where(std::uint64_t place) const { return fmt::format("{}:{}", input_.name(), place); }

void TextReader::refuse(std::string_view what) const {
  const std::string cut =
      without_line_end_ ? "; it is the last line and has no line end, so the file seems cut short" : "";
  throw InputError(detected_
                       ? fmt::format("{}: {}{}; the format {} was detected from the first lines; if it is another, "
                                     "set workload.format (or --format)",
                                     where(line_), what, cut, format_)
                       : fmt::format("{}: {}{}; repair the file, or set another workload.format (or --format) than "
                                     "{}",
                                     where(line_), what, cut, format_));
}

bool TextReader::next_line(std::string_view& line) {
  if (line_ == 0) to_consume_ = byte_order_mark(input_);
  input_.consume(to_consume_);
  to_consume_ = 0;
  ++line_;
  std::size_t searched = 0;
  for (;;) {
    const std::string_view window = input_.window();
    const std::size_t end = window.find('\n', searched);
    if (end != std::string_view::npos) {
      line = window.substr(0, end);
      to_consume_ = end + 1;
      break;
    }
    searched = window.size();
    if (searched == ByteInput::kWindowBytes) {
      refuse(fmt::format("a line of more than {} bytes; this is no text trace, or it is damaged", searched));
    }
    if (!input_.ensure(searched + 1)) {
      // At the end of the file; the window may have moved.
      line = input_.window();
      to_consume_ = line.size();
      without_line_end_ = true;
      if (line.empty()) return false;
      last_line_open_ = true;
      break;
    }
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::size_t TextReader::next(std::span<TraceRecord> batch) {
  std::size_t n = 0;
  std::string_view line;
  while (n < batch.size() && next_line(line)) {
    if (line.empty()) continue;
    try {
      batch[n].place = line_;
      if (parser_->parse(line, batch[n])) ++n;
    } catch (const BadLine& bad) {
      refuse(bad.what());
    }
  }
  records_ += n;
  if (records_ == 0 && !batch.empty()) {
    throw InputError(
        fmt::format("{}: holds no request that the format {} knows; look at the file, or set another "
                    "workload.format (or --format)",
                    input_.name(), format_));
  }
  return n;
}

}  // namespace ftlab::workloads
