// Typed reading, units, provenance, and the exact line a person reads when a file is wrong.
#include "common/toml/toml_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "common/toml/toml_text.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::spec {
namespace {

using test::error_text;
using testing::ElementsAre;

TomlFile file(std::string_view text) { return TomlFile::parse(text, "f.toml"); }

TEST(TomlFile, typed_values_are_read_as_written) {
  const TomlFile f = file("name = \"card\"\non = true\n[a.b]\nn = 7\nx = 0.5\nlist = [\"p\", \"q\"]\n");
  EXPECT_EQ(f.get_string("name"), "card");
  EXPECT_TRUE(f.get_bool("on"));
  EXPECT_EQ(f.get_integer("a.b.n", 0, 10), 7);
  EXPECT_EQ(f.get_number("a.b.x", 0, 1), 0.5);
  EXPECT_EQ(f.get_number("a.b.n", 0, 10), 7.0);
  EXPECT_THAT(f.get_strings("a.b.list"), ElementsAre("p", "q"));
  EXPECT_THAT(f.get_strings("name"), ElementsAre("card"));
  EXPECT_NO_THROW(f.finish());
}

TEST(TomlFile, quantity_keeps_unit_source_and_marks) {
  const TomlFile f =
      file("t = { value = 0.6, unit = \"s\", source = \"sheet, table 9\", estimate = true, fitted = true }");
  const Quantity q = f.get_quantity("t");
  EXPECT_EQ(q.value, 0.6);
  EXPECT_EQ(q.unit, "s");
  EXPECT_EQ(q.source, "sheet, table 9");
  EXPECT_TRUE(q.estimate);
  EXPECT_TRUE(q.fitted);
  EXPECT_EQ(f.get_time("t"), Ticks{6'000'000'000});
  EXPECT_EQ(f.get_in("t", "ms", 0, 1000), 600.0);
}

TEST(TomlFile, units_convert_inside_their_dimension) {
  const TomlFile f = file(
      "i = { value = 2, unit = \"uA\", source = \"s\" }\n"
      "v = { value = 3.3, unit = \"V\", source = \"s\" }\n"
      "e = { value = 180, unit = \"mJ\", source = \"s\" }\n"
      "m = { value = 24, unit = \"MiB\", source = \"s\" }\n"
      "c = { value = 100000, unit = \"cycles\", source = \"s\" }\n");
  EXPECT_DOUBLE_EQ(f.get_in("i", "mA", 0, 1), 0.002);
  EXPECT_DOUBLE_EQ(f.get_in("v", "V", 0, 12), 3.3);
  EXPECT_DOUBLE_EQ(f.get_in("e", "J", 0, 1), 0.18);
  EXPECT_DOUBLE_EQ(f.get_in("m", "B", 0, 1e9), 25165824.0);
  EXPECT_DOUBLE_EQ(f.get_in("c", "1", 0, 1e9), 100000.0);
}

TEST(TomlFile, unit_of_another_dimension_is_refused_with_the_right_ones) {
  const TomlFile f = file("\n\nt = { value = 1, unit = \"mA\", source = \"s\" }");
  EXPECT_EQ(error_text([&] { (void)f.get_time("t"); }),
            "f.toml:3: t: unit 'mA' is not a unit of time; use one of ps, ns, us, ms, s, min, h, days");
}

TEST(TomlFile, broken_quantities_are_refused) {
  const auto text_for = [](const std::string& body) {
    const TomlFile f = file("[x]\nt = " + body);
    return error_text([&] { (void)f.get_quantity("x.t"); });
  };
  EXPECT_EQ(text_for("5"),
            "f.toml:2: x.t: must be a number with unit and source: { value = ..., unit = \"...\", source = \"...\" }, "
            "not an integer (5)");
  EXPECT_EQ(text_for("{ value = 1, unit = \"furlong\", source = \"s\" }"), "f.toml:2: x.t: unknown unit 'furlong'");
  EXPECT_EQ(text_for("{ value = 1, unit = \"s\" }"), "f.toml:2: x.t: needs source = \"...\", a string");
  EXPECT_EQ(text_for("{ value = \"1\", unit = \"s\", source = \"s\" }"), "f.toml:2: x.t: needs value = ..., a number");
  EXPECT_EQ(text_for("{ value = inf, unit = \"s\", source = \"s\" }"), "f.toml:2: x.t: value must be a finite number");
  EXPECT_EQ(text_for("{ value = 1, unit = \"s\", source = \"s\", estimated = true }"),
            "f.toml:2: x.t: unknown field 'estimated'; did you mean 'estimate'?");
  EXPECT_EQ(text_for("{ value = 1, unit = \"s\", source = \"s\", fitted = 1 }"),
            "f.toml:2: x.t: fitted must be true or false");
}

TEST(TomlFile, text_that_could_steer_a_terminal_is_refused) {
  const std::string said = ": holds control characters; leave them out";
  const TomlFile f = file(
      "title = \"\\u001b[31mred\"\nlist = [\"a\", \"\\u0007\"]\nlines = \"one\\ntwo\\tµ\"\n"
      "t = { value = 1, unit = \"s\", source = \"\\u009b31m\" }\n");
  EXPECT_EQ(error_text([&] { (void)f.get_string("title"); }), "f.toml:1: title" + said);
  EXPECT_EQ(error_text([&] { (void)f.get_strings("list"); }), "f.toml:2: list" + said);
  EXPECT_EQ(f.get_string("lines"), "one\ntwo\tµ");
  EXPECT_EQ(error_text([&] { (void)f.get_quantity("t"); }), "f.toml:4: t" + said);
}

TEST(TomlFile, wrong_type_names_file_line_key_and_both_types) {
  const TomlFile f = file("[ftl]\nutilization = \"high\"\npage_bytes = 4.5\nidle = 1\nname = 3\nsel = [1]\n");
  EXPECT_EQ(error_text([&] { (void)f.get_number("ftl.utilization", 0, 1); }),
            "f.toml:2: ftl.utilization: must be a number, not a string ('high')");
  EXPECT_EQ(error_text([&] { (void)f.get_integer("ftl.page_bytes", 0, 9); }),
            "f.toml:3: ftl.page_bytes: must be an integer, not a floating-point number (4.5)");
  EXPECT_EQ(error_text([&] { (void)f.get_bool("ftl.idle"); }),
            "f.toml:4: ftl.idle: must be true or false, not an integer (1)");
  EXPECT_EQ(error_text([&] { (void)f.get_string("ftl.name"); }),
            "f.toml:5: ftl.name: must be a string in quotes, not an integer (3)");
  EXPECT_EQ(error_text([&] { (void)f.get_strings("ftl.sel"); }),
            "f.toml:6: ftl.sel: must be a list of strings in quotes, not an integer (1)");
  EXPECT_EQ(error_text([&] { (void)f.get_string("ftl"); }), "f.toml:1: ftl: must be a string in quotes, not a table");
}

TEST(TomlFile, value_out_of_range_names_the_range) {
  const TomlFile f = file(
      "n = 3\nx = 1.5\nnan = nan\nt = { value = -1, unit = \"us\", source = \"s\" }\n"
      "share = { value = 120, unit = \"%\", source = \"s\" }\n"
      "plain = { value = 1.2, unit = \"1\", source = \"s\" }");
  EXPECT_EQ(error_text([&] { (void)f.get_integer("n", 4, 8); }),
            "f.toml:1: n: 3 is out of range; give an integer from 4 to 8");
  EXPECT_EQ(error_text([&] { (void)f.get_number("x", 0.1, 0.99); }),
            "f.toml:2: x: 1.5 is out of range; give a number from 0.1 to 0.99");
  EXPECT_EQ(error_text([&] { (void)f.get_number("nan", 0, 1); }),
            "f.toml:3: nan: nan is out of range; give a number from 0 to 1");
  EXPECT_EQ(error_text([&] { (void)f.get_in("t", "ns", 0, 10); }),
            "f.toml:4: t: -1 us is out of range; give a value from 0 to 0.01 us")
      << "in the unit of the file, not of the program";
  EXPECT_EQ(error_text([&] { (void)f.get_in("t", "ns", 1, std::numeric_limits<double>::infinity()); }),
            "f.toml:4: t: -1 us is out of range; give a value at least 0.001 us");
  EXPECT_EQ(error_text([&] { (void)f.get_in("share", "1", 0, 1); }),
            "f.toml:5: share: 120 % is out of range; give a value from 0 to 100 %");
  EXPECT_EQ(error_text([&] { (void)f.get_in("plain", "1", 0, 1); }),
            "f.toml:6: plain: 1.2 is out of range; give a value from 0 to 1");
}

TEST(TomlFile, missing_key_is_reported_at_its_table) {
  const TomlFile f = file("a = 1\n[ftl]\nb = 2\n");
  EXPECT_EQ(error_text([&] { (void)f.get_bool("ftl.on"); }), "f.toml:2: ftl.on: missing; add this key");
  EXPECT_EQ(error_text([&] { (void)f.get_bool("on"); }), "f.toml: on: missing; add this key");
}

TEST(TomlFile, first_unknown_key_of_the_file_is_reported_with_the_nearest_known_one) {
  const TomlFile f = file("seed = 1\n[ftl]\nutilisation = 0.9\n[zzz]\nq = 1\n");
  (void)f.get_integer("seed", 0, 9);
  EXPECT_FALSE(f.has("ftl.utilization"));
  EXPECT_EQ(error_text([&] { f.finish(); }), "f.toml:3: ftl.utilisation: unknown key; did you mean 'ftl.utilization'?");
}

TEST(TomlFile, right_key_in_the_wrong_table_is_recognised) {
  const TomlFile f = file("utilization = 0.9\n");
  EXPECT_FALSE(f.has("ftl.utilization"));
  EXPECT_EQ(error_text([&] { f.finish(); }), "f.toml:1: utilization: unknown key; did you mean 'ftl.utilization'?");
}

TEST(TomlFile, unknown_empty_table_is_reported_and_known_one_is_not) {
  const TomlFile f = file("[ftl]\n[ftll]\n");
  EXPECT_FALSE(f.has("ftl.selection"));
  EXPECT_EQ(error_text([&] { f.finish(); }), "f.toml:2: ftll: unknown key");
}

TEST(TomlFile, broken_syntax_names_line_and_column) {
  EXPECT_THAT(error_text([] { (void)file("a = 1\nb = = 2\n"); }),
              testing::StartsWith("f.toml:2: not valid TOML (column 5): "));
  EXPECT_THAT(error_text([] { (void)file("a = 1\na = 2\n"); }), testing::HasSubstr("f.toml:2: not valid TOML"));
  EXPECT_EQ(error_text([] { (void)file("\"a.b\" = 1\n"); }),
            "f.toml:1: 'a.b' is not a key; use letters, digits, _ and -");
}

TEST(TomlFile, a_value_without_its_quotes_is_named) {
  const auto text_for = [](const std::string& line) {
    return error_text([&] { (void)file("a = 1\n[workload]  # what is asked\n" + line + "\n[ftl]\nx = 1\n"); });
  };
  EXPECT_EQ(text_for("request_bytes = 16KiB  # of the host"),
            "f.toml:3: workload.request_bytes: 16KiB is text; put it in quotes: \"16KiB\"");
  EXPECT_EQ(text_for("spare = 15 %"), "f.toml:3: workload.spare: 15 % is text; put it in quotes: \"15 %\"");
  EXPECT_EQ(text_for("kind = uniform"), "f.toml:3: workload.kind: uniform is text; put it in quotes: \"uniform\"");
  EXPECT_EQ(text_for("path = traces/a.gz"),
            "f.toml:3: workload.path: traces/a.gz is text; put it in quotes: \"traces/a.gz\"");
  EXPECT_EQ(text_for("sizes = [\"4KiB\", 8KiB]"), "f.toml:3: workload.sizes: 8KiB is text; put it in quotes: \"8KiB\"");
}

TEST(TomlFile, other_broken_lines_get_no_word_on_quotes) {
  for (const char* line : {"b = \"x", "b c = 7", "b = [1, 2", "b = 1 2", "b = { c = 1", "b", "[b", "b = [true, , 1]"}) {
    EXPECT_THAT(error_text([&] { (void)file(std::string(line) + "\n"); }), testing::HasSubstr("not valid TOML"))
        << line;
  }
}

TEST(TomlFile, missing_file_and_directory_are_distinguished) {
  EXPECT_EQ(error_text([] { (void)TomlFile::load("/nonexistent/x.toml"); }), "/nonexistent/x.toml: no such file");
  const std::string dir = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(error_text([&] { (void)TomlFile::load(dir); }), dir + ": is a directory, not a TOML file");
}

TEST(TomlFile, endless_file_is_refused) {
  EXPECT_EQ(error_text([] { (void)TomlFile::load("/dev/zero"); }),
            "/dev/zero: larger than 4 MiB; not a parameter file");
}

TEST(TomlFile, keys_and_quantities_come_in_file_order) {
  const TomlFile f = file(
      "[t]\nzeta = { value = 1, unit = \"s\", source = \"a\" }\nalpha = { value = 2, unit = \"ms\", source = \"b\" "
      "}\n");
  EXPECT_THAT(f.keys("t"), ElementsAre("zeta", "alpha"));
  EXPECT_THAT(f.keys("absent"), testing::IsEmpty());
  const auto all = f.quantities();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].first, "t.zeta");
  EXPECT_EQ(all[1].second.source, "b");
  EXPECT_EQ(error_text([&] { f.finish(); }), "f.toml:2: t.zeta: unknown key") << "listing must not count as use";
}

TEST(TomlFile, lists_are_those_of_numbers_in_a_table_with_a_source) {
  const TomlFile f = file("plain = [1]\n[t]\nsource = \"a\"\ncounts = [1, 2.5]\nnames = [\"x\"]\n[u]\ncounts = [3]\n");
  const auto all = f.lists();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].first, "t.counts");
  EXPECT_THAT(all[0].second.values, ElementsAre(1, 2.5));
  EXPECT_EQ(all[0].second.source, "a");
  EXPECT_NE(error_text([&] { f.finish(); }), "no error") << "listing must not count as use";
}

