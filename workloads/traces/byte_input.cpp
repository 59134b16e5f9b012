#include "workloads/traces/byte_input.h"

#include <fmt/format.h>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "common/input_error.h"
#include "workloads/traces/spool.h"
#include "workloads/traces/zstd_filter.h"

namespace ftlab::workloads {
namespace io = boost::iostreams;
namespace {

using Stream = io::filtering_streambuf<io::input>;

constexpr std::size_t kMagicBytes = 6;

/// Name of the compression, empty for none; pushes what undoes it.
std::string push_unpacker(Stream& stream, std::string_view magic) {
  using namespace std::string_view_literals;
  if (magic.starts_with("\x1f\x8b"sv)) return stream.push(io::gzip_decompressor()), "gzip";
  if (magic.starts_with("BZh"sv)) return stream.push(io::bzip2_decompressor()), "bzip2";
  if (magic.starts_with("\xfd\x37zXZ\0"sv)) return stream.push(io::lzma_decompressor()), "xz";
  if (magic.starts_with("\x28\xb5\x2f\xfd"sv)) return stream.push(ZstdDecompressor()), "zstd";
  return "";
}

std::string read_magic(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("{}: is a directory; name one trace file in it", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  std::string magic(kMagicBytes, '\0');
  file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  magic.resize(static_cast<std::size_t>(file.gcount()));
  return magic;
}

void refuse_archive(const std::string& path, std::string_view magic) {
  const char* kind = nullptr;
  if (magic.starts_with("PK\x03\x04")) kind = "zip";
  if (magic.starts_with("7z\xbc\xaf\x27\x1c")) kind = "7z";
  if (kind == nullptr) return;
  throw InputError(fmt::format("{}: is a {} archive; unpack it and name one trace of it", path, kind));
}

}  // namespace

struct ByteInput::Impl {
  Impl(std::string file, std::string_view magic) : name(std::move(file)) {
    refuse_archive(name, magic);
    compression = push_unpacker(stream, magic);
  }

  std::string name;
  std::string compression;
  Stream stream;
  std::unique_ptr<char[]> buffer = std::make_unique_for_overwrite<char[]>(kWindowBytes);
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t position = 0;
  bool ended = false;
};

ByteInput::ByteInput(const std::string& path) {
  const std::string file = rereadable(path);
  impl_ = std::make_unique<Impl>(path, read_magic(file));
  impl_->stream.push(io::file_source(file, std::ios::in | std::ios::binary), 64 * 1024);
}

ByteInput::ByteInput(std::string name, std::string_view bytes)
    : impl_(std::make_unique<Impl>(std::move(name), bytes.substr(0, kMagicBytes))) {
  impl_->stream.push(io::array_source(bytes.data(), bytes.size()));
}

ByteInput::ByteInput(ByteInput&&) noexcept = default;
ByteInput& ByteInput::operator=(ByteInput&&) noexcept = default;
ByteInput::~ByteInput() = default;

std::string_view ByteInput::window() const { return {impl_->buffer.get() + impl_->begin, impl_->end - impl_->begin}; }

bool ByteInput::ensure(std::size_t bytes) {
  Impl& in = *impl_;
  if (in.end - in.begin >= bytes) return true;
  std::memmove(in.buffer.get(), in.buffer.get() + in.begin, in.end - in.begin);
  in.end -= in.begin;
  in.begin = 0;
  while (in.end < bytes && !in.ended) {
    try {
      const auto room = static_cast<std::streamsize>(kWindowBytes - in.end);
      const std::streamsize got = in.stream.sgetn(in.buffer.get() + in.end, room);
      in.end += static_cast<std::size_t>(got);
      in.ended = got < room;
    } catch (const std::exception& failure) {
      if (in.compression.empty()) throw InputError(fmt::format("{}: cannot be read: {}", in.name, failure.what()));
      throw InputError(fmt::format(
          "{}: the {} data is damaged or cut short, somewhere behind unpacked byte {}; fetch the file again", in.name,
          in.compression, in.position + in.end));
    }
  }
  return in.end >= bytes;
}

void ByteInput::consume(std::size_t bytes) {
  impl_->begin += bytes;
  impl_->position += bytes;
}

std::uint64_t ByteInput::position() const { return impl_->position; }

const std::string& ByteInput::name() const { return impl_->name; }

}  // namespace ftlab::workloads
