// A FlexFS on an emulated NAND part with its arena, and a random host for it.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "firmware/flexfs/flexfs.h"
#include "tests/support/buffered_oracle.h"
#include "tests/support/emulated_nand.h"

namespace ftlab::tests {

/// 22 data segments of 16 pages: 15 slots in the MLC region, 7 in the SLC region.
inline EmulatedNandOptions small_nand() { return {}; }

inline FlexFsConfig small_flexfs(std::string_view scheme = "la") {
  FlexFsConfig config;
  flexfs::apply_scheme(scheme, config);
  config.logical_pages = config.mlc_region ? 200 : 110;
  config.window_pages = 40;
  config.forget_after_pages = 200;
  config.hot_files = 4;
  config.cold_files = 8;
  config.extent_pages = 8;
  config.cleaning_idle_invalid = 4;
  config.cleaning_idle_free = 8;
  config.lifetime_ns = 1'000'000'000'000;
  config.wear_window_ns = 10'000'000'000;
  return config;
}

/// Time that only sleeping moves.
class StepClock final : public ClockPort {
 public:
  [[nodiscard]] std::uint64_t now_ns() override { return now_ns_; }
  void sleep_until_ns(std::uint64_t at_ns) override { now_ns_ = at_ns > now_ns_ ? at_ns : now_ns_; }

 private:
  std::uint64_t now_ns_ = 0;
};

/// One life of the firmware: tables are new, the medium is the flash's.
class FlexFsLife {
 public:
  FlexFsLife(FlashPort& flash, const FlexFsConfig& config, ProbePort* probe = nullptr, ClockPort* clock = nullptr)
      : memory_(FlexFs::arena_bytes(flash.geometry(), config) / sizeof(std::max_align_t) + 1),
        flexfs_(flash, probe != nullptr ? *probe : null_probe_, config, std::as_writable_bytes(std::span(memory_)),
                clock) {}
  FlexFs& operator*() { return flexfs_; }
  FlexFs* operator->() { return &flexfs_; }

 private:
  std::vector<std::max_align_t> memory_;
  NullProbe null_probe_;
  FlexFs flexfs_;
};

/// Writes, partial writes, trims, flushes and pauses with background work; every step told to an oracle.
class FlexHost {
 public:
  FlexHost(std::uint64_t seed, std::uint64_t capacity, std::uint32_t page_bytes)
      : random_(seed), capacity_(capacity), page_(page_bytes) {}

  /// One random request, or a pause; its answer.
  FtlStatus step(FlexFs& ftl, BufferedOracle& oracle) {
    now_ns_ += draw(1, 1'000'000);
    const std::uint32_t kind = draw(0, 99);
    if (kind < 8) return pause(ftl);
    FtlStatus status = FtlStatus::ok;
    if (kind < 14) {
      status = ftl.flush(now_ns_);
      if (status == FtlStatus::ok) oracle.acknowledge_flush();
      return status;
    }
    if (kind < 20) {
      const std::uint64_t offset = draw(0, static_cast<std::uint32_t>(capacity_ - 1));
      const std::uint64_t length = std::min<std::uint64_t>(draw(1, 3 * page_), capacity_ - offset);
      oracle.begin_trim(offset, length);
      return ftl.trim(offset, length, now_ns_);
    }
    // Four writes of five go to the first fifth of the pages.
    const auto pages = static_cast<std::uint32_t>(capacity_ / page_);
    const std::uint32_t lpn = draw(0, 4) != 0 ? draw(0, pages / 5) : draw(0, pages - 1);
    std::uint64_t offset = std::uint64_t{lpn} * page_;
    std::uint64_t length = page_;
    if (kind < 45) {
      offset += draw(0, page_ - 1);
      length = draw(1, 2 * page_);
    }
    length = std::min(length, capacity_ - offset);
    data_.resize(length);
    for (std::byte& b : data_) b = static_cast<std::byte>(draw(0, 255));
    oracle.begin_write(offset, data_);
    status = ftl.write(offset, data_, {.stream = draw(0, 2) == 0 ? 0 : draw(1, 9), .read_only = false}, now_ns_);
    if (status == FtlStatus::ok) oracle.acknowledge();
    return status;
  }

  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_; }

 private:
  FtlStatus pause(FlexFs& ftl) {
    const std::uint64_t until = now_ns_ + draw(0, 2000) * 1'000'000ULL;
    std::uint64_t at = now_ns_;
    while (at < until) {
      const std::uint64_t next = ftl.idle(at, until);
      if (next == kNoIdleWork) break;
      at = std::max(next, at + 1000);
    }
    now_ns_ = until;
    return FtlStatus::ok;
  }

  std::uint32_t draw(std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(random_);
  }

  boost::random::mt19937_64 random_;
  std::uint64_t capacity_;
  std::uint32_t page_;
  std::uint64_t now_ns_ = 0;
  std::vector<std::byte> data_;
};

}  // namespace ftlab::tests
