// Listings for programs: the same rows as the table's, without its rules.
#include "platform/cli/listing.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;

Table sample() {
  Table table({{"name"}, {"help"}});
  table.add_row({"a", "says \"no\", then\nnothing"});
  table.add_rule();
  table.add_row({"b"});
  return table;
}

TEST(Listing, json_is_an_object_for_each_row) {
  const auto rows = nlohmann::json::parse(listing_text(sample(), Form::json));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("help"), "says \"no\", then\nnothing");
  EXPECT_EQ(rows[1].at("name"), "b");
  EXPECT_EQ(rows[1].at("help"), "");
}

TEST(Listing, csv_quotes_what_would_break_a_row) {
  EXPECT_EQ(listing_text(sample(), Form::csv), "name,help\r\na,\"says \"\"no\"\", then\nnothing\"\r\nb,\r\n");
}

TEST(Listing, every_command_that_lists_has_both_forms) {
  for (const char* command :
       {"keys", "inputs", "figures", "parts", "hosts", "cores", "scenarios", "policies", "workloads", "model"}) {
    const auto json = nlohmann::json::parse(run({command, "--json"}).out);
    EXPECT_FALSE(json.empty()) << command;
    const std::string csv = run({command, "--csv"}).out;
    const auto lines = static_cast<std::size_t>(std::ranges::count(csv, '\n'));
    EXPECT_EQ(lines, json.size() + 1) << command;
  }
}

TEST(Listing, one_part_is_listed_without_its_title) {
  const auto json = nlohmann::json::parse(run({"parts", "series2plus-4mb", "--json"}).out);
  EXPECT_EQ(json.at(0).size(), 5U);
}

TEST(Listing, policies_hold_the_members_of_the_page_mapped_layer_of_arrays) {
  const auto rows = nlohmann::json::parse(run({"policies", "--json"}).out);
  const auto lists = [&rows](const std::string& key, const std::string& name) {
    return std::ranges::any_of(rows, [&](const nlohmann::json& row) {
      return row.at("key") == key && row.at("name") == name &&
             row.at("what it does").get<std::string>().find("ftl.firmware = \"page\"") != std::string::npos;
    });
  };
  for (const char* name : {"greedy", "lru", "windowed_greedy", "d_choices"})
    EXPECT_TRUE(lists("ftl.selection", name)) << name;
  for (const char* name : {"none", "oracle", "recency", "sepbit", "future"})
    EXPECT_TRUE(lists("ftl.separation", name)) << name;
  for (const char* name : {"greedy", "cat_linear", "cat_log2", "split", "marginal", "together"})
    EXPECT_TRUE(lists("ftl.pool_choice", name)) << name;
}

TEST(Listing, both_forms_at_once_are_refused) {
  EXPECT_THAT(run({"keys", "--json", "--csv"}).err, testing::HasSubstr("--json excludes --csv"));
}

}  // namespace
}  // namespace ftlab::platform::cli
