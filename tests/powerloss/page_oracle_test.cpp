// The oracle must not be kinder than the promise: each rule is broken on purpose by a volume that is a plain array.
#include "tests/powerloss/page_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPage = 64;

/// Keeps bytes and promises nothing.
class ArrayFtl final : public Ftl {
 public:
  explicit ArrayFtl(std::uint32_t pages) : bytes(std::size_t{pages} * kPage, std::byte{0xFF}) {}
  FtlStatus format(std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus mount(std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) override {
    if (offset / kPage == unreadable) return FtlStatus::read_failed;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    return FtlStatus::ok;
  }
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint, std::uint64_t) override {
    std::ranges::copy(from, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    return FtlStatus::ok;
  }
  FtlStatus trim(std::uint64_t, std::uint64_t, std::uint64_t) override { return FtlStatus::ok; }
  FtlStatus flush(std::uint64_t) override { return FtlStatus::ok; }
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return kNoIdleWork; }
  [[nodiscard]] std::uint64_t capacity_bytes() const override { return bytes.size(); }
  [[nodiscard]] std::uint32_t page_bytes() const override { return kPage; }
  [[nodiscard]] const FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return 0; }
  [[nodiscard]] SegmentInfo segment(SegmentId) const override { return {}; }
  [[nodiscard]] const char* self_check() const override { return nullptr; }

  std::vector<std::byte> bytes;
  std::uint64_t unreadable = UINT64_MAX;

 private:
  FtlStats stats_;
};

struct Volume {
  explicit Volume(OracleRules rules = {}) : oracle(4, kPage, rules) {}
  void begin(std::uint32_t unit, std::uint32_t units) { oracle.begin_write(unit, units, ++tag, data); }
  void store(std::uint32_t unit) { (void)ftl.write(std::uint64_t{unit} * oracle.unit_bytes(), data, {}, 0); }
  void write(std::uint32_t unit, std::uint32_t units) {
    begin(unit, units);
    store(unit);
    oracle.acknowledge();
  }

  ArrayFtl ftl{4};
  PageOracle oracle;
  std::vector<std::byte> data;
  std::uint32_t tag = 0;
};

TEST(PageOracle, accepts_what_was_written) {
  Volume v;
  v.write(0, 4);
  v.write(6, 7);
  EXPECT_EQ(v.oracle.check_live(v.ftl), "");
  EXPECT_EQ(v.oracle.check_mounted(v.ftl), "");
}

TEST(PageOracle, accepts_old_or_new_of_a_write_that_was_interrupted) {
  for (const bool arrived : {false, true}) {
    Volume v;
    v.write(0, 4);
    v.begin(0, 4);
    if (arrived) v.store(0);
    EXPECT_EQ(v.oracle.check_mounted(v.ftl), "");
  }
}

TEST(PageOracle, misses_an_acknowledged_write) {
  Volume v;
  v.write(0, 4);
  v.begin(0, 4);
  v.oracle.acknowledge();
  EXPECT_NE(v.oracle.check_mounted(v.ftl), "");
}

TEST(PageOracle, misses_a_page_torn_between_old_and_new) {
  Volume v;
  v.write(0, 4);
  v.begin(0, 4);
  std::copy_n(v.data.begin(), kPage / 2, v.ftl.bytes.begin());
  EXPECT_NE(v.oracle.check_mounted(v.ftl), "");
}

TEST(PageOracle, misses_a_page_that_holds_another_one) {
  Volume v;
  v.write(0, 8);
  std::copy_n(v.ftl.bytes.begin(), kPage, v.ftl.bytes.begin() + kPage);
  EXPECT_NE(v.oracle.check_live(v.ftl), "");
}

TEST(PageOracle, does_not_let_a_page_turn_new_after_a_mount_that_found_it_old) {
  Volume v;
  v.write(0, 4);
  v.begin(0, 4);
  EXPECT_EQ(v.oracle.check_mounted(v.ftl), "");
  v.store(0);
  EXPECT_NE(v.oracle.check_mounted(v.ftl), "");
}

TEST(PageOracle, lets_parts_of_pages_and_trims_wait_for_a_flush_where_the_layer_says_so) {
  const OracleRules buffered{.parts_need_flush = true, .trims_need_flush = true};
  for (const bool flushed : {false, true}) {
    Volume v(buffered);
    v.write(0, 8);
    v.begin(0, 1);
    v.oracle.acknowledge();
    v.oracle.begin_trim(1, 1);
    v.oracle.acknowledge();
    if (flushed) v.oracle.acknowledge_flush();
    EXPECT_EQ(v.oracle.check_mounted(v.ftl).empty(), !flushed);
  }
}

TEST(PageOracle, wants_trimmed_pages_erased_at_once_where_trims_are_durable) {
  Volume v;
  v.write(0, 4);
  v.oracle.begin_trim(0, 1);
  v.oracle.acknowledge();
  EXPECT_NE(v.oracle.check_mounted(v.ftl), "");
}

TEST(PageOracle, tells_reported_losses_from_silent_ones) {
  Volume v;
  v.write(0, 12);
  v.ftl.unreadable = 1;
  v.ftl.bytes[2 * kPage] = std::byte{0};
  EXPECT_EQ(v.oracle.look_at(v.ftl, 0), PageOracle::Found::right);
  EXPECT_EQ(v.oracle.look_at(v.ftl, 1), PageOracle::Found::reported);
  EXPECT_EQ(v.oracle.look_at(v.ftl, 2), PageOracle::Found::wrong);
}

}  // namespace
}  // namespace ftlab::tests
