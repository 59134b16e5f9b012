#include "hw/onenand/bus/window.h"

#include <algorithm>
#include <cstring>

namespace ftlab::hw {

namespace regs = flexonenand;
namespace area = flexonenand::area;

namespace {

constexpr std::uint16_t kOpenBus = 0xFFFF;
constexpr std::uint32_t kIdentifierWords = 3;

std::uint16_t word_of(std::span<const std::byte, 2> bytes) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8);
}

void put_word(std::span<std::byte, 2> bytes, std::uint16_t value) {
  bytes[0] = static_cast<std::byte>(value & 0xFF);
  bytes[1] = static_cast<std::byte>(value >> 8);
}

bool in_boot_area(std::uint32_t address) {
  return address < area::kBootRam + area::kBootRamBytes ||
         (address >= area::kBootSpare && address < area::kBootSpare + area::kBootSpareBytes);
}

bool in_part(std::uint32_t address, std::uint32_t base, std::size_t bytes) {
  return address >= base && address < base + bytes;
}

DeviceOpKind kind_of(std::uint32_t address, DeviceOpKind data) {
  return address >= area::kRegisters ? DeviceOpKind::register_access : data;
}

/// When words of a burst that takes `time` are done; nearly always they take equally long, without a rest.
class BurstClock {
 public:
  BurstClock(Ticks time, std::size_t words)
      : words_(static_cast<std::int64_t>(words)), each_(time.count() / words_), rest_(time.count() % words_) {}
  /// After `done` of them.
  [[nodiscard]] Ticks at(std::size_t done) const {
    const auto n = static_cast<std::int64_t>(done);
    return Ticks{each_ * n + (rest_ == 0 ? 0 : rest_ * n / words_)};
  }

 private:
  std::int64_t words_;
  std::int64_t each_;
  std::int64_t rest_;
};

/// End of the DataRAM's spare area: reading its last four bytes hands a superloaded page over.
constexpr std::uint32_t kDataSpareEnd = area::kDataSpare + regs::kSpareBytes;

}  // namespace

std::size_t OneNandWindow::read_ram(std::uint32_t address, std::span<std::byte> into) const {
  const BufferRam& ram = dies_.host().ram();
  if (in_part(address, area::kDataRam, regs::kPageBytes)) {
    const std::size_t offset = address - area::kDataRam;
    const std::size_t n = std::min(into.size(), regs::kPageBytes - offset);
    ram.main.read(offset, into.first(n));
    return n;
  }
  const auto copied = [&](std::span<const std::byte> bytes, std::uint32_t base) -> std::size_t {
    if (!in_part(address, base, bytes.size())) return 0;
    const std::size_t n = std::min(into.size(), bytes.size() - (address - base));
    std::memcpy(into.data(), &bytes[address - base], n);
    return n;
  };
  if (const std::size_t n = copied(ram.spare, area::kDataSpare); n != 0) return n;
  const BufferRam& boot = dies_.at(0).ram();
  const std::size_t n = copied(boot.boot, area::kBootRam);
  return n != 0 ? n : copied(boot.boot_spare, area::kBootSpare);
}

std::size_t OneNandWindow::write_ram(std::uint32_t address, std::span<const std::byte> from) {
  BufferRam& ram = dies_.host().ram();
  if (in_part(address, area::kDataRam, regs::kPageBytes)) {
    const std::size_t offset = address - area::kDataRam;
    const std::size_t n = std::min(from.size(), regs::kPageBytes - offset);
    ram.main.write(offset, from.first(n));
    return n;
  }
  if (!in_part(address, area::kDataSpare, ram.spare.size())) return 0;
  const std::size_t offset = address - area::kDataSpare;
  const std::size_t n = std::min(from.size(), ram.spare.size() - offset);
  std::memcpy(&ram.spare[offset], from.data(), n);
  return n;
}

BusResult OneNandWindow::read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) {
  if (address < area::kRegisters || !control_.answers()) return read_burst({.now = now, .address = address}, into);
  const Ticks time = meter_.read_time();
  dies_.advance_to(now);
  put_word(into.first<2>(), registers_.read(address));
  meter_.read(DeviceOpKind::register_access, dies_.host_index(), address, 2, now, time);
  return {time, BusError::none};
}

BusResult OneNandWindow::write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) {
  if (address < area::kRegisters || !control_.answers()) return write_burst({.now = now, .address = address}, from);
  const Ticks time = meter_.write_time();
  // Booked before it acts: it may change the bus mode.
  meter_.write(DeviceOpKind::register_access, dies_.host_index(), address, 2, now, time);
  dies_.advance_to(now + time);
  registers_.write(now + time, address, word_of(from.first<2>()));
  return {time, BusError::none};
}

