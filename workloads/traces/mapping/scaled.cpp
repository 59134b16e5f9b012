#include "workloads/traces/mapping/scaled.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"

namespace ftlab::workloads {
namespace {

class Scaled final : public AddressMap {
 public:
  Scaled(std::uint64_t traced_bytes, std::uint64_t device_pages, std::uint32_t page_bytes)
      : traced_bytes_(traced_bytes),
        traced_pages_((traced_bytes + page_bytes - 1) / page_bytes),
        device_pages_(device_pages),
        page_bytes_(page_bytes) {}

  void map(const TraceRecord& record, std::vector<Piece>& out) override {
    if (record.offset > traced_bytes_ || record.length > traced_bytes_ - record.offset) {
      throw DoesNotFit(
          fmt::format("byte {} + {} lies beyond the traced device of {} bytes; raise workload.traced_mib, or choose "
                      "one device with workload.device",
                      record.offset, record.length, traced_bytes_));
    }
    const std::size_t first = out.size();
    std::uint64_t at = record.offset;
    for (std::uint64_t left = record.length; left != 0;) {
      const std::uint64_t in_page = at % page_bytes_;
      const std::uint64_t length = std::min(left, page_bytes_ - in_page);
      append_piece(out, first, {place(at / page_bytes_) * page_bytes_ + in_page, length});
      at += length;
      left -= length;
    }
  }

 private:
  /// 128 bits: both counts may be large.
  [[nodiscard]] std::uint64_t place(std::uint64_t page) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{page} * device_pages_ / traced_pages_);
  }

  std::uint64_t traced_bytes_;
  std::uint64_t traced_pages_;
  std::uint64_t device_pages_;
  std::uint32_t page_bytes_;
};

}  // namespace

std::unique_ptr<AddressMap> make_scaled(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t /*seed*/) {
  if (config.traced_bytes == 0) {
    throw InputError(
        "workload.traced_mib: address = \"scaled\" needs the size of the traced device; give it in MiB, "
        "`ftlab trace info` prints the last address");
  }
  return std::make_unique<Scaled>(config.traced_bytes, device_bytes / config.page_bytes, config.page_bytes);
}

}  // namespace ftlab::workloads
