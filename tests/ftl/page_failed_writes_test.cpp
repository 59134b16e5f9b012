// Programs that fail while time passes in which another one is placed again: in an order that an array seldom brings.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "firmware/volume/log/log_check.h"
#include "firmware/volume/log/log_found.h"
#include "firmware/volume/requests/failed_writes.h"
#include "tests/fixtures/emulated_array.h"

namespace ftlab::tests {
namespace {

class PageFailedWrites : public testing::Test, protected volume::Hands {
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
      const std::uint32_t ppn = log_.write(1 + i % (kPages - 1), 0, kNewer, kNewer);
      const std::uint32_t epoch = log_.begin_write();
      log_.programmed(ppn);
      log_.written(epoch);
    }
    const ArrayGeometry& geometry = array_.geometry();
    for (std::uint32_t segment = 0; segment < geometry.segments; ++segment)
      log_.queue({ArrayOpKind::check_bad, true, volume::Log::kOwn, segment * geometry.pages_per_segment});
    log_.submit_queued();
    std::uint32_t marked = 0;
    for (std::uint32_t left = geometry.segments; left > 0;) {
      ArrayDone done;
      array_.wait(UINT64_MAX);
      array_.collect({&done, 1});
      if (done.tag != volume::Log::kOwn) continue;
      --left;
      marked += done.status == ArrayStatus::bad_segment ? 1 : 0;
    }
    return marked;
  }

  FtlStatus ends_ = FtlStatus::ok;
  bool no_place_ = false;
  std::optional<std::uint16_t> fails_meanwhile_;  ///< when the next one is placed
  std::vector<std::uint16_t> placed_;             ///< tags
  std::vector<std::uint16_t> ended_;              ///< the same
  std::array<volume::PageInFlight, 2> pages_{};

 private:
  void layout(Arena& arena) {
    log_.layout(arena);
    failed_.layout(arena, static_cast<std::uint32_t>(pages_.size()));
  }
  bool place_again(std::uint16_t tag) override {
    if (const auto other = std::exchange(fails_meanwhile_, std::nullopt)) fail(*other);
    if (no_place_) return false;
    placed_.push_back(tag);
    volume::PageInFlight& page = pages_.at(tag);
    page.state = volume::PageInFlight::State::writing;
    page.ppn = log_.write(page.lpn, 0, tag, tag);
    page.before = log_.replaced();
    return page.ppn != volume::kUnmapped;
  }
  void page_ended(std::uint16_t tag, FtlStatus status) override {
    EXPECT_EQ(status, ends_);
    ended_.push_back(tag);
  }
  void take_next() override {}
  bool read_page_in(std::uint32_t) override { return false; }
  std::uint32_t put_pages(std::span<const std::uint32_t>, std::span<const std::byte>) override { return 0; }
  void wait_for_host() override {}
  void start_reading(std::uint16_t) override {}
  void begin_write(std::uint16_t) override {}

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
  volume::Log log_{array_, probe_, *this, config()};

 private:
  volume::Workbench bench_{array_, probe_, log_, *this};

 protected:
  volume::FailedWrites failed_{bench_};
};

TEST_F(PageFailedWrites, of_which_the_older_one_fails_while_the_newer_one_is_placed_again_leave_the_newer_one) {
  begin(kOlder);
  begin(kNewer);
  fail(kNewer);
  placed_.clear();
  fails_meanwhile_ = kOlder;
  failed_.write_again();
  EXPECT_EQ(placed_, std::vector{kNewer});
  EXPECT_FALSE(failed_.waiting());
  EXPECT_EQ(log_.ppn_of(0), pages_[kNewer].ppn);
  EXPECT_TRUE(ended_.empty()) << "a power loss leaves a version older than both";

  log_.programmed(pages_[kNewer].ppn);
  log_.written(pages_[kNewer].epoch);
  failed_.answer();
  EXPECT_EQ(ended_, std::vector{kOlder});
  EXPECT_EQ(volume::LogCheck(log_).tables(), nullptr);
}

TEST_F(PageFailedWrites, leave_a_segment_that_is_marked_once_they_are_elsewhere) {
  begin(kOlder);
  const std::uint32_t failed = segment_of(kOlder);
  fail(kOlder);
  failed_.write_again();
  log_.programmed(pages_[kOlder].ppn);
  log_.written(pages_[kOlder].epoch);
  log_.settled(failed);
  EXPECT_EQ(marked_after_use(), 1U);
}

TEST_F(PageFailedWrites, that_find_no_place_leave_no_segment_that_is_marked_wherever_they_were_tried) {
  begin(kOlder);
  const std::uint32_t first = segment_of(kOlder);
  fail(kOlder);
  failed_.write_again();
  const std::uint32_t second = segment_of(kOlder);
  ASSERT_NE(first, second);
  fail(kOlder);
  no_place_ = true;
  ends_ = FtlStatus::no_space;
  failed_.write_again();
  log_.settled(first);
  log_.settled(second);
  EXPECT_EQ(marked_after_use(), 0U) << "each may hold the newest version of the page";
}

}  // namespace
}  // namespace ftlab::tests
