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

  PageTypeReads& operator+=(const PageTypeReads& other) {
    reads += other.reads;
    retries += other.retries;
    unreadable += other.unreadable;
    wrong_bits += other.wrong_bits;
    bits += other.bits;
    return *this;
  }
  PageTypeReads& operator-=(const PageTypeReads& before) {
    reads -= before.reads;
    retries -= before.retries;
    unreadable -= before.unreadable;
    wrong_bits -= before.wrong_bits;
    bits -= before.bits;
    return *this;
  }
};

}  // namespace ftlab::platform
