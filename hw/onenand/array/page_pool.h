// Memory of the main areas of pages, each counted by those who hold it: cells, DataRAM and page buffers share a page
// until one of them changes it, so that loading, programming and copying a page back move no bytes.
// Regular pages are kept as their rule. Memory released is taken again first, since it is what a cache still has.
// Knows nothing of segments.
//
// Invariant: a page that more than one holds is not written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hw/onenand/array/regular_page.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

class PagePool {
  static constexpr std::uint32_t kRegular = UINT32_MAX;

 public:
  static constexpr std::size_t kPageBytes = flexonenand::kPageBytes;
  using Bytes = std::span<std::byte, kPageBytes>;
  using ConstBytes = std::span<const std::byte, kPageBytes>;

  /// A share in a page; none when default-constructed. Does not outlive the pool.
  class Page {
   public:
    Page() = default;
    Page(const Page& other) : pool_(other.pool_), index_(other.index_) {
      if (pool_ != nullptr) ++pool_->holders_[index_];
    }
    Page(Page&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), index_(other.index_) {}
    Page& operator=(Page other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(index_, other.index_);
      return *this;
    }
    ~Page() {
      if (pool_ != nullptr && --pool_->holders_[index_] == 0) pool_->release(index_);
    }

    explicit operator bool() const { return pool_ != nullptr; }
    [[nodiscard]] bool shared() const { return pool_->holders_[index_] > 1; }
    /// The bytes from `offset` on.
    void read(std::size_t offset, std::span<std::byte> into) const;
    /// Whether it is these bytes, as far as that is cheaper to say than to copy them.
    [[nodiscard]] bool holds(ConstBytes content) const {
      return !regular() && std::memcmp(pool_->at(place()), content.data(), kPageBytes) == 0;
    }
    /// Fills all of it; by its only holder.
    void write(ConstBytes content);
    /// To be changed by its only holder.
    [[nodiscard]] Bytes own_bytes();
    /// Asks the machine for what a read needs first; it finds out by itself that more follows.
    void prefetch() const;

   private:
    friend class PagePool;
    Page(PagePool* pool, std::uint32_t index) : pool_(pool), index_(index) {}
    [[nodiscard]] std::uint32_t& place() const { return pool_->places_[index_]; }
    [[nodiscard]] RegularPage& rule() const { return pool_->rules_[index_]; }
    [[nodiscard]] bool regular() const { return place() == kRegular; }

    PagePool* pool_ = nullptr;
    std::uint32_t index_ = 0;
  };

  PagePool();
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;

  /// One nobody else holds.
  [[nodiscard]] Page take(ConstBytes content);
  /// The same as another one.
  [[nodiscard]] Page take(const Page& other);
  /// FFh.
  [[nodiscard]] const Page& blank() const { return blank_; }
  /// 00h.
  [[nodiscard]] const Page& zero() const { return zero_; }

 private:
  static constexpr std::uint32_t kPlacesInChunk = 64;
  struct alignas(kPageBytes) Chunk {
    std::byte bytes[kPlacesInChunk * kPageBytes];
  };

  [[nodiscard]] Page take_page();
  [[nodiscard]] std::byte* at(std::uint32_t place) {
    return &chunks_[place / kPlacesInChunk]->bytes[std::size_t{place % kPlacesInChunk} * kPageBytes];
  }
  /// Gives a page a place for bytes, unless it has one.
  std::byte* place_bytes(std::uint32_t& place);
  void release(std::uint32_t index);

  // Of each page; apart, since the rules are far more.
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint32_t> places_;  ///< of its bytes, unless it is regular
  std::vector<RegularPage> rules_;
  std::vector<std::uint32_t> free_pages_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t places_taken_ = 0;
  std::vector<std::uint32_t> free_places_;
  Page blank_;
  Page zero_;
};

}  // namespace ftlab::hw
