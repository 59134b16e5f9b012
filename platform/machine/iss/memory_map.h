// Finds the memory of an address, fastest in pages that are memory from end to end, and fast where no two regions lie
// in the same 64 KiB. Knows no instruction set.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/machine/iss/memory.h"
#include "platform/machine/iss/page_table.h"

namespace ftlab::iss {

static_assert(std::endian::native == std::endian::little,
              "memory of a core is read as words of the simulating machine");

class MemoryMap {
 public:
  /// A region as loads and stores need it.
  struct Window {
    std::uint32_t base = 0;
    std::uint32_t size = 0;
    std::uint8_t* bytes = nullptr;
    /// A byte a halfword, not zero where instructions are kept decoded; nullptr: nothing is executed there.
    std::uint8_t* marks = nullptr;

    /// Whether a T lies at the address, aligned. Then `offset` is where.
    template <class T>
    bool holds(std::uint32_t address, std::uint32_t& offset) const {
      offset = address - base;
      // Bits that disturb the alignment become the highest ones.
      return std::rotr(offset, std::countr_zero(sizeof(T))) < size / sizeof(T);
    }
    template <class T>
    T load(std::uint32_t offset) const {
      T value;
      std::memcpy(&value, bytes + offset, sizeof value);
      return value;
    }
    template <class T>
    void store(std::uint32_t offset, T value) const {
      std::memcpy(bytes + offset, &value, sizeof value);
    }
    /// Whether a T there, aligned, overlaps an instruction that is kept decoded.
    template <class T>
    [[nodiscard]] bool marked(std::uint32_t offset) const {
      if (marks == nullptr) return false;
      if constexpr (sizeof(T) <= 2) return marks[offset / 2] != 0;
      std::uint16_t both;
      std::memcpy(&both, marks + offset / 2, sizeof both);
      return both != 0;
    }
  };

  /// Throws std::logic_error for regions that break the rules in memory.h.
  explicit MemoryMap(const std::vector<MemoryRegion>& regions);

  /// Pages that loads find without a look at regions, and stores where nothing is executed.
  [[nodiscard]] const PageTable& load_pages() const { return load_pages_; }
  [[nodiscard]] const PageTable& store_pages() const { return store_pages_; }
  /// The region that most likely holds the address; an empty one if there is none. Those of `for_store` are writable.
  [[nodiscard]] const Window& for_load(std::uint32_t address) const { return windows_[load_index_[address >> kShift]]; }
  [[nodiscard]] const Window& for_store(std::uint32_t address) const {
    return store_windows_[store_index_[address >> kShift]];
  }
  /// The same of the piece of memory around the address, or of none: what is there is left to the bus.
  void leave_to_bus(std::uint32_t address, bool leave);
  static constexpr std::uint32_t kPieceBytes = 1 << 16;
  /// store_pages() and for_store() find no memory at all, so that whoever stores looks for it by find_writable(); or do
  /// so again. leave_to_bus() must not be called in between.
  void store_slowly(bool slowly);
  /// load_pages() and for_load() do not find memory there, so that whoever loads looks for it by find().
  void load_slowly(std::uint32_t base, std::uint32_t size);
  /// The region at that base, if all of it is loaded slowly, or an empty one; what is left to the bus is in it as well.
  [[nodiscard]] const Window& slow() const { return slow_; }

  [[nodiscard]] bool is_left(std::uint32_t address) const {
    return !left_.empty() && left_.contains(address >> kShift);
  }
  /// Of all regions; nullptr: none holds the address.
  [[nodiscard]] const Window* find(std::uint32_t address) const {
    return used_[address >> kShift] ? find(address, windows_.size()) : nullptr;
  }
  [[nodiscard]] const Window* find_writable(std::uint32_t address) const {
    return used_[address >> kShift] ? find(address, writable_end_) : nullptr;
  }
  [[nodiscard]] const Window* find_executable(std::uint32_t address) const;

  /// From 0 for windows that find() returns.
  [[nodiscard]] std::size_t number(const Window& window) const {
    return static_cast<std::size_t>(&window - windows_.data()) - 1;
  }
  [[nodiscard]] std::size_t count() const { return windows_.size() - 1; }

 private:
  static constexpr unsigned kShift = 16;
  static_assert(kPieceBytes == 1 << kShift);
  using Index = std::array<std::uint8_t, (std::size_t{1} << (32 - kShift))>;

  [[nodiscard]] const Window* find(std::uint32_t address, std::size_t end) const;
  /// Of this piece.
  void take_pages(std::size_t piece);
  void forget_pages(std::size_t piece);

  std::vector<Window> windows_;        ///< the first is empty; writable ones come before the others
  std::vector<Window> store_windows_;  ///< the same for stores, or empty ones
  std::size_t writable_end_ = 1;
  Index load_index_{};
  Index store_index_{};
  PageTable load_pages_;
  PageTable store_pages_;
  std::optional<PageTable>
      other_store_pages_;  ///< none while stores are fast, those of store_pages_ while they are not
  bool stores_slowly_ = false;
  Window slow_;
  std::uint32_t slow_base_ = 0;
  std::uint32_t slow_size_ = 0;
  std::bitset<std::tuple_size_v<Index>> used_;  ///< pieces in which any region lies, so that devices are known at once
  std::vector<std::vector<std::uint8_t>> marks_;
  /// By piece: what it had in load_index_ and store_index_.
  std::map<std::uint32_t, std::pair<std::uint8_t, std::uint8_t>> left_;
};

}  // namespace ftlab::iss
