// A result as a study: what it was made of comes back as it was, whatever has become of the files.
#include "platform/study/result_file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "common/toml/toml_file.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/volume_config.h"
#include "platform/files/file_document.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using test::error_text;

/// As run_study() writes it, without the figures.
ordered_json result_of(const Study& study) {
  ordered_json config = resolved_config(study);
  config["documents"] = study_documents(study);
  return {{"schema", "ftlab-result"}, {"version", 1}, {"config", config}};
}

ordered_json again(const ordered_json& result, std::vector<Setting> settings = {}) {
  return result_of(study_of_result("r.json", result, settings));
}

class ResultFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "own_" + std::to_string(::getpid()) + ".toml";
    std::filesystem::copy_file(std::filesystem::path(FTLAB_SOURCE) / "hw/parts/series2plus-4mb.toml", path_,
                               std::filesystem::copy_options::overwrite_existing);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_;
};

TEST_F(ResultFile, study_of_a_result_gives_the_same_configuration_and_documents) {
  const std::string text =
      "part = \"" + path_ +
      "\"\nseed = 3\nvoltage = \"3.3V\"\n"
      "[part_overrides]\nsegment_kib = 64\ncis_product = \"Q\"\n"
      "timing.5V.erase = { value = 0.7, unit = \"s\", source = \"measured \\\"here\\\"\" }\ntiming.5V.wake = \"1 us\"\n"
      "[host_overrides]\nready_interrupt = false\nwork.page_copy = 2\n"
      "[workload]\nkind = \"classes\"\nclass_access = [0.5, 0.5]\nclass_data = [0.25, 0.75]\n"
      "[ftl]\nspare_factor = 0.15\n";
  const ordered_json result = result_of(parse_study(text, "s.toml"));
  EXPECT_EQ(again(result).dump(2), result.dump(2));
}

TEST_F(ResultFile, scenario_and_profile_come_back) {
  const std::string text =
      "part = \"flexonenand-4gb\"\npart_profile = \"flexfs-calibrated\"\nhost = \"omap2420-400\"\n"
      "[ftl]\nfirmware = \"flexfs\"\n[workload]\nkind = \"scenario\"\nscenario = \"flexfs-mobile\"\n"
      "[part_overrides]\ntiming.program_lsb = 300\n[scenario_overrides]\nduration = \"10 min\"\n";
  const ordered_json result = result_of(parse_study(text, "s.toml"));
  EXPECT_EQ(result["config"]["documents"]["scenario"]["duration"]["value"], 10);
  EXPECT_EQ(again(result).dump(2), result.dump(2));
}

TEST_F(ResultFile, part_file_may_change_or_go) {
  const ordered_json result = result_of(parse_study("part = \"" + path_ + "\"\n", "s.toml"));
  std::filesystem::remove(path_);
  const Study study = study_of_result("r.json", result);
  EXPECT_EQ(open_part(study).get_quantity("capacity_mib").value, 4);
  EXPECT_EQ(again(result).dump(2), result.dump(2));
}

TEST_F(ResultFile, settings_come_on_top_and_another_part_replaces_the_document) {
  const ordered_json result = result_of(parse_study("[part_overrides]\nsegment_kib = 64\n", "s.toml"));
  const ordered_json changed = again(result, {{"part_overrides.timing.5V.erase", "\"0.9 s\""}, {"seed", "7"}});
  EXPECT_EQ(changed["config"]["seed"], 7);
  EXPECT_EQ(changed["config"]["documents"]["part"]["timing"]["5V"]["erase"]["value"], 0.9);
  EXPECT_EQ(changed["config"]["documents"]["part"]["segment_kib"]["source"], "s.toml:2: part_overrides");
  const ordered_json other = again(result, {{"part", "series2plus-8mb"}});
  EXPECT_EQ(other["config"]["documents"]["part"]["capacity_mib"]["value"], 8);
  EXPECT_EQ(other["config"]["documents"]["part"]["segment_kib"]["value"], 64) << "overrides hold for the new part";
}

TEST_F(ResultFile, setting_takes_the_place_of_what_says_the_same_by_another_key) {
  const ordered_json result = result_of(parse_study("ftl.spare_factor = 0.2\n", "s.toml"));
  const auto ftl = [&](std::vector<Setting> settings) { return again(result, std::move(settings))["config"]["ftl"]; };
  EXPECT_DOUBLE_EQ(ftl({{"ftl.spare_factor", "0.5"}})["utilization"].get<double>(), 0.5);
  EXPECT_EQ(ftl({{"ftl.firmware", "in_place"}})["update"], "in_place");
  EXPECT_EQ(ftl({{"ftl.update", "in_place"}})["firmware"], "in_place");
  EXPECT_EQ(ftl({{"ftl.update", "out_of_place"}})["firmware"], "fms");
  EXPECT_EQ(error_text([&] {
              ftl({{"ftl.spare_factor", "0.5"}, {"ftl.utilization", "0.4"}});
            }),
            "--set: ftl.spare_factor: given together with ftl.utilization; keep one of the two");
  EXPECT_EQ(error_text([&] {
              ftl({{"ftl.firmware", "fms"}, {"ftl.update", "in_place"}});
            }),
            "--set: ftl.update: \"fms\" does not update in place; leave one of ftl.firmware and ftl.update out");
}

