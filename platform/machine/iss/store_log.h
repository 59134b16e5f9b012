// What the stores of a stretch of instructions have done to memory. Knows places, no addresses.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace ftlab::iss {

class StoreLog {
 public:
  void begin() {
    used_ = 0;
    whole_ = true;
    notes_ = true;
  }
  void end() { notes_ = false; }
  [[nodiscard]] bool notes() const { return notes_; }

  /// Before a store of so many bytes.
  void note(const std::uint8_t* place, std::size_t size) {
    if (notes_) [[unlikely]]
      keep(place, size);
  }
  /// Code has been stored, or something else that no log undoes.
  void spoil() { whole_ = false; }

  /// Whether memory is what it was.
  [[nodiscard]] bool unchanged() const {
    return whole_ && std::all_of(entries_.begin(), entries_.begin() + used_, [](const Entry& one) {
             return std::memcmp(one.place, one.before.data(), one.size) == 0;
           });
  }

 private:
  [[gnu::noinline]] void keep(const std::uint8_t* place, std::size_t size) {
    if (!whole_) return;
    const auto known = std::find_if(entries_.begin(), entries_.begin() + used_,
                                    [&](const Entry& one) { return one.place == place && one.size == size; });
    if (known != entries_.begin() + used_) return;
    whole_ = used_ < std::ssize(entries_);
    if (!whole_) return;
    Entry& entry = entries_.at(static_cast<std::size_t>(used_++));
    entry.place = place;
    entry.size = size;
    std::memcpy(entry.before.data(), place, size);
  }

  static constexpr std::size_t kEntries = 64;
  struct Entry {
    const std::uint8_t* place = nullptr;
    std::size_t size = 0;
    std::array<std::uint8_t, 4> before{};
  };

  std::array<Entry, kEntries> entries_{};
  std::ptrdiff_t used_ = 0;
  bool whole_ = true;
  bool notes_ = false;
};

}  // namespace ftlab::iss
