// The dies of a device, and which of them a register selects.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/onenand/commands/die.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class Dies {
 public:
  /// All have finished their cold boot.
  explicit Dies(OneNandContext& device)
      : registers_(device.registers), segments_per_die_(device.spec.segments_per_die), mask_(device.spec.dies - 1) {
    for (std::uint32_t i = 0; i < device.spec.dies; ++i) {
      dies_.push_back(std::make_unique<Die>(device, i));
    }
  }

  void advance_to(Ticks now) {
    for (auto& die : dies_) die->advance_to(now);
  }
  /// The die whose buffer RAM and status the host sees.
  [[nodiscard]] std::uint32_t host_index() const { return registers_.dbs() & mask_; }
  [[nodiscard]] Die& host() const { return *dies_[host_index()]; }
  /// The die that takes commands.
  [[nodiscard]] Die& commanded() const { return *dies_[registers_.dfs() & mask_]; }
  [[nodiscard]] Die& at(std::uint32_t index) const { return *dies_[index]; }
  [[nodiscard]] const Die& of_segment(std::uint32_t segment) const { return *dies_[segment / segments_per_die_]; }
  [[nodiscard]] bool is_slc(std::uint32_t segment) const {
    return of_segment(segment).protection().is_slc(segment % segments_per_die_);
  }
  [[nodiscard]] auto begin() const { return dies_.begin(); }
  [[nodiscard]] auto end() const { return dies_.end(); }

 private:
  const OneNandRegisters& registers_;
  std::uint32_t segments_per_die_;
  std::uint32_t mask_;
  std::vector<std::unique_ptr<Die>> dies_;
};

}  // namespace ftlab::hw
