// How long instructions take, by their class, and what memory adds, in cycles. Knows neither an instruction set nor a
// frequency. Unless given, each instruction takes one cycle and memory none.
#pragma once

#include <bit>
#include <cstdint>

namespace ftlab {

/// Memory that instructions are fetched from, behind a cache of lines. A line that is not there takes `miss` cycles
/// more; 0: none ever does.
struct FlashTiming {
  std::uint32_t base = 0;
  std::uint32_t size = 0;
  std::uint32_t miss = 0;
  std::uint32_t line_bytes = 16;  ///< a power of two, at least 4
  std::uint32_t sets = 2;         ///< a power of two, at least 2: an instruction across two lines needs both
  std::uint32_t ways = 1;         ///< the line that is there longest makes way
};

struct CoreTiming {
  /// The longest that one instruction may take by itself, so that a block's cycles fit.
  static constexpr unsigned kLongest = 64;

  std::uint8_t alu = 1;
  std::uint8_t multiply = 1;
  std::uint8_t multiply_long = 1;  ///< products of 64 bits, or their upper half
  std::uint8_t divide_least = 1;   ///< the quotient has no bit
  std::uint8_t divide_most = 1;    ///< it may have 32
  std::uint8_t load = 1;
  std::uint8_t load_in_row = 1;  ///< another load or store follows
  std::uint8_t store = 1;
  std::uint8_t multiple = 1;           ///< load or store of several registers,
  std::uint8_t multiple_register = 0;  ///< and of each of them
  std::uint8_t data_wait = 0;          ///< of RAM, each register that is loaded or stored
  std::uint8_t branch_not_taken = 1;
  std::uint8_t branch_taken = 1;
  std::uint8_t jump = 1;           ///< to an address in the code
  std::uint8_t call = 1;           ///< likewise
  std::uint8_t jump_register = 1;  ///< to an address in a register: returns, and calls by pointer
  std::uint8_t special = 1;        ///< registers of the system
  std::uint8_t fence = 1;
  std::uint8_t exception_entry = 0;
  std::uint8_t exception_chain = 0;  ///< from the end of a handler to the next one
  std::uint8_t exception_exit = 0;   ///< beyond the jump
  FlashTiming flash{};

  /// Of a division beyond the least: each bit that the quotient may have costs alike.
  [[nodiscard]] std::int64_t divide_more(std::uint32_t dividend, std::uint32_t divisor) const {
    const int bits = std::bit_width(dividend) - std::bit_width(divisor) + 1;
    if (divisor == 0 || bits <= 0) return 0;
    constexpr int kBits = 32;
    return (std::int64_t{divide_most} - divide_least) * bits / kBits;
  }
};

}  // namespace ftlab
