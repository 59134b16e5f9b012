// Why a core refuses an encoding. Knows no exception.
#pragma once

#include <cstdint>

namespace ftlab::iss::arm {

enum class Why : std::uint8_t {
  unallocated,
  register_not_allowed,
  register_list,
  in_it_block,
  not_last_in_it_block,
  it_condition,
  no_dsp,
  zero_replicated,
  bit_field,
  writeback,
  same_register,
  special_register,
};

/// What the architecture calls UNPREDICTABLE is refused as well, since firmware that relies on it works by chance.
constexpr const char* sentence_of(Why why) {
  switch (why) {
    case Why::unallocated:
      return "the encoding is not allocated";
    case Why::register_not_allowed:
      return "the instruction may not name SP or PC in this place";
    case Why::register_list:
      return "the list of registers is too short, or holds one that it may not hold";
    case Why::in_it_block:
      return "the instruction may not stand in an IT block";
    case Why::not_last_in_it_block:
      return "a branch in an IT block may only be its last instruction";
    case Why::it_condition:
      return "IT names a condition that does not exist or cannot be inverted";
    case Why::no_dsp:
      return "the instruction belongs to the DSP extension, which this core does not have";
    case Why::zero_replicated:
      return "a constant of zero may not be replicated";
    case Why::bit_field:
      return "the bit field reaches beyond the register";
    case Why::writeback:
      return "the address is written back to the register that is loaded or stored, or to PC";
    case Why::same_register:
      return "one register is named where two different ones are needed, or two where one is";
    case Why::special_register:
      return "there is no such special register, or not this part of it";
  }
  return "?";
}

}  // namespace ftlab::iss::arm
