// Files that say only what they change of another one, and whose fault a refusal is.
#include "platform/files/derived_file.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hw/series2plus/spec/spec.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;
using test::error_text;
using testing::HasSubstr;
using testing::StartsWith;

class DerivedFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("ftlab_derived_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static spec::TomlFile part(const std::string& path) { return load_data_file("parts", path); }
  static void load(const std::string& study) {
    load_part(parse_study(study, "s.toml"),
              [](spec::TomlFile& whole) { (void)hw::load_card_spec(whole, hw::Voltage::v5); });
  }
  fs::path folder_;
};

TEST_F(DerivedFiles, changes_stand_over_the_base_and_the_rest_is_the_base_s) {
  const std::string path = file("fast.toml",
                                "base = \"series2plus-24mb\"\nname = \"fast\"\ntitle = \"A fast card\"\n"
                                "[timing.5V]\nerase = \"300 ms\"\nwake = 1\n"
                                "upload = { value = 6, unit = \"us\", source = \"measured\" }\n");
  const spec::TomlFile whole = part(path);
  EXPECT_EQ(whole.get_string("title"), "A fast card");
  EXPECT_EQ(whole.get_in("timing.5V.erase", "ms", 0, 1e9), 300);
  EXPECT_EQ(whole.get_quantity("timing.5V.erase").source, path + ":5");
  EXPECT_EQ(whole.get_quantity("timing.5V.wake").unit, "us") << "a number alone keeps the unit of the base";
  EXPECT_EQ(whole.get_quantity("timing.5V.upload").source, "measured");
  EXPECT_EQ(whole.get_quantity("capacity_mib").value, 24);
  EXPECT_FALSE(whole.overridden("timing.5V.erase")) << "a profile goes over it, as over any value of a file";
  load("part = \"" + path + "\"\n");
}

TEST_F(DerivedFiles, name_is_that_of_the_file_and_title_says_what_changed_unless_given) {
  const std::string path = file("big.toml", "base = \"series2plus-24mb\"\ncapacity_mib = 64\n");
  EXPECT_EQ(part(path).get_string("name"), "big");
  EXPECT_EQ(part(path).get_string("title"),
            "Intel Series 2+ Flash Memory Card, 24 MB (12 x 28F016SA), changed: capacity_mib = 64 MiB");
}

TEST_F(DerivedFiles, chain_of_bases_is_followed_by_name_and_path) {
  file("a.toml", "base = \"series2plus-24mb\"\nsegment_kib = 64\ncapacity_mib = 8\n");
  const spec::TomlFile whole = part(file("b.toml", "base = \"a.toml\"\ncapacity_mib = 16\n"));
  EXPECT_EQ(whole.get_quantity("segment_kib").value, 64);
  EXPECT_EQ(whole.get_quantity("capacity_mib").value, 16);
}

TEST_F(DerivedFiles, files_that_are_based_on_themselves_or_on_nothing_are_refused) {
  const std::string a = file("a.toml", "name = \"a\"\nbase = \"b.toml\"\n");
  file("b.toml", "base = \"./a.toml\"\n");
  EXPECT_EQ(error_text([&] { (void)part(a); }),
            (folder_ / "b.toml").string() + ":1: base: the file is based on itself; name another one");
  const std::string c = file("c.toml", "base = \"series2plus-24m\"\n");
  EXPECT_THAT(error_text([&] { (void)part(c); }),
              StartsWith(c + ":1: base: no part named 'series2plus-24m'; did you mean"));
}

TEST_F(DerivedFiles, misspelt_key_of_a_derived_file_is_named_with_its_line) {
  const std::string path = file("t.toml", "base = \"series2plus-24mb\"\n\n[timing.5V]\neraze = \"1 s\"\n");
  EXPECT_EQ(error_text([&] { load("part = \"" + path + "\"\n"); }),
            path + ":4: timing.5V.eraze: unknown key; did you mean 'timing.5V.erase'?");
}

TEST_F(DerivedFiles, refusal_names_the_change_that_is_at_fault_and_not_the_line_it_clashes_with) {
  const std::string shipped = "hw/parts/series2plus-24mb.toml:10: capacity_mib: 24 MiB ";
  EXPECT_THAT(error_text([] { load("[part_overrides]\ntiming.5V.wake = 1\npair_mib = 16\n"); }),
              testing::AllOf(StartsWith("s.toml:3: part_overrides.pair_mib = 16 does not suit the rest: "),
                             HasSubstr(shipped), HasSubstr("is no whole number of component pairs")));
  const std::string path = file("p.toml", "base = \"series2plus-24mb\"\ntiming.5V.wake = 1\npair_mib = 16\n");
  EXPECT_THAT(error_text([&] { load("part = \"" + path + "\"\n"); }),
              testing::AllOf(StartsWith(path + ":3: pair_mib = 16 does not suit the rest: "), HasSubstr(shipped)));
}

TEST_F(DerivedFiles, refusal_of_a_changed_value_itself_is_left_as_it_is) {
  EXPECT_THAT(error_text([] { load("[part_overrides]\ncapacity_mib = 0\n"); }),
              StartsWith("s.toml:2: part_overrides: capacity_mib: 0 MiB is out of range"));
}

TEST_F(DerivedFiles, misspelt_key_of_a_host_file_is_named_before_the_number_that_is_missing) {
  std::ifstream in(fs::path(FTLAB_SOURCE) / "platform/hosts/pentium-133.toml");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  text.replace(text.find("timer_tick ="), 12, "timer_tik =");
  const std::string path = file("h.toml", text);
  EXPECT_THAT(error_text([&] { (void)load_host(parse_study("host = \"" + path + "\"\n", "s.toml")); }),
              testing::MatchesRegex(path + ":[0-9]+: timer_tik: unknown key; did you mean 'timer_tick'\\?"));
}

TEST_F(DerivedFiles, hosts_and_scenarios_derive_too) {
  const std::string host =
      file("h.toml", "base = \"pentium-133\"\nready_interrupt = false\nwork.page_copy = \"1 ms\"\n");
  const ProcessorProfile profile = load_host(parse_study("host = \"" + host + "\"\n", "s.toml"));
  EXPECT_FALSE(profile.ready_interrupt);
  EXPECT_THAT(profile.title, testing::EndsWith(", changed: ready_interrupt = false, work.page_copy = 1 ms"));
  const std::string scenario = file("s.toml", "base = \"flexfs-idle\"\nbursts.period = \"3 s\"\n");
  const Study study = parse_study("[workload]\nkind = \"scenario\"\nscenario = \"" + scenario + "\"\n", "x.toml");
  EXPECT_EQ(load_scenario(study).bursts.period, ticks_from_ns(3e9));
}

TEST(PartFilesDocument, names_every_key_of_the_shipped_parts_and_hosts) {
  const fs::path root = FTLAB_SOURCE;
  std::ifstream in(root / "docs/part-files.md");
  const std::string document((std::istreambuf_iterator<char>(in)), {});
  for (const char* name :
       {"hw/parts/series2plus-24mb.toml", "hw/parts/flexonenand-4gb.toml", "platform/hosts/pentium-133.toml"}) {
    spec::TomlFile file = spec::TomlFile::load((root / name).string());
    for (const auto& [key, text] : file.texts("")) {
      if (key.starts_with("profiles.")) continue;
      EXPECT_THAT(document, HasSubstr("`" + key.substr(key.rfind('.') + 1) + "`")) << name;
    }
  }
}

}  // namespace
}  // namespace ftlab::platform
