// Whole pages are compared: a mixture of old and new within one page is a torn write.
#include "tests/support/oracle.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ftlab::tests {

void Oracle::begin_write(std::uint64_t offset, std::span<const std::byte> data) {
  if (data.empty()) return;
  std::copy(data.begin(), data.end(), now_.begin() + static_cast<std::ptrdiff_t>(offset));
  for (std::size_t page = offset / page_bytes_; page * page_bytes_ < offset + data.size(); ++page)
    pages_[page].touched = Touch::write;
}

void Oracle::begin_trim(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t first = (offset + page_bytes_ - 1) / page_bytes_;
  const std::uint64_t end = (offset + length) / page_bytes_;
  for (std::uint64_t page = first; page < end; ++page) {
    std::ranges::fill(page_of(now_, page), std::byte{0xFF});
    pages_[page].touched = Touch::trim;
  }
}

void Oracle::acknowledge() {
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    const Touch touched = std::exchange(pages_[page].touched, Touch::none);
    if (touched == Touch::none) continue;
    pages_[page].weak = touched == Touch::trim && trims_ == Trims::need_flush;
    if (!pages_[page].weak) std::ranges::copy(page_of(now_, page), page_of(before_, page).begin());
  }
}

void Oracle::flushed() {
  for (std::size_t page = 0; page < pages_.size(); ++page)
    if (std::exchange(pages_[page].weak, false)) std::ranges::copy(page_of(now_, page), page_of(before_, page).begin());
}

std::string Oracle::check(Ftl& ftl, bool mounted) {
  std::vector<std::byte> read(page_bytes_);
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    if (ftl.read(page * page_bytes_, read, 0) != FtlStatus::ok)
      return "page " + std::to_string(page) + " cannot be read";
    const auto same = [&](std::vector<std::byte>& truth) {
      return std::memcmp(read.data(), page_of(truth, page).data(), page_bytes_) == 0;
    };
    const auto erased = [&] { return std::ranges::all_of(read, [](std::byte b) { return b == std::byte{0xFF}; }); };
    if (!same(now_) && !same(before_) && !(pages_[page].weak && erased()))
      return "page " + std::to_string(page) + " is neither old nor new";
    std::ranges::copy(read, page_of(now_, page).begin());
    if (pages_[page].weak && !mounted) continue;
    pages_[page] = {};
    std::ranges::copy(read, page_of(before_, page).begin());
  }
  return {};
}

}  // namespace ftlab::tests
