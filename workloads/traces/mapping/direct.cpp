#include "workloads/traces/mapping/direct.h"

#include <fmt/format.h>

namespace ftlab::workloads {
namespace {

class Direct final : public AddressMap {
 public:
  explicit Direct(std::uint64_t device_bytes) : device_bytes_(device_bytes) {}

  void map(const TraceRecord& record, std::vector<Piece>& out) override {
    if (record.offset > device_bytes_ || record.length > device_bytes_ - record.offset) {
      throw DoesNotFit(
          fmt::format("byte {} + {} lies beyond the device of {} bytes; set workload.address to compact or "
                      "modulo, or use a larger part",
                      record.offset, record.length, device_bytes_));
    }
    if (device_known_ && record.device != device_) {
      throw DoesNotFit(
          "the trace has several devices whose addresses overlap; choose one with workload.device, or set "
          "workload.address "
          "to compact");
    }
    device_known_ = true;
    device_ = record.device;
    out.push_back({record.offset, record.length});
  }

 private:
  std::uint64_t device_bytes_;
  std::uint32_t device_ = 0;
  bool device_known_ = false;
};

}  // namespace

std::unique_ptr<AddressMap> make_direct(const TraceConfig& /*config*/, std::uint64_t device_bytes,
                                        std::uint64_t /*seed*/) {
  return std::make_unique<Direct>(device_bytes);
}

}  // namespace ftlab::workloads
