#include "platform/host/host.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <stdexcept>
#include <string>

#include "workloads/random_stream.h"

namespace ftlab::platform {
namespace {

using workloads::Request;
using workloads::RequestKind;

/// Slots are found by the tag alone.
constexpr std::uint32_t kMaxDepth = 1024;

HostRequestKind kind_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::read:
      return HostRequestKind::read;
    case RequestKind::write:
      return HostRequestKind::write;
    case RequestKind::trim:
      return HostRequestKind::trim;
    case RequestKind::flush:
      return HostRequestKind::flush;
  }
  throw std::logic_error("request kind outside the enumeration");
}

bool overlap(const Request& a, const Request& b) {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

}  // namespace

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

Host::Host(std::span<const HostClient> clients, Payload& payload, HostOptions options, Ticks start)
    : payload_(payload),
      options_(std::move(options)),
      start_(start - options_.arrivals_from),
      cache_draws_(static_cast<std::uint32_t>(workloads::stream_seed(options_.seed, "page cache"))) {
  std::uint32_t depth = 0;
  for (const HostClient& client : clients) {
    clients_.push_back({.source = client.source, .queue_depth = client.queue_depth});
    depth += client.queue_depth;
  }
  if (clients_.empty() || depth == 0 || depth > kMaxDepth) throw std::logic_error("a host of no possible queue depth");
  slots_.resize(depth);
  for (std::uint32_t slot = static_cast<std::uint32_t>(slots_.size()); slot-- > 0;) free_slots_.push_back(slot);
}

bool Host::fetch(Client& client) {
  if (client.at < client.batched) return true;
  if (client.ended) return false;
  if (client.batched > 0 && options_.progress) options_.progress(totals_.requests);
  client.batched = client.source->next(client.batch);
  client.at = 0;
  client.ended = client.batched == 0;
  return !client.ended;
}

bool Host::conflicts(const Request& request) {
  if (in_flight_ == 0) return false;
  if (request.kind == RequestKind::flush || flushes_ > 0) return true;
  if (!used_.may_touch(request.offset, request.length)) return false;
  for (const Slot& slot : slots_) {
    if (!slot.busy) continue;
    const bool both_read = slot.request.kind == RequestKind::read && request.kind == RequestKind::read;
    if (!both_read && overlap(slot.request, request)) return true;
  }
  return false;
}

Host::State Host::state(Ticks now) {
  next_arrival_ = kNever;
  if (pause_pending_) return State::blocked;
  if (now < not_before_) {
    next_arrival_ = not_before_;
    return State::waiting;
  }
  if (totals_.end_reason != nullptr) return State::ended;
  if (options_.write_bytes != 0 && totals_.bytes_written >= options_.write_bytes) return State::ended;
  State found = State::ended;
  for (std::size_t asked = 0; asked < clients_.size(); ++asked, next_turn()) {
    Client& client = clients_[turn_];
    if (!fetch(client)) continue;
    const State state = state_of(client, now);
    if (state == State::request) return state;
    if (found != State::waiting) found = state;
  }
  return found;
}

Host::State Host::state_of(const Client& client, Ticks now) {
  const Request& request = client.batch[client.at];
  if (options_.open_loop && !arrival_known_) {
    // A caller that waits for the request before this one thinks from that one's completion on.
    if (request.think >= Ticks::zero() && in_flight_ > 0) return State::blocked;
    arrived_ = start_ + request.arrival;
    if (request.think >= Ticks::zero()) arrived_ = std::max(arrived_, now + request.think);
    arrival_known_ = true;
  }
  if (options_.open_loop && now < arrived_) {
    next_arrival_ = arrived_;
    return State::waiting;
  }
  if (client.in_flight == client.queue_depth || conflicts(request)) return State::blocked;
  return State::request;
}

