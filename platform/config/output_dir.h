// Where results go. A file appears under its name only when it is complete; a failed one leaves nothing behind.
// Knows files and folders; nothing of what is written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace ftlab::platform {

/// One result file, written under a temporary name beside the final one. Every failure (disk full, no permission)
/// throws InputError "PATH: cannot be written: REASON; ..." and removes what was written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();  ///< not committed: removes the temporary file
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Buffered.
  void write(std::string_view bytes);
  /// Everything is on disk and under its name when this returns.
  void commit();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void flush();
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_ = -1;
  std::string buffer_;
};

/// A folder for results. Made when absent; tried for writing at once, so that a long run does not end in vain.
class OutputDir {
 public:
  explicit OutputDir(const std::filesystem::path& path);
  /// Removes folders this object made when nothing was put in them.
  ~OutputDir();
  OutputDir(const OutputDir&) = delete;
  OutputDir& operator=(const OutputDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Whole file at once.
  void write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
  std::filesystem::path first_made_;  ///< outermost folder made here; empty: none
};

}  // namespace ftlab::platform
