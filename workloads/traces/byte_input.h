// A file as a stream of bytes with a window to look ahead; compressed files are unpacked on the way.
// Knows nothing of lines or records. Memory: one window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ftlab::workloads {

class ByteInput {
 public:
  static constexpr std::size_t kWindowBytes = 64 * 1024;

  /// gzip, bzip2, xz and zstd are recognised by their magic numbers, not by the name. "-" is standard input.
  /// Throws InputError when the path cannot be read, or names a folder or an archive of files.
  explicit ByteInput(const std::string& path);
  /// A file that is in memory already; `name` stands for it in messages, `bytes` must outlive the input.
  ByteInput(std::string name, std::string_view bytes);
  ByteInput(ByteInput&&) noexcept;
  ByteInput& operator=(ByteInput&&) noexcept;
  ~ByteInput();

  /// Bytes read but not consumed yet; valid until the next call.
  [[nodiscard]] std::string_view window() const;
  /// Reads on until the window holds at least `bytes` (<= kWindowBytes); false when the file ends before.
  /// Throws InputError when the compressed data is damaged or cut short.
  bool ensure(std::size_t bytes);
  /// Drops bytes from the front of the window.
  void consume(std::size_t bytes);
  /// Unpacked bytes consumed so far.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] const std::string& name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ftlab::workloads
