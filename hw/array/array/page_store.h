// Metadata and data of pages, as far as a part keeps them. Knows no segment state: which pages are programmed, its
// callers know, and it keeps what an erase leaves behind until the page is programmed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

using Metadata = std::array<std::uint64_t, 2>;
inline constexpr Metadata kErasedMetadata{~0ULL, ~0ULL};
using PageData = std::unique_ptr<std::byte[]>;

class PageStore {
 public:
  PageStore(const ArraySpec& spec, Content content);

  [[nodiscard]] Content content() const { return content_; }
  [[nodiscard]] Metadata metadata(std::uint32_t page) const {
    return content_ == Content::none ? kErasedMetadata : metadata_[page];
  }
  /// Empty where none is kept; null data reads as 00h.
  [[nodiscard]] std::span<const std::byte> data(std::uint32_t page) const;
  /// Both return what was there, which may have to come back; only where such is kept.
  Metadata put_metadata(std::uint32_t page, const Metadata& metadata) {
    return std::exchange(metadata_[page], metadata);
  }
  PageData put_data(std::uint32_t page, PageData data) { return std::exchange(data_[page], std::move(data)); }
  /// For put_data: null of nothing.
  [[nodiscard]] PageData copy_of(std::span<const std::byte> data) const;
  /// Inspection: the data of a page to be changed, zeros at first; empty unless Content::bytes.
  [[nodiscard]] std::span<std::byte> edit(std::uint32_t page);

 private:
  Content content_;
  std::uint32_t page_bytes_;
  std::unique_ptr<Metadata[]> metadata_;  ///< of programmed pages; the others are whatever they are
  std::vector<PageData> data_;
};

}  // namespace ftlab::hw::array
