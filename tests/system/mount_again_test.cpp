// What becomes of a run when its firmware mounts again, or does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>

#include "platform/firmwares/firmware_instance.h"
#include "platform/machine/machine.h"
#include "platform/run/power_cycle.h"
#include "platform/study/firmware_row.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/ftl_around.h"
#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

TEST(MountAgain, parts_of_pages_that_flexfs_buffers_are_all_that_may_be_old) {
  std::string losses = "[";
  for (int at = 100; at < 2000; at += 100) losses += (at > 100 ? ", " : "") + std::to_string(at);
  // So few sectors that each is soon read, and written again.
  const ordered_json run = run_one_study(
      with(kind_of("flexfs").settings,
           {set("workload.kind", "hot_cold"), set("workload.hot_access", "0.99"), set("workload.hot_data", "0.001"),
            set("workload.read_share", "0.5"), set("workload.request_bytes", "512"), set("workload.total_mib", "1"),
            set("power.loss_at_request", losses + "]")}));
  EXPECT_EQ(run["power_cycles"]["mounts"], 19);
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
}

TEST(MountAgain, what_update_in_place_loses_is_counted) {
  const ordered_json run = run_one_study(small_study({{"ftl.firmware", "in_place"},
                                                      {"workload.total_mib", "1"},
                                                      {"workload.read_share", "0.3"},
                                                      {"power.loss_at_s", "[30, 60, 90, 120, 150, 180]"}}));
  EXPECT_EQ(run["power_cycles"]["mounts"], 6);
  EXPECT_GT(run["host"]["wrong_reads"], 0);
}

