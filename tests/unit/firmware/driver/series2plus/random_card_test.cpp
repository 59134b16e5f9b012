// Long random sequences against a plain copy of what the card must hold, in every mode the driver has.
#include <algorithm>
#include <random>
#include <vector>

#include "tests/unit/firmware/driver/series2plus/card_fixture.h"

namespace ftlab {
namespace {

using test::CardFixture;
using test::load_part;

struct Mode {
  const char* name;
  ProgramMethod method;
  DriverWait wait;
  bool background;
  bool suspend;
};

class RandomOperations : public CardFixture, public testing::WithParamInterface<Mode> {
 protected:
  static constexpr std::uint32_t kSegmentBytes = 32 * 1024;
  static constexpr std::uint32_t kSegments = 16;  // two pairs of eight

  void SetUp() override {
    config_.program_method = GetParam().method;
    config_.program_wait = GetParam().wait;
    config_.program_poll_ns = 200'000;
    config_.background_erase = GetParam().background;
    config_.suspend_erase = GetParam().suspend;
    hw::CardSpec spec = load_part("series2plus-8mb");
    spec.segment_bytes = kSegmentBytes;
    spec.segments_per_pair = kSegments / 2;
    insert(spec);
    ASSERT_EQ(attach(), AttachStatus::ok);
    ASSERT_EQ(driver_->geometry().segments, kSegments);
    shadow_.assign(kSegments, filled(kSegmentBytes, 0xFF));
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() >> 4) % limit; }

  /// Mostly short, sometimes several page buffers; anywhere.
  void pick_range(PartOp& op) {
    op.length = below(4) == 0 ? 1 + below(3000) : 1 + below(40);
    op.offset = below(kSegmentBytes - op.length);
  }

  PartOp make_program() {
    PartOp op{.kind = PartOpKind::program, .segment = SegmentId{below(kSegments)}};
    pick_range(op);
    buffers_.push_back(noise(op.length, below(1U << 20)));
    op.from = buffers_.back().data();
    auto at = shadow_[op.segment.value()].begin() + op.offset;
    for (std::uint32_t i = 0; i < op.length; ++i) at[i] &= op.from[i];
    return op;
  }
  PartOp make_erase() {
    PartOp op{.kind = PartOpKind::erase, .segment = SegmentId{below(kSegments)}};
    std::ranges::fill(shadow_[op.segment.value()], std::byte{0xFF});
    return op;
  }
  PartOp make_read() {
    PartOp op{.kind = PartOpKind::read, .segment = SegmentId{below(kSegments)}};
    pick_range(op);
    buffers_.push_back(filled(op.length, 0xA5));
    op.into = buffers_.back().data();
    const auto from = shadow_[op.segment.value()].begin() + op.offset;
    expected_.push_back({buffers_.size() - 1, std::vector<std::byte>(from, from + op.length)});
    return op;
  }

  struct Expected {
    std::size_t buffer;
    std::vector<std::byte> data;
  };

  std::minstd_rand random_{20};
  std::vector<std::vector<std::byte>> shadow_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<Expected> expected_;
};

TEST_P(RandomOperations, card_holds_what_was_asked_for) {
  std::uint32_t next_tag = 0;
  std::vector<bool> reaped;
  const auto reap = [&](bool wait) {
    PartDone done[16];
    const std::size_t n = driver_->reap(done, wait);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(done[i].status, PartStatus::ok);
      ASSERT_LT(done[i].tag, reaped.size());
      ASSERT_FALSE(reaped[done[i].tag]) << "reaped twice";
      reaped[done[i].tag] = true;
    }
  };
  for (int round = 0; round < 400; ++round) {
    buffers_.clear();
    buffers_.reserve(8);
    expected_.clear();
    PartOp ops[8];
    const std::uint32_t count = 1 + below(8);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t what = below(20);
      ops[i] = what == 0 ? make_erase() : what < 10 ? make_program() : make_read();
      ops[i].tag = next_tag++;
      reaped.push_back(false);
    }
    ASSERT_EQ(driver_->submit({ops, count}), count);
    for (const Expected& read : expected_) ASSERT_EQ(buffers_[read.buffer], read.data) << "round " << round;
    reap(false);
    reap(false);
    if (HasFatalFailure()) return;
    common_->delay_ns(below(30'000'000));
  }
  driver_->release();
  while (std::ranges::count(reaped, false) > 0) {
    reap(true);
    if (HasFatalFailure()) return;
  }
  for (std::uint32_t s = 0; s < kSegments; ++s) {
    ASSERT_EQ(peek(s, 0, kSegmentBytes), shadow_[s]) << "segment " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, RandomOperations,
    testing::Values(Mode{"period", ProgramMethod::page_buffer, DriverWait::interrupt, false, true},
                    Mode{"polled", ProgramMethod::page_buffer, DriverWait::poll, false, true},
                    Mode{"word", ProgramMethod::word, DriverWait::interrupt, false, true},
                    Mode{"background_interrupt", ProgramMethod::page_buffer, DriverWait::interrupt, true, true},
                    Mode{"background_polled", ProgramMethod::page_buffer, DriverWait::poll, true, true},
                    Mode{"background_word", ProgramMethod::word, DriverWait::interrupt, true, true},
                    Mode{"background_without_suspend", ProgramMethod::page_buffer, DriverWait::interrupt, true, false}),
    [](const auto& mode) { return std::string(mode.param.name); });

}  // namespace
}  // namespace ftlab
