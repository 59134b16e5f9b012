#include "hw/onenand/array/page_pool.h"

#include <array>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ftlab::hw {

namespace {

/// Past the caches: a page just written is hardly the next one read, and what stands there need not be fetched first.
void copy_page(std::byte* to, const std::byte* from) {
#ifdef __SSE2__
  for (std::size_t at = 0; at < PagePool::kPageBytes; at += sizeof(__m128i)) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
#else
  std::memcpy(to, from, PagePool::kPageBytes);
#endif
}

}  // namespace

PagePool::PagePool() : blank_(take_page()), zero_(take_page()) { blank_.rule() = RegularPage(UINT64_MAX); }

void PagePool::Page::read(std::size_t offset, std::span<std::byte> into) const {
  if (!regular()) {
    std::memcpy(into.data(), pool_->at(place()) + offset, into.size());
  } else if (offset % RegularPage::kSectorBytes == 0 && into.size() % RegularPage::kSectorBytes == 0) {
    rule().expand(offset, into);
  } else {
    std::array<std::byte, kPageBytes> all;
    rule().expand(0, all);
    std::memcpy(into.data(), &all[offset], into.size());
  }
}

void PagePool::Page::write(ConstBytes content) {
  if (regular() && rule().recognise(content)) return;
  copy_page(pool_->place_bytes(place()), content.data());
}

PagePool::Bytes PagePool::Page::own_bytes() {
  const bool was_regular = regular();
  const Bytes bytes{pool_->place_bytes(place()), kPageBytes};
  if (was_regular) rule().expand(0, bytes);
  return bytes;
}

void PagePool::Page::prefetch() const {
  constexpr std::size_t kCacheLine = 64;
  constexpr std::size_t kLines = 16;
  const auto* const bytes = regular() ? reinterpret_cast<const std::byte*>(&rule()) : pool_->at(place());
  const std::size_t lines = regular() ? sizeof(RegularPage) / kCacheLine : kLines;
  for (std::size_t line = 0; line < lines; ++line) __builtin_prefetch(bytes + line * kCacheLine);
}

PagePool::Page PagePool::take(ConstBytes content) {
  Page page = take_page();
  page.write(content);
  return page;
}

PagePool::Page PagePool::take(const Page& other) {
  Page page = take_page();
  if (other.regular()) {
    page.rule() = other.rule();
  } else {
    std::memcpy(place_bytes(page.place()), at(other.place()), kPageBytes);
  }
  return page;
}

PagePool::Page PagePool::take_page() {
  std::uint32_t index = 0;
  if (free_pages_.empty()) {
    index = static_cast<std::uint32_t>(holders_.size());
    holders_.push_back(0);
    places_.push_back(kRegular);
    rules_.emplace_back();
  } else {
    index = free_pages_.back();
    free_pages_.pop_back();
  }
  holders_[index] = 1;
  return {this, index};
}

std::byte* PagePool::place_bytes(std::uint32_t& place) {
  if (place == kRegular) {
    if (free_places_.empty()) {
      if (places_taken_ == chunks_.size() * kPlacesInChunk) chunks_.push_back(std::make_unique_for_overwrite<Chunk>());
      place = places_taken_++;
    } else {
      place = free_places_.back();
      free_places_.pop_back();
    }
  }
  return at(place);
}

void PagePool::release(std::uint32_t index) {
  if (places_[index] != kRegular) free_places_.push_back(std::exchange(places_[index], kRegular));
  free_pages_.push_back(index);
}

}  // namespace ftlab::hw