/// Whether the processor has waited for an erase, which takes 5 ms, when the measured phase begins.
bool waits_for_the_array(const Settings& more) {
  const Study study = parse_study("", "test", with(small_array("array-tlc", {}), more));
  const pid_t child = ::fork();
  if (child == 0) {
    const ProcessorProfile host = load_host(study);
    bool waited = false;
    Machine machine(device_factory(study, host, false), processor_factory(study, host), [&](Machine& built) {
      built.attach();
      const FlashOp erase{.kind = FlashOpKind::erase, .page = 0};
      built.device().array()->submit(std::span(&erase, 1));
      const Ticks queued = built.processor().now();
      PowerCycles(study.power, built, nullptr, {}).come_to_rest();
      waited = built.processor().now() > queued + std::chrono::milliseconds{4};
    });
    machine.run();
    ::_exit(waited ? 10 : 20);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_TRUE(WEXITSTATUS(status) == 10 || WEXITSTATUS(status) == 20);
  return WEXITSTATUS(status) == 10;
}

TEST(MountAgain, is_measured_from_when_an_array_has_nothing_queued) {
  EXPECT_TRUE(waits_for_the_array({set("power.loss_at_s", "[1]")}));
  EXPECT_FALSE(waits_for_the_array({})) << "where nothing is planned, nothing waits";
}

TEST(MountAgain, checkpoints_shorten_the_mount) {
  const Settings array = small_array(
      "array-tlc",
      {set("part_overrides.content", "bytes"), set("power.loss_at_request", "[700]"), set("workload.kind", "uniform")});
  const auto runs = run_all({array, with(array, {set("ftl.checkpoint_every", "100")})});
  // Without what it moves of interrupted wordlines.
  EXPECT_LT(3 * number_at(runs[1], "/time/by_cause_s/mount"), number_at(runs[0], "/time/by_cause_s/mount"));
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
}

TEST(MountAgain, a_volume_keeps_its_size_when_segments_have_worn_out) {
  const ordered_json run = run_one_study(small_array(
      "array-slc",
      {set("part_overrides.content", "bytes"), set("part_overrides.endurance.rated_cycles", "20"),
       set("part_overrides.endurance.median_ratio", "3"), set("workload.kind", "uniform"),
       set("workload.read_share", "0.2"), set("workload.queue_depth", "8"), set("workload.total_mib", "600"),
       set("power.loss_at_request", "[20000, 30000, 35000, 40000, 42000, 44000]")}));
  EXPECT_GT(run["firmware"]["bad_segments"], 4);
  EXPECT_GT(run["power_cycles"]["mounts"], 3);
  EXPECT_LT(run["host"]["bytes_written_to_first_loss"].get<double>() / 4096, 40'000);
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  EXPECT_EQ(run["host"]["ended_early"], true);
  expect_balances(run);
  // Whole overwrites, whichever mount session they began in.
  const auto overwrites = run["steady_state"]["write_amplification"].get<std::vector<double>>();
  const double written = number_at(run, "/host/pages_written") * 4096 / number_at(run, "/device/logical_bytes");
  EXPECT_LE(static_cast<double>(overwrites.size()), written);
  EXPECT_GT(static_cast<double>(overwrites.size()), 0.75 * written) << "they end with a batch of requests";
  for (const double amplification : overwrites) EXPECT_GT(amplification, 1.2);
}

/// A layer that does not find its format again.
class Forgetful final : public tests::FtlAround {
 public:
  using FtlAround::FtlAround;
  FtlStatus mount(std::uint64_t now_ns) override {
    (void)FtlAround::mount(now_ns);
    return FtlStatus::not_formatted;
  }
  [[nodiscard]] const char* self_check() const override { return "looked at although it is not mounted"; }
};

class ForgetfulInstance final : public FirmwareInstance {
 public:
  ForgetfulInstance(const Study& study, const FirmwarePorts& ports) : inner_(make_firmware(plain(study), ports)) {}
  Ftl& ftl() override { return ftl_; }

 private:
  static Study plain(Study study) {
    study.ftl.firmware = "page";
    study.ftl.selection = "greedy";
    return study;
  }

  std::unique_ptr<FirmwareInstance> inner_;
  Forgetful ftl_{inner_->ftl()};
};

constexpr FirmwareRow kForgetful{
    .name = "forgetful",
    .help = "forgets its format",
    .title = [](const Study&) { return std::string("forgetful"); },
    .make = [](const Study& study, const FirmwarePorts& ports) -> std::unique_ptr<FirmwareInstance> {
      return std::make_unique<ForgetfulInstance>(study, ports);
    }};

TEST(MountAgain, a_mount_that_fails_ends_the_run_with_a_result) {
  add_firmware(kForgetful);
  const ordered_json run = run_one_study(
      small_study({{"ftl.firmware", "forgetful"}, {"power.loss_at_s", "[5, 100]"}, {"platform.sample_s", "1"}}));
  EXPECT_EQ(run["host"]["ended_early"], true);
  EXPECT_THAT(run["host"]["end_reason"].get<std::string>(), HasSubstr("finds no format"));
  EXPECT_EQ(run["host"]["failed_requests"], 1) << "what was in flight";
  EXPECT_EQ(run["power_cycles"]["losses"], 1);
  EXPECT_EQ(run["power_cycles"]["mounts"], 0);
  EXPECT_FALSE(run["power_cycles"].contains("mount_mean_s"));
  EXPECT_GT(number_at(run, "/time/by_cause_s/mount"), 0);
}

TEST(MountAgain, without_a_plan_a_result_says_nothing_of_it) {
  EXPECT_FALSE(run_one_study(small_study({{"workload.total_mib", "1"}})).contains("power_cycles"));
}

TEST(MountAgain, what_cannot_work_is_refused) {
  const Settings nothing = small_array("array-tlc", {set("part_overrides.content", "\"none\"")});
  EXPECT_THAT(refusal(with(nothing, {set("power.loss_at_s", "[1]")})), HasSubstr("content"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_s", "[1]"}, {"platform.store_content", "false"}})),
              HasSubstr("store_content = true"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_request", "[1.5]"}})), HasSubstr("whole numbers"));
  EXPECT_THAT(refusal(small_study({{"power.loss_at_s", "[4, 1, 4]"}})), HasSubstr("holds 4 twice"));
}

/// Mean time of two mounts without checkpoints of an array of as many segments on so many dies of a channel each.
double mount_on(const char* channels, const char* dies_per_channel) {
  const ordered_json run = run_one_study(
      small_array("array-tlc",
                  {set("part_overrides.channels", channels), set("part_overrides.dies_per_channel", dies_per_channel),
                   set("part_overrides.pages_per_segment", "96"), set("part_overrides.bad_segments.initial_share", "0"),
                   set("power.loss_at_request", "[100, 200]")}));
  EXPECT_EQ(run["power_cycles"]["mounts"], 2);
  return number_at(run, "/power_cycles/mount_mean_s");
}

TEST(MountAgain, keeps_every_die_busy) {
  const double one = mount_on("1", "1");
  EXPECT_LT(mount_on("4", "1"), one / 3.8);
  // A page is 4 KiB: 7.7 us on the channel, beside 75 us of a die.
  EXPECT_LT(mount_on("1", "4"), one / 3.5);
}

}  // namespace
}  // namespace ftlab::platform
