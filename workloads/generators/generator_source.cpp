#include "workloads/generators/generator_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"

namespace ftlab::workloads {
namespace {

/// Of what one client draws for itself.
std::uint64_t seed_of_client(std::uint64_t seed, std::uint32_t client) {
  return client == 0 ? seed : stream_seed(seed, fmt::format("client {}", client));
}

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

std::uint32_t GeneratorSource::Ahead::take() {
  if (used == slots.size()) {
    pattern->draw(slots);
    used = 0;
  }
  return slots[used++];
}

GeneratorSource::GeneratorSource(const GeneratorEntry& entry, const GeneratorConfig& config, std::uint64_t device_bytes,
                                 std::uint64_t seed)
    : layout_(resolve_layout(config, device_bytes)),
      roles_(split_slots(layout_.slots, config.read_only_share, seed)),
      mix_engine_(stream_seed(seed_of_client(seed, config.client), "reads.mix")),
      read_only_engine_(stream_seed(seed_of_client(seed, config.client), "read_only.accesses")),
      is_read_(config.read_share),
      is_read_only_(static_cast<double>(roles_.read_only.count) / layout_.slots),
      read_only_pick_(0, roles_.read_only.count == 0 ? 0 : roles_.read_only.count - 1) {
  if (roles_.writable.count == 0 && config.read_share < 1) {
    throw InputError(
        fmt::format("workload.read_only_share: {} leaves no page to write; use a smaller share, or "
                    "read_share = 1",
                    config.read_only_share));
  }
  if (roles_.writable.count != 0) {
    const std::uint64_t scatter = stream_seed(seed, "pattern.scatter");
    const std::uint64_t own = seed_of_client(seed, config.client);
    writes_.pattern = entry.make(roles_.writable, config, scatter, stream_seed(own, "writes.accesses"));
    reads_.pattern = entry.make(roles_.writable, config, scatter, stream_seed(own, "reads.accesses"));
  }
  const std::uint64_t bytes =
      config.overwrites > 0
          ? static_cast<std::uint64_t>(config.overwrites * static_cast<double>(layout_.pages) * layout_.page_bytes)
          : config.total_bytes;
  left_ = divide_up(bytes, layout_.request_bytes);
  if (left_ > 0) to_warm_up_ = config.warm_up_bytes;
  if (to_warm_up_ > 0 && config.read_share == 1) {
    throw InputError(
        "workload.read_share: 1 writes nothing, so a warm-up never ends; use a smaller share, or "
        "workload.warm_up_overwrites = 0");
  }
  const auto warm_up_writes = static_cast<double>(divide_up(to_warm_up_, layout_.request_bytes));
  size_hint_ = left_ + (to_warm_up_ == 0 ? 0 : static_cast<std::uint64_t>(warm_up_writes / (1 - config.read_share)));
}

std::uint32_t GeneratorSource::next_read_slot() {
  if (roles_.read_only.count != 0 && is_read_only_(read_only_engine_)) {
    return roles_.read_only[read_only_pick_(read_only_engine_)];
  }
  return reads_.take();
}

std::size_t GeneratorSource::next(std::span<Request> batch) {
  const std::uint64_t slot_bytes = std::uint64_t{layout_.pages_per_slot} * layout_.page_bytes;
  const bool mixed = is_read_.p() > 0;
  std::size_t n = 0;
  for (; n < batch.size() && left_ != 0; ++n) {
    const bool read = mixed && is_read_(mix_engine_);
    const std::uint32_t slot = read ? next_read_slot() : writes_.take();
    batch[n] = Request{.kind = read ? RequestKind::read : RequestKind::write,
                       .data_class = read ? std::uint8_t{0} : writes_.pattern->class_of(slot),
                       .length = layout_.request_bytes,
                       .offset = slot * slot_bytes};
    if (to_warm_up_ == 0) {
      --left_;
    } else if (!read) {
      to_warm_up_ -= std::min<std::uint64_t>(to_warm_up_, layout_.request_bytes);
    }
  }
  return n;
}

}  // namespace ftlab::workloads
