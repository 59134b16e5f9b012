// --set and [part_overrides]: values replaced by text keep meaning, unit and a findable origin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/toml/toml_file.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::spec {
namespace {

using test::error_text;

TomlFile file() {
  return TomlFile::parse(
      "name = \"a\"\nseed = 1\n[ftl]\nutilization = 0.5\n[timing]\nerase = { value = 0.6, unit = \"s\", source = "
      "\"sheet\", estimate = true }\n",
      "f.toml");
}

TEST(TomlOverride, toml_values_and_bare_words_replace_values) {
  TomlFile f = file();
  f.set("name", "hot_cold", "--set");
  f.set("seed", "0x10", "--set");
  f.set("ftl.utilization", "0.9", "--set");
  f.set("workload.path", "../traces/a b.srt.gz", "--set");
  f.set("workload.list", "[\"x\", \"y\"]", "--set");
  EXPECT_EQ(f.get_string("name"), "hot_cold");
  EXPECT_EQ(f.get_integer("seed", 0, 99), 16);
  EXPECT_EQ(f.get_number("ftl.utilization", 0, 1), 0.9);
  EXPECT_EQ(f.get_string("workload.path"), "../traces/a b.srt.gz");
  EXPECT_THAT(f.get_strings("workload.list"), testing::ElementsAre("x", "y"));
}

TEST(TomlOverride, dots_of_a_bare_text_are_no_key) {
  TomlFile f = file();
  const std::string text = "wait....................and.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p";
  f.set("name", text, "--set");
  EXPECT_EQ(f.get_string("name"), text);
}

TEST(TomlOverride, number_is_taken_as_a_word_where_a_string_is_wanted) {
  TomlFile f = file();
  f.set("name", "2024", "--set");
  EXPECT_EQ(f.get_string("name"), "2024");
}

TEST(TomlOverride, quantity_keeps_its_unit_and_takes_the_origin_as_source) {
  TomlFile f = file();
  f.set("timing.erase", "0.8", "--set");
  const Quantity q = f.get_quantity("timing.erase");
  EXPECT_EQ(q.value, 0.8);
  EXPECT_EQ(q.unit, "s");
  EXPECT_EQ(q.source, "--set");
  EXPECT_FALSE(q.estimate);
}

TEST(TomlOverride, number_with_unit_changes_both) {
  TomlFile f = file();
  f.set("timing.erase", "800 ms", "--set");
  EXPECT_EQ(f.get_time("timing.erase"), Ticks{8'000'000'000});
  EXPECT_EQ(error_text([&] { f.set("timing.erase", "soon", "--set"); }),
            "--set: timing.erase: must be a number in ms, or a number with unit such as \"1.5 ms\"");
}

TEST(TomlOverride, message_names_the_origin_instead_of_a_line) {
  TomlFile f = file();
  f.set("ftl.utilization", "2", "--set");
  EXPECT_EQ(error_text([&] { (void)f.get_number("ftl.utilization", 0, 1); }),
            "--set: ftl.utilization: 2 is out of range; give a number from 0 to 1");
}

TEST(TomlOverride, misspelt_key_is_found_by_finish) {
  TomlFile f = TomlFile::parse("", "f.toml");
  f.set("ftl.utilisation", "0.9", "--set");
  (void)f.has("ftl.utilization");
  EXPECT_EQ(error_text([&] { f.finish(); }), "--set: ftl.utilisation: unknown key; did you mean 'ftl.utilization'?");
}

TEST(TomlOverride, impossible_targets_are_refused) {
  TomlFile f = file();
  EXPECT_EQ(error_text([&] { f.set("", "1", "--set"); }), "--set: '' is not a key; write table.key=value");
  EXPECT_EQ(error_text([&] { f.set("a..b", "1", "--set"); }), "--set: 'a..b' is not a key; write table.key=value");
  EXPECT_EQ(error_text([&] { f.set("seed.x", "1", "--set"); }), "--set: seed.x: 'seed' is a value, not a table");
  EXPECT_EQ(error_text([&] { f.set("ftl", "1", "--set"); }),
            "--set: ftl: is a table; name one of its keys (ftl.KEY=VALUE)");
  EXPECT_THAT(error_text([&] { f.set("seed", "[1, ", "--set"); }),
              testing::StartsWith("--set: seed: not a TOML value: "));
}

TEST(TomlOverride, text_cannot_smuggle_in_a_second_key) {
  TomlFile f = file();
  f.set("name", "1\nseed = 9", "--set");
  EXPECT_EQ(f.get_integer("seed", 0, 9), 1);
  EXPECT_EQ(f.get_string("name"), "1\nseed = 9");
}

TEST(TomlOverride, word_for_a_number_without_unit_is_refused) {
  TomlFile f = TomlFile::parse("erase = { value = 1 }\n", "f.toml");
  EXPECT_EQ(error_text([&] { f.set("erase", "soon", "--set"); }),
            "--set: erase: must be a number in its unit, or a number with unit such as \"1.5 s\"");
}

TEST(TomlOverride, text_for_a_plain_number_is_refused_without_a_word_of_units) {
  TomlFile f = TomlFile::parse("segments = { value = 8, unit = \"1\" }\n", "f.toml");
  EXPECT_EQ(error_text([&] { f.set("segments", "\"64\"", "--set"); }), "--set: segments: must be a number");
}

TEST(TomlOverride, copy_is_overridden_on_its_own) {
  const TomlFile first = file();
  TomlFile second = first.copy();
  second.set("seed", "7", "--set");
  EXPECT_EQ(first.get_integer("seed", 0, 99), 1);
  EXPECT_EQ(second.get_integer("seed", 0, 99), 7);
}

}  // namespace
}  // namespace ftlab::spec
