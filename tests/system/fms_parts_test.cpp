// Every combination of cleaning policies on both real parts, through host, driver and SystemC model: each page reads
// back as it was written, invariants hold, and result.json balances with the log of the device's operations.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "firmware/base/random.h"
#include "tests/fixtures/fms_combinations.h"
#include "tests/fixtures/share.h"
#include "tests/system/op_rows.h"
#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using tests::Combinations;
using tests::FmsVolume;

/// The one that offers so many pages to the host.
Setting utilization(std::uint32_t pages, const FmsVolume& config, PartPort& flash, std::uint32_t bad_reserve) {
  const tests::PagedConfig volume = config;
  const FlashGeometry array = tests::geometry_of(flash, volume);
  const std::uint64_t usable = volume::usable_pages(volume, array) - bad_reserve * array.pages_per_segment;
  return set("ftl.utilization", std::to_string((pages + 0.25) / static_cast<double>(usable)));
}

/// A card of 32 segments of 32 KiB, so that a short run cleans.
struct Card {
  static constexpr const char* kName = "nor_card";
  static constexpr std::uint32_t kPageBytes = 2048;
  static constexpr std::uint32_t kPages = 209;
  static constexpr std::uint32_t kWrites = 700;
  static constexpr std::uint32_t kSegmentBytes = 32768;
  static constexpr std::uint32_t kProgramBytes = 512;  ///< two page buffers side by side

  static FmsVolume config() {
    FmsVolume config = tests::EmulatedNor::config();
    config.page_bytes = kPageBytes;
    config.logical_pages = kPages;
    tests::level_early(config, 1, 1);
    return config;
  }
  static Card for_config(FmsVolume& config) {
    (void)tests::make_room(config);
    config.high_water = std::max(config.high_water, config.low_water);
    return {};
  }
  [[nodiscard]] static tests::EmulatedFlash make() {
    tests::EmulatedFlashOptions part;
    part.geometry = {.segments = 32, .segment_bytes = kSegmentBytes, .program_unit_bytes = 2, .rated_erase_cycles = 1};
    part.store_content = false;
    return tests::EmulatedFlash(part);
  }
  [[nodiscard]] static Settings settings(const FmsVolume& config) {
    tests::EmulatedFlash flash = make();
    return {set("part", "series2plus-4mb"),
            set("part_overrides.capacity_mib", "1"),
            set("part_overrides.pair_mib", "1"),
            set("part_overrides.segment_kib", "32"),
            set("ftl.page_bytes", std::to_string(kPageBytes)),
            utilization(kPages, config, flash, 0)};
  }
  /// By its place: behind the entries, in any but the first segment.
  [[nodiscard]] static bool is_data(std::uint64_t address) {
    return address >= kSegmentBytes && address % kSegmentBytes >= kPageBytes;
  }
};

struct FlexOneNand {
  static constexpr const char* kName = "flex_onenand";
  static constexpr std::uint32_t kPageBytes = 4096;
  static constexpr std::uint32_t kPages = 900;
  static constexpr std::uint32_t kWrites = 2200;
  static constexpr std::uint32_t kSegmentBytes = 128 * kPageBytes;
  static constexpr std::uint32_t kProgramBytes = kPageBytes;
  static constexpr std::uint32_t kBadReserve = 1;

  static FmsVolume config() {
    FmsVolume config = tests::EmulatedNandMedium::config();
    config.page_bytes = kPageBytes;
    config.logical_pages = kPages;
    tests::level_early(config, 1, 1);
    return config;
  }
  static FlexOneNand for_config(FmsVolume& config) {
    const bool more = tests::make_room(config) > 0;
    config.high_water = std::max(config.high_water, config.low_water);
    return {more ? 32U : 16U};
  }
  [[nodiscard]] tests::EmulatedNand make() const {
    tests::EmulatedNandOptions part;
    part.segments = segments;
    part.pages = 128;
    part.page_bytes = kPageBytes;
    part.store_content = false;
    return tests::EmulatedNand(part);
  }
  [[nodiscard]] Settings settings(const FmsVolume& config) const {
    tests::EmulatedNand flash = make();
    return {set("part", "flexonenand-4gb"), set("host", "omap2420-400"),
            set("part_overrides.segments_per_die", std::to_string(segments)),
            set("part_overrides.bad_segments.reserve", std::to_string(kBadReserve)),
            utilization(kPages, config, flash, kBadReserve)};
  }
  [[nodiscard]] static bool is_data(std::uint64_t) { return true; }

