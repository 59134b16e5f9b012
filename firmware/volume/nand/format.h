// Turns any NAND part into an empty volume, keeping erase counts and bad segments that a checkpoint still knows.
#pragma once

#include <cstdint>

#include "firmware/volume/nand/nand_volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab::nand {

class Format {
 public:
  Format(NandVolume& nand, WriteFrontier& frontier) : n_(nand), v_(nand.v), frontier_(frontier) {}

  /// The volume must be cleared before. Afterwards it is the mounted, empty one.
  FtlStatus run();

 private:
  FtlStatus begin();
  FtlStatus prepare_until(std::uint32_t free);
  FtlStatus prepare(std::uint32_t segment);
  [[nodiscard]] bool looks_new(std::uint32_t segment);

  NandVolume& n_;
  Volume& v_;
  WriteFrontier& frontier_;
  bool new_part_ = false;
  std::uint32_t next_ = 0;  ///< segment to be prepared next
};

}  // namespace ftlab::nand
