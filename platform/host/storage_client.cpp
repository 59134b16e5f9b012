#include "platform/host/storage_client.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ftlab::platform {

StorageClient::StorageClient(Processor& processor, Host& host, const Ftl& ftl, ClientOptions options,
                             const LinkTiming* link)
    : processor_(processor),
      host_(host),
      requests_(host, link, options.paths),
      ftl_(&ftl),
      counted_(&ftl.stats()),
      bad_before_(counted_->bad_segments),
      options_(std::move(options)),
      start_(processor.now()) {
  if (options_.sample_every > Ticks::zero()) next_sample_ = start_;
}

void StorageClient::serve_by(const Ftl& ftl) {
  ftl_ = &ftl;
  counted_ = &ftl.stats();
  serving_ = check_due_ = false;
}

FtlStats StorageClient::unanswered() const {
  return serving_ || ftl_->in_flight() > 0 ? ftl_->unanswered() : FtlStats{};
}

void StorageClient::sample_if_due() {
  if (processor_.now() < next_sample_) return;
  options_.sample(processor_.now() - start_);
  const std::int64_t periods = (processor_.now() - start_) / options_.sample_every;
  next_sample_ = later(start_ + options_.sample_every * periods, options_.sample_every);
}

void StorageClient::check_if_due() {
  if (!check_due_) return;
  check_due_ = false;
  if (const char* broken = ftl_->self_check()) {
    throw std::logic_error("FTL invariant broken after request " + std::to_string(host_.totals().requests) + ": " +
                           broken);
  }
}

HostPort::Next StorageClient::next(HostRequest& request) {
  // Capacitors feed the device alone.
  if (is_cut_off()) throw PowerLost();
  check_if_due();
  for (;;) {
    const Host::State state = requests_.state(processor_.now());
    if (state == Host::State::ended) return Next::ended;
    sample_if_due();
    if (state != Host::State::request) return Next::later;
    // Far enough ahead that memory has answered by then.
    for (const std::uint32_t ahead : {24U, 8U}) {
      if (const workloads::Request* request_ahead = host_.ahead(ahead)) ftl_->expect(request_ahead->offset, ahead);
    }
    if (!requests_.take(processor_.now(), request)) {
      serving_ = true;
      return Next::request;
    }
    answer_from_cache(request);
  }
}

void StorageClient::answer_from_cache(const HostRequest& request) {
  const std::uint64_t page = ftl_->page_bytes();
  const std::uint64_t pages = (request.offset + request.length + page - 1) / page - request.offset / page;
  processor_.count(Work::request, 1);
  processor_.count(Work::page_read, static_cast<std::uint32_t>(pages));
  complete(request.tag, FtlStatus::ok);
}

void StorageClient::complete(std::uint32_t tag, FtlStatus status) {
  if (is_cut_off()) return;
  requests_.complete(tag, status, processor_.now());
  serving_ = false;
  if (counted_->bad_segments != bad_before_ && !written_to_first_loss_) {
    written_to_first_loss_ = host_.totals().bytes_written;
  }
  if (options_.self_check_every != 0 && host_.totals().requests % options_.self_check_every == 0) check_due_ = true;
  if (options_.completed) options_.completed(host_.totals().requests);
}

std::uint64_t StorageClient::next_arrival_ns() {
  const Ticks arrival = requests_.next_arrival();
  return arrival == kNever ? UINT64_MAX : to_ns(arrival);
}

void StorageClient::wait(std::uint64_t until_ns) {
  const Ticks arrival = requests_.next_arrival();
  // The clock of the firmware is coarser than the host's: its last nanosecond ends with the arrival.
  const Ticks due = until_ns >= next_arrival_ns() ? arrival : from_ns(until_ns);
  if (due == kNever) throw std::logic_error("the firmware waits for a host that waits for the firmware");
  // Nothing is in the middle of anything here: a loss need not wait.
  const bool held = processor_.hold_power(false);
  while (next_sample_ < due) {
    processor_.sleep_until(next_sample_);
    sample_if_due();
  }
  processor_.sleep_until(due);
  processor_.hold_power(held);
}

}  // namespace ftlab::platform
