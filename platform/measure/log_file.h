// The end of a log: a file that is packed with gzip when its name ends in .gz. Knows no row of any log.
// Invariant: the file appears, or an older one is replaced, only when the log is complete.
#pragma once

#include <boost/iostreams/filtering_stream.hpp>
#include <string>
#include <string_view>

#include "platform/files/output_dir.h"

namespace ftlab::platform {

class LogFile {
 public:
  /// `option` names the file on the command line. Throws InputError when the file cannot be written.
  LogFile(const std::string& path, std::string_view option);
  /// Never throws for the file's sake: rows come from processes of the simulation kernel, which no exception may cross.
  void write(std::string_view text) { out_.write(text.data(), static_cast<std::streamsize>(text.size())); }
  /// Everything is under the file's name when this returns; throws InputError when it cannot be (disk full).
  void close();

 private:
  OutputFile file_;
  std::string failure_;                      ///< why the file could not be written on; empty: none
  boost::iostreams::filtering_ostream out_;  ///< last: it flushes into the others when it goes
};

}  // namespace ftlab::platform
