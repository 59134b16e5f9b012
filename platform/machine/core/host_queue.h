// The host queue (hw/regs/host_queue_regs.h): shows requests to the firmware and takes its answers. Knows the host's
// memory; neither the core nor what a request means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/units.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "hw/regs/host_queue_regs.h"
#include "platform/machine/core/register_target.h"

namespace ftlab::platform {

class HostQueue final : public RegisterTarget {
 public:
  /// Called while the firmware accesses the queue.
  class Watcher {
   public:
    virtual void cause_is(Cause cause) = 0;
    /// Of a request, or one of the firmware as a whole: report, exit, misuse.
    virtual void answered() = 0;

   protected:
    ~Watcher() = default;
  };

  struct Request {
    hw::host_queue::Kind kind = hw::host_queue::Kind::read;
    std::uint32_t tag = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::byte* into = nullptr;
    const std::byte* from = nullptr;
    WriteHint hint{};
  };
  struct Done {
    std::uint32_t tag = 0;
    FtlStatus status = FtlStatus::ok;
  };

  /// `memory` is the host's, at `address` of the core; it and the watcher outlive the queue.
  HostQueue(sc_core::sc_module_name name, std::span<std::uint8_t> memory, std::uint32_t address, Watcher& watcher);

  /// What the firmware is told of its clock.
  void set_core_hz(std::uint32_t hz) { core_hz_ = hz; }
  /// Nothing waits and nothing is in flight; the memory is shared among so many requests at once.
  void clear(std::uint32_t requests);
  /// While none is in flight: the host's memory is for so many from now on.
  void divide(std::uint32_t requests);
  /// Throws InputError for one that has no room in memory. False: others were waiting already.
  bool post(const Request& request);
  /// What the firmware works for until it says otherwise.
  void set_cause(Cause cause);
  /// When the next request comes; kNever: not known.
  void set_next_arrival(Ticks at) { next_arrival_ = at; }
  /// Of what has been completed, in order.
  std::optional<Done> take_done();
  [[nodiscard]] std::uint32_t unanswered() const { return static_cast<std::uint32_t>(waiting_.size() + taken_.size()); }

  /// Address of the firmware's report; nothing: it has not come so far.
  [[nodiscard]] std::optional<std::uint32_t> report() const { return report_; }
  /// Address of a text: the program has ended.
  [[nodiscard]] std::optional<std::uint32_t> exit() const { return exit_; }
  /// What the firmware may not do, in a sentence without its subject; empty: it has done nothing of the kind.
  [[nodiscard]] const std::string& misuse() const { return misuse_; }

  [[nodiscard]] Ticks steady_until(std::uint32_t offset, Ticks now) const override;

 private:
  struct Held {
    Request request;
    std::uint32_t place = 0;  ///< of the data
  };

  bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const override;
  bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) override;
  [[nodiscard]] std::uint32_t of_shown(std::uint32_t offset) const;
  void take();
  void complete(std::uint32_t status);
  void refuse(std::string misuse);
  [[nodiscard]] std::span<std::uint8_t> data_of(const Held& held) const {
    return memory_.subspan(held.place * place_bytes_, held.request.length);
  }

  std::span<std::uint8_t> memory_;
  std::uint32_t address_;
  Watcher& watcher_;
  std::size_t place_bytes_ = 0;
  std::vector<std::uint32_t> free_places_;
  std::deque<Held> waiting_;
  std::vector<Held> taken_;
  std::deque<Done> done_;
  Ticks next_arrival_ = kNever;
  std::uint32_t cause_ = 0;
  std::uint32_t core_hz_ = 0;
  std::uint32_t done_tag_ = 0;
  std::optional<std::uint32_t> report_;
  std::optional<std::uint32_t> exit_;
  std::string misuse_;
};

}  // namespace ftlab::platform