TEST_F(ResultFile, what_is_no_configuration_and_no_document_is_refused) {
  const ordered_json result = result_of(parse_study("", "s.toml"));
  const auto refusal = [&](const char* at, const ordered_json& value) {
    ordered_json broken = result;
    broken[ordered_json::json_pointer(at)] = value;
    return error_text([&] { (void)study_of_result("r.json", broken); });
  };
  EXPECT_EQ(refusal("/config", nullptr), "r.json: config: must be a table; is the file complete?");
  EXPECT_EQ(refusal("/config/documents", nullptr), "r.json: config.documents: must be a table; is the file complete?");
  EXPECT_EQ(refusal("/config/host_overrides", 5),
            "r.json: config.host_overrides: must be a table; is the file complete?");
  EXPECT_EQ(refusal("/config/documents/part", ordered_json::object()),
            "r.json: config.documents.part: holds nothing; is the file complete?");
}

TEST_F(ResultFile, notes_are_about_settings_alone) {
  const ordered_json result = result_of(parse_study("[flexfs]\nwait_s = 2\n", "s.toml"));
  EXPECT_TRUE(study_of_result("r.json", result).notes.empty());
  const std::vector<Setting> settings{{"workload.idle_s", "9"}, {"workload.arrival", "poisson"}};
  EXPECT_EQ(study_of_result("r.json", result, settings).notes.size(), 1U);
}

TEST_F(ResultFile, keys_by_former_names_count_where_they_are_those_of_the_firmware) {
  // Results had the keys of every firmware, each by a name of its own.
  const auto older = [](const char* firmware) {
    ordered_json result = result_of(parse_study(
        "workload.request_bytes = 4096\nftl = { page_bytes = 4096, firmware = \"" + std::string(firmware) + "\" }\n",
        "s.toml"));
    result["config"]["ftl"].erase("candidates");
    result["config"]["ftl"]["firmware"] = firmware;
    for (const auto& [key, value] :
         {std::pair{"low_water", 5}, {"high_water", 5}, {"draws", 6}, {"free_segments", 7}, {"choices", 8}})
      result["config"]["ftl"][key] = value;
    result["config"]["pagemap"] = {{"low_water", 9}, {"data_checksum", true}};
    return study_of_result("r.json", result);
  };
  const Study page = older("page");
  EXPECT_EQ(page.configs.get<VolumeConfig>().low_water, 7U);
  EXPECT_EQ(page.configs.get<VolumeConfig>().params.get("candidates"), 8U);
  EXPECT_FALSE(page.ftl.data_checksum);
  EXPECT_THAT(page.notes, testing::IsEmpty());
  const Study fms = older("fms");
  EXPECT_EQ(fms.configs.get<FmsConfig>().low_water, 5U);
  EXPECT_EQ(resolved_config(fms)["ftl"]["candidates"], 6);
  const Study pagemap = older("pagemap");
  EXPECT_EQ(pagemap.ftl.firmware, "page");
  EXPECT_EQ(pagemap.configs.get<VolumeConfig>().low_water, 9U);
  EXPECT_TRUE(pagemap.ftl.data_checksum);
  EXPECT_FALSE(resolved_config(pagemap).contains("pagemap"));
  EXPECT_THAT(pagemap.notes, testing::ElementsAre(testing::HasSubstr("ftl.firmware: 'pagemap' is called page now")));
}

TEST_F(ResultFile, trace_that_moved_with_the_result_is_found_and_keeps_its_name) {
  ordered_json result = result_of(parse_study("[workload]\nkind = \"trace\"\npath = \"gone.spc\"\n", "s.toml"));
  result["run"]["trace"] = "/data/there.spc";
  const Study study = study_of_result("r.json", result);
  EXPECT_EQ(study.workload.path, "/data/there.spc");
  EXPECT_EQ(resolved_config(study)["workload"]["path"], "gone.spc");
}

