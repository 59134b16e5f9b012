// Where pages of memory lie, by address: one look for an access of the core. Knows neither regions nor what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace ftlab::iss {

class PageTable {
 public:
  static constexpr std::uint32_t kPageBytes = 1 << 12;

  PageTable() : pages_(static_cast<std::uint8_t**>(std::calloc(kPages, sizeof(std::uint8_t*))), &std::free) {
    if (pages_ == nullptr) throw std::bad_alloc();
  }

  /// Where a T lies; nullptr: it is not aligned, or its page is not known.
  template <class T>
  [[nodiscard]] std::uint8_t* find(std::uint32_t address) const {
    std::uint8_t* const page = pages_[address >> kShift];
    if (page == nullptr || address % sizeof(T) != 0) [[unlikely]]
      return nullptr;
    return page + address % kPageBytes;
  }
  /// Where a row of words lies; nullptr: likewise, or it reaches into another page.
  [[nodiscard]] std::uint8_t* find_words(std::uint32_t address, std::uint32_t bytes) const {
    if (address % kPageBytes + bytes > kPageBytes) [[unlikely]]
      return nullptr;
    return find<std::uint32_t>(address);
  }
  /// Of the page that begins there; nullptr: it is no longer known.
  void set(std::uint32_t address, std::uint8_t* bytes) { pages_[address >> kShift] = bytes; }

 private:
  static constexpr unsigned kShift = 12;
  static_assert(kPageBytes == 1 << kShift);
  static constexpr std::size_t kPages = std::size_t{1} << (32 - kShift);

  /// By calloc: what nobody uses of it takes no memory.
  std::unique_ptr<std::uint8_t*[], void (*)(void*)> pages_;
};

}  // namespace ftlab::iss
