// Choices a system makes for its Series 2+ driver, and what attaching to a card can end with.
// Knows no registers and no sequences; every time is nanoseconds.
#pragma once

#include <cstdint>

#include "common/fields.h"
#include "firmware/driver/common/driver_wait.h"

namespace ftlab {

enum class ProgramMethod : std::uint8_t {
  page_buffer,  ///< up to 512 bytes per sequence through both components' page buffers
  word,         ///< one 16-bit word per sequence, as for the older 28F008SA
};

/// The defaults are those of the period driver: ready interrupt for programs, an erase asked for each 100 ms.
struct Series2PlusDriverConfig {
  ProgramMethod program_method = ProgramMethod::page_buffer;
  DriverWait program_wait = DriverWait::interrupt;
  DriverWait erase_wait = DriverWait::poll;  ///< background erases are always polled, from reap()

  /// An erase stays unreaped while other work goes on. One erase per pair: a second one waits for the first.
  bool background_erase = false;
  /// Reads of a pair that erases in the background suspend the erase; programs interleave with it. When false, both
  /// wait for the end of the erase. Without background_erase it has no effect.
  bool suspend_erase = false;
  /// true: a locked segment refuses erase and program. false: lock bits are overridden (BLKEN cleared at attach).
  bool honour_locks = true;
  /// Programming voltage from the generator on the card instead of the socket's Vpp pins.
  bool use_vpp_generator = false;

  /// Longest run, in 16-bit words, that is programmed word by word although page buffers are allowed. A word costs
  /// three bus cycles (command, data, status), a page-buffer sequence of n words 12 + n; hence 5. Range 0..256.
  std::uint32_t word_program_max_words = 5;
  std::uint32_t retries = 4;  ///< further attempts after a failed program or erase

  std::uint64_t program_poll_ns = 10'000'000;       ///< sleep between status reads of a page-buffer program
  std::uint64_t word_poll_ns = 1'000;               ///< busy wait between status reads of a word program
  std::uint64_t erase_poll_ns = 100'000'000;        ///< sleep between status reads of an erase
  std::uint64_t program_deadline_ns = 100'000'000;  ///< a program that takes longer is aborted and tried again
  std::uint64_t erase_deadline_ns = 10'000'000'000;
  std::uint64_t command_deadline_ns = 10'000'000;  ///< suspend, abort, queue and buffer waits
  std::uint64_t vpp_settle_ns = 100'000'000;       ///< longest wait for the generator's voltage

  std::uint32_t rated_erase_cycles = 100'000;  ///< promised by the part's data sheet; a card does not report it
};

inline constexpr EnumName<ProgramMethod> kProgramMethods[] = {{"page_buffer", ProgramMethod::page_buffer},
                                                              {"word", ProgramMethod::word}};

/// The keys of a study that set it.
inline constexpr Field<Series2PlusDriverConfig> kSeries2PlusDriverFields[] = {
    choice_field<&Series2PlusDriverConfig::program_method, kProgramMethods>(
        "program", "program through the page buffers, or word by word"),
    bool_field<&Series2PlusDriverConfig::suspend_erase>("suspend", "suspend an erase to serve a read"),
};

enum class AttachStatus : std::uint8_t {
  ok,
  no_card_information,  ///< attribute memory holds no readable CIS with device and geometry tuples
  wrong_device,         ///< JEDEC or component identifier codes are not those of a Series 2+ card
  bad_geometry,         ///< CIS sizes do not fit each other or the cells found
  too_many_pairs,       ///< more component pairs than kMaxPairs
  not_ready,            ///< the card stayed busy, or a pair refused its set-up commands
};

}  // namespace ftlab
