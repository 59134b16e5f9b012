// Keys that cannot stand together are refused in one line that says which to mend.
#include <gtest/gtest.h>

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "tests/unit/platform/study/refusal.h"

namespace ftlab::platform {
namespace {

TEST(StudyCheck, combinations_that_cannot_work_are_refused) {
  EXPECT_EQ(refusal_of("[ftl]\npage_bytes = 5000\n"),
            "s.toml:2: ftl.page_bytes: 5000 is not a power of two; use 4096 or 8192");
  EXPECT_EQ(refusal_of("[ftl]\nlow_water = 5\n"),
            "s.toml:2: ftl.low_water: high_water 3 is below low_water 5; raise ftl.high_water to at least 5");
  EXPECT_EQ(refusal_of("[age]\ncycles = 1e7\n").substr(0, 22), "s.toml:2: age.cycles: ");
  EXPECT_EQ(refusal_of("[workload]\nkind = \"trace\"\n"),
            "s.toml:1: workload.path: missing; kind = \"trace\" needs path = \"FILE\"");
  EXPECT_EQ(
      refusal_of("[workload]\nkind = \"classes\"\nclass_access = [0.5, 0.3, 0.2]\n"),
      "s.toml:1: workload.class_data: class_access has 3 shares and class_data 2; give one of each for every class");
  EXPECT_EQ(
      refusal_of("[workload]\nclient_depths = [1, 16]\n"),
      "s.toml:2: workload.client_depths: client_depths has 2 clients and client_read_shares 0; give one of each for "
      "every client");
  EXPECT_EQ(refusal_of("[workload]\nclient_depths = [1, 1.5]\nclient_read_shares = [1, 0]\n"),
            "s.toml:2: workload.client_depths: must be whole numbers of requests");
  EXPECT_EQ(refusal_of("[workload]\nclient_depths = [1000, 100]\nclient_read_shares = [1, 0]\n"),
            "s.toml:2: workload.client_depths: sum to 1100; all clients together have at most 1024");
  EXPECT_EQ(refusal_of("[workload]\nclient_depths = [1, 2]\nclient_read_shares = [1, 1]\n"),
            "s.toml:3: workload.client_read_shares: only reads, so nothing ends the run; let one client write");
  EXPECT_EQ(refusal_of("[workload]\nread_share = 0.5\nclient_depths = [1, 2]\nclient_read_shares = [1, 0]\n"),
            "s.toml:2: workload.read_share: is for a single client; leave it out, or client_depths and "
            "client_read_shares");
  EXPECT_EQ(refusal_of("[ftl]\nfirmware = \"page\"\nseparation = \"future\"\n[workload]\nclient_depths = [1]\n"
                       "client_read_shares = [0]\n"),
            "s.toml:3: ftl.separation: \"future\" needs the order of all writes in advance, and several clients have "
            "none; use one client");
  EXPECT_EQ(refusal_of("[workload]\narrival = \"poisson\"\nclient_depths = [1, 2]\nclient_read_shares = [1, 0]\n"),
            "s.toml:3: workload.client_depths: several clients make generated requests in a closed loop; use another "
            "kind and arrival = \"closed\"");
  EXPECT_EQ(refusal_of("[workload]\nkind = \"classes\"\nclass_access = [0.5, 0.3]\n"),
            "s.toml:3: workload.class_access: shares sum to 0.8; they must sum to 1");
  EXPECT_EQ(refusal_of("[workload]\nkind = \"classes\"\nclass_data = [0.0, 0.3]\n"),
            "s.toml:3: workload.class_data: class 1 has accesses but no data; give it a share");
  EXPECT_EQ(refusal_of("[workload]\nclass_data = [0.5, \"x\"]\n"),
            "s.toml:2: workload.class_data: must be a list of numbers, not a string ('x')");
  EXPECT_EQ(refusal_of("[workload]\nclass_data = [0.5, 2]\n"),
            "s.toml:2: workload.class_data: 2 is out of range; give numbers from 0 to 1");
  EXPECT_EQ(
      refusal_of("[workload]\narrival = \"trace\"\n"),
      "s.toml:2: workload.arrival: \"trace\" needs kind = \"trace\" or \"scenario\"; use \"closed\" or \"poisson\"");
}

TEST(StudyCheck, combinations_that_flexfs_cannot_keep_are_refused) {
  const std::string flexfs = "[ftl]\nfirmware = \"flexfs\"\n";
  EXPECT_EQ(refusal_of(flexfs + "[flexfs]\nlifetime_s = 100\nwear_window_s = 200\n"),
            "s.toml:5: flexfs.wear_window_s: wear_window_s 200 is longer than lifetime_s 100; use at most "
            "100 for flexfs.wear_window_s");
  EXPECT_EQ(refusal_of(flexfs + "[flexfs]\nlifetime_s = 100\n"),
            "s.toml:4: flexfs.lifetime_s: wear_window_s 600 is longer than lifetime_s 100; use at most "
            "100 for flexfs.wear_window_s");
  EXPECT_EQ(refusal_of("[flexfs]\nlifetime_s = 100\n"), "no error") << "the other firmware does not care";
  EXPECT_EQ(refusal_of(flexfs + "erase = \"overlap\"\n"),
            "s.toml:3: ftl.erase: ftl.firmware = \"flexfs\" waits for each erase; use \"wait\", or the firmware fms or "
            "page");
  EXPECT_EQ(refusal_of("[flexfs]\nenergy_budget_mj_per_mib = 0.0004\n"),
            "s.toml:2: flexfs.energy_budget_mj_per_mib: 0.0004 is below the least budget, 0.001; use 0 for no budget");
  EXPECT_EQ(parse_study("[flexfs]\nenergy_budget_mj_per_mib = 0.001\n", "s.toml", {})
                .configs.get<FlexFsConfig>()
                .energy_budget_uj_per_mib,
            1U);
}

}  // namespace
}  // namespace ftlab::platform
