// What the part has to say about a study: refused with the place of the key and the way out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "platform/firmwares/makers.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using test::error_text;

/// The face of a NAND part that nobody operates.
class IdlePart final : public PartPort {
 public:
  explicit IdlePart(bool nand = true) {
    for (std::size_t page = 0; page < pairs_.size(); ++page) pairs_[page] = static_cast<std::uint8_t>(page ^ 1U);
    geometry_ = {.segments = 130,
                 .segment_bytes = 512 * 1024,
                 .program_unit_bytes = 4096,
                 .spare_bytes = 32,
                 .parallel_units = 1,
                 .rated_erase_cycles = 10'000,
                 .paired_page = pairs_,
                 .slc_segments_per_unit = 1};
    capabilities_ = {.spare = true};
    if (!nand) {
      geometry_.paired_page = {};
      geometry_.program_unit_bytes = 1;
      capabilities_.spare = false;
    }
  }
  [[nodiscard]] const PartGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const PartCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const PartOp> ops) override { return not_operated(ops.size()); }
  std::size_t reap(std::span<PartDone> done, bool) override { return not_operated(done.size()); }

 private:
  static std::size_t not_operated(std::size_t n) {
    ADD_FAILURE() << "a mapping does not touch the part";
    return n;
  }
  std::array<std::uint8_t, 128> pairs_{};
  PartGeometry geometry_;
  PartCapabilities capabilities_;
};

class NoClock final : public ClockPort {
 public:
  [[nodiscard]] std::uint64_t now_ns() override { return 0; }
  void sleep_until_ns(std::uint64_t) override {}
};

class FlexFsMapping : public testing::Test {
 protected:
  static constexpr std::string_view kHead = "[ftl]\nfirmware = \"flexfs\"\n[flexfs]\n";

  FlexFsConfig map(const std::string& text) {
    study_ = parse_study(std::string(kHead) + text, "s.toml");  // names in the result point into it
    return flexfs_config_for(study_, ports());
  }
  std::string refusal(const std::string& text) {
    return error_text([&] { (void)map(text); });
  }

  FirmwarePorts ports() {
    constexpr Picojoules kMicrojoule{1'000'000};
    return {&flash_, nullptr, probe_, clock_, {kMicrojoule, kMicrojoule, kMicrojoule, kMicrojoule}, 0};
  }

  Study study_;
  IdlePart flash_;
  NullProbe probe_;
  NoClock clock_;
};

TEST_F(FlexFsMapping, partition_that_the_part_has_not_is_refused_at_its_line) {
  EXPECT_EQ(map("partition_mib = 8\n").data_segments, 16U);
  EXPECT_EQ(
      refusal("partition_mib = 3.1\n"),
      "s.toml:4: flexfs.partition_mib: 3.1 is not a partition of this part; use 0 for all of it, or a multiple of "
      "0.5 from 2.5 to 63");
  EXPECT_EQ(map("partition_mib = 63\n").data_segments, 126U)
      << "all but two at the start, for notes, and two for checkpoints";
  EXPECT_THAT(refusal("partition_mib = 63.5\n"), testing::StartsWith("s.toml:4: flexfs.partition_mib: 63.5 is not"));
}

TEST_F(FlexFsMapping, page_that_is_not_the_parts_is_refused_at_its_line) {
  EXPECT_EQ(error_text([&] {
              const Study study = parse_study("[ftl]\nfirmware = \"flexfs\"\npage_bytes = 2048\n", "s.toml");
              (void)flexfs_config_for(study, ports());
            }),
            "s.toml:3: ftl.page_bytes: 2048, but FlexFS maps the pages of the part; use 4096");
}

TEST_F(FlexFsMapping, part_of_another_kind_is_refused_at_the_firmwares_line) {
  IdlePart card(false);
  const Study study = parse_study(kHead, "s.toml");
  EXPECT_THAT(error_text([&] {
                (void)flexfs_config_for(study, {&card, nullptr, probe_, clock_, {}, 0});
              }),
              testing::StartsWith("s.toml:2: ftl.firmware: FlexFS needs a NAND part"));
}

TEST_F(FlexFsMapping, more_free_segments_than_there_can_be_are_refused_at_their_line) {
  EXPECT_EQ(map("compulsory_free = 124\ncleaning_free = 124\n").compulsory_free, 124U);
  EXPECT_EQ(refusal("compulsory_free = 1000\n"),
            "s.toml:4: flexfs.compulsory_free: 1000 free segments cannot be had, because 124 is the most beside those "
            "being filled; use at most 124, or a larger partition (flexfs.partition_mib)");
  EXPECT_THAT(refusal("partition_mib = 8\ncleaning_free = 15\n"),
              testing::StartsWith("s.toml:5: flexfs.cleaning_free: 15 free segments cannot be had, because 14 is"));
  EXPECT_EQ(map("scheme = \"jffs2\"\ncompulsory_free = 1000\n").data_segments, 0U) << "nothing migrates";
  EXPECT_THAT(refusal("partition_mib = 3\n"), testing::StartsWith("s.toml:3: flexfs.compulsory_free: 5 free segments"))
      << "a default, too, at the table";
}

TEST_F(FlexFsMapping, least_energy_budget_is_one) {
  EXPECT_EQ(map("energy_budget_mj_per_mib = 0.001\n").energy_budget_uj_per_mib, 1U);
  EXPECT_EQ(map("energy_budget_mj_per_mib = 0\n").energy_budget_uj_per_mib, 0U) << "none";
}

TEST(FirmwareList, policies_of_one_name_are_one_policy_whichever_firmware_has_them) {
  std::map<std::pair<std::string, std::string_view>, std::string> known;
  int again = 0;
  for (const FirmwareRow* firmware : firmware_list()) {
    if (firmware->policies == nullptr) continue;
    for (const PolicyText& policy : firmware->policies()) {
      // Behind it stands what else its firmware needs for it.
      const std::string sentence = policy.help.substr(0, policy.help.find(';'));
      const auto [first, fresh] = known.try_emplace({policy.key, policy.name}, sentence);
      EXPECT_EQ(first->second, sentence) << firmware->name << ": " << policy.key << " = " << policy.name;
      again += fresh ? 0 : 1;
    }
  }
  EXPECT_GE(again, 2);
}

}  // namespace
}  // namespace ftlab::platform
