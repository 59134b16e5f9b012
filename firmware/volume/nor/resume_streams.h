// Mount: the partly filled segments. One of each stream is filled further, the others are closed.
#pragma once

#include <cstdint>

#include "firmware/volume/nor/segment_entries.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"

namespace ftlab::nor {

class ResumeStreams {
 public:
  ResumeStreams(Volume& volume, SegmentPool& pool, SegmentEntries& entries)
      : v_(volume), pool_(pool), entries_(entries) {}
  void run();

 private:
  void make_appendable(std::uint32_t segment);
  [[nodiscard]] bool slot_is_blank(std::uint32_t segment, std::uint32_t slot);

  Volume& v_;
  SegmentPool& pool_;
  SegmentEntries& entries_;
};

}  // namespace ftlab::nor
