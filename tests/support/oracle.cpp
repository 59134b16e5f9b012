// Whole pages are compared: a mixture of old and new within one page is a torn write.
#include "tests/support/oracle.h"

#include <algorithm>

namespace ftlab::tests {

void Oracle::begin_write(std::uint64_t offset, std::span<const std::byte> data) {
  std::copy(data.begin(), data.end(), now_.begin() + static_cast<std::ptrdiff_t>(offset));
}

void Oracle::begin_trim(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t first = (offset + page_bytes_ - 1) / page_bytes_ * page_bytes_;
  const std::uint64_t end = (offset + length) / page_bytes_ * page_bytes_;
  if (first < end)
    std::fill(now_.begin() + static_cast<std::ptrdiff_t>(first), now_.begin() + static_cast<std::ptrdiff_t>(end),
              std::byte{0xFF});
}

std::string Oracle::check(Ftl& ftl) {
  std::vector<std::byte> page(page_bytes_);
  for (std::size_t at = 0; at < now_.size(); at += page_bytes_) {
    if (ftl.read(at, page, 0) != FtlStatus::ok) return "page " + std::to_string(at / page_bytes_) + " cannot be read";
    const auto same = [&](const std::vector<std::byte>& truth) {
      return std::equal(page.begin(), page.end(), truth.begin() + static_cast<std::ptrdiff_t>(at));
    };
    if (!same(now_) && !same(before_)) return "page " + std::to_string(at / page_bytes_) + " is neither old nor new";
    std::copy(page.begin(), page.end(), now_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  before_ = now_;
  return {};
}

}  // namespace ftlab::tests
