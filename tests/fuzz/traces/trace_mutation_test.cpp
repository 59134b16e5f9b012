// Property: whatever bytes a trace file holds, reading, counting and mapping it works or throws InputError with one
// line; and it ends. Every sample is cut at every byte and mutated at random from a fixed seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/input_error.h"
#include "tests/fixtures/mutate.h"
#include "tests/fixtures/repetitions.h"
#include "tests/fixtures/share.h"
#include "workloads/random_stream.h"
#include "workloads/traces/trace_formats.h"
#include "workloads/traces/trace_info.h"
#include "workloads/traces/trace_source.h"

namespace ftlab::workloads {
namespace {

struct Sample {
  const char* format;
  const char* file;
  friend void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file; }
};

constexpr Sample kSamples[] = {
    {"hp_srt", "sample.srt"},
    {"msr", "sample.msr.csv"},
    {"msr", "sample.msr.csv.gz"},
    {"spc", "sample.spc"},
    {"disksim", "sample.disksim.trace"},
    {"mqsim", "sample.mqsim.trace"},
    {"blkparse", "sample.blkparse.txt"},
    {"cloudphysics", "sample.cloudphysics.csv"},
    {"mobile", "sample.mobile.csv"},
};

constexpr std::string_view kTokens[] = {
    ",",  " ",     "\n",  "\r\n", "\t",    "-",          "0",           "18446744073709551616",
    ".",  "1e308", "nan", "0x",   "\xff",  "\f",         "+",           "4294967295",
    "\"", "R",     "W",   "D",    "CPU0:", "2147483648", "99999999999", "Write"};

class TraceMutation : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    std::ifstream file(std::string(FTLAB_SAMPLES) + "/" + GetParam().file, std::ios::binary);
    original_.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(original_.empty());
    path_ = testing::TempDir() + "trace_mutation." + GetParam().file +
            std::to_string(std::hash<std::string>{}(testing::UnitTest::GetInstance()->current_test_info()->name()));
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Reads `content` in every way there is; counts what was accepted.
  void expect_read_or_refused(const std::string& content, const std::string& id) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
    constexpr std::uint64_t kDevice = 1 << 20;
    const auto try_it = [&](auto&& call) {
      try {
        call();
        ++accepted_;
      } catch (const InputError& error) {
        ++refused_;
        const std::string_view text = error.what();
        EXPECT_EQ(text.find('\n'), std::string_view::npos) << id << ": " << text;
        EXPECT_LT(text.size(), 1000U) << id;
        EXPECT_TRUE(text.find(path_) == 0 || text.starts_with("workload.")) << id << ": " << text;
      }
    };
    for (const char* format : {"", GetParam().format}) {
      try_it([&] { collect_trace_info(path_, {.format = format}); });
    }
    for (const char* address : {"compact", "modulo", "direct", "scaled"}) {
      try_it([&] {
        const TraceConfig config{
            .path = path_, .format = GetParam().format, .address = address, .traced_bytes = 1ULL << 40};
        TraceSource source(config, kDevice, 1, true);
        std::vector<Request> batch(64);
        Ticks last{};
        while (const std::size_t n = source.next(batch)) {
          for (std::size_t i = 0; i < n; ++i) {
            ASSERT_LE(batch[i].offset + batch[i].length, kDevice) << id;
            ASSERT_GE(batch[i].arrival, last) << id;
            last = batch[i].arrival;
          }
        }
      });
    }
  }

  std::string original_;
  std::string path_;
  int accepted_ = 0;
  int refused_ = 0;
};

TEST_P(TraceMutation, file_cut_at_any_byte_is_read_or_refused) {
  tests::Share share;
  for (std::size_t kept = 0; kept < original_.size(); ++kept) {
    if (!share.takes_next()) continue;
    expect_read_or_refused(original_.substr(0, kept), "cut at " + std::to_string(kept));
  }
  EXPECT_GT(refused_, 0);
}

TEST_P(TraceMutation, damaged_file_is_read_or_refused) {
  RandomEngine engine(stream_seed(20240501, GetParam().file));
  for (std::uint64_t round = 0; round < tests::repetitions(400); ++round) {
    std::string text = original_;
    for (std::size_t edits = 1 + test::below(engine, 4); edits-- > 0;) {
      test::damage(text, kTokens, engine);
    }
    expect_read_or_refused(text, "round " + std::to_string(round));
  }
  EXPECT_GT(refused_, 0);
}

// A file of one format read as another must not crash either.
TEST_P(TraceMutation, file_of_another_format_is_read_or_refused) {
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << original_;
  for (const TraceFormat* const known : trace_formats()) {
    const TraceFormat& format = *known;
    try {
      collect_trace_info(path_, {.format = std::string(format.name)});
    } catch (const InputError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      EXPECT_NE(format.name, GetParam().format) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TraceMutation, testing::ValuesIn(kSamples), [](const auto& sample) {
  std::string name = sample.param.file;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace ftlab::workloads
