#include "platform/machine/iss/memory_map.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ftlab::iss {
namespace {

void check(const std::vector<MemoryRegion>& regions) {
  if (regions.size() >= std::numeric_limits<std::uint8_t>::max()) throw std::logic_error("too many memory regions");
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const MemoryRegion& one = regions[i];
    if (one.base % 4 != 0 || one.size % 4 != 0 || one.size == 0 || one.bytes == nullptr) {
      throw std::logic_error("a memory region is empty or not made of words");
    }
    const std::uint64_t end = std::uint64_t{one.base} + one.size;
    if (end > std::uint64_t{1} << 32) throw std::logic_error("a memory region reaches beyond 4 GiB");
    for (std::size_t j = 0; j < i; ++j) {
      const MemoryRegion& other = regions[j];
      if (one.base < std::uint64_t{other.base} + other.size && other.base < end) {
        throw std::logic_error("memory regions overlap");
      }
    }
  }
}

}  // namespace

MemoryMap::MemoryMap(const std::vector<MemoryRegion>& regions) : windows_(1) {
  check(regions);
  for (const bool writable : {true, false}) {
    for (const MemoryRegion& region : regions) {
      if (region.writable != writable) continue;
      std::uint8_t* marks = nullptr;
      if (region.executable) marks = marks_.emplace_back(region.size / 2).data();
      const auto number = static_cast<std::uint8_t>(windows_.size());
      windows_.push_back({region.base, region.size, region.bytes, marks});
      for (std::size_t at = region.base >> kShift; at <= (region.base + region.size - 1) >> kShift; ++at) {
        used_.set(at);
        if (load_index_[at] == 0) load_index_[at] = number;
        if (writable && store_index_[at] == 0) store_index_[at] = number;
      }
    }
    if (writable) writable_end_ = windows_.size();
  }
  store_windows_ = windows_;
  for (const MemoryRegion& region : regions)
    for (std::size_t at = region.base >> kShift; at <= (region.base + region.size - 1) >> kShift; ++at) take_pages(at);
}

void MemoryMap::take_pages(std::size_t piece) {
  for (std::uint32_t offset = 0; offset < kPieceBytes; offset += PageTable::kPageBytes) {
    const std::uint32_t page = static_cast<std::uint32_t>(piece << kShift) + offset;
    const Window* const window = find(page);
    if (window == nullptr || window->size - (page - window->base) < PageTable::kPageBytes) continue;
    std::uint8_t* const bytes = window->bytes + (page - window->base);
    if (page - slow_base_ >= slow_size_) load_pages_.set(page, bytes);
    if (window->marks == nullptr && number(*window) + 1 < writable_end_) store_pages_.set(page, bytes);
  }
}

void MemoryMap::forget_pages(std::size_t piece) {
  for (std::uint32_t offset = 0; offset < kPieceBytes; offset += PageTable::kPageBytes) {
    load_pages_.set(static_cast<std::uint32_t>(piece << kShift) + offset, nullptr);
    store_pages_.set(static_cast<std::uint32_t>(piece << kShift) + offset, nullptr);
  }
}

void MemoryMap::leave_to_bus(std::uint32_t address, bool leave) {
  const std::uint32_t piece = address >> kShift;
  if (leave) {
    if (!left_.try_emplace(piece, load_index_[piece], store_index_[piece]).second) return;
    load_index_[piece] = store_index_[piece] = 0;
    forget_pages(piece);
  } else if (const auto found = left_.extract(piece)) {
    std::tie(load_index_[piece], store_index_[piece]) = found.mapped();
    take_pages(piece);
  }
}

void MemoryMap::store_slowly(bool slowly) {
  if (slowly == stores_slowly_) return;
  stores_slowly_ = slowly;
  if (!other_store_pages_) other_store_pages_.emplace();
  std::swap(store_pages_, *other_store_pages_);
  for (std::size_t at = 1; at < windows_.size(); ++at) store_windows_[at].size = slowly ? 0 : windows_[at].size;
}

void MemoryMap::load_slowly(std::uint32_t base, std::uint32_t size) {
  slow_base_ = base;
  slow_size_ = size;
  if (const Window* const window = find(base); window != nullptr && window->base == base && window->size <= size)
    slow_ = *window;
  for (std::size_t at = base >> kShift; at <= (base + size - 1) >> kShift; ++at) {
    load_index_[at] = 0;
    forget_pages(at);
    take_pages(at);
  }
}

const MemoryMap::Window* MemoryMap::find(std::uint32_t address, std::size_t end) const {
  const auto last = windows_.begin() + static_cast<std::ptrdiff_t>(end);
  const auto found =
      std::find_if(windows_.begin() + 1, last, [&](const Window& w) { return address - w.base < w.size; });
  return found == last ? nullptr : &*found;
}

const MemoryMap::Window* MemoryMap::find_executable(std::uint32_t address) const {
  const Window* const window = find(address);
  return window != nullptr && window->marks != nullptr ? window : nullptr;
}

}  // namespace ftlab::iss
