// What the head of a result says about what ran.
#include "platform/measure/run_titles.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

ordered_json titles(const std::string& study) {
  ordered_json sections;
  sections["device"] = {{"title", "A card"}, {"supply_v", 5.0}, {"host_title", "A host"}};
  sections["workload"] = {{"title", "a workload"}, {"trace", {{"format", "spc"}, {"mapping", "writes only"}}}};
  return run_titles(parse_study(study, "s.toml"), sections);
}

std::string device(const std::string& study) { return titles(study).at("device"); }
std::string firmware(const std::string& study) { return titles(study).at("firmware"); }
std::string workload(const std::string& study) { return titles(study).at("workload"); }

TEST(RunTitles, device_is_named_with_what_overrides_changed_in_the_units_of_the_file) {
  EXPECT_EQ(device(""), "A card at 5 V on A host");
  EXPECT_EQ(device("[part_overrides]\ncapacity_mib = 64\ntiming.5V.erase = \"800 ms\"\n"),
            "A card, changed: capacity_mib = 64 MiB, timing.5V.erase = 800 ms, at 5 V on A host");
  EXPECT_EQ(device("[host_overrides]\ntimer_tick = 5\nready_interrupt = false\n"),
            "A card at 5 V on A host, changed: timer_tick = 5 ms, ready_interrupt = false");
}

TEST(RunTitles, profile_of_a_part_is_named) {
  EXPECT_EQ(device("part = \"flexonenand-4gb\"\npart_profile = \"flexfs-calibrated\"\n"),
            "A card, profile flexfs-calibrated, at 5 V on A host");
}

TEST(RunTitles, long_list_of_changes_is_shortened_and_counted) {
  std::string study = "[part_overrides.timing.5V]\n";
  for (const char* key : {"common_cycle", "attribute_cycle", "word_program", "buffer_program_byte", "lock_program",
                          "upload", "erase_suspend", "auto_suspend", "wake"})
    study += std::string(key) + " = 1\n";
  EXPECT_NE(device(study).find(" and 1 more, at 5 V"), std::string::npos) << device(study);
}

TEST(RunTitles, firmware_is_named_with_its_policies_and_what_differs_from_the_defaults) {
  EXPECT_EQ(firmware(""), "Flash Memory Server, cat selection, fine_grained redistribution, 4 KiB pages, 90.0 % full");
  EXPECT_EQ(firmware("[ftl]\npage_bytes = 512\nlow_water = 2\n[driver]\nprogram = \"word\"\n"),
            "Flash Memory Server, cat selection, fine_grained redistribution, 512 B pages, 90.0 % full, "
            "low_water = 2 segments, program = word");
  EXPECT_EQ(
      firmware("part = \"flexonenand-4gb\"\n[ftl]\nfirmware = \"flexfs\"\n[flexfs]\nscheme = \"bm\"\nwait_s = 2\n"),
      "FlexFS, scheme bm with wear management, 4 KiB pages, 90.0 % full, wait_s = 2 s");
}

TEST(RunTitles, one_of_a_unit_is_not_many) {
  EXPECT_NE(firmware("ftl.low_water = 1\n").find("low_water = 1 segment"), std::string::npos);
  EXPECT_EQ(firmware("ftl.low_water = 1\n").find("1 segments"), std::string::npos);
}

TEST(RunTitles, choices_without_effect_are_not_named) {
  EXPECT_EQ(firmware("[flexfs]\nwait_s = 2\n"), firmware(""));
  EXPECT_EQ(workload("[workload]\nidle_every = 5\narrival = \"poisson\"\nmean_interarrival_s = 3\n"),
            "a workload, arriving at random every 3 s");
}

TEST(RunTitles, what_an_array_has_without_being_asked_is_not_named) {
  const std::string part = "part = \"array-tlc\"\nftl.page_bytes = 16384\n[workload]\nrequest_bytes = 16384\n";
  EXPECT_EQ(workload(part), "a workload");
  EXPECT_EQ(workload(part + "queue_depth = 32\nwarm_up_overwrites = 4\noverwrites = 1\n"), "a workload");
  EXPECT_EQ(workload(part + "queue_depth = 1\n"), "a workload, queue_depth = 1 request");
  EXPECT_EQ(workload(part + "overwrites = 1\n"), "a workload") << "said by the workload's own title";
  EXPECT_EQ(workload(part + "read_share = 0.5\n"), "a workload") << "said by the workload's own title";
  EXPECT_EQ(workload(part + "warm_up_overwrites = 2\noverwrites = 1\n"), "a workload, warm_up_overwrites = 2");
  EXPECT_EQ(workload("part = \"array-tlc\"\nftl.page_bytes = 16384\n[workload]\nrequest_bytes = 4096\n"),
            "a workload, request_bytes = 4096 bytes");
}

TEST(RunTitles, the_page_mapped_layer_is_named_with_what_it_cleans_by) {
  EXPECT_EQ(firmware("part = \"array-slc\"\nftl.page_bytes = 4096\n"),
            "page-mapped layer, greedy selection, one write frontier, 4 KiB pages, 90.0 % full");
}

TEST(RunTitles, how_the_flash_memory_server_rates_pages_is_said_where_it_is_not_usual_on_the_part) {
  const std::string head = "Flash Memory Server, cat selection, fine_grained redistribution, 4 KiB pages, 90.0 % full";
  const std::string array = "part = \"array-slc\"\nftl = { firmware = \"fms\", page_bytes = 4096";
  EXPECT_EQ(firmware(array + " }\n"), head);
  EXPECT_EQ(firmware(array + ", hot_mean = \"all_pages\" }\n"), head + ", hot_mean = all_pages");
  EXPECT_EQ(firmware("ftl.hot_mean = \"by_age\"\n"), head + ", hot_mean = by_age");
}

TEST(RunTitles, trace_is_named_with_format_mapping_and_arrival) {
  EXPECT_EQ(workload("[workload]\nkind = \"trace\"\npath = \"t.spc\"\n"),
            "a workload (spc; writes only; each request after the one before)");
  EXPECT_EQ(workload("[workload]\nkind = \"trace\"\npath = \"t.spc\"\narrival = \"trace\"\n"),
            "a workload (spc; writes only; arriving as in the trace)");
}

TEST(RunTitles, scenario_is_named_with_its_changes_and_arrival_only_when_it_is_another) {
  const std::string kind = "[workload]\nkind = \"scenario\"\n";
  EXPECT_EQ(workload(kind), "a workload");
  EXPECT_EQ(workload(kind + "arrival = \"closed\"\nfill = true\n[scenario_overrides]\nbursts.period = \"9 s\"\n"),
            "a workload, changed: bursts.period = 9 s, each request after the one before, on a filled device");
}

TEST(RunTitles, losses_of_power_are_counted) {
  EXPECT_EQ(workload("").find("power"), std::string::npos);
  EXPECT_TRUE(workload("power.loss_at_s = [3]\n").ends_with(", 1 loss of power planned"))
      << workload("power.loss_at_s = [3]\n");
  EXPECT_TRUE(
      workload("power.loss_at_s = [3]\npower.loss_at_request = [4, 5]\n").ends_with(", 3 losses of power planned"));
}

}  // namespace
}  // namespace ftlab::platform
