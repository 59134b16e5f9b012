// Requests by chance: writes of pages and parts, trims, flushes, pauses with background work; each recorded by the
// oracle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/powerloss/burst.h"
#include "tests/powerloss/dice.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

class RandomHost {
 public:
  /// Whether background work, trims and parts of pages occur is drawn, too. `overlap`: some requests are in flight
  /// together.
  explicit RandomHost(std::uint64_t seed, Overlap overlap = Overlap::none) : dice_(seed) {
    hot_ = dice_.between(1, 8);
    pauses_ = dice_.chance(700) ? dice_.between(10, 120) : 0;
    trims_ = dice_.chance(800) ? dice_.between(5, 120) : 0;
    flushes_ = dice_.between(5, 80);
    parts_ = dice_.chance(800) ? dice_.between(20, 400) : 0;
    bursts_ = overlap != Overlap::none ? dice_.between(200, 800) : 0;
  }

  /// The same host after a power loss: other requests, and no content that was there before.
  void go_on(std::uint64_t seed) { dice_ = Dice(seed); }

  /// One request or pause. Acknowledged to the oracle when ok.
  FtlStatus step(Ftl& ftl, PageOracle& oracle) {
    now_ns_ += dice_.between(1, 1'000'000);
    if (bursts_ != 0 && dice_.chance(bursts_)) return burst(ftl, oracle);
    const std::uint32_t kind = dice_.below(1000);
    if (kind < pauses_) return pause(ftl);
    if (kind < pauses_ + flushes_) {
      const FtlStatus status = ftl.flush(now_ns_);
      if (status == FtlStatus::ok) oracle.acknowledge_flush();
      return status;
    }
    const FtlStatus status = kind < pauses_ + flushes_ + trims_ ? trim(ftl, oracle) : write(ftl, oracle);
    if (status == FtlStatus::ok) oracle.acknowledge();
    return status;
  }

  /// Writes every page once, in order; `before_each`: is called before each request.
  FtlStatus fill(Ftl& ftl, PageOracle& oracle, auto&& before_each) {
    for (std::uint32_t page = 0; page < oracle.pages(); ++page) {
      now_ns_ += 1000;
      before_each();
      const FtlStatus status = send(ftl, oracle, page * PageOracle::kUnits, PageOracle::kUnits, {});
      if (status != FtlStatus::ok) return status;
      oracle.acknowledge();
    }
    return FtlStatus::ok;
  }

  FtlStatus fill(Ftl& ftl, PageOracle& oracle) {
    return fill(ftl, oracle, [] {});
  }

