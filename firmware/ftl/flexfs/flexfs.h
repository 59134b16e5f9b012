// FlexFS: one NAND device as an SLC region (LSB pages alone: fast, half the capacity) and an MLC region (all pages),
// whose sizes follow the use (Lee et al., USENIX ATC 2009, sections 3 and 4): decisions over a page-mapped volume.
// Knows the volume, ProbePort, the caller's clock and, for paced work inside a request, ClockPort; no registers, no
// operating system. Allocates nothing: all tables lie in the arena given to the constructor. Invariants: self_check().
// A write is durable once flush() was answered ok, or when its page left the write buffer; whole pages are never
// buffered, so that they are durable when acknowledged, as trims are. A power loss leaves each page not durable yet old
// or new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/ftl/flexfs/mover.h"
#include "firmware/ftl/flexfs/state.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class FlexFs final : public Ftl {
 public:
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(FlashPort& array, const FlexFsConfig& config);

  /// Ports and arena must outlive the object; `clock` may be null: compulsory migration is then never paced. An
  /// impossible configuration, or too small an arena, makes every call answer bad_config; config_error() says why.
  FlexFs(FlashPort& array, ProbePort& probe, const FlexFsConfig& config, std::span<std::byte> arena,
         ClockPort* clock = nullptr);

  /// Null when the configuration works on this port.
  [[nodiscard]] const char* config_error() const { return config_error_; }

  FtlStatus format(std::uint64_t now_ns) override;
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  FtlStatus flush(std::uint64_t now_ns) override;
  /// One page of migration or cleaning per call, from wait_ns after the first call of a pause on, every trigger_ns; a
  /// segment whose data is about to be lost moves as a whole.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  [[nodiscard]] std::uint64_t capacity_bytes() const override {
    return std::uint64_t{state_.config.logical_pages} * page_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return state_.geometry.page_bytes; }
  [[nodiscard]] FtlStats unanswered() const override { return host_pages_between(answered_, host_); }
  [[nodiscard]] const FtlStats& stats() const override;
  [[nodiscard]] std::uint32_t segments() const override { return state_.geometry.segments; }
  /// SegmentInfo::stream: 0 SLC region, 1 MLC region.
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override;
  [[nodiscard]] const char* self_check() const override;

  [[nodiscard]] flexfs::FlexFsStats flexfs_stats() const;

 private:
  /// Of the arena, for the volume.
  [[nodiscard]] static std::size_t volume_bytes(FlashPort& array, const FlexFsConfig& config);
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const {
    return answered_before(config_error_ == nullptr, state_.mounted, capacity_bytes(), offset, length);
  }
  void begin_request(std::uint64_t now_ns);
  void tick(std::uint64_t now_ns);
  void start(std::uint64_t now_ns);
  /// By a checkpoint, where so many windows of the writing budget have passed since the last one for that, and the host
  /// has written enough that it costs little beside that.
  void record_lifetime(std::uint64_t windows);
  [[nodiscard]] flexfs::Q16 share_limit() const;
  /// Programs, copies and erases since format or mount, at the configured costs.
  [[nodiscard]] std::uint64_t spent_nj() const;
  /// The share of the SLC region in the next window of pages that keeps the energy budget.
  void update_energy_share();

  FtlStatus write_part(std::uint32_t lpn, std::uint32_t at, std::span<const std::byte> part, WriteHint hint);
  FtlStatus place(flexfs::Region wish, std::uint32_t lpn, std::uint32_t file, bool hot, const std::byte* data);
  /// Some version of the page, or a part of one.
  [[nodiscard]] bool holds(std::uint32_t lpn) const;
  FtlStatus fill(flexfs::WriteBuffer& buffer);
  FtlStatus evict(flexfs::Region region);
  FtlStatus read_part(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into);

  flexfs::FlexFsState state_;
  flexfs::Mover mover_;
  const char* config_error_ = nullptr;
  FtlStats host_;           ///< what the host asked for
  FtlStats answered_;       ///< when the request that is served began; pages that a buffer evicts since with them
  mutable FtlStats stats_;  ///< of the volume, with those of the host
};

}  // namespace ftlab
