// The FMS on an emulated NAND part: sizes and starting points shared by its tests.
#pragma once

#include "tests/support/emulated_nand.h"
#include "tests/support/fms_bench.h"
#include "tests/support/host_script.h"

namespace ftlab::tests {

/// 24 segments of 16 pages of 512 bytes; 22 carry data.
inline EmulatedNandOptions small_nand() { return {}; }

inline FmsConfig nand_config(std::uint32_t logical_pages = 170) {
  FmsConfig config;
  config.page_bytes = 512;
  config.logical_pages = logical_pages;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  return config;
}

inline Oracle nand_oracle(const Ftl& ftl) {
  return {ftl.capacity_bytes(), ftl.page_bytes(), Oracle::Trims::need_flush};
}

/// A formatted volume with a host and its oracle.
struct NandVolume {
  explicit NandVolume(EmulatedNandOptions part = small_nand(), const FmsConfig& fms_config = nand_config(),
                      std::uint64_t seed = 61)
      : config(fms_config),
        flash(part),
        life(flash, config),
        oracle(nand_oracle(*life)),
        host(seed, life->capacity_bytes(), config.page_bytes) {}

  FmsConfig config;
  EmulatedNand flash;
  FmsLife life;
  Oracle oracle;
  HostScript host;
};

}  // namespace ftlab::tests