bool Host::take(Ticks now, HostRequest& out) {
  Client& client = clients_[turn_];
  if (client.at >= client.batched || client.in_flight == client.queue_depth)
    throw std::logic_error("no request can be taken now");
  const Request& request = client.batch[client.at++];
  ++client.in_flight;
  const std::uint32_t free = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[free];
  slot.request = request;
  slot.tag = taken_++ * kMaxDepth + free;
  slot.client = static_cast<std::uint32_t>(turn_);
  next_turn();
  used_.add(request.offset, request.length);
  flushes_ += request.kind == RequestKind::flush ? 1 : 0;
  slot.busy = true;
  slot.cached = false;
  slot.arrived = options_.open_loop ? arrived_ : now;
  slot.begun = now;
  totals_.queued += now - slot.arrived;
  arrival_known_ = false;
  totals_.max_in_flight = std::max(totals_.max_in_flight, ++in_flight_);

  // Field by field: copied as a whole it would be read before its parts are written.
  out.kind = kind_of(request.kind);
  out.tag = slot.tag;
  out.offset = request.offset;
  out.length = request.length;
  out.into = nullptr;
  out.from = nullptr;
  out.hint.stream = request.stream;
  out.hint.read_only = request.read_only_data;
  out.hint.data_class = request.data_class;
  out.hint.rewritten_in = request.rewritten_in;
  switch (request.kind) {
    case RequestKind::write:
      ++totals_.writes;
      totals_.bytes_written += request.length;
      out.from = payload_.fresh(request.offset, request.length, slot.data).data();
      break;
    case RequestKind::read:
      ++totals_.reads;
      totals_.bytes_read += request.length;
      slot.cached = read_hits_cache();
      slot.data.resize(std::max<std::size_t>(slot.data.size(), request.length));
      out.into = slot.data.data();
      break;
    case RequestKind::trim:
      ++totals_.trims;
      payload_.forget(request.offset, request.length);
      break;
    case RequestKind::flush:
      ++totals_.flushes;
      break;
  }
  if (options_.observer != nullptr) options_.observer->taken(slot.tag);
  return slot.cached;
}

bool Host::read_hits_cache() {
  if (options_.cache_hits <= 0) return false;
  if (boost::random::uniform_real_distribution<double>(0, 1)(cache_draws_) >= options_.cache_hits) return false;
  ++totals_.cached_reads;
  return true;
}

void Host::complete(std::uint32_t tag, FtlStatus status, Ticks now) {
  const std::size_t index = tag % kMaxDepth;
  if (index >= slots_.size() || !slots_[index].busy || slots_[index].tag != tag) {
    throw std::logic_error("the firmware completed a request that is not in flight, tag " + std::to_string(tag));
  }
  Slot& slot = slots_[index];
  slot.busy = false;
  free_slots_.push_back(static_cast<std::uint32_t>(index));
  used_.remove(slot.request.offset, slot.request.length);
  flushes_ -= slot.request.kind == RequestKind::flush ? 1 : 0;
  --in_flight_;
  --clients_[slot.client].in_flight;
  ++totals_.requests;
  book(slot, status, now);
  if (options_.observer != nullptr) {
    options_.observer->completed({tag, kind_of(slot.request.kind), slot.request.offset, slot.request.length, status,
                                  slot.cached, slot.arrived, slot.begun, now});
  }
  if (!options_.open_loop && options_.idle_every != 0 && totals_.requests % options_.idle_every == 0) {
    pause_pending_ = true;
  }
  if (pause_pending_ && in_flight_ == 0) {
    pause_pending_ = false;
    not_before_ = now + options_.idle;
  }
  // A device that takes no more writes has reached its end of life: the run ends with that result.
  if (slot.request.kind == RequestKind::write && end_of_life(status) != nullptr) {
    totals_.end_reason = end_of_life(status);
  }
}

void Host::book(const Slot& slot, FtlStatus status, Ticks now) {
  const Request& request = slot.request;
  if (status == FtlStatus::out_of_range || status == FtlStatus::bad_config || status == FtlStatus::not_formatted) {
    throw std::logic_error("workload addresses byte " + std::to_string(request.offset) + " + " +
                           std::to_string(request.length) + " outside the device");
  }
  if (status != FtlStatus::ok) ++totals_.failed_requests;
  const Ticks latency = now - slot.arrived;
  const bool write = request.kind == RequestKind::write;
  if (write) {
    totals_.write_latency.add(latency);
    if (options_.open_loop && request.think > Ticks::zero()) totals_.after_pause.add(latency);
  }
  if (write || request.kind == RequestKind::flush) totals_.write_service += now - slot.begun;
  if (request.kind != RequestKind::read) return;
  totals_.read_latency.add(latency);
  const std::span<const std::byte> data = std::span(slot.data).first(request.length);
  if (status == FtlStatus::ok && !slot.cached && payload_.verifies() && !payload_.check(request.offset, data)) {
    ++totals_.wrong_reads;
  }
}

}  // namespace ftlab::platform