  std::uint32_t segments = 16;
};

/// Four writes of five go to a fifth of the pages, some beyond one page; then everything is read.
template <class Part>
void write_trace(const std::string& path) {
  constexpr std::uint32_t kBlock = 512;
  constexpr std::uint32_t kBlocks = Part::kPageBytes / kBlock;
  std::ofstream trace(path);
  Random random(3);
  for (std::uint32_t i = 0; i < Part::kWrites; ++i) {
    const std::uint32_t lpn = random.below(5) != 0 ? random.below(Part::kPages / 5) : random.below(Part::kPages);
    const bool aligned = random.below(4) != 0;
    const std::uint32_t block = lpn * kBlocks + (aligned ? 0 : random.below(kBlocks));
    const std::uint32_t count = aligned ? kBlocks : 1 + random.below(2 * kBlocks);
    trace << i << " 0 " << block << " " << std::min(count, Part::kPages * kBlocks - block) << " 0\n";
  }
  for (std::uint32_t lpn = 0; lpn < Part::kPages; ++lpn)
    trace << Part::kWrites << " 0 " << lpn * kBlocks << " " << kBlocks << " 1\n";
}

/// The keys of the policies, of their parameters, and of what goes with them.
Settings policies(const FmsVolume& config) {
  const auto text = [](std::string_view view) { return std::string(view); };
  Settings settings{set("ftl.selection", text(config.selection)),
                    set("ftl.redistribution", text(config.redistribution)),
                    set("ftl.trigger", text(config.trigger)),
                    set("ftl.wear_leveling", text(config.wear_leveling)),
                    set("ftl.read_only", text(config.read_only_placement)),
                    set("ftl.low_water", std::to_string(config.low_water)),
                    set("ftl.high_water", std::to_string(config.high_water)),
                    set("ftl.clean_at_once", std::to_string(config.clean_at_once))};
  if (fms::chosen(config).redistribution->partitioned)
    settings.push_back(set("ftl.partitions", std::to_string(config.shared.partitions)));
  tests::for_each_param(config, [&](const fms::PolicyEntry& entry, const Field<fms::ParamBlock>& field) {
    fms::ParamBlock block = config.params.of(entry);
    const void* at = field.at(block);
    settings.push_back(set("ftl." + text(field.name),
                           field.type == FieldType::choice ? text(field.names(field.get(block)))
                           : field.type == FieldType::u32  ? std::to_string(*static_cast<const std::uint32_t*>(at))
                                                           : std::to_string(*static_cast<const std::uint64_t*>(at))));
  });
  return settings;
}

/// Bytes and operations of the measured phase, by what the log of operations says.
struct Logged {
  std::map<std::string, std::uint64_t, std::less<>> data_bytes;  ///< by cause
  std::uint64_t data_programs = 0;
  std::uint64_t metadata_bytes = 0;
  std::uint64_t metadata_programs = 0;
  std::uint64_t erases = 0;
  std::uint64_t failed = 0;
};

template <class Part>
Logged read_log(const std::string& path) {
  Logged logged;
  for_each_change(path, [&](const OpRow& row) {
    logged.failed += row.failed ? 1 : 0;
    if (row.erase) {
      ++logged.erases;
    } else if (Part::is_data(row.address)) {
      logged.data_bytes[std::string(row.cause)] += row.bytes;
      ++logged.data_programs;
    } else {
      logged.metadata_bytes += row.bytes;
      ++logged.metadata_programs;
    }
  });
  return logged;
}

