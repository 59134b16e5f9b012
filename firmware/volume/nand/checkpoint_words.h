// Inside of checkpoint.cpp and checkpoint_load.cpp: the body of a checkpoint as words, so that any part of it can cross
// a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "firmware/volume/nand/checkpoint.h"

namespace ftlab::nand {

// StoredRow::flags
inline constexpr std::uint8_t kLsbOnlyFlag = 1;
inline constexpr std::uint8_t kRetiredFlag = 2;
inline constexpr std::uint8_t kFailedFlag = 4;

template <class T>
std::uint32_t word_of(const T& thing, std::size_t index) {
  Le32 word;
  std::memcpy(&word, reinterpret_cast<const std::byte*>(&thing) + 4 * index, 4);
  return word;
}

template <class T>
void set_word(T& thing, std::size_t index, Le32 word) {
  std::memcpy(reinterpret_cast<std::byte*>(&thing) + 4 * index, &word, 4);
}

inline constexpr std::uint32_t kHeadWords = sizeof(CheckpointHead) / 4;
inline constexpr std::uint32_t kRowWords = sizeof(StoredRow) / 4;

}  // namespace ftlab::nand
