// What can happen to the pages of a NAND part at rest, for every layer on it. ECC turns flipped bits into corrected
// data or into a page that cannot be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "firmware/volume/nand/checkpoint.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/powerloss/damage_kind.h"
#include "tests/powerloss/dice.h"

namespace ftlab::tests {

inline void blank_page(EmulatedNand& flash, std::uint32_t segment, std::uint32_t page) {
  EmulatedNand::Segment& s = flash.at_rest(segment);
  const std::uint32_t bytes = static_cast<std::uint32_t>(s.data.size() / s.state.size());
  const std::uint32_t spare = static_cast<std::uint32_t>(s.spare.size() / s.state.size());
  std::fill_n(s.data.begin() + page * bytes, bytes, std::byte{0xFF});
  std::fill_n(s.spare.begin() + page * spare, spare, std::byte{0xFF});
  s.state[page] = EmulatedNand::PageState::blank;
}

inline void lose_segment(EmulatedNand& flash, std::uint32_t segment) {
  for (std::uint32_t page = 0; page < flash.at_rest(segment).state.size(); ++page) flash.lose_page(segment, page);
}

inline void blank_segment(EmulatedNand& flash, std::uint32_t segment) {
  for (std::uint32_t page = 0; page < flash.at_rest(segment).state.size(); ++page) blank_page(flash, segment, page);
  flash.at_rest(segment).next_page = 0;
}

/// Segments that hold checkpoints: the pages say so themselves.
inline std::vector<std::uint32_t> checkpoint_segments(EmulatedNand& flash) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t id = 0; id < flash.geometry().segments; ++id) {
    const EmulatedNand::Segment& s = flash.at_rest(id);
    Le32 magic;
    std::copy_n(s.data.begin(), sizeof magic, reinterpret_cast<std::byte*>(&magic));
    if (magic == nand::kCheckpointMagic && s.state[0] != EmulatedNand::PageState::blank) found.push_back(id);
  }
  return found;
}

/// A page that was programmed, outside the checkpoints or in them.
inline bool some_programmed_page(EmulatedNand& flash, Dice& dice, bool of_checkpoints, std::uint32_t& segment,
                                 std::uint32_t& page) {
  const std::vector<std::uint32_t> checkpoints = checkpoint_segments(flash);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    segment = dice.below(flash.geometry().segments);
    const bool holds_checkpoint = std::ranges::find(checkpoints, segment) != checkpoints.end();
    page = dice.below(static_cast<std::uint32_t>(flash.at_rest(segment).state.size()));
    if (holds_checkpoint == of_checkpoints && flash.page_state(segment, page) == EmulatedNand::PageState::whole)
      return true;
  }
  return false;
}

inline void damage_page(EmulatedNand& flash, Dice& dice, bool of_checkpoints, bool blank) {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;
  if (!some_programmed_page(flash, dice, of_checkpoints, segment, page)) return;
  blank ? blank_page(flash, segment, page) : flash.lose_page(segment, page);
}

inline void damage_segment(EmulatedNand& flash, std::uint32_t segment, bool blank) {
  blank ? blank_segment(flash, segment) : lose_segment(flash, segment);
}

inline void damage_data_segment(EmulatedNand& flash, Dice& dice, bool blank) {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;
  if (some_programmed_page(flash, dice, false, segment, page)) damage_segment(flash, segment, blank);
}

inline void damage_checkpoints(EmulatedNand& flash, Dice& dice, bool both, bool blank) {
  const std::vector<std::uint32_t> checkpoints = checkpoint_segments(flash);
  if (checkpoints.empty()) return;
  const std::uint32_t one = dice.one_of(checkpoints);
  for (const std::uint32_t segment : checkpoints)
    if (both || segment == one) damage_segment(flash, segment, blank);
}

/// Changes the head of every checkpoint and seals its page again: a whole volume of another kind.
template <class Change>
void change_all_checkpoints(EmulatedNand& flash, Change&& change) {
  constexpr std::size_t kHead = sizeof(nand::CheckpointPageHead);
  for (const std::uint32_t segment : checkpoint_segments(flash)) {
    EmulatedNand::Segment& s = flash.at_rest(segment);
    const std::size_t bytes = s.data.size() / s.state.size();
    for (std::size_t page = 0; page < s.state.size(); ++page) {
      std::byte* const at = s.data.data() + page * bytes;
      nand::CheckpointPageHead head;
      std::memcpy(&head, at, sizeof head);
      if (head.magic != nand::kCheckpointMagic || head.index != 0) continue;
      nand::CheckpointHead body;
      std::memcpy(&body, at + kHead, sizeof body);
      change(body);
      std::memcpy(at + kHead, &body, sizeof body);
      head.check = crc32c(at + kHead, bytes - kHead, crc32c(&head, offsetof(nand::CheckpointPageHead, check)));
      std::memcpy(at, &head, sizeof head);
    }
  }
}

using NandDamage = Damage<EmulatedNand>;
inline constexpr NandDamage kNandDamages[] = {
    {"a page unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, false, false); },
     KnownBy::checkpoint},
    {"a page blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, false, true); },
     KnownBy::checkpoint},
    {"a segment unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_data_segment(f, d, false); },
     KnownBy::checkpoint},
    {"a segment blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_data_segment(f, d, true); },
     KnownBy::checkpoint},
    {"a checkpoint page unreadable",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, true, false); }},
    {"a checkpoint page blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, true, true); }},
    {"a checkpoint segment unreadable",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_checkpoints(f, d, false, false); }},
    {"a checkpoint segment blank",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_checkpoints(f, d, false, true); }},
    {"both checkpoint segments unreadable",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_checkpoints(f, d, true, false); }, KnownBy::metadata,
     Mounts::or_disowned},
    {"both checkpoint segments blank",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_checkpoints(f, d, true, true); }, KnownBy::metadata,
     Mounts::or_disowned},
    {"a volume of the version before",
     [](EmulatedNand& f, const VolumeShape&, Dice&) {
       change_all_checkpoints(f, [](nand::CheckpointHead& head) { head.version = nand::kCheckpointVersion - 1; });
     },
     KnownBy::metadata, Mounts::never},
    {"a volume of another geometry",
     [](EmulatedNand& f, const VolumeShape&, Dice& d) {
       const std::uint32_t which = d.below(3);
       change_all_checkpoints(f, [which](nand::CheckpointHead& head) {
         if (which == 0) head.segments = head.segments + 1;
         if (which == 1) head.page_bytes = head.page_bytes * 2;
         if (which == 2) head.logical_pages = head.logical_pages + 1;
       });
     },
     KnownBy::metadata, Mounts::never},
};

}  // namespace ftlab::tests
