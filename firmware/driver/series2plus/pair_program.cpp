#include "firmware/driver/series2plus/pair_program.h"

#include <algorithm>

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;
namespace code = hw::series2plus::command;
using regs::doubled;

namespace {

/// Trying again cannot help.
bool is_final(PartStatus status) {
  return status == PartStatus::ok || status == PartStatus::no_vpp || status == PartStatus::write_protected;
}

std::uint16_t little_endian(const std::byte* bytes) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | (std::to_integer<unsigned>(bytes[1]) << 8));
}

}  // namespace

PartStatus PairProgram::judge_block(std::uint16_t bsr, std::uint16_t lanes) const {
  if ((bsr & in_lanes(regs::bsr::kFailed, lanes)) == 0) return PartStatus::ok;
  if ((bsr & in_lanes(regs::bsr::kVppLow, lanes)) != 0) return PartStatus::no_vpp;
  const std::uint16_t unlocked = in_lanes(regs::bsr::kUnlocked, lanes);
  if (config_.honour_locks && (bsr & unlocked) != unlocked) return PartStatus::write_protected;
  return PartStatus::program_failed;
}

PartStatus PairProgram::try_buffer(PairState& pair, std::uint32_t base, std::uint32_t address,
                                   std::span<const std::byte> from) {
  const std::uint32_t bsr = base + regs::offset::kBsr;
  probe_.count(Work::buffer_program, 1);
  commands_.show_extended_status(pair, base);
  if (!commands_.await_status(base + regs::offset::kGsr, regs::gsr::kPageBufferAvailable, true))
    return PartStatus::timeout;

  // Bytes per component less one. The low half goes first where the component's lowest address bit is 0.
  const std::uint16_t count = doubled(static_cast<std::uint8_t>(from.size() / 2 - 1));
  const bool low_first = (address & 2U) == 0;
  const std::uint16_t first = low_first ? count : 0;
  const std::uint16_t second = low_first ? 0 : count;
  const std::uint16_t load[] = {doubled(code::kSequentialLoad), first, second};
  common_.write16_sequence(address, load);
  common_.copy_to(address, from);

  pair.mode = ReadMode::unknown;
  commands_.show_extended_status(pair, base);
  if (!commands_.await_status(bsr, regs::bsr::kQueueFull, false)) return PartStatus::timeout;
  const std::uint16_t start[] = {doubled(code::kPageBufferWrite), first, second, doubled(code::kReadExtendedStatus)};
  common_.write16_sequence(address, start);
  // While the pair also erases, its ready line reports the erase, not this program.
  const bool by_interrupt = config_.program_wait == DriverWait::interrupt && pair.erase == EraseState::none;
  constexpr std::uint16_t kReady = doubled(regs::bsr::kReady);
  const WaitResult ready = common_.wait_until({.address = bsr,
                                               .mask = kReady,
                                               .expected = kReady,
                                               .style = by_interrupt ? WaitStyle::ready_interrupt : WaitStyle::sleep,
                                               .poll_interval_ns = by_interrupt ? 0 : config_.program_poll_ns,
                                               .deadline_ns = config_.program_deadline_ns});
  return ready.met ? judge_block(ready.value, kBothLanes) : PartStatus::timeout;
}

PartStatus PairProgram::program_buffer(PairState& pair, std::uint32_t base, std::uint32_t address,
                                       std::span<const std::byte> from) {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const PartStatus status = try_buffer(pair, base, address, from);
    if (status == PartStatus::ok) return status;
    erase_.recover(pair, base, status);
    if (is_final(status) || attempt == config_.retries) return status;
  }
}

