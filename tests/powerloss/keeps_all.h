// What must hold of a mount session without faults and power losses, of any layer on any medium: all invariants after
// every request, all acknowledged data after the mount and at the end, and counters that balance where others count.
#pragma once

#include <cstdint>
#include <string>

#include "tests/fixtures/counter_balance.h"
#include "tests/fixtures/emulated_array.h"
#include "tests/fixtures/page_ledger.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/paged_layer.h"
#include "tests/fixtures/random_host.h"
#include "tests/powerloss/hold_up.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

/// Nobody else counts what such a layer does.
template <class Flash, class Config>
struct Books {
  Books(Flash&, const Config&) {}
  template <class Session>
  static Session open(Flash& flash, const Config& config) {
    return Session(flash, config);
  }
  static std::string imbalance(const FtlStats&) { return {}; }
};

/// A ledger of all changes of the part counts what the page-mapped layer does between a mount and a flush.
template <class Flash>
class Books<Flash, PagedConfig> {
 public:
  Books(Flash& flash, const PagedConfig& config) : flash_(flash), config_(config), ledger_(flash, config) {
    flash.watch(&ledger_);
  }
  Books(const Books&) = delete;
  Books& operator=(const Books&) = delete;
  ~Books() { flash_.watch(nullptr); }

  template <class Session>
  Session open(Flash& flash, const PagedConfig& config) {
    return Session(flash, config, &ledger_);
  }
  [[nodiscard]] std::string imbalance(const FtlStats& stats) const {
    return tests::imbalance(stats, ledger_, config_.part.segment_units);
  }

 private:
  Flash& flash_;
  const PagedConfig& config_;
  PageLedger ledger_;
};

/// An array counts what it is asked for, whoever asks.
template <>
class Books<EmulatedArray, PagedConfig> {
 public:
  Books(EmulatedArray& array, const PagedConfig&) : array_(array) {}

  template <class Session>
  Session open(EmulatedArray& array, const PagedConfig& config) {
    return Session(array, config);
  }
  [[nodiscard]] std::string imbalance(const FtlStats& stats) const {
    if (array_.erases() - erases_ != stats.erases + stats.log_erases) return "the array erased otherwise than counted";
    const std::uint64_t programmed = array_.programs() + array_.copies() - pages_;
    const std::uint64_t moved = stats.pages_copied + stats.pages_swapped;
    if (programmed < stats.pages_written + moved + stats.pages_padded)
      return "fewer pages were programmed than written, moved and padded";
    if (array_.geometry().pages_at_once == 1 && stats.pages_padded > 0) return "padding of what needs none";
    return {};
  }

 private:
  EmulatedArray& array_;
  std::uint64_t erases_ = array_.erases();
  std::uint64_t pages_ = array_.programs() + array_.copies();
};

/// Empty, or what broke. Unless `flushed` the session ends with erases under way and trims that may come back, and
/// counters are not held against anything.
template <class Layer, class Flash, class Config>
std::string session_keeps_all(Flash& flash, const Config& config, PageOracle& oracle, RandomHost& host,
                              std::uint32_t requests, bool flushed) {
  Books<Flash, Config> books(flash, config);
  using Session = typename Layer::Session;
  Session session = books.template open<Session>(flash, config);
  if (const FtlStatus s = session->mount(host.now_ns()); s != FtlStatus::ok) return "the mount answered " + name_of(s);
  if (std::string wrong = oracle.check_mounted(*session); !wrong.empty()) return wrong;
  for (std::uint32_t i = 0; i < requests; ++i) {
    if (const FtlStatus s = host.step(*session, oracle); s != FtlStatus::ok)
      return "a request was answered " + name_of(s);
    if (!host.wrong().empty()) return host.wrong();
    if (const char* broken = session->self_check()) return broken;
  }
  if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return wrong;
  if (!hold_up<Layer>(*session, oracle, host.now_ns())) return "what was answered found no place";
  if (!flushed) return {};
  // A layer counts an erase once it has ended.
  if (const FtlStatus s = session->flush(host.now_ns()); s != FtlStatus::ok) return "the flush answered " + name_of(s);
  oracle.acknowledge_flush();
  std::string unequal = books.imbalance(session->stats());
  // Copies may be under way still. Reads come behind them, and may begin others.
  for (std::uint32_t tries = 0; tries < 8 && !unequal.empty(); ++tries) {
    if (std::string wrong = oracle.check_live(*session); !wrong.empty()) return wrong;
    unequal = books.imbalance(session->stats());
  }
  return unequal;
}

}  // namespace ftlab::tests
