#include "workloads/future_source.h"

#include <algorithm>

#include "common/input_error.h"

namespace ftlab::workloads {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace

FutureSource::FutureSource(const Make& make, std::uint32_t page_bytes) : page_bytes_(page_bytes) {
  std::uint32_t pages = 0;
  inner_ = make();
  for (; fetch(); ++at_) {
    const Request& request = batch_[at_];
    if (request.kind != RequestKind::write) {
      ++requests_;
      continue;
    }
    const auto first = static_cast<std::uint32_t>(request.offset / page_bytes_);
    const std::uint32_t count = pages_of(request);
    if (rewritten_in_.size() + count >= kNone) {
      throw InputError("ftl.separation: \"future\" counts at most 2^32 - 1 pages written; use a shorter workload");
    }
    requests_ += count;
    pages = std::max(pages, first + count);
    for (std::uint32_t page = first; page < first + count; ++page) rewritten_in_.push_back(page);
  }
  std::vector<std::uint32_t> next(pages, kNone);
  for (std::size_t i = rewritten_in_.size(); i-- > 0;) {
    std::uint32_t& later = next[rewritten_in_[i]];
    rewritten_in_[i] = later == kNone ? 0 : later - static_cast<std::uint32_t>(i);
    later = static_cast<std::uint32_t>(i);
  }
  inner_ = make();
  batched_ = at_ = 0;
}

std::uint32_t FutureSource::pages_of(const Request& request) const {
  const std::uint64_t first = request.offset / page_bytes_;
  return static_cast<std::uint32_t>((request.offset + request.length + page_bytes_ - 1) / page_bytes_ - first);
}

bool FutureSource::fetch() {
  if (at_ < batched_) return true;
  batched_ = inner_->next(batch_);
  at_ = 0;
  return batched_ > 0;
}

std::size_t FutureSource::next(std::span<Request> batch) {
  std::size_t n = 0;
  while (n < batch.size() && fetch()) {
    Request& out = batch[n++] = batch_[at_];
    if (out.kind != RequestKind::write) {
      ++at_;
      continue;
    }
    out.offset += done_;
    if (done_ > 0) out.think = Ticks{-1};
    const std::uint64_t left = batch_[at_].length - done_;
    out.length = static_cast<std::uint32_t>(std::min(left, page_bytes_ - out.offset % page_bytes_));
    out.rewritten_in = rewritten_in_[written_++];
    done_ += out.length;
    if (done_ < batch_[at_].length) continue;
    done_ = 0;
    ++at_;
  }
  return n;
}

}  // namespace ftlab::workloads
