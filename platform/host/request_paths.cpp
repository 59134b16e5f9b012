#include "platform/host/request_paths.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "platform/host/host.h"

namespace ftlab::platform {

RequestPaths::RequestPaths(const Ticks& asleep) : asleep_(asleep), flights_(kFlights) {
  static_assert(kFlights == Host::kMaxDepth);
}

void RequestPaths::sent(std::uint32_t tag, Ticks at) {
  Flight& sent = flight(tag);
  sent = {.tag = tag, .under_way = true, .answered = false, .sent = at, .path = {.at = at, .asleep = {}, .parts = {}}};
}

void RequestPaths::crossed(std::uint32_t tag, Ticks waited, Ticks on_wires, Ticks in_front) {
  Path& path = flight(tag).path;
  path.parts[LatencyPart::queue] += waited;
  path.parts[LatencyPart::link] += on_wires;
  path.parts[LatencyPart::firmware] += in_front;
  path.at += waited + on_wires + in_front;
}

void RequestPaths::taken(std::uint32_t tag, Ticks now) {
  Path& path = flight(tag).path;
  path.parts[LatencyPart::firmware] += now - path.at;
  path.at = now;
  path.asleep = asleep_;
}

void RequestPaths::pass(Path& path, Ticks until, Ticks asleep) {
  const Ticks passed = until - path.at;
  const Ticks slept = std::clamp(asleep - path.asleep, Ticks::zero(), passed);
  path.parts[LatencyPart::slot] += slept;
  path.parts[LatencyPart::firmware] += passed - slept;
  path.at = until;
  path.asleep = asleep;
}

void RequestPaths::take_off(LatencyParts& parts, const Passage& passage, Ticks before) {
  const Ticks named =
      passage.gathered + passage.channel + passage.transfer + passage.cells + passage.retries + passage.decoding;
  const std::pair<LatencyPart, Ticks> steps[] = {
      {LatencyPart::slot, passage.gathered},    {LatencyPart::die, passage.end - passage.queued - named},
      {LatencyPart::channel, passage.channel},  {LatencyPart::transfer, passage.transfer},
      {LatencyPart::cells, passage.cells},      {LatencyPart::retries, passage.retries},
      {LatencyPart::decoding, passage.decoding}};
  for (const auto& [part, time] : steps) {
    const Ticks gone = std::min(before, time);
    parts[part] -= gone;
    before -= gone;
  }
}

void RequestPaths::follow(Path& path, const Passage& passage, Ticks now) const {
  if (passage.end <= path.at) return;
  if (passage.queued > path.at) pass(path, passage.queued, passage.mark);
  const Ticks named =
      passage.gathered + passage.channel + passage.transfer + passage.cells + passage.retries + passage.decoding;
  LatencyParts& parts = path.parts;
  parts[LatencyPart::slot] += passage.gathered;
  parts[LatencyPart::die] += passage.end - passage.queued - named;
  parts[LatencyPart::channel] += passage.channel;
  parts[LatencyPart::transfer] += passage.transfer;
  parts[LatencyPart::cells] += passage.cells;
  parts[LatencyPart::retries] += passage.retries;
  parts[LatencyPart::decoding] += passage.decoding;
  if (passage.queued < path.at) [[unlikely]]
    take_off(parts, passage, path.at - passage.queued);
  path.parts[LatencyPart::firmware] += now - passage.end;
  path.at = now;
  path.asleep = asleep_;
}

void RequestPaths::page_begins(std::uint16_t page, std::uint32_t request) {
  if (page >= pages_.size()) pages_.resize(std::size_t{page} + 1);
  pages_[page].request = request;
  if (request == ProbePort::kNoRequest) return;
  heard_of_pages_ = true;
  pages_[page].path = flight(request).path;
}

void RequestPaths::reported(const Passage& passage) {
  if (passage.tag < pages_.size()) pages_[passage.tag].passage = passage;
}

void RequestPaths::page_reported(std::uint16_t page, Ticks now) {
  if (page >= pages_.size()) return;
  Page& ended = pages_[page];
  reported_last_ = page;
  if (ended.request == ProbePort::kNoRequest) return;
  Flight& owner = flight(ended.request);
  if (!owner.under_way || owner.tag != ended.request) return;
  follow(ended.path, ended.passage, now);
  owner.path = ended.path;
}

void RequestPaths::answered(std::uint32_t tag, Ticks now) {
  Flight& ended = flight(tag);
  if (reported_last_ != kNoPage) follow(ended.path, pages_[reported_last_].passage, now);
  pass(ended.path, now, asleep_);
  ended.answered = true;
}

void RequestPaths::check(const CompletedRequest& request, const LatencyParts& parts) {
  // Without a branch for each.
  std::int64_t signs = 0;
  std::int64_t total = 0;
  for (const Ticks part : parts.all()) {
    signs |= part.count();
    total += part.count();
  }
  const Ticks latency = request.ended - request.arrived;
  if (signs >= 0 && total == latency.count()) [[likely]]
    return;
  throw std::logic_error("the parts of a request, tag " + std::to_string(request.tag) + ", add up to " +
                         std::to_string(to_seconds(Ticks{total})) + " s, and it took " +
                         std::to_string(to_seconds(latency)) + " s" + (signs < 0 ? "; one is less than nothing" : ""));
}

const LatencyParts& RequestPaths::completed(const CompletedRequest& request) {
  Flight& ended = flight(request.tag);
  Path& path = ended.path;
  ended.under_way = false;
  if (ended.answered) {
    path.parts[LatencyPart::back] += request.ended - path.at;
  } else {
    // The drive is gone: it never had it, or never answered.
    if (path.at > request.ended) path = {.at = std::min(ended.sent, request.ended), .asleep = {}, .parts = {}};
    path.parts[LatencyPart::slot] += request.ended - path.at;
  }
  path.parts[LatencyPart::queue] += std::min(ended.sent, request.ended) - request.arrived;
  check(request, path.parts);
  return path.parts;
}

void RequestPaths::drop() {
  reported_last_ = kNoPage;
  pages_.clear();
}

}  // namespace ftlab::platform