template <class Part>
void expect_balance(const ordered_json& run, const Logged& logged) {
  const auto count = [&](const char* table, const char* key) { return run.at(table).at(key).get<std::uint64_t>(); };
  const std::uint64_t written = count("host", "pages_written");
  const std::uint64_t copied = count("flash", "pages_copied");
  const std::uint64_t swapped = count("firmware", "pages_swapped");
  const std::uint64_t pages = written + copied + swapped;
  const auto data = [&](const char* cause) {
    const auto found = logged.data_bytes.find(cause);
    return found != logged.data_bytes.end() ? found->second : 0;
  };
  EXPECT_EQ(data("host"), written * Part::kPageBytes);
  EXPECT_EQ(data("clean") + data("refresh"), copied * Part::kPageBytes);
  EXPECT_EQ(data("wear_level"), swapped * Part::kPageBytes);
  EXPECT_EQ(count("flash", "bytes_programmed"), pages * Part::kPageBytes + logged.metadata_bytes);
  EXPECT_EQ(count("flash", "programs"), pages * (Part::kPageBytes / Part::kProgramBytes) + logged.metadata_programs);
  EXPECT_EQ(logged.erases, count("flash", "erases") + count("firmware", "log_erases"));
  EXPECT_EQ(logged.failed, 0U);
}

template <class Part>
class FmsParts : public testing::Test {
 protected:
  /// A run under way, and what it is held against.
  struct Run {
    Run(const Settings& settings, const std::string& log, const std::string& what)
        : child(parse_study("", "test", settings), {.ops = log}), ops(log), text(what) {}
    ChildRun child;
    std::string ops;
    std::string text;
  };

  void SetUp() override { write_trace<Part>(trace_); }
  void TearDown() override { std::remove(trace_.c_str()); }

  void start(const Part& part, const FmsVolume& config, const std::string& text) {
    const Settings common{set("workload.kind", "trace"), set("workload.path", trace_),
                          set("workload.format", "disksim"), set("workload.address", "direct"),
                          set("platform.self_check_every", "50")};
    runs_.emplace_back(with(with(part.settings(config), common), policies(config)), path_ + std::to_string(started_++),
                       text);
    if (runs_.size() >= kTogether) finish_one();
  }
  void finish_one() {
    Run& run = runs_.front();
    SCOPED_TRACE(run.text);
    try {
      const ordered_json result = run.child.result();
      EXPECT_EQ(result["device"]["logical_bytes"], Part::kPages * Part::kPageBytes) << "not all of it is read back";
      EXPECT_GE(result["host"]["pages_read"], Part::kPages);
      EXPECT_EQ(result["host"]["wrong_reads"], 0);
      EXPECT_EQ(result["host"]["failed_requests"], 0);
      EXPECT_GT(result["firmware"]["cleanings"], 0) << "too short to mean anything";
      expect_balance<Part>(result, read_log<Part>(run.ops));
      swapped_[result["config"]["ftl"]["wear_leveling"]] +=
          result["firmware"]["pages_swapped"].template get<std::uint64_t>();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    std::remove(run.ops.c_str());
    runs_.pop_front();
  }
  void expect_all(const Combinations& seen) {
    while (!runs_.empty()) finish_one();
    EXPECT_EQ(seen.left_out(), "") << "took part in no combination";
    EXPECT_EQ(seen.cramped, "") << "refused for want of space";
    for (const auto& leveler : fms::wear_levelers()) {
      const bool any = swapped_[std::string(leveler.name)] > 0;
      EXPECT_EQ(any, leveler.name != "none") << leveler.name;
    }
    testing::Test::RecordProperty("runs", started_);
  }

 private:
  static constexpr std::size_t kTogether = 2;
  std::string path_ = testing::TempDir() + "ftlab_fms_parts_" + std::to_string(::getpid()) + "_";
  std::string trace_ = path_ + "trace";
  std::deque<Run> runs_;
  std::map<std::string, std::uint64_t> swapped_;
  int started_ = 0;
};

using Parts = testing::Types<Card, FlexOneNand>;
TYPED_TEST_SUITE(FmsParts, Parts, tests::MediumName);

TYPED_TEST(FmsParts, every_policy_keeps_what_was_written_and_its_counters_balance) {
  this->expect_all(
      tests::for_each_policy<TypeParam>([this](const FmsVolume& config, const TypeParam& part,
                                               const std::string& text) { this->start(part, config, text); }));
}

TYPED_TEST(FmsParts, every_combination_keeps_what_was_written_and_its_counters_balance) {
  tests::Share share;
  this->expect_all(tests::for_each_combination<TypeParam>(
      [&](const FmsVolume& config, const TypeParam& part, const std::string& text) {
        if (share.takes_next()) this->start(part, config, text);
      }));
}

}  // namespace
}  // namespace ftlab::platform
