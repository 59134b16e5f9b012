// Losses of power in the measured phase as the study plans them, and the mounts that follow: the part loses its supply
// and has it back at once, what is in flight is sent again, and driver and firmware begin with nothing in memory. Their
// time and energy, from the loss to the end of the mount, are booked as Cause::mount. A loss during a mount is one
// more. Where capacitors hold the drive up, its firmware writes out before what it has answered. Knows no firmware and
// no part.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "platform/host/storage_client.h"
#include "platform/machine/machine.h"
#include "platform/measure/power_record.h"
#include "platform/run/held_energy.h"
#include "platform/run/operation_losses.h"
#include "platform/study/study.h"

namespace ftlab::platform {

class PowerCycles {
 public:
  /// Makes driver and firmware anew; those before are of no use any more. `undone`: what the firmware before has
  /// counted that did not happen, or will be counted again.
  using StartUp = std::function<Ftl&(const FtlStats& undone)>;
  /// See FirmwareInstance::places_of_answered().
  using PlacesOfAnswered = std::function<std::optional<std::vector<std::uint32_t>>()>;

  PowerCycles(const PowerChoices& plan, Machine& machine, OperationSink* sink, PlacesOfAnswered places);

  /// Before the measured phase: where losses are planned, lets all end that the device has queued. What is taken off
  /// again was then counted in the same phase.
  void come_to_rest();
  /// What is planned by requests; before the client is made.
  void watch(ClientOptions& options);
  /// Serves the host to its end from now on, which is the start of the phase, and flushes. False: the last mount
  /// failed; the host has given up.
  bool serve(Ftl& ftl, Host& host, StorageClient& client, const StartUp& start_up);

  [[nodiscard]] const PowerRecord& record() const { return record_; }

 private:
  /// The next loss by time or by an operation, and the next one by instructions.
  void arm();
  /// None: the processor counts no instructions, or no more losses are planned by them.
  [[nodiscard]] std::uint64_t next_instruction() const {
    return next_instruction_ < at_instructions_.size() ? executed_before_ + at_instructions_[next_instruction_]
                                                       : Processor::kNoInstruction;
  }
  void plan_none();
  /// Power is lost now, and however often before the next mount ends. Null: that fails.
  Ftl* mount_again(Ftl& serving, Host& host, StorageClient& client, const StartUp& start_up);
  /// What is known only at the very loss.
  struct AtLoss {
    Ticks at{};
    FtlStats unanswered;  ///< pages that are counted of requests that the host sends again
    FtlStats counted;     ///< all
    std::optional<std::uint64_t> bytes_in_ram;
  };
  /// Of pages whose newest content was answered, and is not on the part now; nothing: the firmware has none such.
  [[nodiscard]] std::optional<std::uint64_t> bytes_in_ram();
  void look(const Ftl& serving, const StorageClient& client);
  /// Capacitors have taken over: the firmware writes its RAM out.
  HeldUp hold_up(Ftl& serving);
  /// So far, mounting or not.
  MountWork work_so_far();
  FtlStatus lose_and_mount(Host& host, const StartUp& start_up, FtlStats undone, Ftl*& mounted);
  void begin_phase(const char* name);
  /// One that was planned has happened.
  void take_planned();

  Machine& machine_;
  OperationSink* sink_;
  std::vector<Ticks> at_;                       ///< since the start, ascending
  std::vector<std::uint64_t> at_requests_;      ///< ascending
  std::size_t next_ = 0;                        ///< of at_
  std::size_t next_request_ = 0;                ///< of at_requests_
  std::vector<std::uint64_t> at_instructions_;  ///< since the start, ascending
  std::size_t next_instruction_ = 0;            ///< of at_instructions_
  std::uint64_t executed_before_ = 0;           ///< the start
  bool by_request_ = false;                     ///< why power is lost
  OperationLosses by_operation_;
  Ticks start_{};
  std::uint32_t page_bytes_ = 1;  ///< of the firmware
  MountWork work_before_;         ///< before the mount under way
  PlacesOfAnswered places_of_answered_;
  AtLoss at_loss_;
  std::optional<HeldEnergy> held_;
  PowerRecord record_;
};

}  // namespace ftlab::platform
