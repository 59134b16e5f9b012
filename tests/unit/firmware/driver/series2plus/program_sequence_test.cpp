// The bus cycles of programming, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "firmware/driver/series2plus/pair_program.h"
#include "tests/fixtures/counting_probe.h"
#include "tests/unit/firmware/driver/script_port.h"

namespace ftlab {
namespace {

using test::kBase;
using test::kBsr;
using test::kGsr;
using test::ScriptPort;
using testing::ElementsAre;
using testing::ElementsAreArray;
using tests::CountingProbe;

class ProgramSequence : public testing::Test {
 protected:
  ProgramSequence() {
    pair_.ready_line = true;
    port_.cells[kGsr] = {0x8686};
    port_.cells[kBsr] = {0xC0C0};
  }

  PartStatus program(std::uint32_t offset, std::size_t length) {
    data_.assign(length, std::byte{0x3C});
    PairCommands commands(port_, config_);
    PairErase erase(port_, commands, config_);
    return PairProgram(port_, commands, erase, probe_, config_).program(pair_, kBase, kBase + offset, data_);
  }
  /// Of the block after; one failure is one.
  void beside_an_erase() {
    pair_.erase = EraseState::running;
    pair_.erase_base = 0x40000;
    config_.retries = 0;
  }
  /// What the failing program leaves on the bus at its end.
  std::vector<std::string> last_cycles(PartStatus answer) {
    EXPECT_EQ(program(0, 2), answer);
    return {port_.log.end() - 3, port_.log.end()};
  }

  ScriptPort port_;
  CountingProbe probe_;
  Series2PlusDriverConfig config_;
  PairState pair_;
  std::vector<std::byte> data_;
};

TEST_F(ProgramSequence, page_buffer_sequence_is_that_of_the_sheet) {
  EXPECT_EQ(program(0x200, 512), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 7171", "R 020008",                                        // GSR.2
                                     "W 020200 E0E0", "W 020200 FFFF", "W 020200 0000", "B 020200 512",  // load
                                     "W 020000 7171", "R 020004",                                        // BSR.3
                                     "W 020200 0C0C", "W 020200 FFFF", "W 020200 0000",                  // program
                                     "W 020200 7171", "I 020004 8080"));                                 // BSR.7
  EXPECT_EQ(probe_.of(Work::buffer_program), 1U);
}

TEST_F(ProgramSequence, high_count_goes_first_where_component_address_bit_0_is_set) {
  EXPECT_EQ(program(0x102, 20), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 7171", "R 020008", "W 020102 E0E0", "W 020102 0000", "W 020102 0909",
                                     "B 020102 20", "W 020000 7171", "R 020004", "W 020102 0C0C", "W 020102 0000",
                                     "W 020102 0909", "W 020102 7171", "I 020004 8080"));
}

TEST_F(ProgramSequence, next_sequence_finds_the_pair_showing_extended_status) {
  EXPECT_EQ(program(0, 1024), PartStatus::ok);
  ASSERT_EQ(port_.log.size(), 13U + 12U);
  EXPECT_EQ(port_.log[12], "I 020004 8080");
  EXPECT_EQ(port_.log[13], "R 020008");
  EXPECT_EQ(probe_.of(Work::buffer_program), 2U);
}

TEST_F(ProgramSequence, a_sequence_stays_inside_one_line_of_512_bytes) {
  EXPECT_EQ(program(0x1F0, 512), PartStatus::ok);
  std::vector<std::string> bursts;
  for (const std::string& line : port_.log) {
    if (line[0] == 'B') bursts.push_back(line);
  }
  EXPECT_THAT(bursts, ElementsAre("B 0201F0 16", "B 020200 496"));
}

