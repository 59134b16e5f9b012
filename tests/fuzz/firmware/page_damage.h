// The format of the page-mapped layer as a thing to damage: what is beside pages, checkpoints, records of trims, notes
// of segments that were resumed, and all their checksums.
#pragma once

#include <cstddef>
#include <cstring>

#include "firmware/driver/paged/page_layout.h"
#include "firmware/driver/paged/page_tag.h"
#include "firmware/driver/paged/resume_notes.h"
#include "firmware/driver/paged/unit_tag.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/format/page_metadata.h"
#include "firmware/volume/format/trim_record.h"
#include "firmware/volume/volume_config.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/paged_layer.h"
#include "tests/fuzz/firmware/damage.h"
#include "tests/fuzz/firmware/nand_damage.h"

namespace ftlab::fuzz {

/// Where the fields of a page's tag begin: page of the host, stream, page before, sequence, page before, volume, kind,
/// check.
inline constexpr std::uint8_t kTagFields[] = {0, 4, 5, 8, 13, 14, 16, 20, sizeof(paged::PageTag)};

/// The same of a program unit of two pages: check, lost, stream, volume, and of each page that of the host, sequence,
/// page before.
inline constexpr std::uint8_t kUnitTagFields[] = {0, 4, 5, 6, 8, 12, 17, 20, 24, 29, paged::unit_tag_bytes(2)};

/// What is blank stays blank. `data`: null where the volume keeps no checksum of it.
inline void seal_tag(std::span<std::byte> beside, const std::span<const std::byte>* data) {
  paged::PageTag tag;
  std::memcpy(&tag, beside.data(), sizeof tag);
  if (all_erased(beside.first(sizeof tag))) return;
  std::byte* const behind = beside.data() + sizeof tag;
  if (data != nullptr) {
    const Le32 check = crc32c(data->data(), data->size());
    std::memcpy(behind, &check, sizeof check);
  }
  tag.check = paged::check_of(tag, data != nullptr ? behind : nullptr);
  std::memcpy(beside.data(), &tag, sizeof tag);
}

/// A page that is one of a checkpoint, or a record of trims by its metadata.
inline void seal_own_page(std::span<std::byte> data, const FlashMetadata& metadata, std::uint32_t host_pages) {
  volume::CheckpointHead head;
  std::memcpy(&head, data.data(), sizeof head);
  if (head.magic == volume::CheckpointHead{}.magic) return volume::seal_page(data, head);
  const std::uint32_t lpn = volume::lpn_of(metadata);
  if (lpn < host_pages || lpn >= volume::kFormatLpn) return;
  volume::TrimRecord record(data);
  record.seal(record.until());
}
inline FlashMetadata metadata_in_tag(std::span<const std::byte> beside) {
  paged::PageTag tag;
  std::memcpy(&tag, beside.data(), sizeof tag);
  return {tag.low, tag.high};
}

class PageFormat {
 public:
  PageFormat(const PartGeometry& geometry, const tests::PagedConfig& config)
      : page_bytes_(config.part.page_bytes == 0 ? geometry.program_unit_bytes : config.part.page_bytes),
        at_once_(geometry.program_unit_bytes / page_bytes_),
        host_pages_(config.logical_pages) {}
  /// Of a layer that maps pages of the part, or keeps no format at all.
  template <class Config>
  PageFormat(const PartGeometry& geometry, const Config& config)
      : page_bytes_(geometry.program_unit_bytes), at_once_(1), host_pages_(config.logical_pages) {}

  [[nodiscard]] std::span<const std::uint8_t> fields() const {
    return at_once_ == 1 ? std::span<const std::uint8_t>(kTagFields) : kUnitTagFields;
  }

  void seal(std::span<std::byte> data, std::span<std::byte> spare) const {
    if (at_once_ > 1) {
      seal_unit(data, spare);
    } else {
      seal_own_page(data.first(page_bytes_), metadata_in_tag(spare), host_pages_);
      seal_tag(spare, nullptr);
    }
    seal_notes(data);
  }