PartStatus PairProgram::try_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                                 std::uint16_t lanes) {
  // Beside an erase the compatible status reports the erase; the block status reports this program.
  const bool beside_erase = pair.erase == EraseState::running;
  if (beside_erase) {
    commands_.show_extended_status(pair, base);
    if (!commands_.await_status(base + regs::offset::kBsr, regs::bsr::kQueueFull, false)) return PartStatus::timeout;
  }
  if (lanes == kBothLanes) {
    common_.write16(address, doubled(code::kProgram));
    common_.write16(address, value);
    pair.mode = ReadMode::compatible_status;
  } else {
    const bool low = (lanes & 1U) != 0;
    const std::uint32_t byte_address = low ? address : address + 1;
    common_.write8(byte_address, code::kProgram);
    common_.write8(byte_address, static_cast<std::uint8_t>(low ? value & 0xFFU : value >> 8));
    pair.mode = ReadMode::unknown;  // the two components now answer differently
  }
  if (beside_erase) {
    pair.mode = ReadMode::unknown;
    commands_.show_extended_status(pair, base);
  }
  const std::uint16_t ready = in_lanes(beside_erase ? regs::bsr::kReady : regs::csr::kReady, lanes);
  const WaitResult done = common_.wait_until({.address = beside_erase ? base + regs::offset::kBsr : address,
                                              .mask = ready,
                                              .expected = ready,
                                              .style = WaitStyle::spin,
                                              .poll_interval_ns = config_.word_poll_ns,
                                              .deadline_ns = config_.program_deadline_ns});
  if (!done.met) return PartStatus::timeout;
  if (beside_erase) return judge_block(done.value, lanes);
  if ((done.value & in_lanes(regs::csr::kErrors, lanes)) == 0) return PartStatus::ok;
  if ((done.value & in_lanes(regs::csr::kVppLow, lanes)) != 0) return PartStatus::no_vpp;
  if (config_.honour_locks && !commands_.segment_unlocked(pair, base)) return PartStatus::write_protected;
  return PartStatus::program_failed;
}

PartStatus PairProgram::program_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                                     std::uint16_t lanes) {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const PartStatus status = try_word(pair, base, address, value, lanes);
    if (status == PartStatus::ok) return status;
    erase_.recover(pair, base, status);
    if (is_final(status) || attempt == config_.retries) return status;
  }
}

PartStatus PairProgram::program_byte(PairState& pair, std::uint32_t base, std::uint32_t address, std::byte value) {
  const std::uint16_t lanes = (address & 1U) == 0 ? 0x00FF : 0xFF00;
  return program_word(pair, base, address & ~1U, doubled(std::to_integer<std::uint8_t>(value)), lanes);
}

PartStatus PairProgram::program(PairState& pair, std::uint32_t base, std::uint32_t address,
                                std::span<const std::byte> from) {
  const bool buffers = config_.program_method == ProgramMethod::page_buffer;
  if (buffers && config_.program_wait == DriverWait::interrupt && pair.erase == EraseState::none && !pair.ready_line &&
      !commands_.set_ready_line(pair, true)) {
    return PartStatus::timeout;
  }
  PartStatus status = PartStatus::ok;
  if ((address & 1U) != 0 && !from.empty()) {
    status = program_byte(pair, base, address, from[0]);
    from = from.subspan(1);
    ++address;
  }
  while (status == PartStatus::ok && from.size() >= 2) {
    // A page buffer is addressed by the low address bits, so a sequence stays inside one 512-byte line.
    const std::uint32_t line_left = regs::kPagePairBytes - address % regs::kPagePairBytes;
    const std::size_t run = std::min<std::size_t>(from.size() & ~std::size_t{1}, line_left);
    if (buffers && run > std::size_t{2} * config_.word_program_max_words) {
      status = program_buffer(pair, base, address, from.first(run));
    } else {
      for (std::size_t i = 0; i < run && status == PartStatus::ok; i += 2) {
        status = program_word(pair, base, address + static_cast<std::uint32_t>(i), little_endian(&from[i]), kBothLanes);
      }
    }
    from = from.subspan(run);
    address += static_cast<std::uint32_t>(run);
  }
  if (status == PartStatus::ok && !from.empty()) status = program_byte(pair, base, address, from[0]);
  return status;
}

}  // namespace ftlab