TEST(TomlFile, texts_of_a_free_table_can_override_another_file) {
  const TomlFile f = file("[over]\nsegment_kib = 64\nname = \"x\"\n[over.timing.5V]\nerase = 0.8\n");
  const auto texts = f.texts("over");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].first, "segment_kib");
  EXPECT_EQ(texts[0].second, "64");
  EXPECT_EQ(texts[2].first, "timing.5V.erase");
  EXPECT_NO_THROW(f.finish());
  TomlFile part = file("[timing.5V]\nerase = { value = 0.6, unit = \"s\", source = \"sheet\" }\n");
  part.set(texts[2].first, texts[2].second, f.where("over.timing.5V.erase"));
  EXPECT_EQ(part.get_time("timing.5V.erase"), Ticks{8'000'000'000});
}

TEST(TomlFile, integer_that_no_double_holds_is_read_as_the_nearest) {
  const TomlFile f = TomlFile::parse(
      "a = 9007199254740993\nb = [9223372036854775807]\nc = { value = 9007199254740993, unit = \"1\", source = \"x\" "
      "}\n",
      "f.toml");
  EXPECT_EQ(f.get_number("a", 0, 1e19), 9007199254740992.0);
  EXPECT_EQ(f.get_numbers("b", 0, 1e19).at(0), 9223372036854775808.0);
  EXPECT_EQ(f.get_in("c", "1", 0, 1e19), 9007199254740992.0);
}

std::string row_of(std::size_t parts) {
  std::string key = "a";
  for (std::size_t i = 1; i < parts; ++i) key += i % 2 == 0 ? ".a" : " . \"a\"";
  return key;
}

TEST(TomlFile, deep_keys_are_refused_with_their_line_wherever_they_stand) {
  constexpr const char* kRefusal = "f.toml:2: a key of more than 16 parts; use names with fewer dots";
  const auto refused = [](const std::string& text) { return error_text([&] { (void)file("x = 1\n" + text + "\n"); }); };
  for (const std::size_t parts : {std::size_t{17}, std::size_t{50'000}, std::size_t{200'000}}) {
    EXPECT_EQ(refused(row_of(parts) + " = 1"), kRefusal);
    EXPECT_EQ(refused("[" + row_of(parts) + "]"), kRefusal);
    EXPECT_EQ(refused("[[" + row_of(parts) + "]]"), kRefusal);
    EXPECT_EQ(refused("v = { " + row_of(parts) + " = 1 }"), kRefusal);
  }
  EXPECT_NO_THROW((void)file(row_of(16) + " = 1"));
}

TEST(TomlFile, dots_that_are_no_part_of_a_key_are_not_counted) {
  const std::string dots(1000, '.');
  EXPECT_EQ(file("# " + dots + "\na = \"" + dots + "\\\"" + dots + "\"\n").get_string("a").size(), 2001U);
  EXPECT_EQ(file("a = '" + dots + "\\'\nb = 1 # '" + dots).get_string("a").size(), 1001U);
  EXPECT_NO_THROW((void)file("a = \"\"\"\n" + dots + "\n\"" + dots + "\"\"\"\nb = '''" + dots + "'''"));
  std::string numbers = "a = [0.5";
  for (int i = 0; i < 100; ++i) numbers += ", 1.5 ";
  EXPECT_EQ(file(numbers + "]").get_numbers("a", 0, 2).size(), 101U);
}

TEST(TomlFile, deep_keys_of_values_that_are_set_are_refused) {
  TomlFile f = file("x = 1");
  EXPECT_EQ(error_text([&] {
              std::string key = "a";
              for (int i = 0; i < 100'000; ++i) key += ".a";
              f.set(key, "1", "--set");
            }),
            "--set: a key of more than 16 parts; use names with fewer dots");
  EXPECT_EQ(error_text([&] { f.set("x", "{ " + row_of(50'000) + " = 1 }", "--set"); }),
            "--set: x: a key of more than 16 parts; use names with fewer dots");
}

TEST(TomlFile, top_names_are_those_of_a_file_that_can_be_read) {
  EXPECT_EQ(top_names("a = 1\n[b.c]\nd = 2\n[[e]]\n\"f.g\" = 3\n"), (std::vector<std::string>{"a", "b", "e"}));
  EXPECT_TRUE(top_names("a = ").empty());
  EXPECT_TRUE(top_names(row_of(200'000) + " = 1").empty());
}

}  // namespace
}  // namespace ftlab::spec
