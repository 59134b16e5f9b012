// Another emulator of the same instruction sets, to compare with: Unicorn 2, loaded when it is there. Its licence is
// the GNU General Public License, so that nothing but tests may use it, and nothing is linked with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ftlab::tests {

class Unicorn {
 public:
  /// Values of its header, unicorn.h.
  enum class Architecture : int { arm = 1, riscv = 8 };

  /// Throws std::runtime_error when the library cannot be loaded.
  explicit Unicorn(const std::string& library);
  ~Unicorn();

  /// A processor with memory of its own. Code that has been executed must not change.
  class Machine {
   public:
    Machine(const Unicorn& library, Architecture architecture, int mode);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Address and size are multiples of 4096; the bytes stay the caller's.
    void map(std::uint64_t address, std::span<std::uint8_t> bytes);
    void write_registers(std::span<const int> numbers, std::span<std::uint64_t> values);
    void read_registers(std::span<const int> numbers, std::span<std::uint64_t> values);
    /// Executes until it comes to that address, or `count` instructions if that is not 0. Answers what went wrong, or
    /// "".
    std::string run(std::uint64_t begin, std::uint64_t until, std::size_t count = 0);

   private:
    void check(int error, const char* what) const;
    std::vector<void*> pointers(std::span<std::uint64_t> values);

    const Unicorn& library_;
    void* engine_ = nullptr;
  };

 private:
  struct Functions;

  void* handle_ = nullptr;
  std::unique_ptr<Functions> functions_;
};

}  // namespace ftlab::tests