TEST_F(ProgramSequence, up_to_five_words_are_programmed_word_by_word) {
  port_.cells[kBase + 0x10] = {0x0000, 0x8080};
  port_.cells[kBase + 0x12] = {0x8080};
  EXPECT_EQ(program(0x10, 4), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("W 020010 4040", "W 020010 3C3C", "P 020010 8080", "W 020012 4040",
                                     "W 020012 3C3C", "P 020012 8080"));
  EXPECT_EQ(pair_.mode, ReadMode::compatible_status);
  EXPECT_EQ(probe_.of(Work::buffer_program), 0U);
}

TEST_F(ProgramSequence, the_sixth_word_makes_the_page_buffer_cheaper) {
  for (std::uint32_t at = 0; at < 12; at += 2) port_.cells[kBase + 0x40 + at] = {0x8080};
  EXPECT_EQ(program(0x40, 10), PartStatus::ok);
  EXPECT_EQ(probe_.of(Work::buffer_program), 0U);
  EXPECT_EQ(program(0x40, 12), PartStatus::ok);
  EXPECT_EQ(probe_.of(Work::buffer_program), 1U);
}

TEST_F(ProgramSequence, odd_ends_use_one_lane) {
  port_.cells[kBase + 0x20] = {0x80FF};
  port_.cells[kBase + 0x22] = {0xFF80};
  EXPECT_EQ(program(0x21, 2), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("w 020021 40", "w 020021 3C", "P 020020 8000",  // odd component
                                     "w 020022 40", "w 020022 3C", "P 020022 0080"));
  EXPECT_EQ(pair_.mode, ReadMode::unknown) << "the two components answer differently";
}

TEST_F(ProgramSequence, word_method_never_loads_a_page_buffer) {
  config_.program_method = ProgramMethod::word;
  for (std::uint32_t at = 0; at < 64; at += 2) port_.cells[kBase + at] = {0x8080};
  EXPECT_EQ(program(0, 64), PartStatus::ok);
  EXPECT_EQ(port_.log.size(), 3U * 32U);
  EXPECT_EQ(probe_.of(Work::buffer_program), 0U);
}

TEST_F(ProgramSequence, poll_style_sleeps_at_the_program_interval) {
  config_.program_wait = DriverWait::poll;
  config_.program_poll_ns = 12'345;
  EXPECT_EQ(program(0, 512), PartStatus::ok);
  EXPECT_EQ(port_.log.back(), "S 020004 8080");
  EXPECT_EQ(port_.waits.back().poll_interval_ns, 12'345U);
  EXPECT_EQ(port_.waits.back().deadline_ns, config_.program_deadline_ns);
}

TEST_F(ProgramSequence, interrupt_style_turns_a_silent_ready_line_on_first) {
  pair_.ready_line = false;
  port_.cells[8] = {0x8686};
  EXPECT_EQ(program(0, 512), PartStatus::ok);
  const std::vector<std::string> first(port_.log.begin(), port_.log.begin() + 8);
  EXPECT_THAT(first, ElementsAre("W 000000 7171", "R 000008", "W 000000 9696", "W 000000 0101", "W 000000 7171",
                                 "R 000008", "R 000008", "R 020008"));
  EXPECT_TRUE(pair_.ready_line);
}

TEST_F(ProgramSequence, failure_is_aborted_cleared_and_tried_again) {
  port_.cells[kBsr] = {0xC0C0, 0xE0C0, 0xC0C0};  // queue free; lower component fine, upper failed; then good
  port_.cells[kGsr] = {0x8686, 0x9696, 0x8686};  // asleep after the abort
  EXPECT_EQ(program(0, 512), PartStatus::ok);
  const std::vector<std::string> after(port_.log.begin() + 12, port_.log.begin() + 20);
  EXPECT_THAT(after, ElementsAre("I 020004 8080", "W 020000 8080", "W 020000 7171", "R 020008", "W 020000 FFFF",
                                 "D 1000", "W 020000 5050", "W 020000 7171"));
  EXPECT_EQ(probe_.of(Work::buffer_program), 2U);
}

TEST_F(ProgramSequence, what_is_tried_again_and_what_is_answered_depends_on_the_block_status) {
  const struct {
    std::uint16_t status;
    std::size_t length;
    std::uint32_t retries;
    bool honour_locks;
    PartStatus answer;
    std::uint32_t programs;
  } kCases[] = {
      {0xE0E0, 4096, 2, true, PartStatus::program_failed, 3},  // and no further line is begun
      {0xE4E4, 512, 2, true, PartStatus::no_vpp, 1},          {0xA0A0, 512, 2, true, PartStatus::write_protected, 1},
      {0xA0A0, 512, 0, false, PartStatus::program_failed, 1},  // lock bits are overridden
      {0x4040, 512, 1, true, PartStatus::timeout, 2},
  };
  std::uint64_t programs = 0;
  for (const auto& one : kCases) {
    config_.retries = one.retries;
    config_.honour_locks = one.honour_locks;
    port_.cells[kBsr] = {one.status};
    EXPECT_EQ(program(0, one.length), one.answer) << one.status;
    programs += one.programs;
    EXPECT_EQ(probe_.of(Work::buffer_program), programs) << one.status;
  }
}

TEST_F(ProgramSequence, word_failure_of_one_component_is_a_failure) {
  config_.retries = 0;
  port_.cells[kBase] = {0x8090};
  EXPECT_EQ(program(0, 2), PartStatus::program_failed);
  port_.cells[kBase] = {0x9880};
  EXPECT_EQ(program(0, 2), PartStatus::no_vpp);
}

TEST_F(ProgramSequence, beside_an_erase_the_block_status_decides_and_the_ready_line_is_not_trusted) {
  beside_an_erase();
  EXPECT_EQ(program(0, 2), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 7171", "R 020004", "W 020000 4040", "W 020000 3C3C", "W 020000 7171",
                                     "P 020004 8080"));
  port_.log.clear();
  EXPECT_EQ(program(0, 512), PartStatus::ok);
  EXPECT_EQ(port_.log.back(), "S 020004 8080");
}

