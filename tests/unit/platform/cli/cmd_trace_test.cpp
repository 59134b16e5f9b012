// Classes of a trace's pages and what the models predict from them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "platform/analytic/model.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::Outcome;
using test::run;
using testing::HasSubstr;

class TraceCommand : public test::FolderTest {
 protected:
  /// 10 pages: the first is written 90 times, the others once each.
  std::string hot_trace() const {
    std::string text;
    for (int i = 0; i < 90; ++i) text += "0,0,4096,w,1\n";
    for (int i = 1; i < 10; ++i) text += "0," + std::to_string(i * 8) + ",4096,w,2\n";
    return file("hot.spc", text);
  }
  /// 100 pages: 20 of them written 16 times, 80 once.
  std::string two_rates() const {
    std::string text;
    for (int i = 0; i < 100; ++i) {
      for (int n = 0; n < (i < 20 ? 16 : 1); ++n) text += "0," + std::to_string(i * 8) + ",4096,w,1\n";
    }
    return file("rates.spc", text);
  }
  static nlohmann::json json_of(std::vector<std::string> words) {
    words.insert(words.begin(), {"trace", "classes", "--json"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, kOk) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  static std::string error_of(std::vector<std::string> words) {
    words.insert(words.begin(), {"trace", "classes"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, kBadInput);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
};

TEST_F(TraceCommand, classes_are_quantiles_of_the_page_writes) {
  const nlohmann::json json = json_of({two_rates()});
  EXPECT_EQ(json.at("schema"), "ftlab-trace-classes");
  EXPECT_EQ(json.at("pages_written"), 100);
  EXPECT_EQ(json.at("page_writes"), 400);
  ASSERT_EQ(json.at("classes").size(), 5U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(json.at("classes").at(i).at("pages"), 5);
    EXPECT_EQ(json.at("classes").at(i).at("writes"), 80);
  }
  EXPECT_EQ(json.at("classes").at(4).at("pages"), 80);
  EXPECT_DOUBLE_EQ(json.at("classes").at(4).at("data").get<double>(), 0.8);
  EXPECT_DOUBLE_EQ(json.at("classes").at(4).at("access").get<double>(), 0.2);
}

TEST_F(TraceCommand, predictions_are_those_of_the_models) {
  const nlohmann::json json = json_of({two_rates(), "--spare-factor", "0.1", "--pages-per-segment", "32"});
  const analytic::Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 32, .access = {0.8, 0.2}, .data = {0.2, 0.8}};
  int asked = 0;
  for (const nlohmann::json& row : json.at("predictions")) {
    if (row.at("classes") != 5) continue;  // the four hot ones are one class of 80/20
    const auto& model = *analytic::find_model(row.at("model").get<std::string>());
    EXPECT_NEAR(row.at("value").get<double>(), analytic::evaluate(model, inputs).value, 1e-9) << row;
    ++asked;
  }
  EXPECT_EQ(asked, 2);
}

TEST_F(TraceCommand, page_that_takes_more_than_a_class_of_writes_stands_alone) {
  const nlohmann::json json = json_of({hot_trace()});
  ASSERT_EQ(json.at("classes").size(), 2U);
  EXPECT_EQ(json.at("classes").at(0).at("pages"), 1);
  EXPECT_EQ(json.at("classes").at(0).at("writes"), 90);
  EXPECT_EQ(json.at("classes").at(1).at("pages"), 9);
}

TEST_F(TraceCommand, data_that_the_trace_does_not_write_is_a_class_of_its_own) {
  const nlohmann::json json = json_of({two_rates(), "--data-pages", "400"});
  ASSERT_EQ(json.at("classes").size(), 6U);
  EXPECT_EQ(json.at("classes").at(5).at("pages"), 300);
  EXPECT_EQ(json.at("classes").at(5).at("writes"), 0);
  EXPECT_DOUBLE_EQ(json.at("classes").at(5).at("data").get<double>(), 0.75);
}

TEST_F(TraceCommand, model_that_does_not_answer_says_why) {
  const std::string one_page = file("one.spc", "0,0,4096,w,1\n0,0,4096,w,2\n");
  const Outcome outcome = run({"trace", "classes", one_page});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_THAT(outcome.out, HasSubstr("data: lru_hotcold takes 2 classes, not 1"));
  EXPECT_THAT(outcome.out, HasSubstr("\nlru                   1                7.318\n"));
}

TEST_F(TraceCommand, table_has_classes_and_predictions) {
  const std::string path = two_rates();
  const Outcome outcome = run({"trace", "classes", path, "--classes", "2"});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_EQ(outcome.out, path + R"(: 400 page writes to 100 pages of 4096 bytes

class  pages  of the data  page writes  of the writes  writes a page
--------------------------------------------------------------------
    1     12       12.0 %          192         48.0 %           16.0
    2     88       88.0 %          208         52.0 %           2.36

spare factor 0.07, 64 pages per segment

model           classes  write amplification  why not
-----------------------------------------------------
lru                   1                7.318
lru_hotcold           2                7.520
lru_classes           2                7.520
greedy                1                6.600
greedy_hotcold        2                6.801
optimal_split         2                5.655
optimal_split         2                5.655
)");
}

TEST_F(TraceCommand, requests_of_no_bytes_are_said_once_of_the_trace_and_of_its_run) {
  const std::string trace = file("empty.spc", "0,0,4096,w,1\n0,8,0,w,2\n0,16,4096,w,3\n");
  const std::string note = "ftlab: note: " + trace + ": 1 request is of no bytes; runs leave it out\n";
  const Outcome info = run({"trace", "info", trace});
  EXPECT_THAT(info.out, HasSubstr("\nof no bytes                         1  which a run leaves out\n"));
  EXPECT_EQ(info.err, "");
  EXPECT_EQ(run({"trace", "info", trace, "--json"}).err, "");
  EXPECT_EQ(run({"trace", "classes", trace}).err, note);
  const std::string study = file("study.toml", "part = \"series2plus-4mb\"\nworkload.kind = \"trace\"\n");
  const Outcome made =
      test::run_in_child({"run", study, "--set", "workload.path=" + trace, "--out", (folder_ / "out").string()});
  EXPECT_EQ(made.code, kOk);
  EXPECT_THAT(made.err, HasSubstr(note));
}

TEST_F(TraceCommand, wrong_options_are_refused) {
  const std::string path = two_rates();
  EXPECT_EQ(error_of({path, "--classes", "0"}),
            "ftlab: error: --classes: 0 is out of range; give a whole number from 1 to 1000\n");
  EXPECT_EQ(error_of({path, "--spare-factor", "2"}),
            "ftlab: error: --spare-factor: 2 is out of range; give a number above 0 and below 1\n");
  EXPECT_EQ(error_of({path, "--pages-per-segment", "0"}),
            "ftlab: error: --pages-per-segment: 0 is out of range; give a whole number from 1 to 1000000\n");
  EXPECT_EQ(error_of({path, "--data-pages", "99"}),
            "ftlab: error: --data-pages: 99 are fewer than the 100 that the trace writes; give as many or more\n");
  EXPECT_EQ(error_of({path, "--clases", "2"}), "ftlab: error: unknown option '--clases'; did you mean '--classes'?\n");
  const std::string reads = file("reads.spc", "0,0,4096,r,1\n");
  EXPECT_EQ(error_of({reads}), "ftlab: error: " + reads + ": writes no page, so there are no classes of writes\n");
}

}  // namespace
}  // namespace ftlab::platform::cli
