// A host behind a link: its requests reach the firmware, and completions the host, when the link has carried them.
// Without a link both do at once.
// Invariant: the host sees times in order, although what the firmware completes is carried later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/host/host.h"
#include "platform/host/link.h"
#include "platform/host/request_paths.h"

namespace ftlab::platform {

class LinkedHost {
 public:
  /// `paths`: who follows its requests; may be null.
  LinkedHost(Host& host, const LinkTiming* link, RequestPaths* paths = nullptr) : host_(host), paths_(paths) {
    if (link != nullptr) link_.emplace(*link);
  }

  // As those of Host, at the firmware's end.
  [[nodiscard]] Host::State state(Ticks now) { return link_ ? state_there(now) : host_.state(now); }
  [[nodiscard]] Ticks next_arrival() const { return link_ ? next_arrival_ : host_.next_arrival(); }
  bool take(Ticks now, HostRequest& request) {
    if (link_) return take_carried(now, request);
    return paths_ != nullptr ? take_followed(now, request) : host_.take(now, request);
  }
  void complete(std::uint32_t tag, FtlStatus status, Ticks now) {
    if (paths_ != nullptr) paths_->answered(tag, now);
    link_ ? send_back(tag, status, now) : host_.complete(tag, status, now);
  }
  /// The device has lost power: nothing is on its way any more.
  void drop() {
    coming_.clear();
    going_.clear();
    if (paths_ != nullptr) paths_->drop();
  }

  /// Of the link, up to then; nothing without one.
  [[nodiscard]] std::optional<LinkTimes> link_times_by(Ticks until) const {
    return link_ ? std::optional(link_->times_by(until)) : std::nullopt;
  }

 private:
  /// A request on its way to the firmware.
  struct Coming {
    Ticks at{};
    HostRequest request;
    bool cached = false;
  };
  /// A completion on its way to the host.
  struct Going {
    Ticks at{};
    std::uint32_t tag = 0;
    FtlStatus status = FtlStatus::ok;
  };
  /// Of a request that the firmware has, by its tag.
  struct Carried {
    std::uint64_t bytes = 0;  ///< to the host with its completion
    bool cached = false;      ///< it never crosses
  };

  Host::State state_there(Ticks now);
  bool take_carried(Ticks now, HostRequest& request);
  bool take_followed(Ticks now, HostRequest& request);
  void send_back(std::uint32_t tag, FtlStatus status, Ticks now);
  /// All that the host has by then; what waited for a completion was sent with it.
  Host::State send_all(Ticks at);
  void send(Ticks sent);
  [[nodiscard]] Carried& carried(std::uint32_t tag) { return carried_[tag % carried_.size()]; }

  Host& host_;
  RequestPaths* paths_;
  std::optional<Link> link_;
  std::vector<Coming> coming_;  ///< the next one last
  std::vector<Going> going_;    ///< the same
  std::array<Carried, Host::kMaxDepth> carried_{};
  bool blocked_ = false;  ///< the host waited for one
  Ticks next_arrival_ = kNever;
};

}  // namespace ftlab::platform
