#include "workloads/traces/byte_input.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::read_refusal;
using test::TempFile;

template <class Compressor>
std::string packed(const std::string& content) {
  std::ostringstream out;
  boost::iostreams::filtering_ostream stream;
  stream.push(Compressor());
  stream.push(out);
  stream << content;
  stream.reset();
  return out.str();
}

std::string unpacked(const std::string& path) {
  ByteInput input(path);
  std::string all;
  while (input.ensure(1)) {
    all += input.window();
    input.consume(input.window().size());
  }
  EXPECT_EQ(input.position(), all.size());
  return all;
}

std::string long_trace() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += fmt::format("0,{},4096,w,{}.5\n", i * 7919 % 100'000, i);
  return text;
}

TEST(ByteInput, unpacks_what_the_magic_number_tells) {
  const std::string content = long_trace();
  EXPECT_EQ(unpacked(TempFile(content).path()), content);
  EXPECT_EQ(unpacked(TempFile(packed<boost::iostreams::gzip_compressor>(content)).path()), content);
  EXPECT_EQ(unpacked(TempFile(packed<boost::iostreams::bzip2_compressor>(content)).path()), content);
  EXPECT_EQ(unpacked(TempFile(packed<boost::iostreams::lzma_compressor>(content)).path()), content);
  EXPECT_EQ(unpacked(TempFile(packed<boost::iostreams::zstd_compressor>(content)).path()), content);
}

TEST(ByteInput, packed_files_put_behind_each_other_are_one) {
  for (const std::string& part :
       {packed<boost::iostreams::gzip_compressor>("abc\n"), packed<boost::iostreams::zstd_compressor>("abc\n")})
    EXPECT_EQ(unpacked(TempFile(part + part).path()), "abc\nabc\n");
}

TEST(ByteInput, a_pipe_can_be_read_again_and_again) {
  const std::string path = testing::TempDir() + "byte_input_test.fifo";
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string content = packed<boost::iostreams::gzip_compressor>(long_trace());
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << content; });
  EXPECT_EQ(unpacked(path), long_trace());
  EXPECT_EQ(unpacked(path), long_trace());
  writer.join();
  std::filesystem::remove(path);
}

TEST(ByteInput, window_grows_without_losing_what_is_unread) {
  const TempFile file(long_trace());
  ByteInput input(file.path());
  ASSERT_TRUE(input.ensure(10));
  input.consume(5);
  ASSERT_TRUE(input.ensure(ByteInput::kWindowBytes));
  EXPECT_EQ(input.window().size(), ByteInput::kWindowBytes);
  EXPECT_EQ(input.window(), long_trace().substr(5, ByteInput::kWindowBytes));
}

// A trace that ends early without notice would give a wrong study.
TEST(ByteInput, cut_off_compressed_files_are_refused_wherever_the_cut_is) {
  const std::string content = long_trace();
  for (const auto& whole :
       {packed<boost::iostreams::gzip_compressor>(content), packed<boost::iostreams::bzip2_compressor>(content),
        packed<boost::iostreams::lzma_compressor>(content), packed<boost::iostreams::zstd_compressor>(content)}) {
    for (const std::size_t kept : {whole.size() - 1, whole.size() - 11, whole.size() / 2, whole.size() / 7}) {
      const TempFile file(whole.substr(0, kept));
      EXPECT_NE(read_refusal(file.path(), "spc").find(" data is damaged or cut short"), std::string::npos) << kept;
    }
  }
}

TEST(ByteInput, flipped_bits_in_a_gzip_file_are_refused) {
  std::string whole = packed<boost::iostreams::gzip_compressor>(long_trace());
  whole[whole.size() / 2] = static_cast<char>(whole[whole.size() / 2] ^ 0x10);
  const TempFile file(whole);
  EXPECT_NE(read_refusal(file.path(), "spc"), "no refusal");
}

TEST(ByteInput, archives_are_refused_with_the_way_out) {
  const TempFile zip("PK\x03\x04...");
  EXPECT_EQ(read_refusal(zip.path()), zip.path() + ": is a zip archive; unpack it and name one trace of it");
  std::string block(512, '\0');
  block.replace(0, 5, "a.spc");
  block.replace(257, 5, "ustar");
  for (const std::string& content : {block, packed<boost::iostreams::gzip_compressor>(block)}) {
    const TempFile tar(content);
    EXPECT_EQ(read_refusal(tar.path()),
              tar.path() + ": is a tar archive; unpack it (tar -xf) and name one trace of it");
  }
}

TEST(ByteInput, paths_that_are_no_file_are_refused) {
  EXPECT_EQ(read_refusal("/nowhere/x.srt"), "/nowhere/x.srt: cannot be opened: No such file or directory");
  EXPECT_EQ(read_refusal(testing::TempDir()), testing::TempDir() + ": is a directory; name one trace file in it");
  EXPECT_EQ(read_refusal("/dev/null"), "/dev/null: the file is empty");
  EXPECT_EQ(read_refusal(""), "workload.path: no trace file is named; set it to the path of a trace");
}

TEST(ByteInput, empty_file_is_refused) {
  const TempFile file("");
  EXPECT_EQ(read_refusal(file.path()), file.path() + ": the file is empty");
}

}  // namespace
}  // namespace ftlab::workloads
