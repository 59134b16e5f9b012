// Memory that holds noise after each power-on. Pages that nobody writes are one page of it, so that neither the size of
// a memory nor how often power comes costs what is not used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab::platform {

class SpoiltMemory {
 public:
  /// Neither zero nor an address nor a small number.
  static constexpr std::uint8_t kNoise = 0xA5;

  /// Throws std::system_error when the system has no room.
  explicit SpoiltMemory(std::size_t bytes);
  ~SpoiltMemory();
  SpoiltMemory(const SpoiltMemory&) = delete;
  SpoiltMemory& operator=(const SpoiltMemory&) = delete;

  /// Every byte is noise again, at the same place.
  void spoil();
  [[nodiscard]] std::uint8_t* data() const { return at_; }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  const std::size_t bytes_;
  std::uint8_t* at_ = nullptr;
  int noise_ = -1;  ///< a file in memory
};

}  // namespace ftlab::platform
