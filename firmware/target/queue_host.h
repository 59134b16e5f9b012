// HostPort over the registers of the host queue. Knows the board's clock for waiting; nothing of what requests mean
// beyond format and mount, which it has answered before anything else is asked for.
#pragma once

#include <cstdint>

#include "firmware/ftl/ftl.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::target {

class QueueHost final : public HostPort {
 public:
  QueueHost(Ftl& ftl, ProbePort& probe) : ftl_(ftl), probe_(probe) {}

  Next next(HostRequest& request) override;
  void complete(std::uint32_t tag, FtlStatus status) override;
  std::uint64_t now_ns() override;
  std::uint64_t next_arrival_ns() override;
  void wait(std::uint64_t until_ns) override;

 private:
  Ftl& ftl_;
  ProbePort& probe_;
};

}  // namespace ftlab::target
