#include "workloads/traces/reorder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ftlab::workloads {

Reorder::Reorder(std::unique_ptr<TraceReader> inner, std::uint32_t window)
    : inner_(std::move(inner)), window_(window) {}

bool Reorder::later(const Held& a, const Held& b) {
  return a.record.time != b.record.time ? a.record.time > b.record.time : a.sequence > b.sequence;
}

std::size_t Reorder::next(std::span<TraceRecord> batch) {
  std::array<TraceRecord, 256> read;
  while (!ended_ && heap_.size() < window_ + batch.size()) {
    const std::size_t n = inner_->next(read);
    ended_ = n == 0;
    for (std::size_t i = 0; i < n; ++i) {
      heap_.push_back({read[i], sequence_++});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
  std::size_t n = 0;
  for (; n < batch.size() && !heap_.empty(); ++n) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    batch[n] = heap_.back().record;
    heap_.pop_back();
  }
  return n;
}

}  // namespace ftlab::workloads
