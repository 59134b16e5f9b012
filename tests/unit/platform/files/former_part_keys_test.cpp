// Keys of parts by the names that they had: in studies, in files that derive from others, and in whole files.
#include "platform/files/former_part_keys.h"

#include <gmock/gmock.h>

#include "platform/study/study.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using test::error_text;
using testing::ElementsAre;

std::vector<std::pair<std::string, std::string>> pairs(const std::vector<FileOverride>& changes) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const FileOverride& change : changes) all.emplace_back(change.key, change.text);
  return all;
}

TEST(FormerPartKeys, of_a_study_are_answered_with_a_line_each) {
  const Study study =
      parse_study("part = \"series2plus-4mb\"\n[part_overrides.endurance]\nmedian = 25\nrated = 20\n", "s.toml");
  EXPECT_THAT(pairs(study.part_overrides),
              ElementsAre(std::pair("endurance.median_ratio", "1.25"), std::pair("endurance.rated_cycles", "20")));
  EXPECT_THAT(study.notes,
              ElementsAre("s.toml:4: part_overrides.endurance.rated: is called endurance.rated_cycles now",
                          "s.toml:3: part_overrides.endurance.median: is called endurance.median_ratio now, and is a "
                          "multiple of endurance.rated_cycles: 1.25"));
  std::vector<FileOverride> mlc{{"endurance.rated_mlc", "7", "x"}, {"errors.base", "0", "x"}};
  EXPECT_THAT(take_former_part_keys(mlc), ElementsAre("x.endurance.rated_mlc: is called endurance.rated_cycles now"));
  EXPECT_EQ(mlc[0].key, "endurance.rated_cycles");
}

TEST(FormerPartKeys, beside_the_name_of_now_or_without_what_they_count_in_are_refused) {
  std::vector<FileOverride> both{{"endurance.rated", "7", "x"}, {"endurance.rated_cycles", "8", "x"}};
  EXPECT_EQ(error_text([&] { (void)take_former_part_keys(both); }),
            "x.endurance.rated: is endurance.rated_cycles by its former name; keep one of the two");
  std::vector<FileOverride> alone{{"endurance.median", "7", "x"}};
  EXPECT_EQ(error_text([&] { (void)take_former_part_keys(alone); }),
            "x.endurance.median: is called endurance.median_ratio now, and is a multiple of endurance.rated_cycles; "
            "write 10 for ten times as many");
}

TEST(FormerPartKeys, of_a_whole_file_keep_value_and_source) {
  spec::TomlFile part = spec::TomlFile::parse(
      "[endurance]\nrated = { value = 20, unit = \"cycles\", source = \"sheet\" }\n"
      "median = { value = 50, unit = \"cycles\", source = \"assumed\" }\n"
      "[errors]\ncodeword_bytes = { value = 512, unit = \"B\", source = \"sheet\" }\n"
      "[profiles.worn]\nendurance.rated_mlc = { value = 5, unit = \"cycles\", source = \"made up\" }\n",
      "p.toml");
  take_former_part_keys(part);
  EXPECT_EQ(part.get_in("endurance.rated_cycles", "cycles", 0, 100), 20);
  EXPECT_EQ(part.get_in("endurance.median_ratio", "1", 0, 100), 2.5);
  EXPECT_EQ(part.get_quantity("endurance.median_ratio").source, "assumed");
  EXPECT_EQ(part.get_in("profiles.worn.endurance.rated_cycles", "cycles", 0, 100), 5);
  EXPECT_EQ(part.get_in("errors.wear_cycles", "cycles", 0, 100), 0) << "the rated cycles, as arrays had it";
  EXPECT_EQ(part.get_in("wordline_pages", "1", 1, 3), 1) << "a loss of power spoiled no earlier page";
  EXPECT_EQ(part.get_string("controller.open_wordlines"), "lost");
  spec::TomlFile both = spec::TomlFile::parse("[endurance]\nrated = 1\nrated_cycles = 2\n", "p.toml");
  EXPECT_THAT(error_text([&] { take_former_part_keys(both); }),
              testing::HasSubstr("is endurance.rated_cycles by its former name; keep one of the two"));
}

}  // namespace
}  // namespace ftlab::platform
