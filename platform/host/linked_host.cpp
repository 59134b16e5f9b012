#include "platform/host/linked_host.h"

#include <algorithm>

namespace ftlab::platform {
namespace {

/// Behind those that are due no later: the next one stands last.
template <class Entry>
void insert(std::vector<Entry>& entries, const Entry& entry) {
  const auto due_later = [](const Entry& other, Ticks at) { return other.at > at; };
  entries.insert(std::lower_bound(entries.begin(), entries.end(), entry.at, due_later), entry);
}

}  // namespace

Host::State LinkedHost::state_there(Ticks now) {
  // A completion sends what it lets go, whenever the firmware asks.
  while (!going_.empty() && going_.back().at <= now) {
    const Going done = going_.back();
    going_.pop_back();
    host_.complete(done.tag, done.status, done.at);
    (void)send_all(done.at);
  }
  const Host::State state = send_all(now);
  if (!coming_.empty() && coming_.back().at <= now) return Host::State::request;
  next_arrival_ = state == Host::State::waiting ? host_.next_arrival() : kNever;
  if (!coming_.empty()) next_arrival_ = std::min(next_arrival_, coming_.back().at);
  if (!going_.empty()) next_arrival_ = std::min(next_arrival_, going_.back().at);
  return next_arrival_ == kNever ? state : Host::State::waiting;
}

Host::State LinkedHost::send_all(Ticks at) {
  Host::State state = host_.state(at);
  for (; state == Host::State::request; state = host_.state(at)) send(blocked_ ? at : std::min(host_.arrival(), at));
  blocked_ = state == Host::State::blocked;
  return state;
}

void LinkedHost::send(Ticks sent) {
  Coming next;
  next.cached = host_.take(sent, next.request);
  const bool reads = next.request.kind == HostRequestKind::read;
  const bool writes = next.request.kind == HostRequestKind::write;
  carried(next.request.tag) = {reads ? next.request.length : 0, next.cached};
  next.at = sent;
  if (paths_ != nullptr) paths_->sent(next.request.tag, sent);
  if (!next.cached) {
    const Link::Sent crossing = link_->send(sent, reads, writes ? next.request.length : 0);
    next.at = crossing.taken;
    if (paths_ != nullptr)
      paths_->crossed(next.request.tag, crossing.begun - sent, crossing.arrived - crossing.begun,
                      crossing.taken - crossing.arrived);
  }
  insert(coming_, next);
}

bool LinkedHost::take_carried(Ticks now, HostRequest& request) {
  const Coming next = coming_.back();
  coming_.pop_back();
  request = next.request;
  if (paths_ != nullptr) paths_->taken(request.tag, now);
  return next.cached;
}

bool LinkedHost::take_followed(Ticks now, HostRequest& request) {
  const bool cached = host_.take(now, request);
  paths_->sent(request.tag, now);
  paths_->taken(request.tag, now);
  return cached;
}

void LinkedHost::send_back(std::uint32_t tag, FtlStatus status, Ticks now) {
  const Carried& carries = carried(tag);
  insert(going_, {carries.cached ? now : link_->answer(now, carries.bytes), tag, status});
}

}  // namespace ftlab::platform
