// What is kept beside a page on a part that is served as an array: the metadata and a check. The same bytes lie in the
// spare area of a NAND page and in the table at the head of a NOR segment. Knows no port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/base/erased.h"
#include "firmware/base/little_endian.h"
#include "firmware/port/array_port.h"

namespace ftlab::paged {

enum class TagKind : std::uint32_t {
  page = 1,
  lost = 2,   ///< a copy whose source could not be read: whose page it is is known, its data are not
  void_ = 3,  ///< NOR: a program of the page may have been interrupted before this
};

struct PageTag {
  Le64 low;
  Le64 high;
  Le32 kind;
  Le32 check;  ///< CRC-32C of the bytes before
};
static_assert(sizeof(PageTag) == 24 && offsetof(PageTag, kind) == 16 && offsetof(PageTag, check) == 20);

inline void encode(const ArrayMetadata& metadata, TagKind kind, std::span<std::byte> into) {
  PageTag tag;
  tag.low = metadata.low;
  tag.high = metadata.high;
  tag.kind = static_cast<std::uint32_t>(kind);
  tag.check = crc32c(&tag, offsetof(PageTag, check));
  std::memset(into.data(), 0xFF, into.size());
  std::memcpy(into.data(), &tag, sizeof tag);
}

struct DecodedTag {
  bool blank = false;   ///< nothing was programmed
  bool intact = false;  ///< else torn
  bool lost = false;
  ArrayMetadata metadata{};
};

[[nodiscard]] inline DecodedTag decode(std::span<const std::byte> from) {
  PageTag tag;
  std::memcpy(&tag, from.data(), sizeof tag);
  if (all_erased(from.first(sizeof tag))) return {.blank = true};
  if (tag.check != crc32c(&tag, offsetof(PageTag, check))) return {};
  return {
      .intact = true, .lost = tag.kind != static_cast<std::uint32_t>(TagKind::page), .metadata = {tag.low, tag.high}};
}

}  // namespace ftlab::paged
