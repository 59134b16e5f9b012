#include "platform/machine/core/uart.h"

#include <utility>

#include "hw/regs/uart_regs.h"

namespace ftlab::platform {

namespace uart_reg = hw::uart::reg;

namespace {

/// A line that is longer is several.
constexpr std::size_t kLongest = 1000;

constexpr std::uint32_t place_of(std::uint32_t offset) {
  return (offset - uart_reg::kBaudInteger) / sizeof(std::uint32_t);
}
constexpr bool is_kept(std::uint32_t offset) {
  return offset >= uart_reg::kBaudInteger && offset <= uart_reg::kControl && offset % sizeof(std::uint32_t) == 0;
}

}  // namespace

Uart::Uart(sc_core::sc_module_name name, Sink sink)
    : RegisterTarget(name, hw::uart::kWindowBytes, Sizes::up_to_words), sink_(std::move(sink)) {}

bool Uart::read_register(std::uint32_t offset, Ticks, std::uint32_t& value) const {
  value = 0;
  if (is_kept(offset)) value = kept_.at(place_of(offset));
  if (offset == uart_reg::kFlags) value = hw::uart::kNothingToSend | hw::uart::kNothingReceived;
  return is_kept(offset) || offset == uart_reg::kFlags || offset == uart_reg::kData;
}

bool Uart::write_register(std::uint32_t offset, Ticks, std::uint32_t value) {
  if (is_kept(offset)) kept_.at(place_of(offset)) = value;
  if (offset == uart_reg::kData) put(static_cast<char>(value));
  return is_kept(offset) || offset == uart_reg::kData;
}

void Uart::put(char character) {
  constexpr char kFirstPrinted = ' ';
  constexpr char kDelete = 0x7F;
  if (character == '\r') return;
  if (character == '\n') {
    if (line_.empty() && sink_) sink_("");
    return flush();
  }
  const bool printed = character == '\t' || (character >= kFirstPrinted && character != kDelete);
  line_ += printed ? character : '?';
  if (line_.size() == kLongest) flush();
}

void Uart::flush() {
  if (!line_.empty() && sink_) sink_(line_);
  line_.clear();
}

}  // namespace ftlab::platform
