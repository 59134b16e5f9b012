// Pages on their way to and from the array, of any number of requests at once: reads and writes whole pages and parts
// of them, and writes again what failed. Owns the log and those that work on it. Knows no layer: what is read and
// written, and when, others decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/format/page_metadata.h"
#include "firmware/volume/in_flight/pages_in_flight.h"
#include "firmware/volume/log/log.h"
#include "firmware/volume/reclaim/cleaning.h"
#include "firmware/volume/reclaim/host_writes.h"
#include "firmware/volume/reclaim/moves.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

class PageService {
 public:
  /// Pages of the host are those before `config.logical_pages`.
  PageService(FlashPort& array, ProbePort& probe, const VolumeConfig& config);

  /// The same code measures and lays out. `requests`: served at once.
  void layout(Arena& arena, std::uint32_t requests);
  /// `fresh`: nothing can have failed that this does not know of.
  void clear(bool fresh);

  [[nodiscard]] Log& log() { return log_; }
  [[nodiscard]] const Log& log() const { return log_; }
  [[nodiscard]] Moves& moves() { return moves_; }
  [[nodiscard]] Cleaning& cleaning() { return cleaning_; }
  [[nodiscard]] const Cleaning& cleaning() const { return cleaning_; }
  /// What is under way, and has ended.
  [[nodiscard]] PagesInFlight& in_flight() { return in_flight_; }
  [[nodiscard]] const PagesInFlight& in_flight() const { return in_flight_; }
  [[nodiscard]] Workbench& bench() { return in_flight_.bench(); }
  [[nodiscard]] ServedRequests& requests() { return in_flight_.requests(); }
  [[nodiscard]] const ServedRequests& requests() const { return in_flight_.requests(); }
  /// A page was refused, for good, or sequences are spent: nothing is written any more.
  [[nodiscard]] bool read_only() const {
    return in_flight_.was_refused() || number_of(log_.sequence()) >= kSequencesSpent;
  }
  /// Some write found no place. The next mount may show what was refused, or undo a trim that shows now.
  [[nodiscard]] bool left_any() const { return in_flight_.failed_writes().left_any(); }

  // --- of a request that was begun ---
  /// Of bytes of a page; `from`: null where the part keeps none.
  void write_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::uint32_t bytes, const WriteHint& hint,
                  const std::byte* from);
  void read_page(std::uint16_t slot, std::uint32_t lpn, std::uint32_t skip, std::byte* into, std::uint32_t bytes);
  /// A page of the volume's own, whose bytes come before anything else is asked: the tag, which is its buffer. False:
  /// there is no place, and it has ended.
  bool write_own(std::uint16_t slot, std::uint32_t lpn, std::uint16_t& tag);
  /// All of its pages have been.
  void started(std::uint16_t slot);
  /// A request of our own, once its pages have ended.
  FtlStatus end_own(std::uint16_t slot);

  // --- pages by themselves ---
  /// A page into the page buffer; false: there is none, or it is lost.
  bool read_page_in(std::uint32_t lpn);
  /// Whole pages of the host that move, one behind the other in `data`, until all have ended; how many found a place.
  std::uint32_t put_pages(std::span<const std::uint32_t> lpns, std::span<const std::byte> data);
  /// The page has no content any more.
  void trim_page(std::uint32_t lpn);
  /// A write of the page has failed, and waits for its place.
  [[nodiscard]] bool waits_to_be_written(std::uint32_t lpn) const { return in_flight_.failed_writes().waiting_of(lpn); }
  /// A part of one of the pages from `first` on, up to `end`, is being merged with the rest.
  [[nodiscard]] bool merges_in(std::uint32_t first, std::uint32_t end) const {
    return in_flight_.merges().any_in(first, end);
  }

  // --- what reports have left to do ---
  /// Does it all.
  void go_on();
  /// Goes on with what can, or else waits for what is under way.
  void make_progress() {
    if (in_flight_.is_due())
      go_on();
    else
      in_flight_.take_next();
  }
  /// Nothing of the host is under way or waits to be written again.
  void wait_for_all();

 private:
  using PageState = PageInFlight::State;

  std::uint16_t take_page();
  /// It is on its way, for the request in that slot.
  void begin_page(std::uint16_t tag, std::uint16_t slot) {
    ++requests()[slot].pages;
    probe_.page_begins(tag, requests()[slot].ours ? ProbePort::kNoRequest : requests()[slot].tag);
  }
  void perform(const Merges::Step& step);
  void write_failed_again();
  [[nodiscard]] WriteBuffer& buffer() { return in_flight_.buffer(); }
  void read_buffered(std::uint16_t tag);
  /// From where it lies now; ends it where it lies nowhere.
  void start_reading(std::uint16_t tag);
  /// To the next place of the log; ends it where there is none. Lets time pass.
  void begin_write(std::uint16_t tag);
  /// Where the log puts it; false: it has ended, since that is nowhere.
  bool place(std::uint16_t tag);
  /// The same; false: there is no place, and it has not ended.
  bool begin_program(std::uint16_t tag);
  /// The same of one whose program failed.
  bool place_again(std::uint16_t tag);
  /// Of pages that nobody has said where to write: the region of the host's slower ones, if there are two.
  [[nodiscard]] std::uint8_t own_class() const { return two_regions_ ? 1 : 0; }
  [[nodiscard]] std::uint16_t buffer_of(std::uint16_t tag) const { return has_data_ ? tag : FlashOp::kNoBuffer; }
  [[nodiscard]] FailedWrites& failed_writes() { return in_flight_.failed_writes(); }
  [[nodiscard]] Merges& merges() { return in_flight_.merges(); }

  FlashPort& array_;
  ProbePort& probe_;
  std::uint32_t page_bytes_;
  bool has_data_;  ///< the part keeps what is written
  bool two_regions_;
  Log log_;
  PagesInFlight in_flight_;
  Moves moves_{log_, in_flight_};
  Cleaning cleaning_{log_, moves_, in_flight_};
  HostWrites writes_{log_, moves_, cleaning_, in_flight_};
};

}  // namespace ftlab::volume
