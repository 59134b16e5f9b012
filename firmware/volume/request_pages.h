// Splits the byte range of a request into pages, or into segments as if they were pages. Knows no volume.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ftlab {

class RequestPages {
 public:
  struct Part {
    std::uint32_t lpn = 0;
    std::uint32_t at = 0;      ///< first byte within the page
    std::uint32_t length = 0;  ///< bytes of this page
    std::uint64_t done = 0;    ///< bytes of the request before this part
  };

  RequestPages(std::uint64_t offset, std::uint64_t length, std::uint32_t page_bytes)
      : offset_(offset), left_(length), page_bytes_(page_bytes) {}

  /// The next part; nothing after the last.
  std::optional<Part> next() {
    if (left_ == 0) return std::nullopt;
    Part part;
    part.lpn = static_cast<std::uint32_t>(offset_ / page_bytes_);
    part.at = static_cast<std::uint32_t>(offset_ % page_bytes_);
    part.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(page_bytes_ - part.at, left_));
    part.done = done_;
    offset_ += part.length;
    done_ += part.length;
    left_ -= part.length;
    return part;
  }

  /// The pages that lie inside the range as a whole: those a trim takes.
  struct Whole {
    std::uint32_t first = 0;
    std::uint32_t end = 0;  ///< not above `first`: none
  };
  [[nodiscard]] static Whole whole(std::uint64_t offset, std::uint64_t length, std::uint32_t page_bytes) {
    return {static_cast<std::uint32_t>((offset + page_bytes - 1) / page_bytes),
            static_cast<std::uint32_t>((offset + length) / page_bytes)};
  }

 private:
  std::uint64_t offset_;
  std::uint64_t left_;
  std::uint32_t page_bytes_;
  std::uint64_t done_ = 0;
};

}  // namespace ftlab
