// What all media can suffer at rest, and how a target makes checksums right again behind it. A FlashKind gives
//   Flash, Image             the emulated part
//   bytes(flash, segment)    its content, to be changed
//   touched(flash, segment, offset, length)   the content changed: state beside it follows
//   field(flash, in)         one field of a structure of the format takes a value
//   seal(flash, segment)     checksums of everything in the segment are made to fit
// Knows no format.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "tests/fuzz/support/input.h"

namespace ftlab::fuzz {

/// Numbers at which readers of numbers go wrong; `near`: one that fits the place, such as a count of segments.
inline std::uint64_t draw_number(Input& in, std::uint64_t near) {
  switch (in.below(8)) {
    case 0:
      return 0;
    case 1:
      return ~0ULL;
    case 2:
      return near + in.below(3) - 1;
    case 3:
      return 1ULL << in.below(64);
    case 4:
      return (1ULL << in.below(64)) - 1;
    case 5:
      return in.qword();
    default:
      return in.byte();
  }
}

template <class FlashKind>
class Damage {
 public:
  using Flash = typename FlashKind::Flash;

  Damage(FlashKind& kind, Flash& flash, std::span<const typename Flash::Image> others)
      : kind_(kind), flash_(flash), others_(others) {}

  void inflict(Input& in) {
    constexpr std::uint32_t kEdits = 24;
    for (std::uint32_t edits = in.below(kEdits + 1); edits > 0 && !in.empty(); --edits) one(in);
  }

 private:
  void one(Input& in) {
    const std::uint32_t segment = in.below(static_cast<std::uint32_t>(others_[0].segments.size()));
    switch (in.below(10)) {
      case 0:
        return change(in, segment, [&](std::span<std::byte> at) { at[0] ^= std::byte{1} << in.below(8); });
      case 1:
        return change(in, segment, [&](std::span<std::byte> at) {
          std::ranges::fill(at.first(std::min<std::size_t>(at.size(), in.word())), std::byte{in.byte()});
        });
      case 2:
        return change(in, segment, [&](std::span<std::byte> at) {
          const auto raw = std::as_bytes(in.take(std::min<std::size_t>(at.size(), in.byte())));
          std::ranges::copy(raw, at.begin());
        });
      case 3: {
        // The segment of another time, or of another volume.
        auto image = flash_.snapshot();
        const auto& other = others_[in.below(static_cast<std::uint32_t>(others_.size()))];
        image.segments[segment] = other.segments[in.below(static_cast<std::uint32_t>(other.segments.size()))];
        return flash_.restore(image);
      }
      default:
        kind_.field(flash_, segment, in);
        if (!in.one_in(8)) kind_.seal(flash_, segment);
    }
  }

  template <class Edit>
  void change(Input& in, std::uint32_t segment, Edit edit) {
    const std::span<std::byte> bytes = kind_.bytes(flash_, segment);
    const std::uint32_t at = in.word() % bytes.size();
    edit(bytes.subspan(at));
    kind_.touched(flash_, segment);
    if (in.one_in(2)) kind_.seal(flash_, segment);
  }

  FlashKind& kind_;
  Flash& flash_;
  std::span<const typename Flash::Image> others_;
};

/// Eight bytes or fewer of `thing`, little-endian.
inline void put_number(std::span<std::byte> at, std::uint64_t value) {
  std::memcpy(at.data(), &value, std::min(at.size(), sizeof value));
}

}  // namespace ftlab::fuzz
