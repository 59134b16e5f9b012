// The board's UART: what firmware writes comes out line by line. It sends at once and receives nothing, so that text
// costs the instructions that write it and no time of its own. Knows neither the core nor where lines go.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ftlab::platform {

class Uart {
 public:
  using Sink = std::function<void(std::string_view line)>;

  /// `sink` may be empty.
  explicit Uart(Sink sink) : sink_(std::move(sink)) {}

  // False: no such register.
  bool read(std::uint32_t offset, std::uint32_t& value) const;
  bool write(std::uint32_t offset, std::uint32_t value);
  /// A character of the text.
  void put(char character);
  /// A line that has not ended is one.
  void flush();

 private:
  Sink sink_;
  std::string line_;
  std::array<std::uint32_t, 4> kept_{};  ///< from hw::uart::reg::kBaudInteger on
};

}  // namespace ftlab::platform
