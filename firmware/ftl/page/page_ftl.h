// The page-mapped layer: serves any number of host requests at once, each page on the die whose turn it
// is; completions come in the order in which the array ends them. Knows FlashPort, ProbePort and the log below it; no
// registers, no operating system. Allocates nothing: all tables lie in the arena given to the constructor.
//
// An acknowledged write survives a power loss at any point, where the part keeps metadata; a write not acknowledged
// leaves each of its pages old or new. With a write buffer a flush makes acknowledged writes survive, or write_out(),
// where the drive holds itself up for that. So does a trim, where the part keeps data as well; else trimmed pages may
// come back with their old content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/ftl.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/log/log.h"
#include "firmware/volume/mount/checkpoints.h"
#include "firmware/volume/mount/found_moves.h"
#include "firmware/volume/mount/mount.h"
#include "firmware/volume/requests/page_service.h"
#include "firmware/volume/requests/trims.h"
#include "firmware/volume/volume_config.h"

namespace ftlab {

class PageFtl final : public Ftl {
 public:
  /// Requests served at once; one more that comes is a broken contract of the host.
  static constexpr std::uint32_t kMaxRequests = 1024;

  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(FlashPort& array, const VolumeConfig& config);

  /// Ports and arena must outlive the object. An impossible configuration, or too small an arena, makes every call
  /// answer bad_config; config_error() gives the reason.
  PageFtl(FlashPort& array, ProbePort& probe, const VolumeConfig& config, std::span<std::byte> arena);

  /// Null when the configuration works on this array.
  [[nodiscard]] const char* config_error() const { return config_error_; }

  FtlStatus format(std::uint64_t now_ns) override;
  /// Reads the newest checkpoint and the metadata of what was written since; without one, of every page.
  /// not_formatted: the part keeps no metadata.
  FtlStatus mount(std::uint64_t now_ns) override;
  FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) override;
  FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  FtlStatus flush(std::uint64_t now_ns) override;
  FtlStatus write_out(std::uint64_t now_ns) override;
  /// Moves data that is about to be lost, one segment a call; then erases ahead and cleans, where policies want that.
  std::uint64_t idle(std::uint64_t now_ns, std::uint64_t until_ns) override;

  void submit(const HostRequest& request, HostPort& host) override;
  void expect(std::uint64_t offset, std::uint32_t ahead) const override {
    const std::uint64_t lpn = page_of(offset);
    if (lpn >= config_.logical_pages) return;
    if (ahead > kSoon)
      log().expect(static_cast<std::uint32_t>(lpn));
    else
      log().expect_soon(static_cast<std::uint32_t>(lpn));
  }
  [[nodiscard]] std::uint32_t in_flight() const override { return pages_.requests().in_flight(); }
  [[nodiscard]] FtlStats unanswered() const override { return pages_.requests().unanswered(); }
  void poll(HostPort& host, std::uint64_t until_ns) override;

  [[nodiscard]] std::uint64_t capacity_bytes() const override {
    return std::uint64_t{config_.logical_pages} * page_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return page_bytes_; }
  [[nodiscard]] const FtlStats& stats() const override { return log().stats(); }
  [[nodiscard]] std::uint32_t segments() const override { return array_.geometry().segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return log().info(id.value()); }
  [[nodiscard]] const char* self_check() const override;
  [[nodiscard]] const volume::ClassifiedWrites& classified() const { return log().classified(); }
  [[nodiscard]] const volume::SlcCounts& slc_counts() const { return log().slc().counts(); }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const { return cleaning().victims_by_valid(); }

  /// With the page of the array that takes it of each page whose newest content was answered before it was programmed,
  /// as far as is known here; FlashOp::kNoPage: none takes it yet.
  template <class Act>
  void for_each_answered(Act&& act) const {
    const volume::PagesInFlight& in_flight = pages_.in_flight();
    if (!in_flight.buffer().on()) return;
    in_flight.buffer().for_each_answered([&](std::uint16_t tag) {
      const std::uint32_t ppn = in_flight.bench().pages[tag].ppn;
      act(volume::has_place(ppn) ? ppn : FlashOp::kNoPage);
    });
  }

