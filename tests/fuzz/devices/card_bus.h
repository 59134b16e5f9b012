// A small Series 2+ card on a bus that does as an input says: cycles of any kind at any address, pins, supply, time.
// Short-lived cells, so that segments wear out within an input.
#pragma once

#include <array>
#include <span>

#include "common/toml/toml_file.h"
#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/fuzz/devices/watcher.h"
#include "tests/fuzz/support/input.h"

namespace ftlab::fuzz {

inline hw::CardSpec tiny_card() {
  auto file = spec::TomlFile::load(FTLAB_DATA_FILES "/hw/parts/series2plus-8mb.toml");
  hw::CardSpec card = hw::load_card_spec(file, hw::Voltage::v5);
  card.pairs = 2;
  card.segments_per_pair = 4;
  card.segment_bytes = 4096;
  card.endurance.rated_cycles = 2;
  card.endurance.median_cycles = 3;
  return card;
}

class CardBus : public WatchedBus<CardBus, hw::CardCore> {
 public:
  CardBus() : WatchedBus(tiny_card()) {}

  void renew() {
    WatchedBus::renew();
    core_.set_vpp_pin(Ticks{0}, true);
  }

  void step(Input& in) {
    switch (in.below(16)) {
      case 0:
        return write_word(address(in), in.word());
      case 1: {
        const std::byte value{in.byte()};
        return booked(window(in).write(now_, in.dword() % 0x20000, std::span(&value, 1)));
      }
      case 2:
        return burst(in);
      case 3:
        return registers(in);
      case 4:
        return pins(in);
      case 5:
      case 6:
        return wait(in);
      case 7: {
        const std::uint32_t at = address(in);
        return booked(window(in).read(now_, at, std::span(buffer_).first(1 + in.byte() % 8)));
      }
      case 8:
      case 9:
        return sequence(in);
      default:
        return command(in);
    }
  }

  void look_ahead() {
    WatchedBus::look_ahead();
    require(core_.next_line_change(now_) > now_, "the next change of the ready line is ahead");
  }

 private:
  [[nodiscard]] std::uint32_t address(Input& in) const {
    const auto& card = core_.spec();
    const std::uint32_t segment = in.below(card.segments());
    return segment * card.segment_bytes + (in.one_in(2) ? 0 : in.word() % card.segment_bytes & ~1U);
  }
  hw::AddressWindow& window(Input& in) { return in.one_in(8) ? core_.attribute() : core_.common(); }

  void write_word(std::uint32_t at, std::uint16_t value) {
    const std::byte bytes[] = {std::byte(value & 0xFF), std::byte(value >> 8)};
    booked(core_.common().write(now_, at, bytes), true);
  }

  void command(Input& in) {
    namespace c = hw::series2plus::command;
    constexpr std::uint8_t kCodes[] = {
        c::kReadArray,       c::kReadIdentifier, c::kReadCsr,        c::kReadExtendedStatus, c::kClearStatus,
        c::kProgram,         c::kTwoByteProgram, c::kErase,          c::kEraseAllUnlocked,   c::kConfirm,
        c::kSuspend,         c::kSwapPageBuffer, c::kSingleLoad,     c::kReadPageBuffer,     c::kSequentialLoad,
        c::kPageBufferWrite, c::kLockBlock,      c::kUploadLockBits, c::kUploadDeviceInfo,   c::kReadyBusyMode,
        c::kSleep,           c::kAbort};
    const std::uint8_t even = kCodes[in.below(std::size(kCodes))];
    const std::uint8_t odd = in.one_in(8) ? kCodes[in.below(std::size(kCodes))] : even;
    write_word(address(in), static_cast<std::uint16_t>(even | odd << 8));
  }

  /// As a driver does it: the commands of one operation in order.
  void sequence(Input& in) {
    namespace c = hw::series2plus::command;
    const std::uint32_t at = address(in);
    const auto both = [](std::uint8_t code) { return hw::series2plus::doubled(code); };
    switch (in.below(4)) {
      case 0:
        write_word(at, both(c::kErase));
        return write_word(at, both(c::kConfirm));
      case 1:
        write_word(at, both(c::kProgram));
        return write_word(at, in.word());
      case 2:
        write_word(at, both(c::kLockBlock));
        return write_word(at, both(c::kConfirm));
      default: {
        const std::uint16_t count = both(in.byte());
        write_word(at, both(c::kSequentialLoad));
        write_word(at, (at & 2) == 0 ? count : std::uint16_t{0});
        write_word(at, (at & 2) == 0 ? std::uint16_t{0} : count);
        booked(core_.common().write(now_, at & ~511U, std::span(buffer_).first(2 * in.between(1, 255))), true);
        write_word(at, both(c::kPageBufferWrite));
        write_word(at, (at & 2) == 0 ? count : std::uint16_t{0});
        return write_word(at, (at & 2) == 0 ? std::uint16_t{0} : count);
      }
    }
  }

  void burst(Input& in) {
    const std::uint32_t at = in.one_in(16) ? in.dword() : address(in);
    const auto part = std::span(buffer_).first(in.word() % buffer_.size());
    const bool repeat = in.one_in(4);
    const Ticks pace{in.word()};
    if (in.one_in(2))
      booked(window(in).read(now_, at, part, repeat, pace));
    else
      booked(window(in).write(now_, at, part, repeat, pace));
  }

  void registers(Input& in) {
    namespace r = hw::series2plus::cmr;
    constexpr std::uint32_t kRegisters[] = {r::kConfigurationOption, r::kConfigurationStatus, r::kCardStatus,
                                            r::kWriteProtection,     r::kVoltageControl,      r::kReadyBusyMode};
    const std::uint32_t at = kRegisters[in.below(std::size(kRegisters))];
    std::byte value{in.byte()};
    if (in.one_in(3))
      booked(core_.attribute().read(now_, at, std::span(&value, 1)));
    else
      booked(core_.attribute().write(now_, at, std::span(&value, 1)));
  }

  void pins(Input& in) {
    const bool on = in.one_in(2);
    switch (in.below(5)) {
      case 0:
        return core_.set_vpp_pin(now_, on);
      case 1:
        return core_.set_write_protect_switch(on);
      case 2:
        return core_.reset_pin(now_, on);
      case 3:
        return core_.lose_power(now_);
      default:
        return core_.restore_power(now_);
    }
  }

  std::array<std::byte, 1024> buffer_{};
};

}  // namespace ftlab::fuzz