BusResult OneNandWindow::read_burst(const Burst& burst, std::span<std::byte> into) {
  const Ticks time = meter_.read_time(static_cast<std::int64_t>(into.size() / 2), burst.repeat);
  if (!control_.answers()) {
    std::memset(into.data(), 0xFF, into.size());
  } else {
    read_words(burst, time, into);
  }
  meter_.read(kind_of(burst.address, DeviceOpKind::array_read), dies_.host_index(), burst.address,
              static_cast<std::uint32_t>(into.size()), burst.now, time);
  return {time, BusError::none};
}

BusResult OneNandWindow::write_burst(const Burst& burst, std::span<const std::byte> from) {
  const Ticks time = meter_.write_time(static_cast<std::int64_t>(from.size() / 2), burst.repeat);
  // Booked before it acts: it may change the bus mode.
  meter_.write(
      in_boot_area(burst.address) ? DeviceOpKind::register_access : kind_of(burst.address, DeviceOpKind::buffer_load),
      dies_.host_index(), burst.address, static_cast<std::uint32_t>(from.size()), burst.now, time);
  if (control_.answers()) write_words(burst, time, from);
  return {time, BusError::none};
}

void OneNandWindow::read_words(const Burst& burst, Ticks time, std::span<std::byte> into) {
  std::uint32_t address = burst.address;
  const std::size_t words = into.size() / 2;
  const BurstClock clock(time, words);
  dies_.advance_to(burst.now);
  for (std::size_t i = 0; i < words;) {
    const std::span<std::byte> out = into.subspan(2 * i);
    std::size_t n = 2;
    if (address >= area::kRegisters) {
      dies_.advance_to(burst.now + clock.at(i));
      put_word(out.first<2>(), registers_.read(address));
    } else {
      n = read_ram(address, out.first(burst.repeat ? n : out.size()));
      if (n == 0) {
        n = 2;
        put_word(out.first<2>(), kOpenBus);
      }
    }
    i += n / 2;
    if (!burst.repeat) address += static_cast<std::uint32_t>(n);
  }
  if (device_.registers.id_mode) show_identifiers(burst, into);
  const std::uint32_t end = burst.repeat ? burst.address + 2 : address;
  if (burst.address < kDataSpareEnd && end >= kDataSpareEnd) dies_.host().data_read_out(burst.now + time);
}

void OneNandWindow::show_identifiers(const Burst& burst, std::span<std::byte> into) const {
  const std::uint16_t ids[kIdentifierWords] = {regs::id::kSamsung, device_.spec.device_id,
                                               dies_.commanded().protection().state(device_.fba())};
  for (std::size_t i = 0; i < into.size() / 2; ++i) {
    const std::size_t word = burst.address / 2 + (burst.repeat ? 0 : i);
    if (word < kIdentifierWords) put_word(into.subspan(2 * i).first<2>(), ids[word]);
  }
}

void OneNandWindow::write_words(const Burst& burst, Ticks time, std::span<const std::byte> from) {
  std::uint32_t address = burst.address;
  const std::size_t words = from.size() / 2;
  const BurstClock clock(time, words);
  // A RAM burst takes effect as a whole at its end; what a register word starts begins at the end of its own cycle.
  for (std::size_t i = 0; i < words;) {
    const std::span<const std::byte> in = from.subspan(2 * i);
    std::size_t n = 2;
    if (address >= area::kRegisters) {
      const Ticks word_end = burst.now + clock.at(i + 1);
      dies_.advance_to(word_end);
      registers_.write(word_end, address, word_of(in.first<2>()));
    } else if (in_boot_area(address)) {
      const Ticks word_end = burst.now + clock.at(i + 1);
      dies_.advance_to(word_end);
      write_boot(word_end, word_of(in.first<2>()));
    } else {
      dies_.advance_to(burst.now + time);
      n = std::max(n, write_ram(address, in.first(burst.repeat ? n : 2 * (words - i))));
    }
    i += n / 2;
    if (!burst.repeat) address += static_cast<std::uint32_t>(n);
  }
}

void OneNandWindow::write_boot(Ticks t, std::uint16_t value) {
  namespace boot = regs::boot_command;
  OneNandRegisters& r = device_.registers;
  const bool confirmed = r.boot_load_set && value == boot::kLoadConfirm;
  r.boot_load_set = value == boot::kLoad;
  if (confirmed) {
    dies_.at(0).load_first_page(t);
  } else if (value == boot::kReadId) {
    r.id_mode = true;
  } else if (value == boot::kReset) {
    control_.hot_reset(t);
  }
}

}  // namespace ftlab::hw
