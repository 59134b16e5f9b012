// Reads a text trace line by line through a LineParser. Knows places and line ends, no format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "workloads/traces/byte_input.h"
#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

/// Bytes of the UTF-8 byte order mark that the input begins with, which is no part of a trace; 0: none. Throws
/// InputError on that of UTF-16. Consumes nothing.
std::size_t byte_order_mark(ByteInput& input);

class TextReader final : public TraceReader {
 public:
  /// `format` is the name for messages. Lines end with LF or CR LF; empty ones are passed over.
  TextReader(ByteInput input, std::unique_ptr<LineParser> parser, std::string_view format, bool detected);

  std::size_t next(std::span<TraceRecord> batch) override;
  [[nodiscard]] std::string device_name(std::uint32_t device) const override { return parser_->device_name(device); }
  [[nodiscard]] std::string where(std::uint64_t place) const override;
  [[nodiscard]] bool last_line_open() const override { return last_line_open_; }

 private:
  /// false at the end of the file. Throws InputError on a line longer than the input's window.
  bool next_line(std::string_view& line);
  [[noreturn]] void refuse(std::string_view what) const;

  ByteInput input_;
  std::unique_ptr<LineParser> parser_;
  std::string format_;
  bool detected_;
  std::uint64_t line_ = 0;
  std::uint64_t records_ = 0;
  std::size_t to_consume_ = 0;     ///< length of the line handed out last
  bool last_line_open_ = false;    ///< the file ends with a line that has no line end
  bool without_line_end_ = false;  ///< the line handed out last ended with the file
};

}  // namespace ftlab::workloads
