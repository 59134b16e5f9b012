// Turns any NOR part into an empty volume, keeping erase counts that can still be read.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/volume/nor/log.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab::nor {

class Format {
 public:
  Format(Volume& volume, Log& log, SegmentPool& pool, WriteFrontier& frontier)
      : v_(volume), log_(log), pool_(pool), frontier_(frontier) {}

  /// The volume must be cleared before. Afterwards it describes the mounted, empty volume.
  FtlStatus run();

 private:
  FtlStatus prepare(std::uint32_t segment);
  /// nullopt: the segment cannot be read.
  std::optional<bool> is_blank(std::uint32_t segment);

  Volume& v_;
  Log& log_;
  SegmentPool& pool_;
  WriteFrontier& frontier_;
  std::uint32_t newest_volume_ = 0;  ///< that a header names
};

}  // namespace ftlab::nor
