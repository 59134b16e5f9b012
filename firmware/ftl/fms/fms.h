// The Flash Memory Server: a log-structured FTL for NOR and NAND parts with exchangeable cleaning policies.
// Knows FlashPort, ProbePort and the caller's clock; no registers, no operating system. Allocates nothing: all tables
// lie in the arena given to the constructor.
// Invariants: self_check(). An acknowledged write survives a power loss at any point; a write not acknowledged leaves
// each of its pages old or new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/fms/collector.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/ftl/fms/state.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/host_requests.h"
#include "firmware/volume/nand/nand_page_store.h"
#include "firmware/volume/nor/nor_page_store.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

class Fms final : public Ftl {
 public:
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(const FlashGeometry& part, const FmsConfig& config);

  /// Ports and arena must outlive the object. An impossible configuration, or too small an arena, makes every call
  /// answer bad_config; config_error() gives the reason.
  Fms(FlashPort& flash, ProbePort& probe, const FmsConfig& config, std::span<std::byte> arena);

  /// Null when the configuration works on this port.
  [[nodiscard]] const char* config_error() const { return config_error_; }

  FtlStatus format(std::uint64_t now_ns) override;
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  /// Waits for erases under way and makes trims durable where they are not (NAND); writes are durable already.
  FtlStatus flush(std::uint64_t now_ns) override;
  /// At most one cleaning or refresh per call, because only the caller has a clock.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  [[nodiscard]] std::uint64_t capacity_bytes() const override { return volume_.capacity_bytes(); }
  [[nodiscard]] std::uint32_t page_bytes() const override { return volume_.config.page_bytes; }
  [[nodiscard]] const FtlStats& stats() const override { return volume_.stats; }
  [[nodiscard]] std::uint32_t segments() const override { return volume_.geometry.segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return volume_.segments.info(id); }
  [[nodiscard]] const char* self_check() const override;

 private:
  [[nodiscard]] Cleaner& cleaner() { return collector_.cleaner(); }
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  void begin_request(std::uint64_t now_ns);
  void tick_time(std::uint64_t now_ns);
  FtlStatus write_page(std::uint32_t lpn, const std::byte* data, WriteHint hint);
  [[nodiscard]] StreamId stream_of(std::uint32_t lpn, WriteHint hint);
  void undo_invalidation(std::uint32_t lpn);

  fms::FmsState state_;
  Volume& volume_;
  SegmentPool pool_;
  WriteFrontier frontier_;
  fms::Collector collector_;
  HostRequests requests_;
  NorPageStore nor_;
  NandPageStore nand_;  ///< the port decides which of the two works
  const char* config_error_ = nullptr;
};

}  // namespace ftlab
