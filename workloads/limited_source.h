// The first part of a stream of requests, by what it writes; the rest stays in the stream.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/request.h"

namespace ftlab::workloads {

class LimitedSource final : public RequestSource {
 public:
  /// Ends with the request by which `bytes` are written. `whole` outlives it.
  LimitedSource(RequestSource& whole, std::uint64_t bytes) : whole_(whole), left_(bytes) {}

  std::size_t next(std::span<Request> batch) override {
    std::size_t n = 0;
    while (n < batch.size() && left_ > 0 && whole_.next(batch.subspan(n, 1)) == 1) {
      if (batch[n].kind == RequestKind::write) left_ -= std::min<std::uint64_t>(left_, batch[n].length);
      last_arrival_ = batch[n].arrival;
      ++n;
    }
    return n;
  }

  /// Of the requests that it gave.
  [[nodiscard]] Ticks last_arrival() const { return last_arrival_; }

 private:
  RequestSource& whole_;
  std::uint64_t left_;
  Ticks last_arrival_{};
};

}  // namespace ftlab::workloads
