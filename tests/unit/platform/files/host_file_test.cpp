// Host profiles: the shipped ones load, each number has a source, and a broken one is one line.
#include "platform/files/host_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/files/data_files.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using test::error_text;

spec::TomlFile shipped(const std::string& name) {
  return spec::TomlFile::load(data_file("hosts", name, {}, "").string());
}

TEST(HostFile, pentium_profile_is_read_into_every_field) {
  const ProcessorProfile host = load_processor_profile(shipped("pentium-133"));
  EXPECT_EQ(host.name, "pentium-133");
  EXPECT_TRUE(host.ready_interrupt);
  EXPECT_GT(host.bus_read_cycle, Ticks{0});
  EXPECT_GT(host.bus_write_cycle, Ticks{0});
  EXPECT_EQ(host.timer_tick, std::chrono::duration_cast<Ticks>(std::chrono::milliseconds{10}));
  for (std::size_t i = 0; i < kWorkKinds; ++i) EXPECT_GT(host.work[i], Ticks{0}) << name_of(static_cast<Work>(i));
}

TEST(HostFile, every_shipped_host_loads_and_says_where_each_number_comes_from) {
  const auto names = data_names("hosts");
  EXPECT_THAT(names, testing::IsSupersetOf({"486dx-33", "pentium-133"}));
  for (const std::string& name : names) {
    const spec::TomlFile file = shipped(name);
    EXPECT_EQ(load_processor_profile(file).name, name) << "file name and name differ";
    for (const auto& [key, quantity] : file.quantities()) EXPECT_GT(quantity.source.size(), 5U) << name << " " << key;
  }
}

TEST(HostFile, work_names_follow_the_enumeration) {
  EXPECT_EQ(name_of(Work::request), "request");
  EXPECT_EQ(name_of(Work::segment_score), "segment_score");
  EXPECT_EQ(name_of(Work::buffer_program), "buffer_program");
}

TEST(HostFile, study_overrides_reach_the_profile) {
  const Study study = parse_study("[host_overrides]\nbus_read_cycle = 1000\nwork.page_copy = \"2 ms\"\n", "s.toml");
  const ProcessorProfile host = load_host(study);
  EXPECT_EQ(host.bus_read_cycle, Ticks{10'000});
  EXPECT_EQ(host.work[static_cast<std::size_t>(Work::page_copy)], Ticks{20'000'000});
}

TEST(HostFile, wrong_overrides_name_the_line_of_the_study) {
  EXPECT_EQ(error_text([] { (void)load_host(parse_study("[host_overrides]\nbus_raed_cycle = 1\n", "s.toml")); }),
            "s.toml:2: host_overrides: bus_raed_cycle: unknown key; did you mean 'bus_read_cycle'?");
  EXPECT_EQ(error_text([] { (void)load_host(parse_study("[host_overrides]\ntimer_tick = 0\n", "s.toml")); }),
            "s.toml:2: host_overrides: timer_tick: 0 ms is out of range; give a value from 1e-07 to "
            "3600000 ms");
}

TEST(HostFile, times_that_no_run_could_end_with_are_refused) {
  for (const char* key : {"work.page_copy", "work.page_write", "work.request", "work.page_rate", "work.segment_compare",
                          "work.segment_score", "work.buffer_program", "interrupt_latency", "bus_write_cycle"}) {
    const Study study = parse_study(fmt::format("[host_overrides]\n{} = \"1e8 s\"\n", key), "s.toml");
    EXPECT_THAT(error_text([&] { (void)load_host(study); }),
                testing::HasSubstr(fmt::format("s.toml:2: host_overrides: {}: 100000000 s is out of range", key)));
  }
}

TEST(HostFile, unknown_host_names_the_nearest) {
  EXPECT_EQ(error_text([] { (void)load_host(parse_study("host = \"pentium133\"\n", "s.toml")); }),
            "s.toml:1: host: no host named 'pentium133'; did you mean 'pentium-133'?");
  EXPECT_EQ(error_text([] { (void)load_host(parse_study("host = \"./no.toml\"\n", "s.toml")); }),
            "s.toml:1: host: no such file: no.toml");
}

TEST(HostFile, missing_number_is_reported) {
  const spec::TomlFile file = spec::TomlFile::parse("name = \"h\"\ntitle = \"H\"\nready_interrupt = true\n", "h.toml");
  EXPECT_EQ(error_text([&] { (void)load_processor_profile(file); }), "h.toml: bus_read_cycle: missing; add this key");
}

}  // namespace
}  // namespace ftlab::platform
