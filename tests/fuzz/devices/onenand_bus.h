// A small Flex-OneNAND of two dies on a bus that does as an input says: words and bursts anywhere, commands, pins,
// supply, time. Short-lived cells, many bit errors.
#pragma once

#include <array>
#include <span>

#include "common/toml/toml_file.h"
#include "hw/onenand/core.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"
#include "tests/fuzz/devices/watcher.h"
#include "tests/fuzz/support/input.h"

namespace ftlab::fuzz {

inline hw::OneNandSpec tiny_onenand() {
  auto file = spec::TomlFile::load(FTLAB_DATA_FILES "/hw/parts/flexonenand-8gb-ddp.toml");
  hw::OneNandSpec part = hw::load_onenand_spec(file);
  part.segments_per_die = 4;
  part.endurance.rated_slc = 4;
  part.endurance.rated_mlc = 2;
  part.endurance.rated_partition = 2;
  part.endurance.median_ratio = 1.5;
  part.bad_segments = {.reserve = 1, .initial_share = 0.3, .weak_share = 0.3};
  return part;
}

class OneNandBus : public WatchedBus<OneNandBus, hw::OneNandCore> {
 public:
  OneNandBus() : WatchedBus(tiny_onenand()) {}

  void step(Input& in) {
    namespace r = hw::flexonenand::reg;
    switch (in.below(16)) {
      case 0:
        return burst(in);
      case 1: {
        constexpr std::uint32_t kRegisters[] = {
            r::kManufacturerId,   r::kDeviceId,      r::kVersionId,   r::kStartAddress1, r::kStartAddress2,
            r::kStartAddress3,    r::kStartAddress8, r::kStartBuffer, r::kCommand,       r::kSystemConfig1,
            r::kControllerStatus, r::kInterrupt,     r::kStartBlock,  r::kEndBlock,      r::kWriteProtect,
            r::kEccStatus1,       r::kEccStatus4};
        const std::uint32_t at = kRegisters[in.below(std::size(kRegisters))];
        return in.one_in(2) ? read_word(at) : write_word(at, in.word());
      }
      case 2:
        return write_word(in.dword() % 0x20000 & ~1U, in.word());
      case 3:
        return pins(in);
      case 4:
      case 5:
      case 6:
        return wait(in);
      case 7:
        return write_word(r::kSystemConfig1, in.one_in(2) ? in.word() : hw::flexonenand::config::kDefault);
      case 8:
        return write_word(r::kCommand, code(in));
      default:
        return operation(in);
    }
  }

  void look_ahead() {
    require(core_.next_ready_edge(now_) > now_, "the next edge of INT is ahead");
    core_.advance_to(now_);
    WatchedBus::look_ahead();
  }

 private:
  static std::uint16_t code(Input& in) {
    namespace c = hw::flexonenand::command;
    constexpr std::uint16_t kCodes[] = {
        c::kLoad,         c::kSuperload,       c::kLsbRecoveryRead, c::kProgram,   c::kCacheProgram, c::kErase,
        c::kEraseSuspend, c::kEraseResume,     c::kUnlock,          c::kLock,      c::kLockTight,    c::kUnlockAll,
        c::kOtpAccess,    c::kPartitionAccess, c::kPartitionUpdate, c::kCoreReset, c::kHotReset};
    return kCodes[in.below(std::size(kCodes))];
  }

  /// As a driver does it: addresses, command, and most of the time waiting.
  void operation(Input& in) {
    namespace r = hw::flexonenand::reg;
    const std::uint32_t segment = in.below(core_.spec().segments());
    const std::uint32_t per_die = core_.spec().segments_per_die;
    const auto die = static_cast<std::uint16_t>(segment / per_die << 15);
    write_word(r::kStartAddress1, static_cast<std::uint16_t>(die | segment % per_die));
    write_word(r::kStartAddress2, die);
    write_word(r::kStartAddress8, static_cast<std::uint16_t>(in.below(16) << 2));
    write_word(r::kStartBuffer, hw::flexonenand::kStartBufferPage);
    write_word(r::kStartBlock, static_cast<std::uint16_t>(segment % per_die));
    write_word(r::kCommand, code(in));
    if (in.one_in(4)) return;
    wait_until(core_.next_ready_edge(now_));
  }

  void burst(Input& in) {
    namespace a = hw::flexonenand::area;
    constexpr std::uint32_t kAreas[] = {a::kBootRam,   a::kDataRam,    a::kDataRam1, a::kBootSpare,
                                        a::kDataSpare, a::kDataSpare1, a::kRegisters};
    const std::uint32_t at = in.one_in(8) ? in.dword() % 0x30000 : kAreas[in.below(std::size(kAreas))] + in.byte();
    const auto part = std::span(buffer_).first(in.word() % 512);
    const bool repeat = in.one_in(4);
    if (in.one_in(2)) return booked(core_.bus().read(now_, at, part, repeat));
    buffer_[in.word() % buffer_.size()] = std::byte{in.byte()};
    booked(core_.bus().write(now_, at, part, repeat));
  }

  void pins(Input& in) {
    switch (in.below(4)) {
      case 0:
        return core_.reset_pin(now_, true);
      case 1:
        return core_.reset_pin(now_, false);
      case 2:
        return core_.lose_power(now_);
      default:
        return core_.restore_power(now_);
    }
  }

  void read_word(std::uint32_t at) {
    std::byte bytes[2];
    booked(core_.bus().read(now_, at, bytes), true);
  }
  void write_word(std::uint32_t at, std::uint16_t value) {
    const std::byte bytes[] = {std::byte(value & 0xFF), std::byte(value >> 8)};
    booked(core_.bus().write(now_, at, bytes), true);
  }

  std::array<std::byte, 4096> buffer_{};
};

}  // namespace ftlab::fuzz
