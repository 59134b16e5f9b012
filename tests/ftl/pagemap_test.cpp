// The page-mapped layer: what is its own. What every layer must do is tests/powerloss/layers_test.cpp.
#include "tests/powerloss/layers/pagemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/fms_fixture.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPage = 512;

/// Counts the segments that the search for victims looks at.
class CompareProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work kind, std::uint32_t n) override {
    if (kind == Work::segment_compare) compared += n;
    if (kind == Work::segment_clean) cleaned += n;
  }
  std::uint64_t compared = 0;
  std::uint64_t cleaned = 0;

 private:
  Cause cause_ = Cause::host;
};

EmulatedNandOptions part(std::uint32_t segments, std::uint32_t units = 1) {
  EmulatedNandOptions options;
  options.segments = segments;
  options.parallel_units = units;
  return options;
}

PageMapConfig config_for(const EmulatedNand& flash, double share) {
  PageMapConfig config;
  config.page_bytes = kPage;
  config.logical_pages = static_cast<std::uint32_t>(share * pagemap::max_logical_pages(config, flash.geometry()));
  return config;
}

void write(PageMap& layer, std::uint32_t lpn, std::uint8_t value) {
  const std::vector<std::byte> page(kPage, std::byte{value});
  ASSERT_EQ(layer.write(std::uint64_t{lpn} * kPage, page, {}, 0), FtlStatus::ok);
}

using Session = MountSession<PageMap, PageMapConfig>;

/// Overwrites pages drawn by chance.
void churn(PageMap& layer, std::uint32_t pages, std::uint32_t writes) {
  Dice dice(5);
  for (std::uint32_t i = 0; i < writes; ++i) write(layer, dice.below(pages), static_cast<std::uint8_t>(i));
}

TEST(PageMap, cleaning_looks_at_few_segments_however_many_there_are) {
  for (const std::uint32_t segments : {24U, 200U}) {
    EmulatedNand flash(part(segments));
    const PageMapConfig config = config_for(flash, 0.9);
    CompareProbe probe;
    Session session(flash, config, &probe);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    churn(*session, config.logical_pages, 6 * config.logical_pages);
    ASSERT_GT(probe.cleaned, 20U);
    EXPECT_LT(probe.compared, 16 * probe.cleaned) << segments << " segments";
  }
}

TEST(PageMap, data_that_is_not_rewritten_is_copied_once_at_most) {
  EmulatedNand flash(part(24));
  const PageMapConfig config = config_for(flash, 0.9);
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) write(*session, lpn, 1);
  const std::uint32_t hot = config.logical_pages / 8;
  churn(*session, hot, 2000);
  const std::uint64_t once = session->stats().pages_copied;
  churn(*session, hot, 2000);
  // What is cold has come to rest in segments of its own, which have more valid pages than any with hot ones.
  EXPECT_LT(session->stats().pages_copied - once, 800U);
  EXPECT_GT(session->stats().cleanings, 100U);
  EXPECT_EQ(session->self_check(), nullptr);
}

TEST(PageMap, copies_and_pages_of_the_host_never_share_a_segment) {
  EmulatedNand flash(part(24));
  const PageMapConfig config = config_for(flash, 0.95);
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  churn(*session, config.logical_pages, 6 * config.logical_pages);
  bool any_copies = false;
  for (std::uint32_t id = 0; id < session->segments(); ++id) {
    const SegmentInfo info = session->segment(SegmentId{id});
    any_copies = any_copies || (info.stream == pagemap::kCopies && info.valid_pages > 0);
  }
  EXPECT_TRUE(any_copies);
  EXPECT_GT(session->stats().pages_copied, 0U);
}

TEST(PageMap, parts_of_any_size_are_taken_as_full_as_they_may_be) {
  std::vector<std::uint8_t> pairs = flex_pairs(128);
  FlashCapabilities can;
  can.spare = true;
  for (const bool paired : {false, true}) {
    for (std::uint32_t segments = 64; segments <= 32768; segments += segments / 8) {
      FlashGeometry part;
      part.segments = segments;
      part.segment_bytes = 128 * 4096;
      part.program_unit_bytes = 4096;
      part.spare_bytes = 32;
      if (paired) part.paired_page = pairs;
      PageMapConfig config;
      config.logical_pages = pagemap::max_logical_pages(config, part);
      const char* reason = pagemap::check(config, part, can);
      EXPECT_EQ(reason, nullptr) << segments << " segments: " << reason;
    }
  }
}

/// Pages of a quarter of the part's.
PageMapConfig sharing_config(const EmulatedNand& flash, double share) {
  PageMapConfig config;
  config.page_bytes = kPage / 4;
  config.logical_pages = static_cast<std::uint32_t>(share * pagemap::max_logical_pages(config, flash.geometry()));
  return config;
}

EmulatedNandOptions sharing_part() {
  EmulatedNandOptions options = part(48);
  options.spare_bytes = 4 * 32;
  return options;
}

