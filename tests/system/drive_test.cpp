// Dies that program whole wordlines of all planes, alone and behind the link of a drive.
#include <gmock/gmock.h>

#include "tests/system/array_study.h"
#include "tests/system/power_kinds.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

Settings one_shot(const Settings& more) {
  return with({set("part", "array-tlc-2021"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
               set("ftl.page_bytes", "4096"), set("ftl.spare_factor", "0.3"), set("part_overrides.segments", "128"),
               set("part_overrides.pages_per_segment", "48"), set("workload.kind", "uniform")},
              more);
}

TEST(OneShotArray, keeps_what_was_answered_over_losses_of_power) {
  const auto run = run_all({one_shot(
      {set("part_overrides.content", "bytes"), set("part_overrides.controller.buffer_slots", "512"),
       set("ftl.checkpoint_every", "2000"), set("workload.queue_depth", "64"), set("workload.read_share", "0.3"),
       set("workload.total_mib", "24"), set("power.loss_at_request", "[200, 1500, 4000]")})})[0];
  EXPECT_EQ(run["power_cycles"]["losses"], 3);
  EXPECT_EQ(run["power_cycles"]["mounts"], 3);
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  EXPECT_EQ(run["host"]["failed_requests"], 0);
}

TEST(OneShotArray, is_filled_without_padding_and_written_with_little_at_its_own_depth) {
  const auto runs = run_all({one_shot({set("workload.total_mib", "1"), set("workload.read_share", "1")}),
                             one_shot({set("workload.total_mib", "24"), set("workload.queue_depth", "96")}),
                             one_shot({set("workload.total_mib", "24"), set("workload.queue_depth", "1")})});
  EXPECT_EQ(runs[0]["wear"]["max"], 0) << "no segment is filled with padding, and cleaned for it";
  const auto padded = [](const auto& run) {
    return run["flash"]["pages_padded"].template get<double>() / run["host"]["pages_written"].template get<double>();
  };
  EXPECT_LT(padded(runs[1]), 0.2) << "two dies of 48 pages";
  EXPECT_GE(padded(runs[2]), 47) << "each write waits for a program of its own, and cleaning pads, too";
}

TEST(OneShotArray, that_answers_writes_from_data_ram_fills_its_programs_at_any_depth) {
  const Settings few = one_shot({set("workload.total_mib", "24"), set("workload.queue_depth", "1"),
                                 set("ftl.write_buffer", "200"), set("part_overrides.segments", "256")});
  const auto runs = run_all({few, with(few, {set("workload.read_share", "0.5"), set("workload.hot_access", "0.9"),
                                             set("workload.kind", "hot_cold"), set("workload.hot_data", "0.002")})});
  const nlohmann::ordered_json& writes = runs[0];
  EXPECT_LT(number_at(writes, "/flash/pages_padded"), 0.02 * number_at(writes, "/host/pages_written"));
  EXPECT_LT(number_at(writes, "/latency/write/p50_s"), 10e-6);
  EXPECT_GT(number_at(runs[1], "/host/pages_read_buffered"), 100) << "of what was written just before";
  EXPECT_LT(number_at(runs[1], "/host/pages_read_buffered"), number_at(runs[1], "/host/pages_read"));
}

Settings zn540_reads(const Settings& more) {
  return with({set("part", "ssd-zn540-class"), set("ftl.page_bytes", "4096"), set("part_overrides.segments", "2048"),
               set("part_overrides.pages_per_segment", "48"), set("workload.kind", "uniform"),
               set("workload.read_share", "1"), set("workload.request_bytes", "4096"), set("workload.total_mib", "4")},
              more);
}

TEST(Drive, has_the_time_of_its_link_and_front_end_in_response_times) {
  const Settings drive = zn540_reads({set("workload.queue_depth", "1")});
  const auto runs = run_all({drive, with(drive, {set("part_overrides.link.front_read", "5 us")}),
                             with(drive, {set("part_overrides.link.latency", "2.5 us")}),
                             with(drive, {set("part_overrides.link.lanes", "1")})});
  const auto mean_us = [](const auto& run) { return 1e6 * run["latency"]["read"]["mean_s"].template get<double>(); };
  EXPECT_NEAR(mean_us(runs[0]) - mean_us(runs[1]), 15, 0.01);
  EXPECT_NEAR(mean_us(runs[2]) - mean_us(runs[0]), 4, 0.01) << "each way";
  // Command, completion and data in 16 packets of 256 and 24 bytes, at .3125 and 1.25 ns a byte.
  const double bytes = (64 + 24) + (16 + 24) + (4096 + 16 * 24);
  EXPECT_NEAR(mean_us(runs[3]) - mean_us(runs[0]), bytes * (1.25 - 0.3125) / 1000, 0.01);
}

TEST(Drive, tells_how_busy_its_units_and_its_link_are_over_time) {
  const auto run = run_one_study(zn540_reads(
      {set("workload.queue_depth", "64"), set("workload.total_mib", "64"), set("platform.sample_s", "0.002")}));
  const auto& timeline = run["timeline"];
  const auto times = timeline["time_s"].get<std::vector<double>>();
  const std::pair<const char*, double> means[] = {{"dies_utilization", run["dies"]["utilization"]},
                                                  {"channels_utilization", run["channels"]["utilization"]},
                                                  {"link_to_device_utilization", run["link"]["to_device_utilization"]},
                                                  {"link_to_host_utilization", run["link"]["to_host_utilization"]}};
  for (const auto& [column, mean] : means) {
    const auto shares = timeline[column].get<std::vector<double>>();
    double sum = 0;
    for (std::size_t i = 1; i < times.size(); ++i) sum += shares[i] * (times[i] - times[i - 1]);
    EXPECT_NEAR(sum / times.back(), mean, 1e-6) << column;
    EXPECT_THAT(shares, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(1)))) << column;
  }
  EXPECT_GT(run["dies"]["utilization"], 0.5);
  EXPECT_GT(run["planes"]["utilization"], 0.5);
  EXPECT_LT(run["planes"]["utilization"], run["dies"]["utilization"]) << "dies wait for their channels, too";
  // A command goes there, data and a completion come back; see above for the bytes.
  const double rate = run["host"]["reads"].get<double>() / run["time"]["simulated_s"].get<double>();
  EXPECT_NEAR(run["link"]["to_device_utilization"], rate * (64 + 24) * 0.3125e-9, 1e-4);
  EXPECT_NEAR(run["link"]["to_host_utilization"], rate * ((16 + 24) + (4096 + 16 * 24)) * 0.3125e-9, 1e-3);
}

