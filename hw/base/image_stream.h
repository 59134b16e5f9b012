// Numbers and bytes of medium images: little-endian, whatever the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <span>

namespace ftlab::hw::image {

template <class Number>
void put(std::ostream& out, Number value) {
  for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) out.put(static_cast<char>(value >> shift & 0xFF));
}

/// Anything when the stream has ended or failed, which is the caller's to ask.
template <class Number>
Number get(std::istream& in) {
  Number value = 0;
  for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) {
    value = static_cast<Number>(value | static_cast<Number>(static_cast<unsigned char>(in.get())) << shift);
  }
  return value;
}

inline void put_bytes(std::ostream& out, std::span<const std::byte> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline void get_bytes(std::istream& in, std::span<std::byte> into) {
  in.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
}

}  // namespace ftlab::hw::image
