// Reads of an array's pages of one type, and what they met.
#pragma once

#include <cstdint>
#include <string>

namespace ftlab::platform {

struct PageTypeReads {
  std::string type;  ///< "lsb"
  std::uint64_t reads = 0;
  std::uint64_t retries = 0;
  std::uint64_t unreadable = 0;
  double wrong_bits = 0;  ///< expected of the plain read of each
  double bits = 0;        ///< of all of them
  std::uint64_t lost_codewords = 0;
  std::uint64_t lost_bits = 0;  ///< wrong ones of those codewords

  PageTypeReads& operator+=(const PageTypeReads& other) {
    reads += other.reads;
    retries += other.retries;
    unreadable += other.unreadable;
    wrong_bits += other.wrong_bits;
    bits += other.bits;
    lost_codewords += other.lost_codewords;
    lost_bits += other.lost_bits;
    return *this;
  }
  PageTypeReads& operator-=(const PageTypeReads& before) {
    reads -= before.reads;
    retries -= before.retries;
    unreadable -= before.unreadable;
    wrong_bits -= before.wrong_bits;
    bits -= before.bits;
    lost_codewords -= before.lost_codewords;
    lost_bits -= before.lost_bits;
    return *this;
  }
};

}  // namespace ftlab::platform