  // --- for a layer that decides which page goes where and when, one request after the other; it counts requests ---
  /// A whole page of the host, as one of that class.
  FtlStatus put(std::uint32_t lpn, std::span<const std::byte> from, std::uint32_t data_class);
  /// A part of a page.
  FtlStatus get(std::uint32_t lpn, std::uint32_t skip, std::span<std::byte> into);
  /// Waits until everything queued has ended and what has become free is erased, where the part keeps it so.
  void finish_all(Cause cause);
  /// Moves data that is about to be lost, of one segment; false: there is none, or none that can be moved.
  bool refresh_one();
  /// Before a write would have to wait for it.
  void checkpoint_early() { checkpoint_if_due(config_.checkpoint_every / 2); }
  void checkpoint_now() { checkpoint_if_due(1); }
  /// Reads on record are too few by now.
  void record_reads() {
    if (log().refreshes().must_record()) checkpoint_if_due();
  }
  [[nodiscard]] volume::Log& log() { return pages_.log(); }
  [[nodiscard]] const volume::Log& log() const { return pages_.log(); }
  [[nodiscard]] volume::Moves& moves() { return pages_.moves(); }
  [[nodiscard]] volume::Cleaning& cleaning() { return pages_.cleaning(); }
  [[nodiscard]] const volume::Cleaning& cleaning() const { return pages_.cleaning(); }
  [[nodiscard]] const volume::Checkpoints& checkpoints() const { return checkpoints_; }
  [[nodiscard]] bool read_only() const { return pages_.read_only(); }

 private:
  [[nodiscard]] bool buffers_writes() const { return config_.write_buffer > 0; }
  /// What was answered, and is in data RAM alone, survives a loss of power.
  [[nodiscard]] bool is_durable_in_ram() const { return buffers_writes() && array_.geometry().holds_up; }

  static constexpr std::uint32_t kSoon = 8;  ///< requests; see expect()
  /// Between looking whether an erase has ended in idle time, so that the next one begins: little beside a NOR part's.
  static constexpr std::uint64_t kEraseStepNs = 20'000'000;

  void layout(Arena& arena);
  void clear(bool fresh);
  /// Divisions cost as much as the rest of a request.
  [[nodiscard]] std::uint64_t page_of(std::uint64_t offset) const {
    return page_shift_ != 0 ? offset >> page_shift_ : offset / page_bytes_;
  }
  [[nodiscard]] std::uint32_t skip_of(std::uint64_t offset) const {
    return static_cast<std::uint32_t>(offset - page_of(offset) * page_bytes_);
  }
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const {
    return answered_before(config_error_ == nullptr, mounted_, capacity_bytes(), offset, length);
  }
  /// A request of our own, to its end.
  FtlStatus run(const HostRequest& request);
  /// Starts all pages.
  void start(std::uint16_t slot, const HostRequest& request);
  void start_read(std::uint16_t slot, const HostRequest& request);
  void start_write(std::uint16_t slot, const HostRequest& request);
  void trim_pages(std::uint16_t slot, const HostRequest& request);
  /// Pages of one record.
  void trim_recorded(std::uint16_t slot, std::uint32_t first, std::uint32_t end);
  void checkpoint_if_due(std::uint32_t every) {
    const FtlStats& done = log().stats();
    const std::uint64_t pages = done.pages_written + (config_.counts_copies ? done.pages_copied : 0);
    if (!read_only()) checkpoints_.write_if_due(every, pages);
  }
  void checkpoint_if_due() { checkpoint_if_due(config_.checkpoint_every); }
  /// Programs what has been in data RAM for so long without a request. When it is due; kNoIdleWork: it is not.
  std::uint64_t write_out_in_idle_time(std::uint64_t now_ns);
  /// What is left to do of cleanings before. What was refused may have left versions that count again in segments that
  /// are free.
  void catch_up() {
    if (!read_only()) cleaning().catch_up();
  }
  /// Data that would not wait for idle time.
  void refresh_if_urgent();

  /// Before everything begins anew: nothing of the time before is under way.
  void come_to_rest();

  FlashPort& array_;
  std::uint32_t page_bytes_;
  std::uint32_t page_shift_;  ///< log2 of it, or 0 where it is no power of two
  VolumeConfig config_;
  ProbePort& probe_;
  volume::PageService pages_;
  volume::Trims trims_;
  volume::Checkpoints checkpoints_;
  volume::Mount mount_;
  volume::FoundMoves found_moves_;
  bool mounted_ = false;
  static constexpr std::uint64_t kNotIdle = UINT64_MAX;
  std::uint64_t idle_since_ns_ = kNotIdle;  ///< with a write buffer
  bool refreshing_ = false;                 ///< in idle time: copies of a refresh may be under way
  const char* config_error_ = nullptr;
};

}  // namespace ftlab
