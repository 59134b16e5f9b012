// A plain page-mapped translation layer for NOR and NAND parts: every logical page anywhere, greedy cleaning, copies
// apart from the host's pages. Where a part has units that work at the same time, so do requests on them. Knows
// FlashPort, ProbePort and the volume below it; no registers, no operating system, no policy to choose. Allocates
// nothing: all tables lie in the arena given to the constructor. Invariants: self_check(). An acknowledged write
// survives a power loss at any point; a write not acknowledged leaves each of its pages old or new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/ftl/ftl.h"
#include "firmware/ftl/pagemap/pagemap_config.h"
#include "firmware/map/candidate_index.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/cleaner.h"
#include "firmware/volume/host_requests.h"
#include "firmware/volume/nand/nand_page_store.h"
#include "firmware/volume/nor/nor_page_store.h"
#include "firmware/volume/requests_in_flight.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

class PageMap final : public Ftl, private CleaningDecisions, private RequestsInFlight::Layer {
 public:
  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(const FlashGeometry& geometry, const PageMapConfig& config);

  /// Ports and arena must outlive the object. An impossible configuration, or too small an arena, makes every call
  /// answer bad_config; config_error() gives the reason.
  PageMap(FlashPort& flash, ProbePort& probe, const PageMapConfig& config, std::span<std::byte> arena);

  /// Null when the configuration works on this port.
  [[nodiscard]] const char* config_error() const { return config_error_; }

  FtlStatus format(std::uint64_t now_ns) override;
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  /// Makes trims durable where they are not (NAND); writes are durable already.
  FtlStatus flush(std::uint64_t now_ns) override;
  /// Moves data that is about to be lost, one segment per call.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  void submit(const HostRequest& request, HostPort& host) override;
  [[nodiscard]] std::uint32_t in_flight() const override { return in_flight_.count(); }
  void poll(HostPort& host, std::uint64_t until_ns) override { in_flight_.poll(host, until_ns); }

  [[nodiscard]] std::uint64_t capacity_bytes() const override { return volume_.capacity_bytes(); }
  [[nodiscard]] std::uint32_t page_bytes() const override { return volume_.config.page_bytes; }
  [[nodiscard]] const FtlStats& stats() const override { return volume_.stats; }
  [[nodiscard]] std::uint32_t segments() const override { return volume_.geometry.segments; }
  /// SegmentInfo::stream: 0 copies, from 1 on the host's pages, see host_streams().
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return volume_.segments.info(id); }
  [[nodiscard]] const char* self_check() const override;

 private:
  /// Everything as before the first mount.
  void clear();
  /// After a format or a mount, with what it answered.
  FtlStatus began(FtlStatus status);
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  /// Whether it may overlap with others; if not it is answered at once.
  [[nodiscard]] bool may_overlap(const HostRequest& request) const;
  /// Neighbours, in one program unit.
  FtlStatus write_pages(std::uint32_t lpn, std::uint32_t count, const std::byte* data);
  FtlStatus write(StreamId stream, std::span<const PageMetadata> pages, const std::byte* data);

  PageMetadata next_version(std::uint32_t lpn);
  Placement place(std::uint32_t lpn) override { return {next_stream(), next_version(lpn)}; }
  FtlStatus write(const Placement& where, const std::byte* data) override;
  void written(const PageMetadata& page, std::uint32_t ppn) override;
  /// The stream that takes what the host writes next, up to a program unit: the parallel units take turns.
  StreamId next_stream();

  std::optional<std::uint32_t> pick_victim() override;
  std::optional<std::uint32_t> pick_fewest_valid() override { return pick_victim(); }
  void plan(std::span<PageMove> moves) override;

  Volume volume_;
  CandidateIndex candidates_;
  SegmentPool pool_;
  WriteFrontier frontier_;
  Cleaner cleaner_;
  HostRequests requests_;
  RequestsInFlight in_flight_;
  NorPageStore nor_;
  NandPageStore nand_;     ///< the port decides which of the two works
  bool overlaps_ = false;  ///< requests, on the part's units, where each page fills a program unit
  std::uint32_t host_streams_ = 1;
  std::uint32_t turn_ = 0;
  const char* config_error_ = nullptr;
};

}  // namespace ftlab
