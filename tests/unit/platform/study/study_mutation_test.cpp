// Property: any bytes given as a study either load or raise one line of InputError.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <nlohmann/json.hpp>

#include "common/input_error.h"
#include "platform/study/params.h"
#include "platform/study/study.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::platform {
namespace {

TEST(StudyMutation, mutated_studies_load_or_raise_one_line) {
  boost::random::mt19937 rng(19990501);
  const auto below = [&rng](std::size_t n) {
    return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(rng);
  };
  // Without comments nearly every edit hits a key or a value.
  std::string compact;
  for (const Param& p : params()) {
    if (!p.fallback.empty()) compact += p.key + " = " + p.fallback + "\n";
  }
  const std::string_view tokens[] = {"=",    "[",   "]",    "\"",      "\n",       ".", "-",
                                     "1e99", "nan", "true", "[ftl]\n", "\xc3\x28", "0"};
  constexpr int kRounds = tests::repetitions(1500);
  int loaded = 0;
  int refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string text = compact;
    for (std::size_t edits = below(3); edits-- > 0;) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
        case 0:
          text.erase(at, 1 + below(30));
          break;
        case 1:
          text.insert(at, tokens[below(std::size(tokens))]);
          break;
        default:
          text[at] = static_cast<char>(below(256));
      }
    }
    try {
      const auto config = resolved_config(parse_study(text, "m.toml"));
      EXPECT_TRUE(config.contains("ftl"));
      ++loaded;
    } catch (const InputError& error) {
      const std::string line = error.what();
      EXPECT_EQ(line.rfind("m.toml", 0), 0U) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      ++refused;
    }
  }
  EXPECT_GT(loaded, kRounds / 15);
  EXPECT_GT(refused, kRounds / 15);
}

}  // namespace
}  // namespace ftlab::platform
