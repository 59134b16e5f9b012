// Segments of several erase units on the model of the card: cleaning is that of a card with segments of that size, and
// the erases cost what the units cost.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "tests/system/op_rows.h"
#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// A card of 16 segments of 64 KiB, as erase units of `unit_kib`.
Settings card(int unit_kib, int units, const Settings& more) {
  return with(with({set("part", "series2plus-4mb"), set("part_overrides.capacity_mib", "1"),
                    set("part_overrides.pair_mib", "1"), set("part_overrides.segment_kib", std::to_string(unit_kib)),
                    set("ftl.segment_units", std::to_string(units)), set("ftl.utilization", "0.7"),
                    set("ftl.read_only", "mixed"), set("ftl.high_water", "3"), set("workload.kind", "uniform"),
                    set("workload.read_share", "0.3"), set("workload.total_mib", "4")},
                   more),
              {set("platform.self_check_every", "100")});
}

struct OfOneRun {
  ordered_json result;
  std::uint64_t erases = 0;  ///< of the device, in the measured phase
};

OfOneRun run(const Settings& settings) {
  const std::string ops = testing::TempDir() + "ftlab_segment_units_" + std::to_string(::getpid());
  OfOneRun one{run_one_study(settings, {.ops = ops})};
  for_each_change(ops, [&](const OpRow& row) { one.erases += row.erase ? 1 : 0; });
  std::remove(ops.c_str());
  return one;
}

TEST(SegmentUnits, clean_as_segments_of_that_size_and_erase_each_unit) {
  const Settings greedy{set("ftl.selection", "greedy"), set("ftl.redistribution", "sequential")};
  const Settings envy{set("ftl.trigger", "partition_full"), set("ftl.selection", "partition_fifo"),
                      set("ftl.redistribution", "locality_gathering"), set("ftl.partitions", "4")};
  for (const Settings& policies : {greedy, envy}) {
    const OfOneRun whole = run(card(64, 1, policies));
    const OfOneRun divided = run(card(16, 4, policies));
    EXPECT_GT(whole.result["flash"]["erases"], 20);
    EXPECT_EQ(divided.result["flash"]["erases"], whole.result["flash"]["erases"]);
    EXPECT_EQ(divided.result["flash"]["pages_copied"], whole.result["flash"]["pages_copied"]);
    EXPECT_EQ(divided.result["host"]["wrong_reads"], 0);
    EXPECT_EQ(divided.erases, 4 * whole.erases);
    EXPECT_EQ(divided.result["wear"]["data_segments"]["mean"], whole.result["wear"]["data_segments"]["mean"]);
    // A block's erase takes the same time whatever its size.
    EXPECT_GT(divided.result["time"]["simulated_s"], whole.result["time"]["simulated_s"]);
  }
}

}  // namespace
}  // namespace ftlab::platform
