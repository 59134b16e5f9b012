// Groups the cycles of a burst by kind, so that it is booked as its single cycles would be.
#pragma once

#include <cstdint>

#include "hw/series2plus/bus/access_meter.h"

namespace ftlab::hw {

class BurstBook {
 public:
  BurstBook(AccessMeter& meter, bool write, std::uint32_t device, Ticks now)
      : meter_(meter), write_(write), device_(device), start_(now) {}
  ~BurstBook() { flush(Ticks::zero()); }
  BurstBook(const BurstBook&) = delete;
  BurstBook& operator=(const BurstBook&) = delete;

  void add(DeviceOpKind kind, std::uint32_t address, std::uint32_t bytes, Ticks now) {
    if (bytes_ != 0 && kind != kind_) flush(now);
    if (bytes_ == 0) {
      kind_ = kind;
      address_ = address;
    }
    bytes_ += bytes;
  }

 private:
  void flush(Ticks next_start) {
    if (bytes_ == 0) return;
    if (write_) {
      meter_.write(kind_, device_, address_, bytes_, start_);
    } else {
      meter_.read(kind_, device_, address_, bytes_, start_);
    }
    bytes_ = 0;
    start_ = next_start;
  }

  AccessMeter& meter_;
  bool write_;
  std::uint32_t device_;
  Ticks start_;
  DeviceOpKind kind_ = DeviceOpKind::register_access;
  std::uint32_t address_ = 0;
  std::uint32_t bytes_ = 0;
};

}  // namespace ftlab::hw
