// What a study of an array has without saying so, and what it is told of keys that mean something else there.
#include "platform/study/part_defaults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "firmware/ftl/fms/fms_config.h"
#include "firmware/volume/volume_config.h"
#include "platform/study/study.h"

namespace ftlab::platform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Study study_of(std::string_view text) { return parse_study(text, "s.toml"); }

TEST(PartDefaults, an_array_has_the_page_mapped_firmware_all_dies_at_work_and_comes_to_rest) {
  for (const char* part : {"array-slc", "array-mlc", "array-tlc"}) {
    const Study study = study_of("part = \"" + std::string(part) + "\"\n[workload]\nkind = \"uniform\"\n");
    EXPECT_EQ(study.ftl.firmware, "page");
    EXPECT_EQ(study.host, "ssd-controller");
    EXPECT_EQ(study.ftl.selection, "greedy");
    EXPECT_EQ(study.generator.request_bytes, 0U) << "a page";
    EXPECT_EQ(study.workload.queue_depth, 32U);
    EXPECT_EQ(study.workload.warm_up_overwrites, 4);
    EXPECT_EQ(study.generator.overwrites, 1);
    EXPECT_THAT(study.notes, IsEmpty());
  }
}

TEST(PartDefaults, an_array_with_the_flash_memory_server_has_the_same_load_and_keeps_its_policies) {
  const Study study = study_of("part = \"array-tlc\"\nftl.firmware = \"fms\"\nworkload.kind = \"uniform\"\n");
  EXPECT_EQ(study.host, "ssd-controller");
  EXPECT_EQ(study.ftl.selection, "cat");
  EXPECT_EQ(study.ftl.page_bytes, 0U) << "a page of the array";
  EXPECT_EQ(study.workload.queue_depth, 32U);
  EXPECT_EQ(study.workload.warm_up_overwrites, 4);
  EXPECT_THAT(study.notes, IsEmpty());
}

TEST(PartDefaults, other_parts_keep_theirs) {
  for (const char* part : {"series2plus-4mb", "flexonenand-8gb-ddp", "./no-such-part.toml"}) {
    const Study study = study_of("part = \"" + std::string(part) + "\"\n");
    EXPECT_EQ(study.ftl.firmware, "fms") << part;
    EXPECT_EQ(study.host, "pentium-133") << part;
    EXPECT_EQ(study.workload.queue_depth, 1U) << part;
    EXPECT_EQ(study.generator.overwrites, 0) << part;
  }
}

TEST(PartDefaults, what_an_array_study_says_counts) {
  const Study study = study_of(
      "part = \"array-tlc\"\nhost = \"omap2420-400\"\n[part_overrides]\nchannels = 2\nsegments = 512\n"
      "[workload]\ntotal_mib = 5\n");
  EXPECT_EQ(study.host, "omap2420-400");
  EXPECT_EQ(study.workload.queue_depth, 8U) << "two channels of four dies";
  EXPECT_EQ(study.generator.overwrites, 0);
  EXPECT_EQ(study.workload.warm_up_overwrites, 0);
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.queue_depth = 3\n").workload.queue_depth, 3U);
  EXPECT_EQ(study_of("part = \"array-tlc\"\nftl.firmware = \"fms\"\n").ftl.firmware, "fms");
  EXPECT_EQ(study_of("part = \"array-tlc\"\nftl.update = \"in_place\"\n").ftl.firmware, "in_place");
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.overwrites = 2\n").workload.warm_up_overwrites, 0);
  // What is wrong with its size its loader says.
  EXPECT_EQ(study_of("part = \"array-tlc\"\n[part_overrides]\nchannels = \"some\"\n").ftl.firmware, "page");
}

TEST(PartDefaults, loads_that_write_nothing_or_have_a_length_of_their_own_get_none) {
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.read_share = 1\n").workload.warm_up_overwrites, 0);
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.kind = \"scenario\"\n").workload.warm_up_overwrites, 0);
  const Study clients =
      study_of("part = \"array-tlc\"\n[workload]\nclient_depths = [4, 4]\nclient_read_shares = [0, 0.5]\n");
  EXPECT_EQ(clients.workload.queue_depth, 1U);
  EXPECT_EQ(clients.generator.overwrites, 1);
}

TEST(PartDefaults, a_result_gives_every_key_and_is_repeated_as_it_is) {
  const Study study = parse_resolved("part = \"array-tlc\"\nftl.firmware = \"page\"\n", "result", {});
  EXPECT_EQ(study.workload.queue_depth, 1U);
  EXPECT_THAT(study.notes, IsEmpty());
}

