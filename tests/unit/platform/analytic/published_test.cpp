// The models against the paper's tables, and against values that another program computed.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<Row> rows_of(const std::string& name) {
  std::ifstream file(std::string(FTLAB_ANALYTIC_DATA) + "/" + name);
  std::vector<std::string> titles;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (titles.empty()) {
      titles = cells;
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < titles.size(); ++i) row[titles[i]] = cells.at(i);
  }
  return rows;
}

Inputs inputs_of(const Row& row) {
  Inputs inputs{.spare_factor = std::stod(row.at("spare_factor"))};
  if (!row.at("pages_per_segment").empty()) inputs.pages_per_segment = std::stoull(row.at("pages_per_segment"));
  if (!row.at("access").empty()) inputs.access = {std::stod(row.at("access"))};
  if (!row.at("data").empty()) inputs.data = {std::stod(row.at("data"))};
  return inputs;
}

/// One unit of the last digit that is printed.
double last_digit(const std::string& printed) {
  const std::size_t point = printed.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
  return std::pow(10, -decimals);
}

TEST(PublishedTables, are_met_to_their_last_digit) {
  const std::vector<Row> rows = rows_of("published.csv");
  ASSERT_EQ(rows.size(), 35U);
  for (const Row& row : rows) {
    const std::string& printed = row.at("value");
    const double ours = test::value(row.at("model"), inputs_of(row));
    EXPECT_NEAR(ours, std::stod(printed), last_digit(printed)) << row.at("table") << ", S_f " << row.at("spare_factor");
  }
}

TEST(Reference, is_met_to_six_digits) {
  const std::vector<Row> rows = rows_of("reference.csv");
  ASSERT_EQ(rows.size(), 59U);
  for (const Row& row : rows) {
    const Result result = test::ask(row.at("model"), inputs_of(row));
    const std::string& quantity = row.at("quantity");
    const double ours = quantity == "value" ? result.value : result.detail(quantity).front();
    const double other = std::stod(row.at("value"));
    EXPECT_NEAR(ours, other, 5.1e-6 * std::abs(other))
        << quantity << " of Eq. " << row.at("equation") << ", S_f " << row.at("spare_factor");
  }
}

/// What the paper's simulations and ours have, of which the equations are said to be exact or close.
TEST(PublishedSimulations, are_as_close_as_the_paper_says) {
  const Inputs hot{.spare_factor = 0.11, .access = {0.9}, .data = {0.05}};
  EXPECT_NEAR(test::value("lru_hotcold", hot), 6.409, 0.0011);
  Inputs greedy = hot;
  greedy.pages_per_segment = 64;
  EXPECT_NEAR(test::value("greedy_hotcold", greedy), 6.112, 0.02 * 6.112);
  EXPECT_NEAR(test::value("optimal_split", greedy), 1.762, 0.01);
}

}  // namespace
}  // namespace ftlab::analytic
