// The window: legality of accesses, buffer RAM, registers, commands written to the BootRAM.
#include <algorithm>
#include <cstring>

#include "hw/onenand/onenand_core_impl.h"

namespace ftlab::hw {

namespace regs = flexonenand;
namespace area = flexonenand::area;
namespace reg = flexonenand::reg;

namespace {

constexpr std::uint16_t kOpenBus = 0xFFFF;

std::uint16_t word_of(const std::byte* bytes) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8);
}

void put_word(std::byte* bytes, std::uint16_t value) {
  bytes[0] = static_cast<std::byte>(value & 0xFF);
  bytes[1] = static_cast<std::byte>(value >> 8);
}

bool in_boot_area(std::uint32_t address) {
  return address < area::kBootRam + area::kBootRamBytes ||
         (address >= area::kBootSpare && address < area::kBootSpare + area::kBootSpareBytes);
}

DeviceOpKind kind_of(std::uint32_t address, DeviceOpKind data) {
  return address >= area::kRegisters ? DeviceOpKind::register_access : data;
}

/// End of the DataRAM's spare area: reading its last four bytes hands a superloaded page over.
constexpr std::uint32_t kDataSpareEnd = area::kDataSpare + regs::kSpareBytes;

}  // namespace

BusError OneNandCore::Impl::check(std::uint32_t address, std::size_t size, bool repeat) {
  if (size == 0 || ((address | size) & 1) != 0) return BusError::misaligned;
  const std::uint64_t reach = repeat ? 2 : size;
  return address + reach > regs::kWindowBytes ? BusError::out_of_range : BusError::none;
}

std::span<std::byte> OneNandCore::Impl::ram_at(std::uint32_t address) {
  BufferRam& boot = dies[0]->ram();
  BufferRam& ram = host_die().ram();
  const auto part = [address](auto& bytes, std::uint32_t base) {
    return address >= base && address < base + bytes.size() ? std::span<std::byte>(bytes).subspan(address - base)
                                                            : std::span<std::byte>();
  };
  std::span<std::byte> found = part(ram.data.main, area::kDataRam);
  if (found.empty()) found = part(ram.data.spare, area::kDataSpare);
  if (found.empty()) found = part(boot.boot, area::kBootRam);
  if (found.empty()) found = part(boot.boot_spare, area::kBootSpare);
  return found;
}

void OneNandCore::Impl::read_span(Ticks now, Ticks time, std::uint32_t address, std::span<std::byte> into,
                                  bool repeat) {
  const std::uint32_t first = address;
  const std::size_t words = into.size() / 2;
  settle(now);
  for (std::size_t i = 0; i < words;) {
    std::byte* out = &into[2 * i];
    const std::span<std::byte> ram =
        repeat ? ram_at(address).first(std::min<std::size_t>(2, ram_at(address).size())) : ram_at(address);
    if (address >= area::kRegisters) {
      settle(now + Ticks{time.count() * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(words)});
      put_word(out, read_register(address));
      ++i;
      if (!repeat) address += 2;
    } else if (ram.empty()) {
      put_word(out, kOpenBus);
      ++i;
      if (!repeat) address += 2;
    } else {
      const std::size_t n = std::min(ram.size(), 2 * (words - i));
      std::memcpy(out, ram.data(), n);
      i += n / 2;
      if (!repeat) address += static_cast<std::uint32_t>(n);
    }
  }
  if (id_mode && first < 6) {
    const std::uint16_t ids[3] = {regs::id::kSamsung, device.spec.device_id, command_die().protection(device.fba())};
    for (std::size_t i = 0; i < words; ++i) {
      const std::size_t word = repeat ? first / 2 : first / 2 + i;
      if (word < 3) put_word(&into[2 * i], ids[word]);
    }
  }
  const std::uint32_t end = repeat ? first + 2 : address;
  if (first < kDataSpareEnd && end >= kDataSpareEnd) host_die().data_read_out(now + time);
}

std::uint16_t OneNandCore::Impl::read_register(std::uint32_t address) {
  const OneNandRegisters& r = device.registers;
  switch (address) {
    case reg::kManufacturerId:
      return regs::id::kSamsung;
    case reg::kDeviceId:
      return device.spec.device_id;
    case reg::kVersionId:
      return device.spec.version_id;
    case reg::kDataBufferSize:
      return regs::kPageBytes / 2;
    case reg::kBootBufferSize:
      return area::kBootRamBytes / 2;
    case reg::kBufferCount:
      return 0x0201;
    case reg::kTechnology:
      return regs::id::kTechnologyMlc;
    case reg::kStartAddress1:
      return r.start_address1;
    case reg::kStartAddress2:
      return r.start_address2;
    case reg::kStartAddress8:
      return r.start_address8;
    case reg::kStartBuffer:
      return r.start_buffer;
    case reg::kSystemConfig1:
      return r.config;
    case reg::kControllerStatus:
      return host_die().status();
    case reg::kInterrupt:
      return host_die().interrupt();
    case reg::kStartBlock:
      return r.start_block;
    case reg::kEndBlock:
      return r.end_block;
    case reg::kWriteProtect:
      return command_die().protection(device.fba());
    case reg::kEccStatus1:
    case reg::kEccStatus2:
    case reg::kEccStatus3:
    case reg::kEccStatus4:
      return host_die().ecc_status((address - reg::kEccStatus1) / 2);
    default:
      if (address >= reg::kStartAddress3 && address < reg::kStartAddress8) {
        return r.unused_addresses[(address - reg::kStartAddress3) / 2];
      }
      return 0;  // reserved, and the command register, which is write only
  }
}

