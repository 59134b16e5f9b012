#include "platform/run/op_log.h"

#include <fmt/format.h>

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <filesystem>
#include <iterator>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

InputError incomplete(const std::string& path) {
  return InputError(
      fmt::format("{}: the operation log could not be completed (disk full?); free space or log elsewhere", path));
}

}  // namespace

OpLog::OpLog(const std::string& path) : path_(path) {
  if (path.ends_with(".gz")) out_.push(boost::iostreams::gzip_compressor());
  const boost::iostreams::file_sink sink(path, std::ios::binary);
  if (!sink.is_open())
    throw InputError(fmt::format("{}: cannot write the operation log here; choose another --log-ops FILE", path));
  out_.push(sink);
  out_ << "start_s,device,kind,address,bytes,cause,busy_s,energy_j,failed\n";
}

OpLog::~OpLog() {
  if (closed_) return;
  out_.reset();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void OpLog::record(const hw::DeviceOp& op, Cause cause) {
  if (op.kind == hw::DeviceOpKind::register_access || op.kind == hw::DeviceOpKind::buffer_load) return;
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{:.10f},{},{},{},{},{},{:.10f},{:.12f},{}\n", to_seconds(op.start),
                 op.device, hw::name_of(op.kind), op.address, op.bytes, name_of(cause), to_seconds(op.busy),
                 to_joules(op.energy), op.failed ? 1 : 0);
  out_.write(row.data(), static_cast<std::streamsize>(row.size()));
}

void OpLog::close() {
  out_.flush();
  const bool good = out_.good();
  try {
    out_.reset();
  } catch (const std::ios_base::failure&) {
    throw incomplete(path_);
  }
  if (!good) {
    throw incomplete(path_);
  }
  closed_ = true;
}

}  // namespace ftlab::platform
