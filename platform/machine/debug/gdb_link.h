// A TCP connection of one debugger on this machine. Knows no packets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ftlab::platform::gdb {

class Link {
 public:
  /// Listens at 127.0.0.1; 0: at any port that is free. Throws InputError when it cannot.
  explicit Link(std::uint16_t port);
  ~Link();

  [[nodiscard]] std::uint16_t port() const;
  /// Waits for a debugger.
  void accept();
  /// Waits for bytes. Empty: the debugger is gone.
  std::string receive();
  /// What has come, without waiting.
  std::string poll();
  /// Without effect once the debugger is gone.
  void send(std::string_view bytes);
  void close();

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace ftlab::platform::gdb
