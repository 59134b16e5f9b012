// The page-mapped layer: serves any number of host requests at once, each page on the die whose turn it
// is; completions come in the order in which the array ends them. Knows ArrayPort, ProbePort and the log below it; no
// registers, no operating system. Allocates nothing: all tables lie in the arena given to the constructor.
//
// An acknowledged write survives a power loss at any point, where the part keeps metadata; a write not acknowledged
// leaves each of its pages old or new. So does a trim, where the part keeps data as well; else trimmed pages may come
// back with their old content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/ftl/ftl.h"
#include "firmware/ftl/page/checkpoint_page.h"
#include "firmware/ftl/page/log.h"
#include "firmware/ftl/page/page_config.h"
#include "firmware/port/array_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class PageFtl final : public Ftl, private page::Log::Reports {
 public:
  /// Requests served at once; one more that comes is a broken contract of the host.
  static constexpr std::uint32_t kMaxRequests = 1024;

  /// Bytes of arena the constructor needs; std::byte storage aligned for std::max_align_t.
  [[nodiscard]] static std::size_t arena_bytes(ArrayPort& array, const PageConfig& config);

  /// How many segments carry a bad-block marker; nothing else is under way.
  [[nodiscard]] static std::uint32_t bad_segments(ArrayPort& array);

  /// Ports and arena must outlive the object. An impossible configuration, or too small an arena, makes every call
  /// answer bad_config; config_error() gives the reason.
  PageFtl(ArrayPort& array, ProbePort& probe, const PageConfig& config, std::span<std::byte> arena);

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
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return kNoIdleWork; }

  void submit(const HostRequest& request, HostPort& host) override;
  void expect(std::uint64_t offset, std::uint32_t ahead) const override {
    const std::uint64_t lpn = page_of(offset);
    if (lpn >= config_.logical_pages) return;
    if (ahead > kSoon)
      log_.expect(static_cast<std::uint32_t>(lpn));
    else if (ahead > kNow)
      log_.expect_soon(static_cast<std::uint32_t>(lpn));
    else
      log_.expect_now(static_cast<std::uint32_t>(lpn));
  }
  [[nodiscard]] std::uint32_t in_flight() const override { return in_flight_; }
  void poll(HostPort& host, std::uint64_t until_ns) override;

  [[nodiscard]] std::uint64_t capacity_bytes() const override {
    return std::uint64_t{config_.logical_pages} * page_bytes();
  }
  [[nodiscard]] std::uint32_t page_bytes() const override { return page_bytes_; }
  [[nodiscard]] const FtlStats& stats() const override { return log_.stats(); }
  [[nodiscard]] std::uint32_t segments() const override { return array_.geometry().segments; }
  [[nodiscard]] SegmentInfo segment(SegmentId id) const override { return log_.info(id.value()); }
  [[nodiscard]] const char* self_check() const override;
  [[nodiscard]] const page::ClassifiedWrites& classified() const { return log_.classified(); }
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const { return log_.victims_by_valid(); }

 private:
  /// A page on its way to or from the array; its number is the tag of the operation, and its buffer.
  struct Page {
    std::uint32_t lpn = 0;
    std::uint32_t ppn = 0;
    std::uint32_t skip = 0;   ///< read: bytes of the page before those wanted
    std::uint32_t bytes = 0;  ///< read: how many are wanted
    std::uint32_t epoch = 0;  ///< write: see Log::begin_write()
    std::uint16_t request = 0;
    std::uint16_t data_class = 0;  ///< write
    std::byte* into = nullptr;     ///< read
  };
  struct Request {
    std::uint32_t tag = 0;
    std::uint32_t pages = 0;  ///< under way
    bool ours = false;        ///< nobody is told when it is done
    bool starting = false;    ///< not all of its pages were started
    FtlStatus status = FtlStatus::ok;
  };

  static constexpr std::uint32_t kPages = 2048;
  static constexpr std::uint32_t kSoon = 16;  ///< requests; see expect()
  static constexpr std::uint32_t kNow = 4;
  static constexpr std::size_t kCollected = 64;

  /// How many requests and pages there is room for, and which of it is unused.
  struct Slots {
    std::span<std::uint16_t> unused;
    std::uint32_t count = 0;
    void fill();
    std::uint16_t take() { return unused[--count]; }
    void put(std::uint16_t slot) { unused[count++] = slot; }
  };

  void layout(Arena& arena);
  void clear();
  /// Divisions cost as much as the rest of a request.
  [[nodiscard]] std::uint64_t page_of(std::uint64_t offset) const {
    return page_shift_ != 0 ? offset >> page_shift_ : offset / page_bytes_;
  }
  [[nodiscard]] std::uint32_t skip_of(std::uint64_t offset) const {
    return static_cast<std::uint32_t>(offset - page_of(offset) * page_bytes_);
  }
  [[nodiscard]] FtlStatus admit(std::uint64_t offset, std::uint64_t length) const;
  /// A request of our own, to its end.
  FtlStatus run(const HostRequest& request);
  /// Starts all pages.
  void start(std::uint16_t slot, const HostRequest& request);
  void start_read(std::uint16_t slot, const HostRequest& request);
  void start_write(std::uint16_t slot, const HostRequest& request);
  void trim_pages(std::uint16_t slot, const HostRequest& request);
  /// Pages of one record.
  void trim_recorded(std::uint16_t slot, std::uint32_t first, std::uint32_t end);
  /// A record without them may come when they are on the array, or versions from before their trim could come back.
  [[nodiscard]] bool has_written_again(std::uint32_t group) const;
  /// In the page buffer: what is trimmed of the group up to the program queued last.
  void make_record(std::uint32_t group);
  [[nodiscard]] bool is_trimmed(std::uint32_t lpn) const { return (trimmed_[lpn / 64] >> (lpn % 64) & 1U) != 0; }
  void set_trimmed(std::uint32_t lpn, bool is) {
    const std::uint64_t bit = std::uint64_t{1} << (lpn % 64);
    trimmed_[lpn / 64] = is ? trimmed_[lpn / 64] | bit : trimmed_[lpn / 64] & ~bit;
  }
  /// The part of a page that the host does not write, read first.
  FtlStatus merge(std::uint32_t lpn, std::uint32_t skip, std::span<const std::byte> from);
  void write_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t data_class, std::span<const std::byte> from,
                  bool of_host = true);
  void read_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::byte* into, std::uint32_t bytes);
  std::uint16_t take_page();

  void take_next() override;
  /// What has ended; false: nothing.
  bool take_ended();
  void take(const ArrayDone& done);
  void page_read(std::uint16_t page, const ArrayDone& done);
  void page_written(std::uint16_t page, const ArrayDone& done);
  void page_ended(std::uint16_t page, FtlStatus status);
  void complete_if_done(std::uint16_t slot);
  /// Writes again what failed, or else waits for what is under way.
  void make_progress();
  void rewrite_failed();
  /// Where the log puts it; false: nowhere.
  bool place_page(std::uint16_t page);
  void write_ended(std::uint16_t page, FtlStatus status);
  void wait_for_all();

  // Format and mount: nothing is in flight.
  void find_bad_segments();
  /// How many pages of the segment are used; the newest of their versions are in the map.
  std::uint32_t scan(std::uint32_t segment, std::uint32_t from = 0);
  void found_page(const ArrayDone& done);
  /// Elsewhere, since the part may not be able to read them again where they are.
  void move_found_pages();
  void read_all_pages();
  /// What the records name and nobody has written since is trimmed.
  void apply_records();

  // Checkpoints. What is newer than one is named in trimmed_ while it is mounted.
  /// The first page of a segment whose metadata can be read.
  struct FirstPage {
    static constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;
    std::uint64_t sequence = 0;      ///< 0: erased
    std::uint32_t place = kNoPlace;  ///< of the segment in the checkpoint that it holds
    bool torn = false;
    std::uint16_t open_at = page::CheckpointRow::kNotOpen;  ///< by the checkpoint
    /// Not erased since the checkpoint.
    [[nodiscard]] bool is_kept(std::uint64_t checkpoint) const { return sequence != 0 && sequence <= checkpoint; }
  };
  [[nodiscard]] page::CheckpointLayout checkpoint_layout() const;
  void checkpoint_if_due();
  void write_checkpoint();
  void write_checkpoint_pages(std::span<const std::uint32_t> segments, std::uint64_t sequence);
  void make_checkpoint_page(std::uint32_t index, std::uint64_t sequence);
  /// Nothing is under way, copies of cleaning among it.
  void come_to_rest();
  void await_own(std::uint32_t reports);
  void own_ended(const ArrayDone& done);
  /// False: there is none that is whole; the log is clear.
  bool mount_from_checkpoint();
  void look_at_segments();
  [[nodiscard]] FirstPage first_page(const ArrayDone& done) const;
  void look_further(std::uint32_t segment);
  /// Of those before `before`; its segments are held_. 0: none.
  std::uint64_t newest_checkpoint(std::uint64_t before);
  bool load_checkpoint(std::uint64_t sequence);
  void load_checkpoint_page(std::uint32_t index, std::uint64_t sequence);
  /// What was written in the segment since the checkpoint.
  void find_since(std::uint32_t segment);
  /// Of so many reads that are queued: pages programmed up to then.
  std::uint32_t trim_older(std::uint32_t asked, std::uint64_t until);
  /// A page into the page buffer; false: there is none, or it is lost.
  bool read_own(std::uint32_t lpn);
  /// A page of our own, or one of the host that moves; ends with it.
  FtlStatus put_page(std::uint32_t lpn, std::span<const std::byte> from);
  /// Waits until every die has worked off what was queued; segments whose erase failed are bad.
  void finish_dies();
  /// Waits for so many reports, at most kCollected, of what is queued.
  std::span<const ArrayDone> run_all(std::uint32_t reports);

  ArrayPort& array_;
  std::uint32_t page_bytes_;
  std::uint32_t page_shift_;  ///< log2 of it, or 0 where it is no power of two
  PageConfig config_;
  ProbePort& probe_;
  page::Log log_;
  HostPort* host_ = nullptr;
  std::span<Page> pages_;
  std::span<Request> requests_;
  Slots free_pages_;
  Slots free_requests_;
  std::span<std::uint16_t> failed_;  ///< pages whose program failed, to be written again
  std::uint32_t failed_count_ = 0;
  std::span<std::byte> page_buffer_;
  std::span<ArrayDone> done_;
  std::uint32_t records_ = 0;                ///< of trims; 0: the part keeps no data
  std::span<std::uint64_t> trimmed_;         ///< a bit for each page that is named in its record, or was
  std::array<ArrayDone, kCollected> found_;  ///< a mount's: pages in their order
  std::uint32_t found_stream_ = 0;           ///< a mount's: of the segment scanned last
  static constexpr std::uint32_t kMustMove = 64;
  std::array<std::uint32_t, kMustMove> must_move_;  ///< a mount's: pages; what does not fit, the next mount moves
  std::uint32_t must_move_count_ = 0;
  std::span<FirstPage> first_pages_;   ///< a mount's: of each segment
  std::uint64_t newer_than_ = 0;       ///< a mount's: what is older the checkpoint has
  std::span<std::uint32_t> held_;      ///< segments of two checkpoints
  std::uint32_t held_first_ = 0;       ///< of the newest
  std::uint32_t held_count_ = 0;       ///< 0: there is none
  std::uint64_t checkpointed_at_ = 0;  ///< pages written then
  std::uint32_t own_left_ = 0;         ///< operations of our own that have not ended
  bool own_failed_ = false;
  std::uint32_t in_flight_ = 0;
  bool mounted_ = false;
  bool read_only_ = false;
  const char* config_error_ = nullptr;
};

}  // namespace ftlab
