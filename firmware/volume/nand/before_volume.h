// Checkpoints are found before the volume is known: while one of these lives, metadata is that of no volume.
#pragma once

#include <cstdint>

#include "firmware/volume/nand/page_io.h"

namespace ftlab::nand {

class BeforeVolume {
 public:
  explicit BeforeVolume(PageIo& store) : store_(store), volume_(store.volume()) { store_.set_volume(0); }
  BeforeVolume(const BeforeVolume&) = delete;
  BeforeVolume& operator=(const BeforeVolume&) = delete;
  ~BeforeVolume() { store_.set_volume(volume_); }

 private:
  PageIo& store_;
  std::uint32_t volume_;
};

}  // namespace ftlab::nand
