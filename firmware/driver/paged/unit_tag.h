// What is kept beside a program unit of several pages, in the spare bytes of a NAND page: what they have in common
// once, the rest of each page's metadata, and one check of all. Knows no port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/base/erased.h"
#include "firmware/base/little_endian.h"
#include "firmware/driver/paged/page_tag.h"
#include "firmware/port/flash_port.h"

namespace ftlab::paged {

inline constexpr std::uint32_t kMaxPagesOfUnit = 8;

struct UnitTag {
  /// The metadata but for what is common: bits 0-31 of `low`; bits 0-39 of `high` and above them bits 40-63 of `low`.
  struct Page {
    Le32 low;
    Le32 rest_low;
    Le32 rest_high;
  };
  Le32 check;           ///< CRC-32C of the bytes behind it, after that of the number of pages
  std::uint8_t lost;    ///< of each page a bit: a copy whose source could not be read (TagKind::lost)
  std::uint8_t in_low;  ///< of all pages: bits 32-39 of `low`
  Le16 in_high;         ///< of all pages: bits 48-63 of `high`
  Page pages[kMaxPagesOfUnit];
};
static_assert(sizeof(UnitTag) == 8 + 12 * kMaxPagesOfUnit && offsetof(UnitTag, pages) == 8);

[[nodiscard]] constexpr std::uint32_t unit_tag_bytes(std::uint32_t pages) {
  return static_cast<std::uint32_t>(offsetof(UnitTag, pages) + pages * sizeof(UnitTag::Page));
}

/// Of a part's page with so many spare bytes, the smallest share that pages of the volume can have.
[[nodiscard]] constexpr std::uint32_t smallest_page(std::uint32_t page_bytes, std::uint32_t spare_bytes) {
  std::uint32_t pages = 1;
  while (2 * pages <= kMaxPagesOfUnit && unit_tag_bytes(2 * pages) <= spare_bytes) pages *= 2;
  return page_bytes / pages;
}

/// Both can lie beside one program unit. All ones, of a page that nothing is known of, can beside any.
[[nodiscard]] inline bool go_together(const FlashMetadata& a, const FlashMetadata& b) {
  const auto unknown = [](const FlashMetadata& m) { return m.low == ~0ULL && m.high == ~0ULL; };
  if (unknown(a) || unknown(b)) return true;
  return ((a.low ^ b.low) >> 32 & 0xFF) == 0 && (a.high ^ b.high) >> 48 == 0 && (a.high >> 40 & 0xFF) == 0 &&
         (b.high >> 40 & 0xFF) == 0;
}

/// Of a tag with so many pages.
[[nodiscard]] inline std::uint32_t check_of(const UnitTag& tag, std::uint32_t pages) {
  const Le32 number = pages;
  const std::byte* const bytes = reinterpret_cast<const std::byte*>(&tag);
  return crc32c(bytes + sizeof tag.check, unit_tag_bytes(pages) - sizeof tag.check, crc32c(&number, sizeof number));
}

/// `metadata`: of each page, any two of which go together; `lost`: a bit of each.
inline void encode(std::span<const FlashMetadata> metadata, std::uint8_t lost, std::span<std::byte> into) {
  const auto pages = static_cast<std::uint32_t>(metadata.size());
  constexpr std::uint64_t kRestOfHigh = (std::uint64_t{1} << 40) - 1;
  UnitTag tag;
  tag.lost = lost;
  tag.in_low = 0xFF;
  tag.in_high = 0xFFFF;
  for (std::uint32_t i = 0; i < pages; ++i) {
    const FlashMetadata& one = metadata[i];
    const std::uint64_t rest = (one.low >> 40 << 40) | (one.high & kRestOfHigh);
    tag.pages[i] = {static_cast<std::uint32_t>(one.low), static_cast<std::uint32_t>(rest),
                    static_cast<std::uint32_t>(rest >> 32)};
    if (one.high == ~0ULL) continue;
    tag.in_low = static_cast<std::uint8_t>(one.low >> 32);
    tag.in_high = static_cast<std::uint16_t>(one.high >> 48);
  }
  tag.check = check_of(tag, pages);
  std::memset(into.data(), 0xFF, into.size());
  std::memcpy(into.data(), &tag, unit_tag_bytes(pages));
}

/// Of page `i` of the program unit; it is blank, or torn, with all of them.
[[nodiscard]] inline DecodedTag decode(std::span<const std::byte> from, std::uint32_t pages, std::uint32_t i) {
  if (all_erased(from.first(unit_tag_bytes(pages)))) return {.blank = true};
  UnitTag tag;
  std::memcpy(&tag, from.data(), unit_tag_bytes(pages));
  if (tag.check != check_of(tag, pages)) return {};
  const UnitTag::Page& page = tag.pages[i];
  const std::uint64_t rest = page.rest_low | std::uint64_t{page.rest_high} << 32;
  DecodedTag decoded{.intact = true, .lost = (tag.lost >> i & 1) != 0};
  if (page.low == ~std::uint32_t{0} && rest == ~0ULL) return decoded;
  decoded.metadata.low = page.low | std::uint64_t{tag.in_low} << 32 | rest >> 40 << 40;
  decoded.metadata.high = (rest & ((std::uint64_t{1} << 40) - 1)) | std::uint64_t{tag.in_high} << 48;
  return decoded;
}

}  // namespace ftlab::paged
