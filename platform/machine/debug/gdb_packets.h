// Packets of GDB's remote serial protocol in a stream of bytes ("Debugging with GDB", appendix E.1), and numbers and
// bytes in hexadecimal digits. Knows no command.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::platform::gdb {

/// Longest packet, both ways, without its frame.
inline constexpr std::size_t kPacketBytes = 0x4000;

class PacketReader {
 public:
  enum class Kind : std::uint8_t {
    packet,     ///< whole, and its checksum holds
    damaged,    ///< to be sent again
    again,      ///< the other side has missed our last one
    interrupt,  ///< Ctrl-C
  };
  struct Event {
    Kind kind = Kind::packet;
    std::string packet;
    friend bool operator==(const Event&, const Event&) = default;
  };

  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// The next one that is complete.
  std::optional<Event> take();

 private:
  std::string bytes_;
};

/// With its frame and checksum.
std::string framed(std::string_view packet);

std::string hex(std::span<const std::uint8_t> bytes);
std::string hex(std::string_view text);
/// As the protocol has registers: least significant byte first.
std::string hex(std::uint32_t word);
/// Nothing: these are no pairs of digits.
std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view digits);

/// Takes "1f" from the front, most significant digit first; nothing, and all is left: there is none, or more than 32
/// bits.
std::optional<std::uint32_t> take_number(std::string_view& text);
/// Takes this from the front, or leaves all.
bool take(std::string_view& text, std::string_view what);

}  // namespace ftlab::platform::gdb
