// The digest names the content of a trace, not its file.
#include "workloads/traces/digest.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace ftlab::workloads {
namespace {

std::string file_with(const std::string& text, bool packed) {
  const std::string path = testing::TempDir() + "digest_" + std::to_string(::getpid()) + (packed ? ".gz" : "");
  std::ofstream out(path, std::ios::binary);
  boost::iostreams::filtering_ostream stream;
  if (packed) stream.push(boost::iostreams::gzip_compressor());
  stream.push(out);
  stream << text;
  return path;
}

std::string digest_of(const std::string& text, bool packed = false) {
  const std::string path = file_with(text, packed);
  const std::string digest = trace_digest(path);
  std::remove(path.c_str());
  return digest;
}

TEST(TraceDigest, is_the_sha_256_of_the_content) {
  EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2
  EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // A million letters, more than a window of input.
  EXPECT_EQ(digest_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(TraceDigest, packing_makes_no_difference) {
  const std::string text(200000, 'x');
  EXPECT_EQ(digest_of(text, true), digest_of(text, false));
}

}  // namespace
}  // namespace ftlab::workloads
