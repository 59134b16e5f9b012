#include "platform/laboratory/process_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

TEST(ProcessPool, results_come_back_in_the_order_of_the_jobs) {
  std::vector<Job> jobs;
  for (int i = 0; i < 7; ++i) {
    jobs.push_back({"job", [i](const ProgressFn&) {
                      if (i == 0) ::usleep(20000);
                      return ordered_json{{"index", i}};
                    }});
  }
  const auto results = run_jobs(jobs, {.parallel = 3, .progress = {}});
  ASSERT_EQ(results.size(), 7U);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)]["index"], i);
}

TEST(ProcessPool, large_results_pass_whole) {
  const std::string text(3'000'000, 'x');
  const auto results = run_jobs({{"big", [&](const ProgressFn&) { return ordered_json{{"text", text}}; }}}, {});
  EXPECT_EQ(results[0]["text"], text);
}

TEST(ProcessPool, progress_reaches_one) {
  double last = 0;
  ProcessPoolOptions options{.parallel = 2, .progress = [&](double share, const std::string&) { last = share; }};
  run_jobs({{"a",
             [](const ProgressFn& report) {
               report(0.5);
               return ordered_json{{"n", 1}};
             }},
            {"b",
             [](const ProgressFn&) {
               return ordered_json{{"n", 2}};
             }}},
           options);
  EXPECT_DOUBLE_EQ(last, 1.0);
}

TEST(ProcessPool, the_users_error_in_a_job_is_the_users_error_here) {
  const std::vector<Job> jobs{
      {"bad", [](const ProgressFn&) -> ordered_json { throw InputError("f.toml:3: seed: bad"); }}};
  try {
    run_jobs(jobs, {});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f.toml:3: seed: bad");
  }
}

TEST(ProcessPool, a_job_that_dies_is_named) {
  const std::vector<Job> jobs{{"cell 3", [](const ProgressFn&) -> ordered_json { ::_exit(9); }}};
  try {
    run_jobs(jobs, {});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cell 3"), std::string::npos);
  }
}

}  // namespace
}  // namespace ftlab::platform
