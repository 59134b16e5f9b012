#include "workloads/traces/mapping/compact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "workloads/generators/slot_set.h"
#include "workloads/random_stream.h"
#include "workloads/traces/page_share.h"
#include "workloads/traces/page_table.h"

namespace ftlab::workloads {
namespace {

class Compact final : public AddressMap {
 public:
  /// `places` empty: the n-th touched page goes to page n.
  Compact(const TraceConfig& config, std::uint64_t device_pages, std::vector<std::uint32_t> places)
      : page_bytes_(config.page_bytes),
        device_pages_(device_pages),
        places_(std::move(places)),
        kept_hashes_(kept_hashes(config.write_scale)) {}

  void map(const TraceRecord& record, std::vector<Piece>& out) override {
    if (record.length == 0) return;
    if (record.kind == RequestKind::trim) return trim(record, out);
    const std::size_t first_of_record = out.size();
    std::uint64_t at = record.offset;
    const std::uint64_t end = record.offset + record.length;
    while (at < end) {
      const std::uint64_t page = at / page_bytes_;
      const std::uint64_t in_page = at % page_bytes_;
      const std::uint64_t length = std::min(page_bytes_ - in_page, end - at);
      if (keeps(record.device, page)) {
        append_piece(out, first_of_record, {place(record.device, page) * page_bytes_ + in_page, length});
      }
      at += length;
    }
  }

 private:
  [[nodiscard]] bool keeps(std::uint32_t device, std::uint64_t page) const {
    return kept_hashes_ == kPageHashes || page_hash(device, page) < kept_hashes_;
  }

  std::uint64_t place(std::uint32_t device, std::uint64_t page) {
    std::uint32_t& number = table_.at(device, page);  // place + 1
    if (number == 0) {
      if (touched_ == device_pages_) refuse_full();
      number = static_cast<std::uint32_t>(++touched_);
    }
    return placed(number);
  }

  [[nodiscard]] std::uint64_t placed(std::uint32_t number) const {
    return places_.empty() ? number - 1 : places_[number - 1];
  }

  /// A trim touches nothing: pages never seen have no place to be freed.
  void trim(const TraceRecord& record, std::vector<Piece>& out) const {
    const std::size_t first_of_record = out.size();
    const std::uint64_t end = record.offset + record.length;
    const std::uint64_t first_page = record.offset / page_bytes_;
    const std::uint64_t pages = (end - 1) / page_bytes_ - first_page + 1;
    table_.for_range(record.device, first_page, pages, [&](std::uint64_t page, std::uint32_t number) {
      const std::uint64_t from = std::max(record.offset, page * page_bytes_);
      const std::uint64_t to = std::min(end, (page + 1) * page_bytes_);
      append_piece(out, first_of_record, {placed(number) * page_bytes_ + (from - page * page_bytes_), to - from});
    });
  }

  [[noreturn]] void refuse_full() const {
    throw DeviceFull(fmt::format("the trace touches more than {} pages of {} bytes, which is all that the device has",
                                 device_pages_, page_bytes_));
  }

  std::uint64_t page_bytes_;
  std::uint64_t device_pages_;
  std::vector<std::uint32_t> places_;
  std::uint32_t kept_hashes_;
  PageTable table_;
  std::uint64_t touched_ = 0;
};

std::uint64_t countable_pages(const TraceConfig& config, std::uint64_t device_bytes) {
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return std::min(device_bytes / config.page_bytes, most);
}

}  // namespace

std::unique_ptr<AddressMap> make_compact(const TraceConfig& config, std::uint64_t device_bytes,
                                         std::uint64_t /*seed*/) {
  return std::make_unique<Compact>(config, countable_pages(config, device_bytes), std::vector<std::uint32_t>{});
}

std::unique_ptr<AddressMap> make_compact_scattered(const TraceConfig& config, std::uint64_t device_bytes,
                                                   std::uint64_t seed) {
  const std::uint64_t pages = countable_pages(config, device_bytes);
  std::vector<std::uint32_t> places(pages);
  std::iota(places.begin(), places.end(), 0U);
  scatter_to_front(places, static_cast<std::uint32_t>(pages), stream_seed(seed, "trace.scatter"));
  return std::make_unique<Compact>(config, pages, std::move(places));
}

}  // namespace ftlab::workloads
