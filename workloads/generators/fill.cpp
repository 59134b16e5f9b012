#include "workloads/generators/fill.h"

#include "workloads/generators/slot_set.h"

namespace ftlab::workloads {

FillSource::FillSource(const GeneratorConfig& config, std::uint64_t device_bytes, std::uint64_t seed)
    : layout_(resolve_layout(config, device_bytes)),
      read_only_(split_slots(layout_.slots, config.read_only_share, seed).read_only.list) {}

std::size_t FillSource::next(std::span<Request> batch) {
  std::size_t n = 0;
  for (; n < batch.size() && next_page_ < layout_.pages; ++n, ++next_page_) {
    const std::uint32_t slot = next_page_ / layout_.pages_per_slot;
    while (next_read_only_ < read_only_.size() && read_only_[next_read_only_] < slot) ++next_read_only_;
    const bool read_only = next_read_only_ < read_only_.size() && read_only_[next_read_only_] == slot;
    batch[n] = Request{.kind = RequestKind::write,
                       .read_only_data = read_only,
                       .length = layout_.page_bytes,
                       .offset = std::uint64_t{next_page_} * layout_.page_bytes};
  }
  return n;
}

}  // namespace ftlab::workloads
