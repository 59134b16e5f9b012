#include "workloads/traces/mapping/modulo.h"

#include <algorithm>

namespace ftlab::workloads {
namespace {

class Modulo final : public AddressMap {
 public:
  explicit Modulo(std::uint64_t room) : room_(room) {}

  void map(const TraceRecord& record, std::vector<Piece>& out) override {
    // A trim longer than the device covers it once; a read or write goes round as often as it is long.
    std::uint64_t left = record.kind == RequestKind::trim ? std::min(record.length, room_) : record.length;
    std::uint64_t at = record.offset % room_;
    while (left != 0) {
      const std::uint64_t length = std::min(left, room_ - at);
      out.push_back({at, length});
      left -= length;
      at = 0;
    }
  }

 private:
  std::uint64_t room_;  ///< bytes; whole pages
};

}  // namespace

std::unique_ptr<AddressMap> make_modulo(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t /*seed*/) {
  return std::make_unique<Modulo>(device_bytes / config.page_bytes * config.page_bytes);
}

}  // namespace ftlab::workloads
