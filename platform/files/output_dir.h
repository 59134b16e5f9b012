// Where results go. A file appears under its name only when it is complete; a failed one leaves nothing behind.
// Knows files and folders; nothing of what is written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/files/cleanup_on_signal.h"

namespace ftlab::platform {

/// One result file, written under a temporary name beside the final one. Every failure (disk full, no permission)
/// throws InputError "PATH: cannot be written: REASON; ..." and removes what was written. What is no regular file
/// (/dev/null, a pipe) is written directly and never removed or replaced; a link to a file stays a link.
class OutputFile {
 public:
  /// `advice` ends the message when the place is at fault; name the option that moves the file.
  explicit OutputFile(std::filesystem::path path, std::string advice = "choose another place with --out");
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
  void discard();
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;  ///< as the user names it
  std::string advice_;
  std::filesystem::path final_;      ///< links resolved
  std::filesystem::path temporary_;  ///< empty: written directly
  std::optional<CleanupOnSignal> cleanup_;
  int fd_ = -1;
  std::string buffer_;
};

/// A folder for results. Made when absent; tried for writing at once, so that a long run does not end in vain.
class OutputDir {
 public:
  explicit OutputDir(const std::filesystem::path& path);
  /// Removes folders this object made when nothing was put in them.
  ~OutputDir();
  /// True when no other process has claimed the folder; it is this one's until the object is gone.
  [[nodiscard]] bool claim();
  /// The program that takes this one's place by exec holds the claim until it ends; FTLAB_MADE_FOLDERS tells it what to
  /// remove when nothing was put there: "N PATH", the path and what holds it, N folders in all.
  void hand_over_exec() const;
  OutputDir(const OutputDir&) = delete;
  OutputDir& operator=(const OutputDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Whole file at once.
  void write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
  std::filesystem::path first_made_;  ///< outermost folder made here; empty: none
  int claim_ = -1;                    ///< descriptor of the folder, locked
  std::vector<std::unique_ptr<CleanupOnSignal>> folder_cleanups_;
};

}  // namespace ftlab::platform