TEST(PartRemarks, keys_of_other_families_are_named_although_they_are_at_their_defaults) {
  EXPECT_THAT(study_of("part = \"array-tlc\"\nvoltage = \"5V\"\n").notes,
              ElementsAre("s.toml:2: voltage: has no effect in this study; it is for parts of the family series2plus, "
                          "and this part is of array"));
  EXPECT_THAT(study_of("part = \"flexonenand-4gb\"\nvoltage = \"5V\"\n").notes,
              ElementsAre("s.toml:2: voltage: has no effect in this study; it is for parts of the family series2plus, "
                          "and this part is of flexonenand"));
  EXPECT_THAT(study_of("part = \"series2plus-4mb\"\nvoltage = \"5V\"\n").notes, IsEmpty());
}

TEST(PartDefaults, a_first_run_is_short_with_reads_and_parts_of_pages) {
  const Study reads = study_of("part = \"array-tlc\"\nworkload.read_share = 0.9\n");
  EXPECT_DOUBLE_EQ(reads.workload.warm_up_overwrites, 1.6);
  EXPECT_DOUBLE_EQ(reads.generator.overwrites, 0.4);
  const Study parts = study_of("part = \"array-tlc\"\nworkload.request_bytes = 512\n");
  EXPECT_DOUBLE_EQ(parts.workload.warm_up_overwrites, 0.5);
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.read_share = 0.5\n").generator.overwrites, 1);
  EXPECT_EQ(study_of("part = \"array-tlc\"\nworkload.request_bytes = 4096\n").generator.overwrites, 1);
}

TEST(PartRemarks, a_total_beside_overwrites_of_a_trace_is_no_remark) {
  const Study study =
      study_of("part = \"array-tlc\"\nworkload = { kind = \"trace\", path = \"t\", total_mib = 5, overwrites = 2 }\n");
  for (const std::string& note : study.notes) EXPECT_THAT(note, testing::Not(testing::HasSubstr("takes its place")));
}

TEST(PartRemarks, a_total_beside_overwrites_is_named) {
  for (const char* total : {"8", "192"}) {
    EXPECT_THAT(study_of("[workload]\noverwrites = 2\ntotal_mib = " + std::string(total) + "\n").notes,
                ElementsAre("s.toml:3: workload.total_mib: has no effect in this study; workload.overwrites takes its "
                            "place"));
  }
  EXPECT_THAT(study_of("[workload]\noverwrites = 0\ntotal_mib = 8\n").notes, IsEmpty());
}

TEST(PartRemarks, a_window_of_one_segment_is_named) {
  const std::string study = "part = \"array-tlc\"\n[ftl]\nselection = \"windowed_greedy\"\n";
  EXPECT_THAT(study_of(study + "window = 0.01\n").notes,
              ElementsAre("s.toml:4: ftl.window: 0.01 of the 128 segments of a die is one segment, the oldest, so that "
                          "windowed_greedy cleans as lru does; from 0.0157 on it chooses"));
  EXPECT_THAT(study_of(study).notes, ElementsAre(testing::StartsWith("ftl.window, by default: 0.01 of the 128")));
  EXPECT_THAT(study_of(study + "window = 0.0157\n").notes, IsEmpty());
}

TEST(PartRemarks, requests_of_parts_of_pages_are_named) {
  EXPECT_THAT(
      study_of("part = \"array-tlc\"\nworkload.request_bytes = 4096\ndriver.overtaking_reads = 0\n").notes,
      ElementsAre("s.toml:2: workload.request_bytes: requests of 4096 bytes write parts of pages of 16384 bytes; "
                  "the firmware reads the rest of such a page and programs all of it (write_amplification_bytes); "
                  "the read waits for the copies of its die, unless driver.overtaking_reads lets it come before them; "
                  "ftl.page_bytes = 4096 maps units of that size, several in a program"));
  for (const char* more : {"", "driver = { overtaking_reads = 0, suspend_programs = true }\n"}) {
    EXPECT_THAT(study_of(std::string("part = \"array-tlc\"\nworkload.request_bytes = 4096\n") + more).notes,
                ElementsAre(testing::EndsWith("programs all of it (write_amplification_bytes); ftl.page_bytes = 4096 "
                                              "maps units of that size, several in a program")));
  }
  // Longer than a page, a thirty-second of one, and a sixteenth that is half a codeword.
  for (const char* study :
       {"array-tlc\"\nworkload.request_bytes = 20480\n", "array-tlc\"\nworkload.request_bytes = 512\n",
        "array-mlc\"\nworkload.request_bytes = 512\n"}) {
    EXPECT_THAT(study_of("part = \"" + std::string(study)).notes,
                ElementsAre(testing::EndsWith("programs all of it (write_amplification_bytes)")));
  }
  const std::string units = "part = \"array-tlc\"\nftl.page_bytes = 4096\n";
  EXPECT_THAT(study_of(units + "workload.request_bytes = 4096\n").notes, IsEmpty());
  EXPECT_THAT(study_of(units + "workload.request_bytes = 1024\n").notes,
              ElementsAre(testing::HasSubstr("requests of 1024 bytes write parts of pages of 4096 bytes")));
  EXPECT_THAT(study_of("part = \"array-tlc\"\nworkload.request_bytes = 32768\n").notes, IsEmpty());
}

