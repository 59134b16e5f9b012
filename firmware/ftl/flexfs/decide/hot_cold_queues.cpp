// Doubly linked queues over one pool of nodes, found by a chained hash table.
#include "firmware/ftl/flexfs/decide/hot_cold_queues.h"

#include <algorithm>
#include <bit>

namespace ftlab::flexfs {

void HotColdQueues::layout(Arena& arena, std::uint32_t hot_limit, std::uint32_t cold_limit) {
  queues_[kHotQueue].limit = hot_limit;
  queues_[kColdQueue].limit = cold_limit;
  // One more than fits: a file enters before the last one is forgotten.
  nodes_ = arena.take<Node>(std::size_t{hot_limit} + cold_limit + 1);
  buckets_ = arena.take<std::uint32_t>(std::bit_ceil(std::size_t{hot_limit} + cold_limit));
}

void HotColdQueues::clear() {
  std::fill(buckets_.begin(), buckets_.end(), kEnd);
  for (Queue& queue : queues_) queue = {kEnd, kEnd, 0, queue.limit};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i] = {};
    nodes_[i].chain = i + 1 < nodes_.size() ? i + 1 : kEnd;
  }
  spare_ = nodes_.empty() ? kEnd : 0;
}

std::uint32_t HotColdQueues::bucket_of(std::uint32_t file) const {
  return (file * 0x9E3779B1U >> 7) & static_cast<std::uint32_t>(buckets_.size() - 1);
}

std::uint32_t HotColdQueues::find(std::uint32_t file) const {
  std::uint32_t at = buckets_[bucket_of(file)];
  while (at != kEnd && nodes_[at].file != file) at = nodes_[at].chain;
  return at;
}

std::uint32_t HotColdQueues::insert(std::uint32_t file) {
  const std::uint32_t at = spare_;
  spare_ = nodes_[at].chain;
  std::uint32_t& bucket = buckets_[bucket_of(file)];
  nodes_[at].file = file;
  nodes_[at].chain = bucket;
  bucket = at;
  return at;
}

void HotColdQueues::forget(std::uint32_t node) {
  std::uint32_t* link = &buckets_[bucket_of(nodes_[node].file)];
  while (*link != node) link = &nodes_[*link].chain;
  *link = nodes_[node].chain;
  nodes_[node].chain = spare_;
  spare_ = node;
}

void HotColdQueues::push(std::uint8_t queue, std::uint32_t node) {
  Queue& q = queues_[queue];
  Node& n = nodes_[node];
  n.queue = queue;
  n.newer = kEnd;
  n.older = q.newest;
  (q.newest == kEnd ? q.oldest : nodes_[q.newest].newer) = node;
  q.newest = node;
  ++q.length;
}

void HotColdQueues::unlink(std::uint32_t node) {
  const Node& n = nodes_[node];
  Queue& q = queues_[n.queue];
  (n.newer == kEnd ? q.newest : nodes_[n.newer].older) = n.older;
  (n.older == kEnd ? q.oldest : nodes_[n.older].newer) = n.newer;
  --q.length;
}

void HotColdQueues::cool_down(std::uint64_t now, std::uint64_t forget_after) {
  Queue& hot = queues_[kHotQueue];
  while (hot.length > 0) {
    const std::uint32_t last = hot.oldest;
    const bool stale = forget_after != 0 && now - nodes_[last].used_at > forget_after;
    if (!stale && hot.length <= hot.limit) break;
    unlink(last);
    push(kColdQueue, last);
  }
  Queue& cold = queues_[kColdQueue];
  while (cold.length > cold.limit) {
    const std::uint32_t last = cold.oldest;
    unlink(last);
    forget(last);
  }
}

void HotColdQueues::touch(std::uint32_t file, bool update, std::uint64_t now, std::uint64_t forget_after) {
  std::uint32_t at = find(file);
  const bool known = at != kEnd;
  std::uint8_t queue = kColdQueue;
  if (known) {
    queue = nodes_[at].queue;
    if (update) queue = kHotQueue;
    unlink(at);
  } else {
    at = insert(file);
  }
  nodes_[at].used_at = now;
  push(queue, at);
  cool_down(now, forget_after);
}

bool HotColdQueues::is_hot(std::uint32_t file) const {
  const std::uint32_t at = find(file);
  return at != kEnd && nodes_[at].queue == kHotQueue;
}

const char* HotColdQueues::self_check() const {
  std::uint32_t listed = 0;
  for (std::uint8_t queue = 0; queue < 2; ++queue) {
    const Queue& q = queues_[queue];
    if (q.length > q.limit) return "a queue of files is longer than its limit";
    std::uint32_t length = 0;
    std::uint32_t newer = kEnd;
    for (std::uint32_t at = q.newest; at != kEnd; at = nodes_[at].older) {
      if (nodes_[at].queue != queue || nodes_[at].newer != newer) return "a queue of files is linked wrongly";
      if (find(nodes_[at].file) != at) return "a queued file is not found";
      newer = at;
      if (++length > nodes_.size()) return "a queue of files is a ring";
    }
    if (length != q.length || newer != q.oldest) return "a queue of files has a wrong length";
    listed += length;
  }
  for (std::uint32_t at = spare_; at != kEnd && listed <= nodes_.size(); at = nodes_[at].chain) ++listed;
  return listed == nodes_.size() ? nullptr : "a node of the file queues is lost";
}

}  // namespace ftlab::flexfs
