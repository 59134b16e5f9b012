// A program that stands still, as a debugger sees it: registers, memory, places to stop at. Knows no protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ftlab::platform::gdb {

enum class StopKind : std::uint8_t { instruction, write, read, access };

/// Where to stop: in front of an instruction, or behind one that touches any of these bytes.
struct StopPlace {
  StopKind kind = StopKind::instruction;
  std::uint32_t address = 0;
  std::uint32_t bytes = 1;
  friend bool operator==(const StopPlace&, const StopPlace&) = default;
};

class DebugTarget {
 public:
  /// GDB's description of the target, an XML document.
  [[nodiscard]] virtual std::string_view description() const = 0;
  /// In the order of the description; of 32 bits each.
  [[nodiscard]] virtual std::size_t registers() const = 0;
  [[nodiscard]] virtual std::uint32_t reg(std::size_t at) const = 0;
  virtual void set_reg(std::size_t at, std::uint32_t value) = 0;
  /// False: not all of it can be looked at without changing something.
  virtual bool read(std::uint32_t address, std::span<std::uint8_t> into) = 0;
  /// False, and nothing is changed: not all of it is memory.
  virtual bool write(std::uint32_t address, std::span<const std::uint8_t> from) = 0;
  /// False: it cannot stop there.
  virtual bool stop_at(const StopPlace& place) = 0;
  virtual void forget(const StopPlace& place) = 0;
  /// What the user says behind `monitor`; the answer, lines and all.
  virtual std::string command(std::string_view words) = 0;
  /// In a line, for the list of threads.
  [[nodiscard]] virtual std::string state() const = 0;

 protected:
  ~DebugTarget() = default;
};

}  // namespace ftlab::platform::gdb
