#include "platform/machine/debug/gdb_session.h"

#include <algorithm>
#include <vector>

#include "platform/machine/debug/gdb_packets.h"

namespace ftlab::platform::gdb {
namespace {

constexpr const char* kOk = "OK";
/// Its number means nothing to GDB.
constexpr const char* kError = "E01";
constexpr const char* kUnknown = "";

Answer answer(std::string text) { return {std::move(text), std::nullopt}; }

std::uint32_t word_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < sizeof word; ++i) word |= std::uint32_t{bytes[i]} << 8 * i;
  return word;
}

/// "ADDRESS,LENGTH".
bool take_range(std::string_view& text, std::uint32_t& first, std::uint32_t& second) {
  const auto a = take_number(text);
  if (!a || !take(text, ",")) return false;
  const auto b = take_number(text);
  if (!b) return false;
  first = *a;
  second = *b;
  return true;
}

}  // namespace

Answer Session::handle(std::string_view packet) {
  if (packet.empty()) return answer(kUnknown);
  const std::string_view rest = packet.substr(1);
  switch (packet[0]) {
    case '?':
      return answer(last_stop_);
    case 'g':
      return answer(all_registers());
    case 'G':
      return answer(set_all_registers(rest));
    case 'p':
      return answer(one_register(rest));
    case 'P':
      return answer(set_register(rest));
    case 'm':
      return answer(read_memory(rest));
    case 'M':
      return answer(write_memory(rest, false));
    case 'X':
      return answer(write_memory(rest, true));
    case 'Z':
      return answer(place(rest, true));
    case 'z':
      return answer(place(rest, false));
    case 'c':
    case 'C':
    case 's':
    case 'S':
      return resume(packet);
    case 'H':
    case 'T':
      return answer(kOk);
    case 'D':
      return {kOk, Resume::detach};
    case 'k':
      return {std::nullopt, Resume::kill};
    default:
      return query(packet);
  }
}

Answer Session::query(std::string_view packet) {
  if (take(packet, "qSupported")) {
    return answer("PacketSize=" + std::to_string(kPacketBytes / 0x1000) +
                  "000;qXfer:features:read+;QStartNoAckMode+;vContSupported+");
  }
  if (packet == "QStartNoAckMode") {
    acknowledges_ = false;
    return answer(kOk);
  }
  if (take(packet, "qXfer:features:read:target.xml:")) return answer(features(packet));
  if (packet == "qfThreadInfo") return answer("m1");
  if (packet == "qsThreadInfo") return answer("l");
  if (take(packet, "qThreadExtraInfo,")) return answer(hex(std::string_view(target_.state())));
  if (packet == "qC") return answer("QC1");
  if (packet == "qAttached" || take(packet, "qAttached:")) return answer("1");
  if (take(packet, "qRcmd,")) {
    const auto words = bytes_of(packet);
    if (!words) return answer(kError);
    std::string said = target_.command({reinterpret_cast<const char*>(words->data()), words->size()});
    // Half of it, as each character takes two digits.
    if (said.size() > kPacketBytes / 2) said.resize(kPacketBytes / 2);
    return answer(said.empty() ? kOk : hex(std::string_view(said)));
  }
  if (packet == "vCont?") return answer("vCont;c;C;s;S");
  if (take(packet, "vCont;")) return resume(packet);
  if (take(packet, "vKill")) return {kOk, Resume::kill};
  return answer(kUnknown);
}

Answer Session::resume(std::string_view actions) {
  // There is one thread, so that the first action is meant for it. A signal is not delivered to firmware.
  const char action = actions.empty() ? ' ' : actions[0];
  if (action == 's' || action == 'S') return {std::nullopt, Resume::step};
  if (action == 'c' || action == 'C') return {std::nullopt, Resume::go};
  return answer(kError);
}

std::string Session::features(std::string_view range) const {
  std::uint32_t from = 0;
  std::uint32_t length = 0;
  if (!take_range(range, from, length)) return kError;
  const std::string_view all = target_.description();
  if (from > all.size()) return kError;
  const std::string_view part = all.substr(from, std::min<std::size_t>(length, kPacketBytes / 2));
  return (from + part.size() < all.size() ? "m" : "l") + std::string(part);
}

