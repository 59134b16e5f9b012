// Metadata and data of pages, as far as a part keeps them. Knows no segment state: which pages are programmed, its
// callers know, and it keeps what an erase leaves behind until the page is programmed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

using Metadata = std::array<std::uint64_t, 2>;
inline constexpr Metadata kErasedMetadata{~0ULL, ~0ULL};
using PageData = std::unique_ptr<std::byte[]>;

/// All that is kept of a page; also what a program that has not begun would leave as it was.
struct PageContent {
  Metadata metadata = kErasedMetadata;
  PageData data;  ///< null: reads as 00h
};

class PageStore {
 public:
  PageStore(const ArraySpec& spec, Content content);

  [[nodiscard]] Content content() const { return content_; }
  [[nodiscard]] Metadata metadata(std::uint32_t page) const {
    return content_ == Content::none ? kErasedMetadata : metadata_[page];
  }
  /// Empty where none is kept.
  [[nodiscard]] std::span<const std::byte> data(std::uint32_t page) const;
  /// Keeps `metadata` and a copy of `data` (may be empty); returns what was there.
  PageContent put(std::uint32_t page, const Metadata& metadata, std::span<const std::byte> data);
  void restore(std::uint32_t page, PageContent content);
  /// Inspection: the data of a page to be changed, zeros at first; empty unless Content::bytes.
  [[nodiscard]] std::span<std::byte> edit(std::uint32_t page);

 private:
  Content content_;
  std::uint32_t page_bytes_;
  std::unique_ptr<Metadata[]> metadata_;  ///< of programmed pages; the others are whatever they are
  std::vector<PageData> data_;
};

}  // namespace ftlab::hw::array
