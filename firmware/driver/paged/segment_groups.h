// Several erase units of a NOR part as one segment, so that a segment may be larger than what the part erases at once.
// The units of a segment are neighbours on one device. They are erased one after the other and the first one last: as
// long as power loss leaves it, the entries there say what was to be erased. Knows offsets; no content, no time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/driver/common/part_port.h"

namespace ftlab {

/// The same part with `units` erase units a segment, which divide those of each device.
[[nodiscard]] PartGeometry grouped(const PartGeometry& part, std::uint32_t units);

class SegmentGroups final : public PartPort {
 public:
  SegmentGroups(PartPort& part, std::uint32_t units);

  [[nodiscard]] std::uint32_t units() const { return units_; }
  [[nodiscard]] const PartGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const PartCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const PartOp> ops) override;
  std::size_t reap(std::span<PartDone> done, bool wait) override;

 private:
  static constexpr std::size_t kMaxUnderWay = 16;

  struct UnderWay {
    PartOp op;
    PartDone done;
    std::uint32_t begun = 0;  ///< of an erase: units; else bytes
    bool taken = false;
  };

  [[nodiscard]] bool has_more(const UnderWay& one) const;
  /// What of the operation one erase unit does next; tagged with its place, from 1 on.
  PartOp next_piece(std::size_t place);
  /// The whole operation, once its last piece has ended or one has failed.
  std::optional<PartDone> piece_ended(const PartDone& piece);

  PartPort& part_;
  std::uint32_t units_;
  PartGeometry geometry_;
  PartCapabilities capabilities_;
  std::array<UnderWay, kMaxUnderWay> under_way_;
};

}  // namespace ftlab
