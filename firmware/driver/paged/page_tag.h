// What is kept beside a page on a part that is served as an array: the metadata and a check. The same bytes lie in the
// spare area of a NAND page and in the table at the head of a NOR segment, there with a checksum of the data behind
// them if the volume has those. Knows no port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/base/erased.h"
#include "firmware/base/little_endian.h"
#include "firmware/port/flash_port.h"

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
  Le32 check;  ///< CRC-32C of the bytes before, and of the checksum of the data
};
static_assert(sizeof(PageTag) == 24 && offsetof(PageTag, kind) == 16 && offsetof(PageTag, check) == 20);

/// CRC-32C of the data, where the volume has one.
using DataCheck = std::optional<std::uint32_t>;

inline std::uint32_t check_of(const PageTag& tag, const std::byte* data_check) {
  const std::uint32_t check = crc32c(&tag, offsetof(PageTag, check));
  return data_check == nullptr ? check : crc32c(data_check, sizeof(Le32), check);
}

inline void encode(const FlashMetadata& metadata, TagKind kind, std::span<std::byte> into, DataCheck data_check = {}) {
  PageTag tag;
  tag.low = metadata.low;
  tag.high = metadata.high;
  tag.kind = static_cast<std::uint32_t>(kind);
  std::memset(into.data(), 0xFF, into.size());
  std::byte* const behind = into.data() + sizeof tag;
  const Le32 stored = data_check.value_or(0);
  if (data_check) std::memcpy(behind, &stored, sizeof stored);
  tag.check = check_of(tag, data_check ? behind : nullptr);
  std::memcpy(into.data(), &tag, sizeof tag);
}

struct DecodedTag {
  bool blank = false;   ///< nothing was programmed
  bool intact = false;  ///< else torn
  bool lost = false;
  FlashMetadata metadata{};
  std::uint32_t data_check = 0;  ///< where the volume has one
};

[[nodiscard]] inline DecodedTag decode(std::span<const std::byte> from, bool checks_data = false) {
  PageTag tag;
  std::memcpy(&tag, from.data(), sizeof tag);
  if (all_erased(from.first(sizeof tag))) return {.blank = true};
  const std::byte* const behind = from.data() + sizeof tag;
  if (tag.check != check_of(tag, checks_data ? behind : nullptr)) return {};
  Le32 data_check = 0;
  if (checks_data) std::memcpy(&data_check, behind, sizeof data_check);
  return {.intact = true,
          .lost = tag.kind != static_cast<std::uint32_t>(TagKind::page),
          .metadata = {tag.low, tag.high},
          .data_check = data_check};
}

}  // namespace ftlab::paged
