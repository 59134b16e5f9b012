// What the tests of workloads share: draining a source, files of a few lines, and the text of a refusal.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "tests/fixtures/error_text.h"
#include "workloads/request.h"
#include "workloads/traces/open_trace.h"
#include "workloads/traces/trace_record.h"

namespace ftlab::workloads::test {

/// Everything a source has, taken in batches of `batch`.
inline std::vector<Request> drain(RequestSource& source, std::size_t batch = 100) {
  std::vector<Request> all;
  std::vector<Request> some(batch);
  while (const std::size_t n = source.next(some))
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n));
  return all;
}

inline std::vector<TraceRecord> drain(TraceReader& reader) {
  std::vector<TraceRecord> all;
  std::vector<TraceRecord> some(100);
  while (const std::size_t n = reader.next(some))
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n));
  return all;
}

/// The message of the InputError that a call throws.
template <class Call>
std::string refusal(Call&& call) {
  const std::string text = ftlab::test::error_text(call, "no refusal");
  EXPECT_EQ(text.find('\n'), std::string::npos) << "one line: " << text;
  return text;
}

/// A file that is gone with the test. The name is unique to the running test, tests run side by side.
class TempFile {
 public:
  explicit TempFile(std::string_view content, const std::string& suffix = ".trace") {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    static int count = 0;
    std::string name =
        std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(count++) + suffix;
    for (char& c : name) c = c == '/' ? '_' : c;
    path_ = (std::filesystem::path(testing::TempDir()) / name).string();
    std::ofstream(path_, std::ios::binary) << content;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string sample(const std::string& name) { return std::string(FTLAB_SAMPLES) + "/" + name; }

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string read_refusal(const std::string& path, std::string_view format = "") {
  return refusal([&] { drain(*open_trace(path, format, {}).reader); });
}

}  // namespace ftlab::workloads::test
