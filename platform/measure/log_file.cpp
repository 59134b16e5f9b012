#include "platform/measure/log_file.h"

#include <fmt/format.h>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

/// The end of the stream: OutputFile knows temporary names, full disks and pipes. A failure waits for close().
class IntoFile {
 public:
  using char_type = char;
  using category = boost::iostreams::sink_tag;
  IntoFile(OutputFile& file, std::string& failure) : file_(&file), failure_(&failure) {}
  std::streamsize write(const char* bytes, std::streamsize n) {
    if (!failure_->empty()) return n;
    try {
      file_->write({bytes, static_cast<std::size_t>(n)});
    } catch (const InputError& error) {
      *failure_ = error.what();
    }
    return n;
  }

 private:
  OutputFile* file_;
  std::string* failure_;
};

}  // namespace

LogFile::LogFile(const std::string& path, std::string_view option)
    : file_(path, fmt::format("choose another {} FILE", option)) {
  if (path.ends_with(".gz")) out_.push(boost::iostreams::gzip_compressor());
  out_.push(IntoFile(file_, failure_));
}

void LogFile::close() {
  out_.reset();
  if (!failure_.empty()) throw InputError(failure_);
  file_.commit();
}

}  // namespace ftlab::platform
