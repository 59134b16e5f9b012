// A NAND part as a thing to damage: the state of pages, fields beside them, words of their bodies. A Format gives
//   Format(geometry, config)
//   fields()                            where the fields beside a page begin, and the last of them ends
//   seal(data, spare)                   checksums of a page are made to fit; data goes on to the end of the segment
// and VolumeFormat is the one of firmware/volume/nand: records, summaries, checkpoints.
#pragma once

#include <cstddef>
#include <cstring>

#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_io.h"
#include "firmware/volume/nand/page_metadata.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fuzz/firmware/damage.h"

namespace ftlab::fuzz {

class VolumeFormat {
 public:
  static constexpr std::uint8_t kFields[] = {0, 4, 10, 16, 20, 24, 26, 27, 28, 32};
  static std::span<const std::uint8_t> fields() { return kFields; }

  template <class Config>
  VolumeFormat(const FlashGeometry& geometry, const Config&) : page_bytes_(geometry.program_unit_bytes) {}

  void seal(std::span<std::byte> data, std::span<std::byte> spare) const {
    seal_record(spare);
    seal_data(data.first(page_bytes_));
  }

 private:
  static constexpr std::uint32_t kFirstVolume = 1;

  static void seal_record(std::span<std::byte> spare) {
    nand::OobTag record;
    std::memcpy(&record, spare.data(), sizeof record);
    if (blank(record)) return;
    const bool checkpoint = (record.kind_and_mode & 7) == static_cast<std::uint8_t>(nand::PageKind::checkpoint);
    record.check = crc32c(&record, offsetof(nand::OobTag, check), checkpoint ? 0 : kFirstVolume);
    std::memcpy(spare.data(), &record, sizeof record);
  }

  /// A page that begins as a summary or a checkpoint does.
  static void seal_data(std::span<std::byte> data) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, data.data(), sizeof magic);
    if (magic == nand::kSummaryMagic) {
      nand::SummaryHead head;
      std::memcpy(&head, data.data(), sizeof head);
      const auto records = data.subspan(sizeof head);
      for (std::size_t at = 0; at + nand::kSpareBytes <= records.size(); at += nand::kSpareBytes)
        seal_record(records.subspan(at, nand::kSpareBytes));
      const std::size_t held = std::min(records.size(), std::size_t{head.slots} * nand::kSpareBytes);
      head.records_check = crc32c(records.data(), held);
      head.check = crc32c(&head, offsetof(nand::SummaryHead, check), kFirstVolume);
      std::memcpy(data.data(), &head, sizeof head);
    } else if (magic == nand::kCheckpointMagic) {
      nand::CheckpointPageHead head;
      std::memcpy(&head, data.data(), sizeof head);
      const auto body = data.subspan(sizeof head);
      head.check = crc32c(body.data(), body.size(), crc32c(&head, offsetof(nand::CheckpointPageHead, check)));
      std::memcpy(data.data(), &head, sizeof head);
    }
  }

  std::uint32_t page_bytes_;
};

template <class Format>
class NandDamage {
 public:
  using Flash = tests::EmulatedNand;
  using Page = Flash::PageState;

  template <class Config>
  NandDamage(const FlashGeometry& geometry, const Config& config)
      : format_(geometry, config),
        page_bytes_(geometry.program_unit_bytes),
        pages_(geometry.segment_bytes / geometry.program_unit_bytes),
        segments_(geometry.segments) {}

  [[nodiscard]] std::span<std::byte> bytes(Flash& flash, std::uint32_t segment) const {
    return flash.edit(segment).data;
  }
  /// Blank pages that got bytes are programmed pages now.
  void touched(Flash& flash, std::uint32_t segment) const {
    Flash::Segment& s = flash.edit(segment);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      if (s.state[page] != Page::blank || is_blank(data_of(s, page))) continue;
      s.state[page] = Page::whole;
      s.next_page = std::max(s.next_page, page + 1);
    }
  }

  void field(Flash& flash, std::uint32_t segment, Input& in) const {
    Flash::Segment& s = flash.edit(segment);
    const std::uint32_t page = in.below(pages_);
    switch (in.below(6)) {
      case 0:
        s.state[page] = static_cast<Page>(in.below(5));
        if (s.state[page] != Page::blank) s.next_page = std::max(s.next_page, page + 1);
        return;
      case 1:
        return segment_state(s, in);
      case 2: {
        // Body of a checkpoint or a summary, by words.
        const std::uint32_t at = 4 * in.below(page_bytes_ / 4);
        put_number(data_of(s, page).subspan(at, 4), draw_number(in, segments_));
        return touched(flash, segment);
      }
      default: {
        const std::span<const std::uint8_t> fields = format_.fields();
        const std::uint32_t field = in.below(static_cast<std::uint32_t>(fields.size() - 1));
        const auto spare = spare_of(s, page);
        const std::size_t length = std::size_t{fields[field + 1]} - fields[field];
        put_number(spare.subspan(fields[field], length), draw_number(in, segments_));
        if (s.state[page] == Page::blank) s.state[page] = Page::whole;
        s.next_page = std::max(s.next_page, page + 1);
      }
    }
  }

  void seal(Flash& flash, std::uint32_t segment) const {
    Flash::Segment& s = flash.edit(segment);
    for (std::uint32_t page = 0; page < pages_; ++page) {
      if (s.state[page] == Page::blank) continue;
      format_.seal(std::span(s.data).subspan(std::size_t{page} * page_bytes_), spare_of(s, page));
    }
  }

 private:
  static void segment_state(Flash::Segment& s, Input& in) {
    const std::uint8_t flags = in.byte();
    s.must_erase = (flags & 1) != 0;
    s.failed = s.refuses = (flags & 2) != 0;
    s.bad = (flags & 4) != 0;
    if ((flags & 8) != 0) s.bits[in.below(static_cast<std::uint32_t>(s.bits.size()))] = flags >> 4;
  }

  [[nodiscard]] std::span<std::byte> data_of(Flash::Segment& s, std::uint32_t page) const {
    return std::span(s.data).subspan(std::size_t{page} * page_bytes_, page_bytes_);
  }
  [[nodiscard]] static std::span<std::byte> spare_of(Flash::Segment& s, std::uint32_t page) {
    return std::span(s.spare).subspan(std::size_t{page} * nand::kSpareBytes, nand::kSpareBytes);
  }
  [[nodiscard]] static bool is_blank(std::span<const std::byte> bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0xFF}; });
  }

  Format format_;
  std::uint32_t page_bytes_;
  std::uint32_t pages_;
  std::uint32_t segments_;
};

}  // namespace ftlab::fuzz
