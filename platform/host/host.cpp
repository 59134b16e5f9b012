#include "platform/host/host.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <stdexcept>
#include <string>

#include "platform/host/request_paths.h"
#include "workloads/random_stream.h"

namespace ftlab::platform {
namespace {

using workloads::Request;
using workloads::RequestKind;

/// Requests ahead at which memory has answered by the time that they are taken.
constexpr std::size_t kExpected = 4;

HostRequestKind request_kind(RequestKind kind) {
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

/// They are not in flight together.
bool exclude_each_other(const Request& a, const Request& b) {
  if (a.kind == RequestKind::flush || b.kind == RequestKind::flush) return true;
  if (a.kind == RequestKind::read && b.kind == RequestKind::read) return false;
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
  totals_.queue = QueueTime(start);
  if (options_.durable_bytes != 0) unflushed_.emplace(options_.durable_bytes);
  asking_ = !options_.open_loop;
  std::uint32_t depth = 0;
  for (const HostClient& client : clients) {
    clients_.push_back({.source = client.source,
                        .queue_depth = client.queue_depth,
                        .arrivals = boost::circular_buffer<Ticks>(asking_ ? client.queue_depth : 0)});
    depth += client.queue_depth;
  }
  if (clients_.empty() || depth == 0 || depth > kMaxDepth) throw std::logic_error("a host of no possible queue depth");
  slots_.resize(depth);
  for (std::uint32_t slot = static_cast<std::uint32_t>(slots_.size()); slot-- > 0;) free_slots_.push_back(slot);
  if (!asking_) return;
  for (Client& client : clients_) fill_queue(client, start);
}

void Host::fill_queue(Client& client, Ticks arrival) {
  if (client.ended) return;
  while (client.arrivals.size() + client.in_flight < client.queue_depth) {
    client.arrivals.push_back(arrival);
    totals_.queue.join(arrival);
  }
}

void Host::empty_queue(Client& client) {
  for (const Ticks arrival : client.arrivals) totals_.queue.withdraw(arrival);
  client.arrivals.clear();
}

void Host::stop_asking() {
  asking_ = false;
  for (Client& client : clients_) empty_queue(client);
  if (arrival_known_) totals_.queue.withdraw(arrived_);
  arrival_known_ = false;
}

bool Host::fetch(Client& client) {
  if (client.at < client.batched) return true;
  if (client.ended) return false;
  if (client.batched > 0 && options_.progress) options_.progress(totals_.requests);
  client.batched = client.source->next(client.batch);
  client.at = 0;
  client.ended = client.batched == 0;
  if (client.ended) empty_queue(client);
  return !client.ended;
}

bool Host::conflicts(const Request& request) {
  if (in_flight_ == 0) return false;
  if (request.kind == RequestKind::flush || flushes_ > 0) return true;
  if (!used_.may_touch(request.offset, request.length)) return false;
  return std::ranges::any_of(slots_,
                             [&](const Slot& slot) { return slot.busy && exclude_each_other(slot.request, request); });
}

bool Host::waits_behind(const Client& client) const {
  const Request& request = client.batch[client.at];
  return std::ranges::any_of(clients_, [&](const Client& other) {
    if (other.waits_since == 0 || (client.waits_since != 0 && client.waits_since <= other.waits_since)) return false;
    return exclude_each_other(other.batch[other.at], request);
  });
}

Host::State Host::state(Ticks now) {
  next_arrival_ = kNever;
  if (!resend_.empty()) return State::request;
  if (pause_pending_) return State::blocked;
  if (now < not_before_) {
    next_arrival_ = not_before_;
    return State::waiting;
  }
  if (totals_.end_reason != nullptr || (options_.write_bytes != 0 && totals_.bytes_written >= options_.write_bytes)) {
    stop_asking();
    return State::ended;
  }
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

Host::State Host::state_of(Client& client, Ticks now) {
  const Request& request = client.batch[client.at];
  if (options_.open_loop && !arrival_known_) {
    // A caller that waits for the request before this one thinks from that one's completion on.
    if (request.think >= Ticks::zero() && in_flight_ > 0) return State::blocked;
    arrived_ = later(start_, request.arrival);
    if (request.think >= Ticks::zero()) arrived_ = std::max(arrived_, later(now, request.think));
    arrival_known_ = true;
    totals_.queue.join(arrived_);
  }
  if (options_.open_loop && now < arrived_) {
    next_arrival_ = arrived_;
    return State::waiting;
  }
  if (client.in_flight == client.queue_depth) return State::blocked;
  if (!conflicts(request) && (waiting_ == 0 || !waits_behind(client))) return State::request;
  if (client.waits_since == 0) {
    client.waits_since = ++waited_;
    ++waiting_;
  }
  return State::blocked;
}

Ticks Host::arrival() const {
  if (!resend_.empty()) return slots_[resend_.back()].arrived;
  return options_.open_loop ? arrived_ : clients_[turn_].arrivals.front();
}

bool Host::take(Ticks now, HostRequest& out) {
  if (!resend_.empty()) {
    Slot& slot = slots_[resend_.back()];
    resend_.pop_back();
    hand_out(slot, out);
    return slot.cached;
  }
  Client& client = clients_[turn_];
  if (client.at >= client.batched || client.in_flight == client.queue_depth ||
      (!options_.open_loop && client.arrivals.empty()))
    throw std::logic_error("no request can be taken now");
  const Request& request = client.batch[client.at++];
  if (client.waits_since != 0) --waiting_;
  client.waits_since = 0;
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
  slot.arrived = arrived_;
  if (!options_.open_loop) {
    slot.arrived = client.arrivals.front();
    client.arrivals.pop_front();
  }
  slot.begun = now;
  arrival_known_ = false;
  totals_.max_in_flight = std::max(totals_.max_in_flight, ++in_flight_);

  switch (request.kind) {
    case RequestKind::write:
      ++totals_.writes;
      totals_.bytes_written += request.length;
      slot.from = payload_.fresh(request.offset, request.length, slot.data).data();
      break;
    case RequestKind::read:
      ++totals_.reads;
      totals_.bytes_read += request.length;
      slot.cached = read_hits_cache();
      slot.data.resize(std::max<std::size_t>(slot.data.size(), request.length));
      break;
    case RequestKind::trim:
      ++totals_.trims;
      payload_.forget(request.offset, request.length);
      break;
    case RequestKind::flush:
      ++totals_.flushes;
      break;
  }
  hand_out(slot, out);
  if (const Request* next = ahead(kExpected)) used_.expect(next->offset);
  if (options_.observer != nullptr) options_.observer->taken(slot.tag);
  return slot.cached;
}

void Host::hand_out(Slot& slot, HostRequest& out) {
  const Request& request = slot.request;
  // Field by field: copied as a whole it would be read before its parts are written.
  out.kind = request_kind(request.kind);
  out.tag = slot.tag;
  out.offset = request.offset;
  out.length = request.length;
  out.into = request.kind == RequestKind::read ? slot.data.data() : nullptr;
  out.from = request.kind == RequestKind::write ? slot.from : nullptr;
  out.hint.stream = request.stream;
  out.hint.read_only = request.read_only_data;
  out.hint.data_class = request.data_class;
  out.hint.rewritten_in = request.rewritten_in;
}

void Host::resend() {
  resend_.clear();
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].busy) continue;
    resend_.push_back(i);
    const Request& request = slots_[i].request;
    if (unflushed_ && request.kind == RequestKind::write) unflushed_->replace(request.offset, request.length);
  }
  // Counted back from the next one, since the number in a tag starts over.
  const auto age = [this](std::uint32_t slot) { return taken_ * kMaxDepth - slots_[slot].tag / kMaxDepth * kMaxDepth; };
  std::ranges::sort(resend_, {}, age);
  if (unflushed_) unflushed_->forget(payload_);
}

void Host::give_up(const char* reason, Ticks now) {
  totals_.end_reason = reason;
  stop_asking();
  pause_pending_ = false;
  resend_.clear();
  for (const Slot& slot : slots_) {
    if (slot.busy) complete(slot.tag, FtlStatus::read_failed, now);
  }
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
  totals_.queue.complete(slot.arrived, now);
  if (options_.paths == nullptr && options_.observer == nullptr)
    book(slot, status, now, nullptr);
  else
    book_and_tell(slot, status, now);
  if (unflushed_ && status == FtlStatus::ok) unflushed_->answered(slot.request);
  pause_if_due(now);
  if (asking_ && !pause_pending_) fill_queue(clients_[slot.client], now);
  // A device that takes no more writes has reached its end of life: the run ends with that result.
  if (slot.request.kind == RequestKind::write && end_of_life(status) != nullptr) {
    totals_.end_reason = end_of_life(status);
  }
}

void Host::book_and_tell(const Slot& slot, FtlStatus status, Ticks now) {
  const Request& request = slot.request;
  CompletedRequest completed{slot.tag,
                             request_kind(request.kind),
                             request.offset,
                             request.length,
                             status,
                             slot.cached,
                             slot.arrived,
                             slot.begun,
                             now};
  if (options_.paths != nullptr) completed.parts = &options_.paths->completed(completed);
  book(slot, status, now, completed.parts);
  if (options_.observer != nullptr) options_.observer->completed(completed);
}

void Host::pause_if_due(Ticks now) {
  if (!options_.open_loop && options_.idle_every != 0 && totals_.requests % options_.idle_every == 0) {
    pause_pending_ = true;
    for (Client& client : clients_) empty_queue(client);
  }
  if (!pause_pending_ || in_flight_ > 0) return;
  pause_pending_ = false;
  not_before_ = later(now, options_.idle);
  if (!asking_) return;
  for (Client& client : clients_) fill_queue(client, not_before_);
}

void Host::check_queue() const {
  const QueueTime& queue = totals_.queue;
  if (queue.balances()) return;
  throw std::logic_error("the host's queue does not balance: " + std::to_string(queue.count()) +
                         " requests are left in it, the integral of its depth is " +
                         std::to_string(to_seconds(queue.integral())) + " s and its latencies sum to " +
                         std::to_string(to_seconds(queue.taken())) + " s");
}

void Host::book(const Slot& slot, FtlStatus status, Ticks now, const LatencyParts* parts) {
  const Request& request = slot.request;
  if (status == FtlStatus::out_of_range || status == FtlStatus::bad_config || status == FtlStatus::not_formatted) {
    throw std::logic_error("workload addresses byte " + std::to_string(request.offset) + " + " +
                           std::to_string(request.length) + " outside the device");
  }
  if (status != FtlStatus::ok) ++totals_.failed_requests;
  const Ticks latency = now - slot.arrived;
  const Ticks wait = slot.begun - slot.arrived;
  const bool write = request.kind == RequestKind::write;
  // What was refused may have been written in part, and what was there may have stayed.
  if (write && status != FtlStatus::ok) payload_.forget(request.offset, request.length);
  if (write) {
    const std::uint32_t bin = totals_.write_latency.add(latency, wait);
    if (parts != nullptr) totals_.write_parts.add(bin, latency, *parts);
    if (options_.open_loop && request.think > Ticks::zero()) totals_.after_pause.add(latency, wait);
  }
  if (write || request.kind == RequestKind::flush) totals_.write_service += now - slot.begun;
  if (request.kind != RequestKind::read) return;
  const std::uint32_t bin = totals_.read_latency.add(latency, wait);
  if (parts != nullptr) totals_.read_parts.add(bin, latency, *parts);
  const std::span<const std::byte> data = std::span(slot.data).first(request.length);
  if (status == FtlStatus::ok && !slot.cached && payload_.verifies() && !payload_.check(request.offset, data)) {
    ++totals_.wrong_reads;
  }
}

}  // namespace ftlab::platform
