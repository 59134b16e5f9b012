// Each mark of a NOR volume, torn in each way, in each state that its record may be in: what the next mount shows
// stays, however the cells of the mark read later. All that shows of a mark may also be nothing: that cannot be known.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "firmware/volume/nor/record_check.h"
#include "tests/fixtures/fms_power_loss.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kEachState = 2;  ///< marks that are torn, of each state and script
constexpr std::uint32_t kVolume = 2;     ///< formatted twice

FmsConfig marks_config(bool data_checksum, std::uint32_t reserve, std::uint32_t logical_pages) {
  FmsConfig config = small_config();
  config.data_checksum = data_checksum;
  config.low_water = config.high_water = reserve;
  config.logical_pages = logical_pages;
  return config;
}

/// A mark that was about to be cleared.
struct MarkMoment {
  EmulatedFlash::Image image;
  std::uint32_t segment;
  std::uint32_t offset;
  PageOracle oracle;
};

/// Keeps the medium as it is before marks are cleared, by the state of the mark's record.
class MarkMoments final : public ChangeWatcher {
 public:
  MarkMoments(const FmsConfig& config, std::map<std::string, std::vector<MarkMoment>>& found)
      : config_(config), found_(found) {}

  /// Until the object is told otherwise.
  void watch(EmulatedFlash& flash, const PageOracle& oracle, std::string when) {
    flash_ = &flash;
    oracle_ = &oracle;
    when_ = std::move(when);
    flash.watch(this);
  }

  void before_change(const FlashOp& op) override {
    if (op.kind != FlashOpKind::program || op.length != sizeof(nor::kCleared)) return;
    std::vector<MarkMoment>& moments = found_[when_ + ": " + state_of(op.segment.value(), op.offset)];
    if (moments.size() < kEachState) moments.push_back({flash_->snapshot(), op.segment.value(), op.offset, *oracle_});
  }

 private:
  [[nodiscard]] std::string state_of(std::uint32_t segment, std::uint32_t offset) const {
    if (segment == nor::kFixedSegment) return "formatted";
    if (offset < nor::kEntriesOffset) return offset == offsetof(nor::SegmentHeader, marks) ? "retired" : "dead";
    const std::span<const std::byte> header(flash_->bytes(segment), flash_->geometry().segment_bytes);
    const std::uint32_t slot = (offset - nor::kEntriesOffset) / nor::entry_bytes(config_.data_checksum);
    nor::CheckedEntry entry = nor::entry_at(header, slot, config_.data_checksum);
    const nor::RecordState state = nor::examine(entry, kVolume, config_.logical_pages);
    const std::string mark = entry.valid == nor::kBlank16 ? "" : ", mark begun";
    if (state == nor::RecordState::blank) return "entry blank" + mark;
    return (nor::readable(state) ? "entry intact" : "entry torn") + mark;
  }

  FmsConfig config_;
  std::map<std::string, std::vector<MarkMoment>>& found_;
  EmulatedFlash* flash_ = nullptr;
  const PageOracle* oracle_ = nullptr;
  std::string when_;
};

/// What is left of a mark; several: its cells read differently each time.
std::vector<std::vector<std::uint16_t>> ways_to_tear() {
  std::vector<std::vector<std::uint16_t>> ways = {{0xFFFF}, {0xFF00}, {0x00FF}, {0x5555},
                                                  {0xAAAA}, {0x0001}, {0x8000}, {0}};
  const auto without = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint16_t>(~(1U << a | 1U << b));
  };
  for (std::uint32_t a = 0; a < 16; ++a) {
    ways.push_back({without(a, a)});
    for (std::uint32_t b = a + 1; b < 16; ++b) ways.push_back({without(a, b)});
    // One bit only shows at first.
    for (const std::uint16_t later : {without((a + 5) % 16, (a + 5) % 16), std::uint16_t{0xFF00}, std::uint16_t{0}})
      ways.push_back({without(a, a), later});
    // Two bits show at first, and none or one later.
    ways.push_back({without(a, (a + 3) % 16), 0xFFFF});
    ways.push_back({without(a, (a + 3) % 16), without(a, a)});
  }
  return ways;
}

/// Empty, or what is wrong after the loss.
std::string wrong_after(const MarkMoment& moment, const FmsConfig& config, const std::vector<std::uint16_t>& torn) {
  EmulatedFlash flash(small_part());
  flash.restore(moment.image);
  const Le16 left = torn.front();
  std::memcpy(flash.bytes(moment.segment) + moment.offset, &left, sizeof left);
  if (torn.size() > 1) flash.doubt(moment.segment, moment.offset, torn);
  PageOracle oracle = moment.oracle;
  RandomHost host(7);
  for (int mount = 1; mount <= 3; ++mount) {
    FmsSession session(flash, config);
    const FtlStatus mounted = session->mount(0);
    if (mounted == FtlStatus::not_formatted && mount == 1 && moment.segment == nor::kFixedSegment) return {};
    const std::string where = ", mount " + std::to_string(mount);
    if (mounted != FtlStatus::ok) return "it does not mount" + where;
    if (session->self_check() != nullptr) return session->self_check() + where;
    if (std::string wrong = oracle.check_mounted(*session); !wrong.empty()) return wrong + where;
    if (session->flush(0) == FtlStatus::ok) oracle.acknowledge_flush();
    if (mount == 2) run_requests(session, host, oracle, 20);
  }
  return {};
}

