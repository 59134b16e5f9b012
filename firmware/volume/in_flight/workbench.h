// What the duties of a volume share: the port, the log, and a page of memory. Knows no request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/in_flight/page_in_flight.h"
#include "firmware/volume/in_flight/slots.h"
#include "firmware/volume/log/log.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

struct Workbench {
  static constexpr std::size_t kCollected = 64;
  /// Operations queued for a die that has to be busy all the time.
  static constexpr std::uint32_t kEachDie = 4;

  Workbench(FlashPort& port, ProbePort& observer, Log& its_log) : array(port), probe(observer), log(its_log) {}

  /// Waits for so many reports, at most kCollected, of what is queued; nothing else is under way.
  std::span<const FlashDone> run_all(std::uint32_t reports) {
    log.submit_queued();
    std::size_t collected = 0;
    while (collected < reports) {
      collected += array.collect(done.subspan(collected, reports - collected));
      if (collected < reports) array.wait(UINT64_MAX);
    }
    return done.first(collected);
  }

  /// Queues what ends on each die after all that was queued before, since a die works in order: so many reports with
  /// the tag Log::kOwn.
  std::uint32_t queue_fences() {
    const FlashGeometry& geometry = array.geometry();
    const std::uint32_t pages_per_die = geometry.segments_per_die() * geometry.pages_per_segment;
    for (std::uint32_t die = 0; die < geometry.dies; ++die)
      log.queue({FlashOpKind::fence, true, Log::kOwn, die * pages_per_die});
    return geometry.dies;
  }

  /// Queues what `ask` has for each number below `count`, so much at once that no die waits for another, and gives
  /// `take` each report as it comes. Nothing else is under way.
  template <class Ask, class Take>
  void run_each(std::uint32_t count, Ask ask, Take take) {
    const std::uint32_t at_once = kEachDie * array.geometry().dies;
    std::uint32_t left = 0;
    for (std::uint32_t next = 0; next < count || left > 0;) {
      for (; next < count && left < at_once; ++next) {
        const FlashOp op = ask(next);
        if (op.kind == FlashOpKind::none) continue;
        log.queue(op);
        ++left;
      }
      log.submit_queued();
      const std::size_t reports = array.collect(done);
      if (reports == 0 && left > 0) array.wait(UINT64_MAX);
      for (const FlashDone& one : done.first(reports)) take(one);
      left -= static_cast<std::uint32_t>(reports);
    }
  }

  FlashPort& array;
  ProbePort& probe;
  Log& log;
  std::uint32_t host_pages = 0;     ///< logical pages of the host; records of trims lie behind them
  std::uint32_t pages_at_once = 0;  ///< on their way
  std::span<std::byte> page_buffer{};
  std::span<FlashDone> done{};
  Slots free_pages{};               ///< tags of pages on their way, and buffers
  std::span<PageInFlight> pages{};  ///< of each tag
};

}  // namespace ftlab::volume
