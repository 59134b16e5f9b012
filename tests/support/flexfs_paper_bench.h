// The paper's 64 MB partition on its part, and a host with a clock of its own.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tests/support/flexfs_bench.h"

namespace ftlab::tests {

inline constexpr std::uint64_t kSecond = 1'000'000'000;
inline constexpr std::uint32_t kPage = 4096;

/// The paper's part, as large as its partition, without content.
inline EmulatedNandOptions paper_part(std::uint32_t data_segments = 128, bool content = false) {
  EmulatedNandOptions options;
  options.segments = data_segments + 2;
  options.pages = 128;
  options.page_bytes = kPage;
  options.store_content = content;
  options.rated_erase_cycles = 10'000;
  return options;
}

inline FlexFsConfig paper_config(std::string_view scheme, std::uint32_t data_segments = 128) {
  FlexFsConfig config;
  flexfs::apply_scheme(scheme, config);
  config.wear_management = false;
  config.logical_pages = flexfs::max_logical_pages(config, EmulatedNand(paper_part(data_segments)).geometry());
  return config;
}

/// A host whose clock moves by a fixed time per page, and which tells the firmware when it has nothing to do.
class FlexFsBench {
 public:
  explicit FlexFsBench(const FlexFsConfig& config, std::uint32_t data_segments = 128, ProbePort* probe = nullptr,
                       ClockPort* clock = nullptr, bool content = false)
      : flash_(paper_part(data_segments, content)), life_(flash_, config, probe, clock), page_(kPage, std::byte{0x5A}) {
    EXPECT_STREQ(life_->config_error(), nullptr);
    EXPECT_EQ(life_->format(0), FtlStatus::ok);
  }
  FlexFs& ftl() { return *life_; }
  EmulatedNand& flash() { return flash_; }
  [[nodiscard]] flexfs::FlexFsStats stats() { return life_->flexfs_stats(); }
  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_; }

  FtlStatus write(std::uint32_t lpn, std::uint32_t file = 1) {
    now_ns_ += 1'350'000;
    return life_->write(std::uint64_t{lpn} * kPage, page_, {.stream = file, .read_only = false}, now_ns_);
  }
  void write_ok(std::uint32_t from, std::uint32_t count, std::uint32_t file = 1) {
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(write(from + i, file), FtlStatus::ok) << "page " << from + i;
  }
  /// Idle until the given time; background work as it falls due.
  void idle_until(std::uint64_t until_ns) {
    std::uint64_t at = now_ns_;
    while (at < until_ns) {
      const std::uint64_t next = life_->idle(at, until_ns);
      if (next == kNoIdleWork) break;
      at = std::max(next, at + 1);
    }
    now_ns_ = until_ns;
  }

 private:
  EmulatedNand flash_;
  FlexFsLife life_;
  std::vector<std::byte> page_;
  std::uint64_t now_ns_ = 0;
};

}  // namespace ftlab::tests
