#include "platform/machine/core/host_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/input_error.h"

namespace ftlab::platform {

using hw::host_queue::Kind;
namespace reg = hw::host_queue::reg;

namespace {

bool carries_data(Kind kind) { return kind == Kind::read || kind == Kind::write; }

}  // namespace

HostQueue::HostQueue(sc_core::sc_module_name name, std::span<std::uint8_t> memory, std::uint32_t address,
                     Watcher& watcher)
    : RegisterTarget(name, hw::host_queue::kWindowBytes), memory_(memory), address_(address), watcher_(watcher) {
  clear(1);
}

void HostQueue::clear(std::uint32_t requests) {
  divide(requests);
  waiting_.clear();
  taken_.clear();
  done_.clear();
  next_arrival_ = kNever;
  cause_ = static_cast<std::uint32_t>(Cause::host);
  report_.reset();
  exit_.reset();
  misuse_.clear();
}

void HostQueue::divide(std::uint32_t requests) {
  constexpr std::size_t kLine = 64;
  place_bytes_ = memory_.size() / requests / kLine * kLine;
  free_places_.clear();
  for (std::uint32_t place = requests; place-- > 0;) free_places_.push_back(place);
}

bool HostQueue::post(const Request& request) {
  if (carries_data(request.kind) && request.length > place_bytes_) {
    throw InputError("a request of " + std::to_string(request.length) +
                     " bytes; the memory of the host on the board has " + std::to_string(place_bytes_) +
                     " for each request in flight: lower workload.queue_depth, or use shorter requests");
  }
  if (free_places_.empty()) throw std::logic_error("more requests in flight than the host has memory for");
  const Held held{request, free_places_.back()};
  free_places_.pop_back();
  if (request.kind == Kind::write) std::memcpy(data_of(held).data(), request.from, request.length);
  waiting_.push_back(held);
  return waiting_.size() == 1;
}

std::optional<HostQueue::Done> HostQueue::take_done() {
  if (done_.empty()) return std::nullopt;
  const Done done = done_.front();
  done_.pop_front();
  return done;
}

void HostQueue::set_cause(Cause cause) {
  cause_ = static_cast<std::uint32_t>(cause);
  watcher_.cause_is(cause);
}

void HostQueue::refuse(std::string misuse) {
  if (misuse_.empty()) misuse_ = std::move(misuse);
  watcher_.answered();
}

void HostQueue::take() {
  if (waiting_.empty()) return refuse("takes a request from the host queue, where none waits");
  taken_.push_back(waiting_.front());
  waiting_.pop_front();
}

void HostQueue::complete(std::uint32_t status) {
  const auto found = std::ranges::find(taken_, done_tag_, [](const Held& held) { return held.request.tag; });
  if (found == taken_.end())
    return refuse("completes a request that is not in flight, tag " + std::to_string(done_tag_));
  if (status > static_cast<std::uint32_t>(FtlStatus::read_only))
    return refuse("completes a request with the number " + std::to_string(status) + ", which is no FtlStatus");
  if (found->request.kind == Kind::read)
    std::memcpy(found->request.into, data_of(*found).data(), found->request.length);
  free_places_.push_back(found->place);
  done_.push_back({done_tag_, static_cast<FtlStatus>(status)});
  *found = taken_.back();
  taken_.pop_back();
  watcher_.answered();
}

std::uint32_t HostQueue::of_shown(std::uint32_t offset) const {
  if (waiting_.empty()) return 0;
  const Held& held = waiting_.front();
  const Request& request = held.request;
  constexpr unsigned kHalf = 32;
  switch (offset) {
    case reg::kKind:
      return static_cast<std::uint32_t>(request.kind);
    case reg::kTag:
      return request.tag;
    case reg::kOffsetLow:
      return static_cast<std::uint32_t>(request.offset);
    case reg::kOffsetHigh:
      return static_cast<std::uint32_t>(request.offset >> kHalf);
    case reg::kLength:
      return static_cast<std::uint32_t>(request.length);
    case reg::kData:
      return address_ + static_cast<std::uint32_t>(held.place * place_bytes_);
    case reg::kStream:
      return request.hint.stream;
    case reg::kPlacement:
      return (request.hint.read_only ? 1U : 0U) | std::uint32_t{request.hint.data_class} << 8;
    default:
      return request.hint.rewritten_in;
  }
}

bool HostQueue::read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const {
  switch (offset) {
    case reg::kMagicAt:
      value = hw::host_queue::kMagic;
      return true;
    case reg::kWaiting:
      value = waiting_.empty() ? 0 : 1;
      return true;
    case reg::kArrival:
      value = hw::host_queue::kUnknown;
      if (next_arrival_ != kNever) {
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::max(next_arrival_ - now, Ticks{}));
        value = static_cast<std::uint32_t>(std::min<std::int64_t>(us.count(), hw::host_queue::kUnknown - 1));
      }
      return true;
    case reg::kCause:
      value = cause_;
      return true;
    case reg::kCoreHz:
      value = core_hz_;
      return true;
    default:
      if (offset < reg::kKind || offset > reg::kRewritten) return false;
      value = of_shown(offset);
      return true;
  }
}

Ticks HostQueue::steady_until(std::uint32_t offset, Ticks now) const {
  if (offset != reg::kArrival || next_arrival_ <= now || next_arrival_ == kNever) return kNever;
  std::uint32_t us = 0;
  read_register(offset, now, us);
  return next_arrival_ - std::chrono::microseconds{us} + Ticks{1};
}

bool HostQueue::write_register(std::uint32_t offset, Ticks, std::uint32_t value) {
  switch (offset) {
    case reg::kNext:
      take();
      return true;
    case reg::kCause:
      if (value >= kCauses) {
        refuse("names a cause that there is not, number " + std::to_string(value));
        return true;
      }
      cause_ = value;
      watcher_.cause_is(static_cast<Cause>(value));
      return true;
    case reg::kReport:
      if (report_) {
        refuse(
            "writes its report once more: it has begun anew without a reset, as by a call of, or a return to, address "
            "0");
        return true;
      }
      report_ = value;
      watcher_.answered();
      return true;
    case reg::kExit:
      exit_ = value;
      watcher_.answered();
      return true;
    case reg::kDoneTag:
      done_tag_ = value;
      return true;
    case reg::kDone:
      complete(value);
      return true;
    default:
      return false;
  }
}

}  // namespace ftlab::platform