std::string Session::all_registers() const {
  std::string digits;
  for (std::size_t at = 0; at < target_.registers(); ++at) digits += hex(target_.reg(at));
  return digits;
}

std::string Session::set_all_registers(std::string_view digits) {
  const auto bytes = bytes_of(digits);
  if (!bytes || bytes->size() != target_.registers() * sizeof(std::uint32_t)) return kError;
  for (std::size_t at = 0; at < target_.registers(); ++at)
    target_.set_reg(at, word_of(std::span(*bytes).subspan(at * sizeof(std::uint32_t))));
  return kOk;
}

std::string Session::one_register(std::string_view number) const {
  const auto at = take_number(number);
  if (!at || !number.empty() || *at >= target_.registers()) return kError;
  return hex(target_.reg(*at));
}

std::string Session::set_register(std::string_view assignment) {
  const auto at = take_number(assignment);
  if (!at || *at >= target_.registers() || !take(assignment, "=")) return kError;
  const auto value = bytes_of(assignment);
  if (!value || value->size() != sizeof(std::uint32_t)) return kError;
  target_.set_reg(*at, word_of(*value));
  return kOk;
}

std::string Session::read_memory(std::string_view range) {
  std::uint32_t address = 0;
  std::uint32_t length = 0;
  if (!take_range(range, address, length) || !range.empty() || length > kPacketBytes / 2) return kError;
  std::vector<std::uint8_t> bytes(length);
  return target_.read(address, bytes) ? hex(bytes) : kError;
}

std::string Session::write_memory(std::string_view command, bool binary) {
  std::uint32_t address = 0;
  std::uint32_t length = 0;
  if (!take_range(command, address, length) || !take(command, ":")) return kError;
  std::vector<std::uint8_t> bytes;
  if (binary) {
    bytes.assign(command.begin(), command.end());
  } else if (const auto decoded = bytes_of(command)) {
    bytes = *decoded;
  }
  if (bytes.size() != length) return kError;
  return target_.write(address, bytes) ? kOk : kError;
}

std::string Session::place(std::string_view command, bool set) {
  if (command.empty()) return kError;
  StopPlace where;
  switch (command[0]) {
    case '0':  // A breakpoint of software needs no instruction in memory here.
    case '1':
      where.kind = StopKind::instruction;
      break;
    case '2':
      where.kind = StopKind::write;
      break;
    case '3':
      where.kind = StopKind::read;
      break;
    case '4':
      where.kind = StopKind::access;
      break;
    default:
      return kUnknown;
  }
  command.remove_prefix(1);
  if (!take(command, ",") || !take_range(command, where.address, where.bytes)) return kError;
  // Behind a semicolon: conditions and commands, which GDB sees to itself.
  if (where.kind == StopKind::instruction) where.bytes = 1;
  if (set) return target_.stop_at(where) ? kOk : kError;
  target_.forget(where);
  return kOk;
}

std::string Session::stopped(Signal signal) {
  const auto number = static_cast<std::uint8_t>(signal);
  last_stop_ = "T" + hex(std::span(&number, 1)) + "thread:1;";
  return last_stop_;
}

std::string Session::stopped_behind(const StopPlace& place, std::uint32_t address) {
  const char* const kind = place.kind == StopKind::write ? "watch" : place.kind == StopKind::read ? "rwatch" : "awatch";
  constexpr unsigned kWordDigits = 8;
  std::string digits(kWordDigits, '0');
  for (unsigned i = 0; i < kWordDigits; ++i) digits[kWordDigits - 1 - i] = "0123456789abcdef"[address >> 4 * i & 15];
  last_stop_ = stopped(Signal::trap) + kind + ":" + digits + ";";
  return last_stop_;
}

std::string Session::says(std::string_view text) { return "O" + hex(text); }

std::string Session::ended(std::uint8_t status) { return "W" + hex(std::span(&status, 1)); }

}  // namespace ftlab::platform::gdb