TEST_F(ResultFile, faults_name_file_and_key_and_no_line) {
  ordered_json result = result_of(parse_study("", "s.toml"));
  result["config"]["ftl"]["selection"] = "best";
  EXPECT_EQ(error_text([&] { (void)study_of_result("r.json", result); }),
            "r.json: config: ftl.selection: 'best' is not one of greedy | cost_benefit | cat | fifo | linux_pcmcia | "
            "windowed_greedy | d_choices | "
            "random | partition_fifo | lru");
  result["config"]["ftl"]["selection"] = "cat";
  result["config"]["documents"]["host"]["timer_tick"]["value"] = -1;
  EXPECT_THAT(error_text([&] { (void)load_host(study_of_result("r.json", result)); }),
              testing::StartsWith("r.json: config.documents.host: timer_tick: -1 ms is out of range"));
  result["config"]["documents"]["part"]["name"] = nullptr;
  EXPECT_EQ(error_text([&] { (void)study_of_result("r.json", result); }),
            "r.json: config.documents.part.name: holds null; a number, text, list or table is needed");
  result["config"]["documents"]["part"] = ordered_json{{"a b", 1}};
  EXPECT_EQ(error_text([&] { (void)study_of_result("r.json", result); }),
            "r.json: config.documents.part: 'a b' is not a key; use letters, digits, _ and -");
  result.erase("config");
  EXPECT_EQ(error_text([&] { (void)study_of_result("r.json", result); }),
            "r.json: config: missing; is the file complete?");
}

TEST_F(ResultFile, other_json_files_of_ours_are_named_with_what_takes_them) {
  const auto refusal = [&](const char* schema) {
    std::ofstream(path_) << ordered_json{{"schema", schema}};
    return error_text([&] { (void)read_result(path_); });
  };
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  EXPECT_EQ(refusal("ftlab-sweep"), path_ +
                                        ": says what the table of a sweep holds, and is no result of a run; `ftlab "
                                        "sweep SWEEP.toml` runs a sweep, and `ftlab report " +
                                        folder + "` draws it");
  EXPECT_THAT(refusal("ftlab-study"), testing::HasSubstr("says which runs the main study has"));
  EXPECT_THAT(refusal("ftlab-reproduce"), testing::HasSubstr("is a comparison with published figures"));
  EXPECT_EQ(refusal("another"), path_ + ": not a result of ftlab (\"schema\" is not \"ftlab-result\")");
}

TEST(FileDocument, every_kind_of_value_comes_back_in_the_order_of_the_file) {
  const std::string text =
      "zeta = 0x1F\nalpha = \"a \\\"b\\\" \\u007F ä\"\nlist = [1, 2.5, 1e-8]\nflag = true\nwhole = 6.0\n[t.x]\n"
      "q = { value = 0.1, unit = \"s\", source = \"there\", estimate = true }\n[t.empty]\n[n]\na-b = \"\"\n";
  const ordered_json document = document_of(spec::TomlFile::parse(text, "f.toml"));
  EXPECT_EQ(document.begin().key(), "zeta");
  EXPECT_EQ(document["zeta"], 31);
  EXPECT_EQ(document["t"]["x"]["q"]["value"], 0.1);
  EXPECT_EQ(document_of(spec::TomlFile::parse(toml_text(document, "w"), "f.toml")).dump(), document.dump());
}

TEST(FileDocument, shipped_files_come_back) {
  for (const char* file : {"hw/parts/series2plus-24mb.toml", "hw/parts/flexonenand-4gb.toml",
                           "platform/hosts/omap2420-400.toml", "workloads/scenarios/flexfs-mobile.toml"}) {
    const ordered_json document = document_of(spec::TomlFile::load(std::string(FTLAB_SOURCE) + "/" + file));
    EXPECT_EQ(document_of(spec::TomlFile::parse(toml_text(document, "w"), "f.toml")).dump(), document.dump()) << file;
  }
}

TEST(ResultFileKind, only_what_begins_as_json_is_taken_for_a_result) {
  const std::string path = testing::TempDir() + "kind_" + std::to_string(::getpid());
  const auto looks = [&](const char* text) {
    std::ofstream(path) << text;
    return looks_like_result(path);
  };
  EXPECT_TRUE(looks("\n {\"schema\""));
  EXPECT_FALSE(looks("part = \"x\"\n"));
  EXPECT_FALSE(looks(""));
  std::filesystem::remove(path);
  EXPECT_FALSE(looks_like_result(path));
  EXPECT_FALSE(looks_like_result(path + ".json"));
  std::ofstream{path + ".json"};
  EXPECT_TRUE(looks_like_result(path + ".json")) << "a result of which nothing is left is no study of defaults";
  std::filesystem::remove(path + ".json");
}

}  // namespace
}  // namespace ftlab::platform
