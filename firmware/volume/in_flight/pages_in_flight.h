// What has ended: takes the port's reports to the log and to the pages and requests that they are of, and answers
// requests whose pages have all ended. Lets time pass for whoever has to wait. Begins nothing: what reports have left
// to do others do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/in_flight/failed_writes.h"
#include "firmware/volume/in_flight/merges.h"
#include "firmware/volume/in_flight/served.h"
#include "firmware/volume/in_flight/workbench.h"
#include "firmware/volume/in_flight/write_buffer.h"
#include "firmware/volume/log/log.h"

namespace ftlab::volume {

class PagesInFlight {
 public:
  /// Pages of the host are those before `config.logical_pages`.
  PagesInFlight(FlashPort& array, ProbePort& probe, Log& log, const VolumeConfig& config);

  /// The same code measures and lays out. `requests`: served at once.
  void layout(Arena& arena, std::uint32_t requests);
  /// `fresh`: nothing can have failed that this does not know of.
  void clear(bool fresh);

  [[nodiscard]] Workbench& bench() { return bench_; }
  [[nodiscard]] const Workbench& bench() const { return bench_; }
  [[nodiscard]] FailedWrites& failed_writes() { return failed_writes_; }
  [[nodiscard]] const FailedWrites& failed_writes() const { return failed_writes_; }
  [[nodiscard]] Merges& merges() { return merges_; }
  [[nodiscard]] const Merges& merges() const { return merges_; }
  [[nodiscard]] WriteBuffer& buffer() { return buffer_; }
  [[nodiscard]] const WriteBuffer& buffer() const { return buffer_; }
  [[nodiscard]] ServedRequests& requests() { return requests_; }
  [[nodiscard]] const ServedRequests& requests() const { return requests_; }
  /// Who is told of requests that are complete.
  void set_host(HostPort& host) { host_ = &host; }

  /// The program of a page of the host is queued: where it may it is answered.
  void queued(std::uint16_t tag) {
    if (!buffer_.on()) return;
    buffer_.put(tag, bench_.pages[tag].lpn);
    answer_buffered();
  }
  /// Hands what is queued to the port, before the host's next request or the next report. Program units are filled
  /// where a request waits for one.
  void submit_for_host() {
    buffer_.on() && !buffer_.is_waited_for() ? log_.submit_queued() : log_.submit_before_wait();
  }
  /// Lets time pass until an operation is reported, and takes it.
  void take_next();
  /// Takes what has ended; false: nothing has.
  bool take_ended();
  /// So many reports of operations with Log::kOwn, which were queued.
  void await(std::uint32_t reports);
  /// A program among those failed since this was asked last.
  [[nodiscard]] bool own_failed() { return std::exchange(own_failed_, false); }
  /// Reports have left something to do.
  [[nodiscard]] bool is_due() const { return failed_writes_.waiting() || merges_.due(); }

  /// The page has ended, for its request and for those that share its program.
  void page_ended(std::uint16_t tag, FtlStatus status);
  /// Answers writes that were overtaken.
  void answer_overtaken() {
    while (const auto tag = failed_writes_.take_answered()) page_ended(*tag, FtlStatus::ok);
  }
  void complete_if_done(std::uint16_t slot);
  /// A page was refused, for good.
  [[nodiscard]] bool was_refused() const { return was_refused_; }

 private:
  using PageState = PageInFlight::State;

  void take(const FlashDone& done);
  void own_ended(const FlashDone& done);
  void page_read(std::uint16_t tag, const FlashDone& done);
  void page_written(std::uint16_t tag, const FlashDone& done);
  void one_ended(std::uint16_t tag, FtlStatus status);
  /// Writes in data RAM, as far as there is room for answered ones.
  void answer_buffered();
  void answer(std::uint16_t tag);
  void page_answered(std::uint16_t slot, FtlStatus status);

  FlashPort& array_;
  bool has_data_;  ///< the part keeps what is written
  Log& log_;
  Workbench bench_;
  FailedWrites failed_writes_;
  WriteBuffer buffer_;
  Merges merges_;
  ServedRequests requests_;
  HostPort* host_ = nullptr;
  std::uint32_t own_left_ = 0;
  bool own_failed_ = false;
  bool fresh_ = false;
  bool was_refused_ = false;
};

}  // namespace ftlab::volume
