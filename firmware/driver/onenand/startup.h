// Attaching to a Flex-OneNAND: identifiers, known state, unlocked segments, the boundary between SLC and MLC area.
// Knows no operation on pages.
#pragma once

#include <cstdint>

#include "firmware/driver/onenand/bus.h"
#include "firmware/driver/onenand/config.h"

namespace ftlab {

class OneNandStartup {
 public:
  explicit OneNandStartup(OneNandBus& bus) : bus_(bus), config_(bus.config()) {}

  struct Part {
    OneNandAttachStatus status = OneNandAttachStatus::not_ready;
    std::uint32_t dies = 1;
    OneNandLayout layout;
  };
  /// Resets and identifies the part, unlocks all segments and reads the boundary of the SLC area.
  Part run();

 private:
  struct Identity {
    std::uint16_t manufacturer = 0;
    std::uint16_t device = 0;
    std::uint16_t version = 0;
    bool consistent = false;  ///< identifier mode and registers agree
  };
  /// Resets the part, reads its identifiers both ways. false: it stayed busy.
  bool identify(Identity& identity);
  /// System configuration and start buffer; after a reset of the registers.
  void configure(std::uint16_t version);
  OneNandAttachStatus prepare_die(std::uint16_t die, std::uint32_t segments, std::uint32_t& boundary);
  /// Ends what a die may still be doing, then unlocks its segments (those locked tight stay locked). false: it stayed
  /// busy.
  bool unlock_all(std::uint16_t die);
  /// What F24Eh says of all `segments` of a die.
  [[nodiscard]] bool all_unlocked(std::uint16_t die, std::uint32_t segments);
  /// The word of the partition information, as ECC off brings it: unchecked. false: it stayed busy or cannot be read.
  bool read_partition(std::uint16_t die, std::uint16_t& word);

  OneNandBus& bus_;
  const OneNandDriverConfig& config_;
  std::uint16_t system_config_ = 0;
};

}  // namespace ftlab
