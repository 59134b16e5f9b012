// A debugger on the core of a machine, by GDB's remote protocol. Holds the core from its first instruction until the
// debugger lets it go. Knows the board's processor; no instruction set, no layer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/core_watcher.h"
#include "platform/machine/debug/debug_target.h"
#include "platform/machine/debug/gdb_link.h"
#include "platform/machine/debug/gdb_packets.h"
#include "platform/machine/debug/gdb_session.h"

namespace ftlab::platform {

class CoreDebugger final : public CoreWatcher, private gdb::DebugTarget {
 public:
  /// `processor` outlives it.
  CoreDebugger(CoreProcessor& processor, std::unique_ptr<gdb::Link> link);
  ~CoreDebugger() override;

  void started() override { resumed_at_.reset(); }
  /// Throws InputError when the debugger ends the run.
  std::uint64_t before_run() override;
  bool stopped() override;
  void touched(std::uint32_t address, unsigned size, bool write) override;
  void fails(const std::string& what, iss::StopReason reason) override;
  void ended() override;

 private:
  enum class Mode : std::uint8_t { nobody_yet, runs, steps, gone };
  struct Hit {
    gdb::StopPlace place;
    std::uint32_t address = 0;
  };

  [[nodiscard]] std::string_view description() const override;
  [[nodiscard]] std::size_t registers() const override;
  [[nodiscard]] std::uint32_t reg(std::size_t at) const override;
  void set_reg(std::size_t at, std::uint32_t value) override;
  bool read(std::uint32_t address, std::span<std::uint8_t> into) override;
  bool write(std::uint32_t address, std::span<const std::uint8_t> from) override;
  bool stop_at(const gdb::StopPlace& place) override;
  void forget(const gdb::StopPlace& place) override;
  std::string command(std::string_view words) override;
  [[nodiscard]] std::string state() const override;

  void wait_for_debugger();
  [[nodiscard]] bool is_place(std::uint32_t pc) const;
  /// Whether an instruction has been executed since the debugger let the core go.
  [[nodiscard]] bool moved() const { return resumed_at_ != processor_.instructions(); }
  /// Packets that say why the core has to be held now; nothing: it goes on.
  std::optional<std::string> why_held();
  bool interrupted();
  /// Serves the debugger until it lets the core go. `why`: first packet.
  void hold(const std::string& why);
  /// True: the core goes on.
  bool handle(const gdb::PacketReader::Event& event);
  void resume(gdb::Resume how);
  /// Nobody looks at the core any more.
  void let_go();
  void send(std::string_view packet);
  /// Cores leave to the bus what data places lie in.
  void leave_to_bus(const gdb::StopPlace& place, bool leave);

  CoreProcessor& processor_;
  std::unique_ptr<gdb::Link> link_;
  gdb::Session session_;
  gdb::PacketReader reader_;
  std::string last_packet_;
  Mode mode_ = Mode::nobody_yet;
  std::vector<gdb::StopPlace> places_;
  std::optional<Hit> hit_;
  bool own_breakpoint_ = false;              ///< of the program, where the debugger has set none
  std::optional<std::uint64_t> resumed_at_;  ///< instructions executed when the debugger let the core go
};

}  // namespace ftlab::platform