void tear_each_mark(const FmsConfig& config, const std::map<std::string, std::vector<MarkMoment>>& found) {
  for (const auto& [state, moments] : found)
    for (const MarkMoment& moment : moments)
      for (const std::vector<std::uint16_t>& torn : ways_to_tear())
        ASSERT_EQ(wrong_after(moment, config, torn), "")
            << state << ", segment " << moment.segment << " offset " << moment.offset << std::hex << ", torn "
            << torn.front() << " then " << torn.back();
}

/// The script's marks: of a format, of requests with and without a program that fails, of mounts after power losses.
std::map<std::string, std::vector<MarkMoment>> marks_of_a_script(const FmsConfig& config) {
  std::map<std::string, std::vector<MarkMoment>> found;
  MarkMoments moments(config, found);
  EmulatedFlash flash(small_part());
  const PageOracle empty(config.logical_pages, config.page_bytes, {});
  // Over an old volume: a blank medium has no marks before the last.
  for (int format = 0; format < 2; ++format) {
    moments.watch(flash, empty, "format " + std::to_string(format));
    FmsSession session(flash, config);
    EXPECT_EQ(session->format(0), FtlStatus::ok);
  }
  std::erase_if(found, [](const auto& of) { return of.second.front().segment != nor::kFixedSegment; });
  PageOracle oracle = empty;
  RandomHost host(10);
  for (std::uint32_t loss = 1; loss <= 60; ++loss) {
    FmsSession session(flash, config);
    moments.watch(flash, oracle, "mount");
    EXPECT_EQ(session->mount(0), FtlStatus::ok);
    EXPECT_EQ(oracle.check_mounted(*session), "");
    moments.watch(flash, oracle, "session");
    run_requests(session, host, oracle, 20);
    flash.lose_power_at(1 + loss % 12, kTornWrites[loss % 5], loss);
    run_requests(session, host, oracle, 100);
    flash.power_cycle();
  }
  FmsSession session(flash, config);
  EXPECT_EQ(session->mount(0), FtlStatus::ok);
  EXPECT_EQ(oracle.check_mounted(*session), "");
  moments.watch(flash, oracle, "failed program");
  for (const std::uint64_t change : {1U, 2U}) {
    flash.fail_at(change);
    run_requests(session, host, oracle, 20);
  }
  flash.watch(nullptr);
  return found;
}

void tear_the_marks_of_a_script(const FmsConfig& config) {
  const auto found = marks_of_a_script(config);
  for (const char* state :
       {"format 1: formatted", "session: entry intact", "session: dead", "mount: entry blank", "mount: entry intact",
        "mount: entry intact, mark begun", "mount: entry torn", "failed program: retired"})
    EXPECT_TRUE(found.contains(state)) << state;
  tear_each_mark(config, found);
}

TEST(FmsTornMarks, what_a_mount_shows_stays_however_a_mark_that_was_torn_reads_later) {
  tear_the_marks_of_a_script(marks_config(false, 2, 60));
}

TEST(FmsTornMarks, what_a_mount_of_a_full_volume_with_page_checksums_shows_stays) {
  FmsConfig config = marks_config(true, 1, 0);
  config.logical_pages = fms::max_logical_pages(config, small_part().geometry);
  tear_the_marks_of_a_script(config);
}

TEST(FmsTornMarks, a_segment_with_one_wrong_bit_in_a_mark_is_refreshed) {
  const FmsConfig config = marks_config(false, 2, 60);
  for (const std::uint32_t mark : {72U, 74U, 110U}) {  // retired, dead, valid of the first entry
    EmulatedFlash flash(small_part());
    FmsSession first(flash, config);
    ASSERT_EQ(first->format(0), FtlStatus::ok);
    const std::vector<std::byte> page(config.page_bytes, std::byte{3});
    for (std::uint32_t lpn = 0; lpn < 60; ++lpn)
      ASSERT_EQ(first->write(lpn * config.page_bytes, page, {}, 0), FtlStatus::ok);
    std::uint32_t used = 1;
    while (first->segment(SegmentId{used}).valid_pages == 0) ++used;
    flash.bytes(used)[mark] ^= std::byte{4};
    FmsSession next(flash, config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    ASSERT_EQ(next->write(0, page, {}, 0), FtlStatus::ok);
    for (std::uint64_t now = 1; now < 20; ++now) (void)next->idle(now * 1'000'000'000, now * 1'000'000'000 + 1'000'000);
    EXPECT_EQ(flash.erase_count(used), 1U) << "mark at " << mark;
  }
}

}  // namespace
}  // namespace ftlab::tests
