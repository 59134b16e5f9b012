#include "platform/machine/debug/gdb_packets.h"

#include <boost/algorithm/hex.hpp>
#include <charconv>
#include <iterator>
#include <numeric>

namespace ftlab::platform::gdb {
namespace {

constexpr char kInterrupt = 3;
constexpr char kEscape = '}';
constexpr char kFlip = 0x20;  ///< of a byte behind kEscape

std::uint8_t checksum_of(std::string_view bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint8_t{0},
                         [](std::uint8_t sum, char c) { return static_cast<std::uint8_t>(sum + c); });
}

std::string without_escapes(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool escaped = bytes[i] == kEscape && i + 1 < bytes.size();
    text += escaped ? static_cast<char>(bytes[++i] ^ kFlip) : bytes[i];
  }
  return text;
}

}  // namespace

std::optional<PacketReader::Event> PacketReader::take() {
  const std::size_t begin = bytes_.find_first_of(std::string{'$', '-', kInterrupt});
  bytes_.erase(0, begin);
  if (bytes_.empty()) return std::nullopt;
  if (bytes_[0] != '$') {
    const Kind kind = bytes_[0] == '-' ? Kind::again : Kind::interrupt;
    bytes_.erase(0, 1);
    return Event{kind, {}};
  }
  constexpr std::size_t kChecksumDigits = 2;
  const std::size_t end = bytes_.find('#');
  // Escapes double it at most.
  if (std::min(end, bytes_.size()) > 2 * kPacketBytes) {
    bytes_.clear();
    return Event{Kind::damaged, {}};
  }
  if (end == std::string::npos || bytes_.size() - end - 1 < kChecksumDigits) return std::nullopt;
  const std::string_view inside = std::string_view(bytes_).substr(1, end - 1);
  std::string_view digits = std::string_view(bytes_).substr(end + 1, kChecksumDigits);
  const bool right = take_number(digits) == checksum_of(inside) && digits.empty();
  Event event{right ? Kind::packet : Kind::damaged, right ? without_escapes(inside) : std::string{}};
  bytes_.erase(0, end + 1 + kChecksumDigits);
  return event;
}

std::string framed(std::string_view packet) {
  std::string inside;
  for (const char c : packet) {
    if (c == '#' || c == '$' || c == '*' || c == kEscape) {
      inside += kEscape;
      inside += static_cast<char>(c ^ kFlip);
    } else {
      inside += c;
    }
  }
  const std::uint8_t checksum = checksum_of(inside);
  return "$" + inside + "#" + hex(std::span(&checksum, 1));
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string digits;
  boost::algorithm::hex_lower(bytes.begin(), bytes.end(), std::back_inserter(digits));
  return digits;
}

std::string hex(std::string_view text) {
  return hex(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::string hex(std::uint32_t word) {
  std::uint8_t bytes[sizeof word];
  for (std::size_t i = 0; i < sizeof word; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
  return hex(bytes);
}

std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view digits) {
  std::vector<std::uint8_t> bytes;
  try {
    boost::algorithm::unhex(digits.begin(), digits.end(), std::back_inserter(bytes));
  } catch (const boost::algorithm::hex_decode_error&) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

}  // namespace ftlab::platform::gdb
