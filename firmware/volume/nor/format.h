// Turns any medium into an empty FMS volume, keeping erase counts that can still be read.
#pragma once

#include "firmware/ftl/fms/frontier.h"
#include "firmware/ftl/fms/segment_pool.h"
#include "firmware/ftl/fms/state.h"
#include "firmware/volume/nor/journal.h"

namespace ftlab::fms {

class Format {
 public:
  Format(FmsState& state, Journal& journal, SegmentPool& pool, Frontier& frontier)
      : s_(state), journal_(journal), pool_(pool), frontier_(frontier) {}

  /// The state must be cleared before. Afterwards it describes the mounted, empty volume.
  FtlStatus run();

 private:
  FtlStatus prepare(std::uint32_t segment);
  bool is_blank(std::uint32_t segment, bool& blank);

  FmsState& s_;
  Journal& journal_;
  SegmentPool& pool_;
  Frontier& frontier_;
  std::uint32_t newest_volume_ = 0;  ///< that a header names
};

}  // namespace ftlab::fms