TEST(Drive, takes_a_slow_channel_all_the_time_and_no_more) {
  const auto run = run_all(
      {{set("part", "ssd-tlc-8x4"), set("part_overrides.segments", "256"),
        set("part_overrides.pages_per_segment", "24"), set("part_overrides.channels", "1"),
        set("part_overrides.channel.rate", "30 MB/s"), set("part_overrides.planes", "1"),
        set("part_overrides.planes_at_once", "1"), set("part_overrides.timing.read_cache", "5 us"),
        set("ftl.spare_factor", "0.5"), set("ftl.page_bytes", "16384"), set("driver.overtaking_reads", "0"),
        set("workload.kind", "uniform"), set("workload.request_bytes", "4096"), set("workload.read_share", "0.3"),
        set("workload.queue_depth", "16"), set("workload.total_mib", "8")}})[0];
  const double taken = run["channels"]["utilization"].get<double>();
  EXPECT_LE(taken, 1) << "cached reads whose predecessor has ended are ready as they were";
  EXPECT_GT(taken, 0.98);
}

TEST(Drive, draws_what_its_part_says_beside_its_dies) {
  const Settings reads = zn540_reads({set("workload.queue_depth", "4")});
  const auto runs = run_all({reads, with(reads, {set("part_overrides.power.controller_busy", "4 W"),
                                                 set("part_overrides.power.link_per_byte", "1040 pJ"),
                                                 set("part_overrides.power.decoder_per_byte", "1060 pJ")})});
  const auto& states = runs[0]["energy"]["by_state_j"];
  const double time = runs[0]["time"]["simulated_s"];
  EXPECT_NEAR(states["ram"], 0.4 * time, 1e-9);
  EXPECT_NEAR(states["controller_idle"], 3.8 * time, 1e-9);
  EXPECT_NEAR(sum_of(states), runs[0]["energy"]["total_j"], 1e-9);
  EXPECT_NEAR(sum_of(runs[0]["energy"]["controller_by_cause_j"]), states["controller_busy"], 1e-9);
  EXPECT_GT(states["controller_busy"], 0);
  EXPECT_LT(states["controller_busy"], 1.5 * time) << "the processor sleeps most of the time";
  const auto& more = runs[1]["energy"]["by_state_j"];
  EXPECT_NEAR(more["controller_busy"].get<double>() / states["controller_busy"].get<double>(), 4 / 1.5, 1e-6);
  const double bytes = (64 + 24) + (16 + 24) + (4096 + 16 * 24);
  const double count = runs[0]["host"]["reads"];
  EXPECT_NEAR(more["link"].get<double>() - states["link"].get<double>(), count * bytes * 1e-9,
              1e-3 * count * bytes * 1e-9);
  EXPECT_NEAR(more["active"].get<double>() - states["active"].get<double>(), count * 4096 * 1e-9, 1e-12);
}

}  // namespace
}  // namespace ftlab::platform
