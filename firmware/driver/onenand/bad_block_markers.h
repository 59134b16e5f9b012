// Bad-block markers: the first spare word of pages 0 and 1 of a segment.
// Knows one segment at a time; nothing of PartOps or of what else is under way.
#pragma once

#include "firmware/driver/onenand/page_buffer.h"
#include "firmware/driver/onenand/sequences.h"

namespace ftlab {

class OneNandBadBlockMarkers {
 public:
  OneNandBadBlockMarkers(OneNandSequences& sequences, OneNandPageBuffer& buffer)
      : sequences_(sequences), buffer_(buffer) {}

  /// ok, bad_segment, or timeout.
  PartStatus check(const OneNandPlace& segment);
  /// program_failed: the marker cannot be seen afterwards.
  PartStatus set(const OneNandPlace& segment);

 private:
  OneNandSequences& sequences_;
  OneNandPageBuffer& buffer_;
};

}  // namespace ftlab
