// Commands of GDB's remote serial protocol, and their answers ("Debugging with GDB", appendix E). Knows neither the
// line that they come by nor what is debugged. What is not here is answered by an empty packet: GDB then does without.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/machine/debug/debug_target.h"

namespace ftlab::platform::gdb {

/// What the user wants to happen next.
enum class Resume : std::uint8_t { step, go, detach, kill };

/// POSIX numbers, as GDB has them.
enum class Signal : std::uint8_t { interrupt = 2, illegal = 4, trap = 5, abort = 6, bus = 10, fault = 11 };

struct Answer {
  std::optional<std::string> text;  ///< empty text: the command is not known
  std::optional<Resume> resume;
};

class Session {
 public:
  explicit Session(DebugTarget& target) : target_(target) {}

  Answer handle(std::string_view packet);
  /// Packet that tells why the target stands still; also what GDB hears when it asks again.
  std::string stopped(Signal signal);
  /// Behind an access of watched bytes.
  std::string stopped_behind(const StopPlace& place, std::uint32_t address);
  /// Text for the user while the target runs.
  [[nodiscard]] static std::string says(std::string_view text);
  /// The target has come to its end.
  [[nodiscard]] static std::string ended(std::uint8_t status);
  /// Whether each packet is acknowledged; GDB turns it off.
  [[nodiscard]] bool acknowledges() const { return acknowledges_; }

 private:
  Answer query(std::string_view packet);
  Answer resume(std::string_view actions);
  [[nodiscard]] std::string features(std::string_view range) const;
  [[nodiscard]] std::string all_registers() const;
  std::string set_all_registers(std::string_view digits);
  [[nodiscard]] std::string one_register(std::string_view number) const;
  std::string set_register(std::string_view assignment);
  std::string read_memory(std::string_view range);
  /// `binary`: bytes as they are, not as digits.
  std::string write_memory(std::string_view command, bool binary);
  std::string place(std::string_view command, bool set);

  DebugTarget& target_;
  std::string last_stop_ = "S05";
  bool acknowledges_ = true;
};

}  // namespace ftlab::platform::gdb
