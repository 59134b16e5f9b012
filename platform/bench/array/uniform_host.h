// The least host there can be: page writes in a closed loop, uniform at random or through all pages in order. Keeps no
// latencies and no data. Knows the firmware for its hints alone.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/host_port.h"

namespace ftlab::platform {

class UniformHost final : public HostPort {
 public:
  UniformHost(const Ftl& ftl, ClockPort& clock, std::uint32_t depth, std::uint64_t seed)
      : ftl_(ftl),
        clock_(clock),
        depth_(depth),
        pages_(static_cast<std::uint32_t>(ftl.capacity_bytes() / ftl.page_bytes())),
        random_(seed),
        page_(ftl.page_bytes()) {}

  /// So many writes from here on; `in_order`: of page 0 and those behind it.
  void ask_for(std::uint64_t writes, bool in_order) {
    left_ = writes;
    in_order_ = in_order;
    made_ = 0;
    for (at_ = 0; at_ < kAhead; ++at_) ahead_[at_] = draw();
    at_ = 0;
  }

  Next next(HostRequest& request) override {
    if (left_ == 0) return Next::ended;
    if (in_flight_ == depth_) return Next::later;
    --left_;
    ++in_flight_;
    for (const std::uint32_t by : {24U, 8U}) ftl_.expect(offset_of(ahead_[(at_ + by) % kAhead]), by);
    request.kind = HostRequestKind::write;
    request.tag = tag_++;
    request.offset = offset_of(ahead_[at_]);
    request.length = page_.size();
    request.into = nullptr;
    request.from = page_.data();
    request.hint = {};
    ahead_[at_] = draw();
    at_ = (at_ + 1) % kAhead;
    return Next::request;
  }
  void complete(std::uint32_t, FtlStatus status) override {
    if (status != FtlStatus::ok) throw std::logic_error("a write failed");
    --in_flight_;
  }
  std::uint64_t now_ns() override { return clock_.now_ns(); }
  std::uint64_t next_arrival_ns() override { return UINT64_MAX; }
  void wait(std::uint64_t) override { throw std::logic_error("the firmware waits for a host that waits for it"); }

 private:
  static constexpr std::uint32_t kAhead = 32;
  [[nodiscard]] std::uint64_t offset_of(std::uint32_t page) const { return std::uint64_t{page} * page_.size(); }
  std::uint32_t draw() { return in_order_ ? static_cast<std::uint32_t>(made_++ % pages_) : random_.below(pages_); }

  const Ftl& ftl_;
  ClockPort& clock_;
  std::uint32_t depth_;
  std::uint32_t pages_;
  Random random_;
  std::vector<std::byte> page_;
  std::array<std::uint32_t, kAhead> ahead_{};
  std::uint32_t at_ = 0;
  std::uint32_t tag_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t made_ = 0;
  bool in_order_ = false;
};

}  // namespace ftlab::platform
