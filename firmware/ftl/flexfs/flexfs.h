// FlexFS: one NAND device as an SLC region (LSB pages alone: fast, half the capacity) and an MLC region (all pages),
// whose sizes follow the use (Lee et al., USENIX ATC 2009, sections 3 and 4). Knows FlashPort, ProbePort, the caller's
// clock and, for paced work inside a request, ClockPort; no registers, no operating system. Allocates nothing: all
// tables lie in the arena given to the constructor. Invariants: self_check(). A write is durable once flush() was
// answered ok, or when its page left the write buffer; whole pages are never buffered, so that they are durable when
// acknowledged. A power loss leaves each page not durable yet old or new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/ftl/flexfs/log_writer.h"
#include "firmware/ftl/flexfs/mover.h"
#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class FlexFs final : public Ftl {
 public:
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(const FlashGeometry& geometry, const FlexFsConfig& config);

  /// Ports and arena must outlive the object; `clock` may be null: compulsory migration is then never paced. An
  /// impossible configuration, or too small an arena, makes every call answer bad_config; config_error() says why.
  FlexFs(FlashPort& flash, ProbePort& probe, const FlexFsConfig& config, std::span<std::byte> arena,
         ClockPort* clock = nullptr);

  /// Null when the configuration works on this port.
  [[nodiscard]] const char* config_error() const { return config_error_; }

  FtlStatus format(std::uint64_t now_ns) override;
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  /// Durable after the next flush.
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  FtlStatus flush(std::uint64_t now_ns) override;
  /// One page of migration or cleaning per call, from wait_ns after the first call of a pause on, every trigger_ns.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  [[nodiscard]] std::uint64_t capacity_bytes() const override {
    return std::uint64_t{state_.config.logical_pages} * page_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return state_.geometry.program_unit_bytes; }
  [[nodiscard]] FtlStats unanswered() const override { return host_pages_between(answered_, state_.stats); }
  [[nodiscard]] const FtlStats& stats() const override { return state_.stats; }
  [[nodiscard]] std::uint32_t segments() const override { return state_.geometry.segments; }
  /// SegmentInfo::stream: 0 SLC region, 1 MLC region.
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return state_.segments.info(id); }
  [[nodiscard]] const char* self_check() const override;

  [[nodiscard]] flexfs::FlexFsStats flexfs_stats() const;

 private:
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  void begin_request(std::uint64_t now_ns);
  void tick(std::uint64_t now_ns);
  [[nodiscard]] flexfs::Q16 share_limit() const;
  /// Programs, copies and erases since format or mount, at the configured costs.
  [[nodiscard]] std::uint64_t spent_nj() const;
  /// The share of the SLC region in the next window of pages that keeps the energy budget.
  void update_energy_share();
  [[nodiscard]] std::uint32_t file_of(std::uint32_t lpn, WriteHint hint) const;

  FtlStatus write_part(std::uint32_t lpn, std::uint32_t at, std::span<const std::byte> part, WriteHint hint);
  FtlStatus place(flexfs::Region wish, std::uint32_t lpn, std::uint32_t file, bool hot, const std::byte* data);
  /// What a write is answered: where segments have failed lack of space is no fault of the host's.
  [[nodiscard]] FtlStatus reported(FtlStatus status) const;
  FlashStatus fill(flexfs::WriteBuffer& buffer);
  FtlStatus evict(flexfs::Region region);
  FtlStatus read_part(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into);
  FlashStatus load(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into);
  void trim_page(std::uint32_t lpn);

  flexfs::FlexFsState state_;
  flexfs::SegmentPool pool_;
  flexfs::LogWriter writer_;
  flexfs::Mover mover_;
  const char* config_error_ = nullptr;
  FtlStats answered_;  ///< when the request that is served began; pages that a buffer evicts since with them
};

}  // namespace ftlab
