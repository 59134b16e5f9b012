// The board's UART: what firmware writes comes out line by line. It sends at once and receives nothing, so that text
// costs the instructions that write it and no time of its own. Knows neither the core nor where lines go.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "platform/machine/core/register_target.h"

namespace ftlab::platform {

class Uart final : public RegisterTarget {
 public:
  using Sink = std::function<void(std::string_view line)>;

  /// `sink` may be empty.
  Uart(sc_core::sc_module_name name, Sink sink);

  /// A character of the text.
  void put(char character);
  /// A line that has not ended is one.
  void flush();

 private:
  bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const override;
  bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) override;

  Sink sink_;
  std::string line_;
  std::array<std::uint32_t, 4> kept_{};  ///< from hw::uart::reg::kBaudInteger on
};

}  // namespace ftlab::platform