void OneNandCore::Impl::write_span(Ticks now, Ticks time, std::uint32_t address, std::span<const std::byte> from,
                                   bool repeat) {
  const std::size_t words = from.size() / 2;
  // A RAM burst takes effect as a whole at its end; what a register word starts begins at the end of its own cycle.
  for (std::size_t i = 0; i < words;) {
    const std::byte* in = &from[2 * i];
    const Ticks word_end =
        now + Ticks{time.count() * static_cast<std::int64_t>(i + 1) / static_cast<std::int64_t>(words)};
    if (address >= area::kRegisters) {
      settle(word_end);
      write_register(word_end, address, word_of(in));
    } else if (in_boot_area(address)) {
      settle(word_end);
      write_boot(word_end, word_of(in));
    } else if (const std::span<std::byte> ram = ram_at(address); !ram.empty()) {
      settle(now + time);
      const std::size_t n = repeat ? 2 : std::min(ram.size(), 2 * (words - i));
      std::memcpy(ram.data(), in, n);
      i += n / 2;
      if (!repeat) address += static_cast<std::uint32_t>(n);
      continue;
    }
    ++i;
    if (!repeat) address += 2;
  }
}

void OneNandCore::Impl::write_register(Ticks t, std::uint32_t address, std::uint16_t value) {
  OneNandRegisters& r = device.registers;
  namespace field = regs::start_address;
  switch (address) {
    case reg::kStartAddress1:
      r.start_address1 = value & (field::kDie | field::kSegmentMask);
      break;
    case reg::kStartAddress2:
      r.start_address2 = value & field::kDie;
      break;
    case reg::kStartAddress8:
      r.start_address8 = value & (field::kPageMask | field::kSectorMask);
      break;
    case reg::kStartBuffer:
      r.start_buffer = value;
      break;
    case reg::kCommand:
      if (value == regs::command::kHotReset) {
        hot_reset(t);
      } else {
        command_die().command(t, value);
        if (value == regs::command::kCoreReset) {
          for (auto& die : dies) die->leave_special_access();
        }
      }
      break;
    case reg::kSystemConfig1:
      r.config = static_cast<std::uint16_t>((value & regs::config::kWritable) | (r.config & ~regs::config::kWritable));
      meter.configure(r.config);
      break;
    case reg::kInterrupt:
      host_die().clear_interrupt(value);
      break;
    case reg::kStartBlock:
      r.start_block = value;
      break;
    case reg::kEndBlock:
      r.end_block = value;
      break;
    default:
      if (address >= reg::kStartAddress3 && address < reg::kStartAddress8) {
        r.unused_addresses[(address - reg::kStartAddress3) / 2] = value;
      }
      break;  // read only or reserved
  }
}

void OneNandCore::Impl::hot_reset(Ticks t) {
  default_registers();
  for (auto& die : dies) die->reset(t, ResetKind::command);
}

void OneNandCore::Impl::write_boot(Ticks t, std::uint16_t value) {
  namespace boot = regs::boot_command;
  const bool confirmed = boot_load_set && value == boot::kLoadConfirm;
  boot_load_set = value == boot::kLoad;
  if (confirmed) {
    dies[0]->load_first_page(t);
  } else if (value == boot::kReadId) {
    id_mode = true;
  } else if (value == boot::kReset) {
    hot_reset(t);
  }
}

BusResult OneNandCore::read(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat) {
  if (const BusError error = Impl::check(address, into.size(), repeat); error != BusError::none) return {{}, error};
  const Ticks time = impl_->meter.read_time(static_cast<std::int64_t>(into.size() / 2), repeat);
  if (!impl_->answers()) {
    std::memset(into.data(), 0xFF, into.size());
  } else if (into.size() == 2 && address >= area::kRegisters) {
    impl_->settle(now);
    put_word(into.data(), impl_->read_register(address));
  } else {
    impl_->read_span(now, time, address, into, repeat);
  }
  impl_->meter.read(kind_of(address, DeviceOpKind::array_read), impl_->host_die_index(), address,
                    static_cast<std::uint32_t>(into.size()), now, time);
  return {time, BusError::none};
}

BusResult OneNandCore::write(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat) {
  if (const BusError error = Impl::check(address, from.size(), repeat); error != BusError::none) return {{}, error};
  const Ticks time = impl_->meter.write_time(static_cast<std::int64_t>(from.size() / 2), repeat);
  // Booked before it acts: it may change the bus mode.
  impl_->meter.write(
      in_boot_area(address) ? DeviceOpKind::register_access : kind_of(address, DeviceOpKind::buffer_load),
      impl_->host_die_index(), address, static_cast<std::uint32_t>(from.size()), now, time);
  if (impl_->answers()) impl_->write_span(now, time, address, from, repeat);
  return {time, BusError::none};
}

}  // namespace ftlab::hw
