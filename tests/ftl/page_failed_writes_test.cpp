// Programs that fail while time passes in which another one is placed again: in an order that an array seldom brings.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/volume/in_flight/failed_writes.h"
#include "firmware/volume/log/log_check.h"
#include "firmware/volume/log/log_found.h"
#include "firmware/volume/reclaim/host_writes.h"
#include "tests/fixtures/emulated_array.h"

namespace ftlab::tests {
namespace {

class PageFailedWrites : public testing::Test {
 protected:
  static constexpr std::uint32_t kPages = 16;
  static constexpr std::uint16_t kOlder = 0;
  static constexpr std::uint16_t kNewer = 1;

  PageFailedWrites() {
    Arena measure(nullptr, 0);
    layout(measure);
    memory_.resize(measure.used());
    Arena arena(memory_.data(), memory_.size());
    layout(arena);
    log_.clear();
    cleaning_.clear();
    writes_.clear();
    volume::LogFound(log_).all(true);
    bench_.pages = pages_;
    bench_.host_pages = kPages;
  }

  /// A write of page 0 whose program is under way.
  void begin(std::uint16_t tag) {
    ASSERT_TRUE(place_again(tag));
    pages_.at(tag).epoch = log_.begin_write();
  }
  void fail(std::uint16_t tag) {
    log_.programmed(pages_.at(tag).ppn);
    failed_.take(tag);
  }

  [[nodiscard]] std::uint32_t segment_of(std::uint16_t tag) const { return log_.segment_of(pages_.at(tag).ppn); }
  /// The other pages, again and again, until every segment that can be has been cleaned; how many are marked bad then.
  std::uint32_t marked_after_use() {
    for (std::uint32_t i = 0; i < 20 * kPages; ++i) {
      const std::uint32_t ppn = writes_.write(1 + i % (kPages - 1), 0, kNewer, kNewer);
      const std::uint32_t epoch = log_.begin_write();
      log_.programmed(ppn);
      log_.written(epoch);
    }
    const FlashGeometry& geometry = array_.geometry();
    for (std::uint32_t segment = 0; segment < geometry.segments; ++segment)
      log_.queue({FlashOpKind::check_bad, true, volume::Log::kOwn, segment * geometry.pages_per_segment});
    log_.submit_queued();
    std::uint32_t marked = 0;
    for (std::uint32_t left = geometry.segments; left > 0;) {
      FlashDone done;
      array_.wait(UINT64_MAX);
      array_.collect({&done, 1});
      if (done.tag != volume::Log::kOwn) continue;
      --left;
      marked += done.status == FlashStatus::bad_segment ? 1 : 0;
    }
    return marked;
  }

  /// All that wait; `meanwhile`: is called when the first of them is placed.
  template <class Meanwhile>
  void write_again(Meanwhile meanwhile) {
    for (bool first = true; failed_.waiting(); first = false) {
      const std::uint16_t tag = failed_.next();
      if (first) meanwhile();
      if (!place_again(tag)) return failed_.not_placed(tag);
      placed_.push_back(tag);
      failed_.placed(tag);
    }
  }
  void write_again() {
    write_again([] {});
  }
  void programmed(std::uint16_t tag) {
    log_.programmed(pages_.at(tag).ppn);
    log_.written(pages_.at(tag).epoch);
  }

  std::vector<std::uint16_t> placed_;  ///< tags
  std::array<volume::PageInFlight, 2> pages_{};

 private:
  void layout(Arena& arena) {
    log_.layout(arena);
    cleaning_.layout(arena);
    writes_.layout(arena);
    failed_.layout(arena, static_cast<std::uint32_t>(pages_.size()));
  }
  bool place_again(std::uint16_t tag) {
    volume::PageInFlight& page = pages_.at(tag);
    page.state = volume::PageInFlight::State::writing;
    page.ppn = writes_.write(page.lpn, 0, tag, tag);
    page.before = writes_.replaced();
    return page.ppn != volume::kUnmapped;
  }

  static VolumeConfig config() {
    VolumeConfig config;
    config.selection = "greedy";
    config.logical_pages = kPages;
    return config;
  }

  EmulatedArray array_{{.segments = 16, .pages_per_segment = 8, .page_bytes = 64, .dies = 2, .buffers = 2}, 1};
  NullProbe probe_;
  std::vector<std::byte> memory_;

 protected:
  volume::Log log_{array_, probe_, config()};

 private:
  volume::Workbench bench_{array_, probe_, log_};
  // Nothing waits here: reports are what a test says.
  volume::PagesInFlight in_flight_{array_, probe_, log_, config()};
  volume::Moves moves_{log_, in_flight_};
  volume::Cleaning cleaning_{log_, moves_, in_flight_};
  volume::HostWrites writes_{log_, moves_, cleaning_, in_flight_};

 protected:
  volume::FailedWrites failed_{bench_};
};

TEST_F(PageFailedWrites, of_which_the_older_one_fails_while_the_newer_one_is_placed_again_leave_the_newer_one) {
  begin(kOlder);
  begin(kNewer);
  fail(kNewer);
  write_again([this] { fail(kOlder); });
  EXPECT_EQ(placed_, std::vector{kNewer});
  EXPECT_FALSE(failed_.waiting());
  EXPECT_EQ(log_.ppn_of(0), pages_[kNewer].ppn);
  EXPECT_EQ(failed_.take_answered(), std::nullopt) << "a power loss leaves a version older than both";

  programmed(kNewer);
  EXPECT_EQ(failed_.take_answered(), kOlder);
  EXPECT_EQ(failed_.take_answered(), std::nullopt);
  EXPECT_EQ(volume::LogCheck(log_).tables(), nullptr);
}

TEST_F(PageFailedWrites, leave_a_segment_that_is_marked_once_they_are_elsewhere) {
  begin(kOlder);
  const std::uint32_t failed = segment_of(kOlder);
  fail(kOlder);
  write_again();
  programmed(kOlder);
  log_.settled(failed);
  EXPECT_EQ(marked_after_use(), 1U);
}

TEST_F(PageFailedWrites, that_find_no_place_leave_no_segment_that_is_marked_wherever_they_were_tried) {
  begin(kOlder);
  const std::uint32_t first = segment_of(kOlder);
  fail(kOlder);
  write_again();
  const std::uint32_t second = segment_of(kOlder);
  ASSERT_NE(first, second);
  fail(kOlder);
  failed_.not_placed(failed_.next());
  EXPECT_FALSE(failed_.waiting());
  EXPECT_TRUE(failed_.left_any());
  log_.settled(first);
  log_.settled(second);
  EXPECT_EQ(marked_after_use(), 0U) << "each may hold the newest version of the page";
}

}  // namespace
}  // namespace ftlab::tests
