// What a signal that ends the program leaves, and says: no half-written file, no folder made for a result that never
// came, one line on standard error. Knows paths; nothing of what they are for.
// Invariant: only the process that registered a path removes it, never a child that inherited the list.
#pragma once

#include <csignal>
#include <string>

namespace ftlab::platform {

/// While it lives, an end by SIGINT, SIGTERM or SIGHUP removes the path: a file always, a folder only when empty.
/// Places are limited; a path beyond them stays behind, which is all that happens.
class CleanupOnSignal {
 public:
  enum class Kind : char { file, folder };
  CleanupOnSignal(std::string path, Kind kind);
  ~CleanupOnSignal();
  CleanupOnSignal(const CleanupOnSignal&) = delete;
  CleanupOnSignal& operator=(const CleanupOnSignal&) = delete;

 private:
  std::string path_;
  int slot_ = -1;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP wait, over exec too: for steps that belong together, and for a program
/// that takes this one's place and heeds them when it can clean up.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

/// While it lives, a program that is interrupted before it has written any file says "ftlab: interrupted; WORDS". The
/// youngest counts; without any it says only that it was interrupted.
class LastWords {
 public:
  explicit LastWords(std::string words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  std::string words_;
  const char* before_;
};

/// From now on a program that is interrupted names this file as one that it wrote whole. A few have a place.
void note_written(const std::string& path);

/// To be called once, at the start of the program. The signals above clean up, say in one line what is left and then
/// end the program as they would have; those that the caller ignored stay ignored. A file that grows beyond the
/// process's limit is an error of the write instead of the end of the program.
void prepare_signals();

}  // namespace ftlab::platform
