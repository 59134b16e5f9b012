#include "platform/host/host_model.h"

#include <algorithm>
#include <array>
#include <boost/random/uniform_real_distribution.hpp>
#include <stdexcept>
#include <string>

#include "workloads/random_stream.h"

namespace ftlab::platform {

const char* end_of_life(FtlStatus status) {
  switch (status) {
    case FtlStatus::read_only:
      return "the device has become read-only: too many segments are worn out or bad";
    case FtlStatus::no_space:
      return "no space: cleaning cannot reclaim anything";
    case FtlStatus::write_failed:
      return "the medium takes data nowhere: worn out";
    default:
      return nullptr;
  }
}

HostModel::HostModel(FirmwareCpu& cpu, Ftl& ftl, Payload& payload, HostOptions options)
    : cpu_(cpu),
      ftl_(ftl),
      payload_(payload),
      options_(std::move(options)),
      cache_draws_(static_cast<std::uint32_t>(workloads::stream_seed(options_.seed, "page cache"))) {}

void HostModel::sample_if_due() {
  if (cpu_.now() < next_sample_) return;
  options_.sample(cpu_.now() - start_);
  next_sample_ = start_ + options_.sample_every * ((cpu_.now() - start_) / options_.sample_every + 1);
}

void HostModel::wait_for_arrival(Ticks arrival) {
  const CauseScope cause(cpu_, Cause::idle);
  // Background work may run past the arrival; the request then waits, as it would on the real machine.
  const auto arrival_ns = static_cast<std::uint64_t>(arrival.count() / 10);
  while (cpu_.now() < arrival) {
    sample_if_due();
    const std::uint64_t due_ns = ftl_.idle(cpu_.now_ns(), arrival_ns);
    const Ticks due = due_ns >= arrival_ns ? arrival : Ticks{static_cast<std::int64_t>(due_ns) * 10};
    while (next_sample_ < due) {
      cpu_.sleep_until(next_sample_);
      sample_if_due();
    }
    cpu_.sleep_until(due);
    if (due == arrival) break;
  }
}

bool HostModel::read_hits_cache() {
  if (options_.cache_hits <= 0) return false;
  return boost::random::uniform_real_distribution<double>(0, 1)(cache_draws_) < options_.cache_hits;
}

FtlStatus HostModel::read(const workloads::Request& request) {
  ++totals_.reads;
  totals_.bytes_read += request.length;
  if (read_hits_cache()) {
    ++totals_.cached_reads;
    const std::uint64_t page = ftl_.page_bytes();
    const std::uint64_t pages = (request.offset + request.length + page - 1) / page - request.offset / page;
    cpu_.count(Work::request, 1);
    cpu_.count(Work::page_read, static_cast<std::uint32_t>(pages));
    return FtlStatus::ok;
  }
  read_buffer_.resize(std::max<std::size_t>(read_buffer_.size(), request.length));
  const std::span<std::byte> into = std::span(read_buffer_).first(request.length);
  const FtlStatus status = ftl_.read(request.offset, into, cpu_.now_ns());
  if (status == FtlStatus::ok && payload_.verifies() && !payload_.check(request.offset, into)) ++totals_.wrong_reads;
  return status;
}

FtlStatus HostModel::dispatch(const workloads::Request& request) {
  using workloads::RequestKind;
  switch (request.kind) {
    case RequestKind::write:
      ++totals_.writes;
      totals_.bytes_written += request.length;
      return ftl_.write(request.offset, payload_.fresh(request.offset, request.length),
                        WriteHint{request.stream, request.read_only_data}, cpu_.now_ns());
    case RequestKind::read:
      return read(request);
    case RequestKind::trim:
      ++totals_.trims;
      payload_.forget(request.offset, request.length);
      return ftl_.trim(request.offset, request.length, cpu_.now_ns());
    case RequestKind::flush:
      ++totals_.flushes;
      return ftl_.flush(cpu_.now_ns());
  }
  throw std::logic_error("request kind outside the enumeration");
}

void HostModel::check_invariants() {
  if (options_.self_check_every == 0 || totals_.requests % options_.self_check_every != 0) return;
  if (const char* broken = ftl_.self_check()) {
    throw std::logic_error("FTL invariant broken after request " + std::to_string(totals_.requests) + ": " + broken);
  }
}

void HostModel::serve(workloads::RequestSource& source) {
  using workloads::RequestKind;
  std::array<workloads::Request, 256> batch;
  start_ = cpu_.now();
  if (options_.sample_every > Ticks::zero()) next_sample_ = start_;
  for (;;) {
    const std::size_t n = source.next(batch);
    if (n == 0) return;
    for (const workloads::Request& request : std::span(batch).first(n)) {
      Ticks arrived = cpu_.now();
      if (options_.open_loop) {
        arrived = start_ + request.arrival;
        if (request.think >= Ticks::zero()) arrived = std::max(arrived, cpu_.now() + request.think);
        if (cpu_.now() < arrived) wait_for_arrival(arrived);
        totals_.queued += cpu_.now() - arrived;
      }
      sample_if_due();
      const Ticks begun = cpu_.now();
      const FtlStatus status = dispatch(request);
      ++totals_.requests;
      if (status == FtlStatus::out_of_range || status == FtlStatus::bad_config || status == FtlStatus::not_formatted) {
        throw std::logic_error("workload addresses byte " + std::to_string(request.offset) + " + " +
                               std::to_string(request.length) + " outside the device");
      }
      if (status != FtlStatus::ok) ++totals_.failed_requests;
      const Ticks latency = cpu_.now() - arrived;
      if (request.kind == RequestKind::write) {
        totals_.write_latency.add(latency);
        if (options_.open_loop && request.think > Ticks::zero()) totals_.after_pause.add(latency);
      }
      if (request.kind == RequestKind::write || request.kind == RequestKind::flush) {
        totals_.write_service += cpu_.now() - begun;
      }
      if (request.kind == RequestKind::read) totals_.read_latency.add(latency);
      check_invariants();
      if (!options_.open_loop && options_.idle_every != 0 && totals_.requests % options_.idle_every == 0) {
        wait_for_arrival(cpu_.now() + options_.idle);
      }
      // A device that takes no more writes has reached its end of life: the run ends with that result.
      if (request.kind == RequestKind::write && end_of_life(status) != nullptr) {
        totals_.end_reason = end_of_life(status);
        return;
      }
    }
    if (options_.progress) options_.progress(totals_.requests);
  }
}

}  // namespace ftlab::platform