TEST(PartRemarks, a_flexonenand_maps_pages_or_halves_of_them) {
  const std::string study = "part = \"flexonenand-4gb\"\nftl.firmware = \"page\"\nworkload.request_bytes = ";
  EXPECT_THAT(
      study_of(study + "2048\n").notes,
      ElementsAre("s.toml:3: workload.request_bytes: requests of 2048 bytes write parts of pages of 4096 bytes; "
                  "the firmware reads the rest of such a page and programs all of it "
                  "(write_amplification_bytes); ftl.page_bytes = 2048 maps units of that size, several in a "
                  "program"));
  // Its spare bytes have no room for four.
  EXPECT_THAT(study_of(study + "1024\n").notes, ElementsAre(testing::EndsWith("(write_amplification_bytes)")));
  EXPECT_THAT(study_of(study + "2048\nftl.page_bytes = 2048\n").notes,
              ElementsAre(testing::HasSubstr("a program of 4096 bytes is not filled; the rest is padding, since a "
                                             "write is answered when it is on the part")));
}

TEST(PartRemarks, requests_that_leave_programs_to_be_padded_are_named) {
  const std::string units = "part = \"array-tlc\"\nftl.page_bytes = 4096\nworkload.queue_depth = ";
  EXPECT_THAT(
      study_of(units + "1\n").notes,
      ElementsAre("s.toml:2: ftl.page_bytes: with one request of 4096 bytes in flight a program of 16384 bytes is "
                  "not filled; the rest is padding, since a write is answered when it is on the array; "
                  "ftl.write_buffer = 4 or more answers it from data RAM (flash.pages_padded)"));
  EXPECT_THAT(study_of(units + "3\n").notes,
              ElementsAre(testing::HasSubstr("with 3 requests of 4096 bytes in flight")));
  EXPECT_THAT(study_of(units + "4\n").notes, IsEmpty());
  EXPECT_THAT(study_of(units + "1\nftl.write_buffer = 4\n").notes, IsEmpty());
  EXPECT_THAT(study_of(units + "1\nworkload.request_bytes = 16384\n").notes, IsEmpty());
}

TEST(PartDefaults, a_first_run_of_small_mapping_units_is_as_long_as_one_of_pages) {
  const Study units = study_of("part = \"array-tlc\"\nftl.page_bytes = 4096\nworkload.request_bytes = 4096\n");
  EXPECT_DOUBLE_EQ(units.workload.warm_up_overwrites, 4);
  EXPECT_DOUBLE_EQ(units.generator.overwrites, 1);
}

TEST(PartDefaults, a_drive_answers_two_programs_of_each_die_from_data_ram) {
  const auto buffer = [](const std::string& more) {
    return study_of("part = \"ssd-tlc-8x4\"\n" + more).configs.get<VolumeConfig>().write_buffer;
  };
  EXPECT_EQ(buffer(""), 2U * 32 * 12) << "three pages of four planes";
  EXPECT_EQ(buffer("ftl.page_bytes = 4096\n"), 2U * 32 * 48);
  EXPECT_EQ(buffer("ftl.write_buffer = 0\n"), 0U);
  EXPECT_EQ(buffer("[part_overrides]\ncontent = \"bytes\"\ncontroller.buffer_slots = 100\n"), 50U)
      << "half of the data RAM";
  EXPECT_EQ(buffer("platform.processor = \"riscv\"\n"), 0U);
  EXPECT_EQ(study_of("part = \"ssd-tlc-8x4\"\nftl.firmware = \"fms\"\n").configs.get<FmsConfig>().write_buffer,
            2U * 32 * 12);
  EXPECT_EQ(study_of("part = \"array-tlc-2021\"\n").configs.get<VolumeConfig>().write_buffer, 0U);
}

TEST(PartRemarks, more_dies_of_the_same_segments_are_named) {
  EXPECT_THAT(study_of("part = \"array-tlc\"\n[part_overrides]\nchannels = 16\n").notes,
              ElementsAre("s.toml:3: part_overrides.channels: the 4096 segments of the part lie on 64 dies now, 64 on "
                          "each, and each die keeps free and open ones of its own; give part_overrides.segments for "
                          "dies of another size"));
  EXPECT_THAT(study_of("part = \"array-tlc\"\n[part_overrides]\nchannels = 16\nsegments = 8192\n").notes, IsEmpty());
  EXPECT_THAT(study_of("part = \"array-tlc\"\n[part_overrides]\npage_bytes = 4096\n").notes, IsEmpty());
}

}  // namespace
}  // namespace ftlab::platform