 private:
  void seal_unit(std::span<std::byte> data, std::span<std::byte> spare) const {
    const std::uint32_t bytes = paged::unit_tag_bytes(at_once_);
    if (all_erased(spare.first(bytes))) return;
    paged::UnitTag tag;
    std::memcpy(&tag, spare.data(), bytes);
    tag.check = paged::check_of(tag, at_once_);
    std::memcpy(spare.data(), &tag, bytes);
    for (std::uint32_t i = 0; i < at_once_; ++i) {
      seal_own_page(data.subspan(std::size_t{i} * page_bytes_, page_bytes_), paged::decode(spare, at_once_, i).metadata,
                    host_pages_);
    }
  }
  static void seal_notes(std::span<std::byte> data) {
    if (data.size() < sizeof(paged::WrittenNotes)) return;
    paged::WrittenNotes notes;
    std::memcpy(&notes, data.data(), sizeof notes);
    if (notes.magic != paged::WrittenNotes{}.magic) return;
    notes.check = crc32c(&notes, offsetof(paged::WrittenNotes, check));
    std::memcpy(data.data(), &notes, sizeof notes);
  }

  std::uint32_t page_bytes_;
  std::uint32_t at_once_;
  std::uint32_t host_pages_;
};

class PageNorDamage {
 public:
  using Flash = tests::EmulatedFlash;

  PageNorDamage(const PartGeometry& geometry, const tests::PagedConfig& config)
      : PageNorDamage(geometry, config.part, config.logical_pages) {}
  /// Of a layer that keeps no format at all.
  template <class Config>
  PageNorDamage(const PartGeometry& geometry, const Config& config)
      : PageNorDamage(geometry, config, config.logical_pages) {}

  [[nodiscard]] std::span<std::byte> bytes(Flash& flash, std::uint32_t segment) const {
    return {flash.bytes(segment), geometry_.segment_bytes};
  }
  void touched(Flash&, std::uint32_t) const {}

  void field(Flash& flash, std::uint32_t segment, Input& in) const {
    const std::uint32_t page = in.below(layout_.pages_per_segment());
    switch (in.below(6)) {
      case 0: {
        paged::Steps steps;
        return layout_.mark_bad(steps, segment, flash.bytes(segment));
      }
      case 1: {
        const auto data = data_of(flash, segment, page);
        const std::uint32_t at = 4 * in.below(static_cast<std::uint32_t>(data.size() / 4));
        return put_number(data.subspan(at, 4), draw_number(in, geometry_.segments));
      }
      default: {
        const std::uint32_t field = in.below(std::size(kTagFields) - 1);
        const auto part = beside(flash, segment, page)
                              .subspan(kTagFields[field], std::size_t{kTagFields[field + 1]} - kTagFields[field]);
        put_number(part, draw_number(in, geometry_.segments));
      }
    }
  }

  void seal(Flash& flash, std::uint32_t segment) const {
    for (std::uint32_t page = 0; page < layout_.pages_per_segment(); ++page) {
      const auto data = data_of(flash, segment, page);
      seal_own_page(data, metadata_in_tag(beside(flash, segment, page)), host_pages_);
      const std::span<const std::byte> checked = data;
      seal_tag(beside(flash, segment, page), checked_ ? &checked : nullptr);
    }
  }

 private:
  template <class Part>
  PageNorDamage(const PartGeometry& geometry, const Part& part, std::uint32_t host_pages)
      : geometry_(geometry),
        layout_(geometry, part.page_bytes, {.data_checksum = part.data_checksum}),
        host_pages_(host_pages),
        checked_(part.data_checksum) {}

  [[nodiscard]] std::span<std::byte> data_of(Flash& flash, std::uint32_t segment, std::uint32_t page) const {
    return bytes(flash, segment).subspan(layout_.data_at(page), layout_.page_bytes());
  }
  [[nodiscard]] std::span<std::byte> beside(Flash& flash, std::uint32_t segment, std::uint32_t page) const {
    return bytes(flash, segment).subspan(layout_.entry_at(page), layout_.beside_bytes());
  }

  PartGeometry geometry_;
  paged::PageLayout layout_;
  std::uint32_t host_pages_;
  bool checked_;
};

}  // namespace ftlab::fuzz
