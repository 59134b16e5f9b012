// By the class that the host tells: perfect knowledge, as the paper's models assume (Desnoyers, section 5). A page
// whose class is not told belongs to the last one.
#pragma once

#include "firmware/volume/clean/separation.h"

namespace ftlab::volume {

class Oracle final : public Separation {
 public:
  explicit Oracle(const VolumeConfig& config) : config_(config) {}

  std::uint32_t host_stream(const PageWrite& write) override {
    const std::uint32_t last = config_.classes - 1;
    return write.data_class == 0 || write.data_class > last ? last : write.data_class - 1;
  }
  std::uint32_t copy_stream(std::uint32_t, std::uint32_t from_stream, std::uint32_t) override {
    return copies_of(config_, config_.classes, from_stream % config_.classes);
  }

 private:
  const VolumeConfig& config_;
};

}  // namespace ftlab::volume