TEST(PageMap, pages_of_one_request_share_a_page_of_the_part) {
  EmulatedNand flash(sharing_part());
  const PageMapConfig config = sharing_config(flash, 0.5);
  Session session(flash, config);
  ASSERT_EQ(session->config_error(), nullptr) << session->config_error();
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  const std::uint64_t before = flash.programs();
  const std::vector<std::byte> pages(std::size_t{8} * config.page_bytes, std::byte{1});
  ASSERT_EQ(session->write(0, pages, {}, 0), FtlStatus::ok);
  EXPECT_EQ(flash.programs() - before, 2U);
  for (std::uint32_t lpn = 0; lpn < 4; ++lpn)
    ASSERT_EQ(session->write(std::uint64_t{lpn} * config.page_bytes, std::span(pages).first(config.page_bytes), {}, 0),
              FtlStatus::ok);
  EXPECT_EQ(flash.programs() - before, 6U) << "a request of one page takes a whole page of the part";
  EXPECT_EQ(session->self_check(), nullptr);
}

TEST(PageMap, copies_fill_pages_of_the_part) {
  EmulatedNand flash(sharing_part());
  const PageMapConfig config = sharing_config(flash, 1.0);
  Session session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  const std::vector<std::byte> page(config.page_bytes, std::byte{1});
  Dice dice(5);
  const auto overwrite = [&](std::uint32_t writes) {
    for (std::uint32_t i = 0; i < writes; ++i)
      ASSERT_EQ(session->write(std::uint64_t{dice.below(config.logical_pages)} * config.page_bytes, page, {}, 0),
                FtlStatus::ok);
  };
  overwrite(4 * config.logical_pages);
  const std::uint64_t programs = flash.programs();
  const FtlStats stats = session->stats();
  overwrite(2 * config.logical_pages);
  const std::uint64_t host = session->stats().pages_written - stats.pages_written;
  const std::uint64_t copied = session->stats().pages_copied - stats.pages_copied;
  const std::uint64_t cleanings = session->stats().cleanings - stats.cleanings;
  ASSERT_GT(copied, host);
  // Only the last page of the part that a cleaning fills may stay half empty.
  const std::uint64_t copies = flash.programs() - programs - host;
  EXPECT_GE(copies, copied / 4);
  EXPECT_LT(copies, copied / 4 + 8 * cleanings) << "summaries and checkpoints included";
  EXPECT_EQ(session->self_check(), nullptr);
}

TEST(PageMap, volume_with_pages_of_another_size_is_not_mounted) {
  EmulatedNand flash(sharing_part());
  PageMapConfig config = sharing_config(flash, 0.5);
  ASSERT_EQ(Session(flash, config)->format(0), FtlStatus::ok);
  config.page_bytes = kPage / 2;
  EXPECT_EQ(Session(flash, config)->mount(0), FtlStatus::bad_config);
}

TEST(PageMap, water_mark_below_the_open_segments_is_refused) {
  const EmulatedNand flash(part(24, 2));
  PageMapConfig config = config_for(flash, 0.5);
  config.low_water = 2;
  const char* reason = pagemap::check(config, flash.geometry(), flash.capabilities());
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(std::string(reason).find("low_water"), std::string::npos);
}

TEST(PageMap, volume_of_another_layer_is_not_mounted) {
  EmulatedNand flash(part(24));
  FmsConfig fms;
  fms.page_bytes = kPage;
  fms.logical_pages = 100;
  ASSERT_EQ((MountSession<Fms, FmsConfig>(flash, fms)->format(0)), FtlStatus::ok);
  PageMapConfig config;
  config.page_bytes = kPage;
  config.logical_pages = 100;
  EXPECT_EQ(Session(flash, config)->mount(0), FtlStatus::bad_config);
}

TEST(PageMap, nor_volume_of_the_fms_is_mounted_and_holds_its_pages) {
  EmulatedFlash flash(small_part());
  const FmsConfig fms = small_config();
  const std::vector<std::byte> page(fms.page_bytes, std::byte{0x5A});
  MountSession<Fms, FmsConfig> before(flash, fms);
  ASSERT_EQ(before->format(0), FtlStatus::ok);
  for (std::uint32_t i = 0; i < 300; ++i)
    ASSERT_EQ(before->write(std::uint64_t{i % 80} * fms.page_bytes, page, {}, 0), FtlStatus::ok);
  PageMapConfig config;
  config.page_bytes = fms.page_bytes;
  config.logical_pages = fms.logical_pages;
  Session session(flash, config);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  std::vector<std::byte> read(fms.page_bytes);
  for (std::uint32_t lpn = 0; lpn < 80; ++lpn) {
    ASSERT_EQ(session->read(std::uint64_t{lpn} * fms.page_bytes, read, 0), FtlStatus::ok);
    EXPECT_EQ(read, page);
  }
  for (std::uint32_t i = 0; i < 300; ++i)
    ASSERT_EQ(session->write(std::uint64_t{i * 7 % 90} * fms.page_bytes, page, {}, 0), FtlStatus::ok);
  EXPECT_EQ(session->self_check(), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