TEST_F(ProgramSequence, failure_beside_an_erase_is_cleared_while_the_erase_is_held) {
  beside_an_erase();
  port_.cells[kBsr] = {0xC0C0, 0xE0E0};
  port_.cells[0x40004] = {0x4040};
  port_.cells[0x40008] = {0xC6C6};
  EXPECT_EQ(program(0, 2), PartStatus::program_failed);
  const std::vector<std::string> last(port_.log.begin() + 6, port_.log.end());
  EXPECT_THAT(last, ElementsAreArray({"W 040000 B0B0", "W 040000 7171", "R 040008", "R 040004", "W 040000 FFFF",
                                      "D 1000", "W 040000 5050", "W 040000 7171", "R 040008", "W 040000 D0D0"}));
  EXPECT_EQ(pair_.erase, EraseState::running);
}

TEST_F(ProgramSequence, erase_that_failed_meanwhile_is_started_anew_when_its_error_is_cleared) {
  beside_an_erase();
  port_.cells[kBsr] = {0xC0C0, 0xE0E0};
  port_.cells[0x40004] = {0xE0C0};
  port_.cells[0x40008] = {0x8686};
  EXPECT_THAT(last_cycles(PartStatus::program_failed),
              ElementsAreArray({"W 040000 5050", "W 040000 2020", "W 040000 D0D0"}));
  EXPECT_EQ(pair_.erase_attempts, 1U);
}

TEST_F(ProgramSequence, a_program_that_hangs_beside_an_erase_is_aborted_and_the_erase_starts_anew) {
  beside_an_erase();
  port_.cells[kBsr] = {0x4040};
  EXPECT_THAT(last_cycles(PartStatus::timeout), ElementsAreArray({"W 020000 5050", "W 040000 2020", "W 040000 D0D0"}));
  EXPECT_EQ(pair_.erase, EraseState::running);
}

}  // namespace
}  // namespace ftlab