  FtlStatus write_first_page(Ftl& ftl, PageOracle& oracle) {
    const FtlStatus status = send(ftl, oracle, 0, PageOracle::kUnits, {});
    oracle.acknowledge();
    return status;
  }
  /// Writes and trims page 0: something that the next flush must keep.
  FtlStatus trim_first_page(Ftl& ftl, PageOracle& oracle) {
    FtlStatus status = write_first_page(ftl, oracle);
    if (status == FtlStatus::ok) {
      oracle.begin_trim(0, 1);
      status = ftl.trim(0, std::uint64_t{oracle.unit_bytes()} * PageOracle::kUnits, now_ns_);
      oracle.acknowledge();
    }
    return status;
  }

  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_; }
  /// Of writes answered with ok, those in flight together left out; a page partly written counts once a write.
  [[nodiscard]] std::uint64_t pages_written() const { return pages_written_; }
  /// Empty unless requests in flight together were answered as they must not be.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }

 private:
  /// Of every kind, some of them on the same page.
  FtlStatus burst(Ftl& ftl, PageOracle& oracle) {
    constexpr std::uint32_t kMax = 16;
    Burst requests(oracle, kMax);
    for (std::uint32_t left = dice_.between(2, kMax); left > 0; --left) {
      const std::uint32_t page = dice_.chance(400) ? requests.page_of(dice_.below(kMax)) : some_page(oracle);
      const std::uint32_t pages = std::min(dice_.chance(200) ? dice_.between(2, 3) : 1U, oracle.pages() - page);
      const std::uint32_t kind = dice_.below(1000);
      if (kind < 250) {
        requests.read(ftl, page, pages, now_ns_);
      } else if (kind < 250 + trims_) {
        requests.trim(ftl, page, pages, now_ns_);
      } else if (kind < 250 + trims_ + parts_ / 2) {
        const std::uint32_t unit = page * PageOracle::kUnits + dice_.below(PageOracle::kUnits);
        const std::uint32_t most = oracle.pages() * PageOracle::kUnits - unit;
        requests.write_units(ftl, unit, std::min(dice_.between(1, PageOracle::kUnits), most), ++tag_, now_ns_);
      } else {
        requests.write(ftl, page, pages, ++tag_, now_ns_);
      }
    }
    return finish(requests, ftl);
  }

  FtlStatus finish(Burst& requests, Ftl& ftl) {
    const FtlStatus status = requests.finish(ftl);
    if (wrong_.empty()) wrong_ = requests.wrong();
    return status;
  }

  std::uint32_t some_page(const PageOracle& oracle) {
    const std::uint32_t pages = oracle.pages();
    return dice_.below(5) != 0 ? dice_.below(std::max(1U, pages / hot_)) : dice_.below(pages);
  }

  FtlStatus write(Ftl& ftl, PageOracle& oracle) {
    std::uint32_t unit = some_page(oracle) * PageOracle::kUnits;
    std::uint32_t units = PageOracle::kUnits;
    const std::uint32_t size = dice_.below(1000);
    if (size < parts_) {
      unit += dice_.below(PageOracle::kUnits);
      units = dice_.between(1, 2 * PageOracle::kUnits);
    } else if (size > 950) {
      units *= dice_.between(2, 4);
    }
    units = std::min(units, oracle.pages() * PageOracle::kUnits - unit);
    const std::uint32_t stream = dice_.below(3) == 0 ? 0 : dice_.between(1, 9);
    return send(ftl, oracle, unit, units,
                {.stream = stream,
                 .read_only = dice_.chance(50),
                 .data_class = static_cast<std::uint8_t>(stream % 4),
                 .rewritten_in = stream * 20});
  }

  FtlStatus send(Ftl& ftl, PageOracle& oracle, std::uint32_t unit, std::uint32_t units, WriteHint hint) {
    oracle.begin_write(unit, units, ++tag_, data_);
    const FtlStatus status = ftl.write(std::uint64_t{unit} * oracle.unit_bytes(), data_, hint, now_ns_);
    constexpr std::uint32_t kUnits = PageOracle::kUnits;
    if (status == FtlStatus::ok) pages_written_ += (unit + units - 1) / kUnits - unit / kUnits + 1;
    return status;
  }

  FtlStatus trim(Ftl& ftl, PageOracle& oracle) {
    const std::uint32_t page = some_page(oracle);
    const std::uint32_t most = dice_.chance(50) ? oracle.pages() : 3;
    const std::uint32_t pages = std::min(dice_.between(1, most), oracle.pages() - page);
    oracle.begin_trim(page, pages);
    const std::uint64_t page_bytes = std::uint64_t{oracle.unit_bytes()} * PageOracle::kUnits;
    return ftl.trim(page * page_bytes, pages * page_bytes, now_ns_);
  }

  FtlStatus pause(Ftl& ftl) {
    const std::uint64_t until = now_ns_ + std::uint64_t{dice_.below(2000)} * 1'000'000;
    std::uint64_t at = now_ns_;
    for (std::uint32_t steps = dice_.between(1, 60); steps > 0 && at < until; --steps) {
      const std::uint64_t next = ftl.idle(at, until);
      if (next == kNoIdleWork) break;
      at = std::max(next, at + 1000);
    }
    now_ns_ = until;
    return FtlStatus::ok;
  }

  Dice dice_;
  std::uint32_t hot_;
  std::uint32_t pauses_;
  std::uint32_t trims_;
  std::uint32_t flushes_;
  std::uint32_t parts_;
  std::uint32_t bursts_;
  std::string wrong_;
  std::uint32_t tag_ = 0;
  std::uint64_t now_ns_ = 0;
  std::uint64_t pages_written_ = 0;
  std::vector<std::byte> data_;
};

}  // namespace ftlab::tests
