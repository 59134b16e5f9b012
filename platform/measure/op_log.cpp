#include "platform/measure/op_log.h"

#include <fmt/format.h>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <iterator>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

/// The end of the stream: OutputFile knows temporary names, full disks and pipes. Operations end inside processes of
/// the simulation kernel, which no exception may cross: a failure waits for close().
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

OpLog::OpLog(const std::string& path) : file_(path, "choose another --log-ops FILE") {
  if (path.ends_with(".gz")) out_.push(boost::iostreams::gzip_compressor());
  out_.push(IntoFile(file_, failure_));
  out_ << "start_s,device,kind,address,bytes,cause,busy_s,energy_j,failed,phase\n";
}

void OpLog::record(const hw::DeviceOp& op, Cause cause) {
  if (op.kind == hw::DeviceOpKind::register_access || op.kind == hw::DeviceOpKind::buffer_load) return;
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{:.10f},{},{},{},{},{},{:.10f},{:.12f},{},{}\n", to_seconds(op.start),
                 op.device, hw::name_of(op.kind), op.address, op.bytes, name_of(cause), to_seconds(op.busy),
                 to_joules(op.energy), op.failed ? 1 : 0, phase_);
  out_.write(row.data(), static_cast<std::streamsize>(row.size()));
}

void OpLog::close() {
  out_.reset();
  if (!failure_.empty()) throw InputError(failure_);
  file_.commit();
}

}  // namespace ftlab::platform
