// Who follows the requests of a run, where somebody wants that and device and processor tell what they do.
#pragma once

#include <memory>
#include <utility>

#include "platform/host/request_paths.h"
#include "platform/machine/machine.h"

namespace ftlab::platform {

/// As long as this lives.
class FollowedRequests {
 public:
  FollowedRequests(Machine& machine, bool wanted) : machine_(machine) {
    if (!wanted) return;
    auto paths = std::make_unique<RequestPaths>(machine.processor().asleep());
    if (!machine.processor().watch_pages(paths.get())) return;
    if (machine.device().watch_passages(paths.get())) {
      paths_ = std::move(paths);
    } else {
      machine.processor().watch_pages(nullptr);
    }
  }
  ~FollowedRequests() {
    if (paths_ == nullptr) return;
    machine_.device().watch_passages(nullptr);
    machine_.processor().watch_pages(nullptr);
  }
  FollowedRequests(const FollowedRequests&) = delete;
  FollowedRequests& operator=(const FollowedRequests&) = delete;

  /// Null: they are not.
  [[nodiscard]] RequestPaths* paths() const { return paths_.get(); }

 private:
  Machine& machine_;
  std::unique_ptr<RequestPaths> paths_;
};

}  // namespace ftlab::platform
