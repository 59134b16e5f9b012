// One page on its way to a region's log segment: writes to parts of a page gather here until the page is whole, another
// page comes, or the host flushes. Knows no flash: what the host did not write is filled in by its owner.
// Invariants: holds a page or nothing; bytes outside [from, to) are known only when the page is complete.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ftlab::flexfs {

class WriteBuffer {
 public:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  void attach(std::span<std::byte> page) { page_ = page; }
  void clear() {
    lpn_ = kEmpty;
    from_ = to_ = 0;
    file_ = 0;
    hot_ = complete_ = false;
  }
  /// Starts to gather the page. Only when empty.
  void begin(std::uint32_t lpn, std::uint32_t file, bool hot) {
    lpn_ = lpn;
    file_ = file;
    hot_ = hot;
  }

  /// Whether part [at, at + length) can be taken without the page's old content.
  [[nodiscard]] bool fits(std::uint32_t at, std::uint32_t length) const {
    return complete_ || from_ == to_ || (at <= to_ && at + length >= from_);
  }
  /// Takes a part; fits() must hold.
  void put(std::uint32_t at, std::span<const std::byte> part) {
    const auto end = at + static_cast<std::uint32_t>(part.size());
    std::memcpy(page_.data() + at, part.data(), part.size());
    if (from_ != to_ && at <= to_ && end >= from_) {
      from_ = std::min(from_, at);
      to_ = std::max(to_, end);
    } else if (end - at > to_ - from_) {
      from_ = at;
      to_ = end;
    }
    if (whole()) complete_ = true;
  }
  /// The page's old content, where the host has written nothing: the page is complete.
  void fill(std::span<const std::byte> old) {
    std::memcpy(page_.data(), old.data(), from_);
    std::memcpy(page_.data() + to_, old.data() + to_, page_.size() - to_);
    complete_ = true;
  }

  [[nodiscard]] bool empty() const { return lpn_ == kEmpty; }
  [[nodiscard]] bool holds(std::uint32_t lpn) const { return lpn_ == lpn && lpn != kEmpty; }
  /// Bytes [at, at + length) are known.
  [[nodiscard]] bool covers(std::uint32_t at, std::size_t length) const {
    return complete_ || (at >= from_ && at + length <= to_);
  }
  /// Every byte is known.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Every byte is the host's: nothing more to wait for.
  [[nodiscard]] bool whole() const { return to_ - from_ == page_.size(); }
  [[nodiscard]] std::uint32_t lpn() const { return lpn_; }
  [[nodiscard]] std::uint32_t file() const { return file_; }
  [[nodiscard]] bool hot() const { return hot_; }
  [[nodiscard]] const std::byte* data() const { return page_.data(); }

 private:
  std::span<std::byte> page_;
  std::uint32_t lpn_ = kEmpty;
  std::uint32_t file_ = 0;
  std::uint32_t from_ = 0;
  std::uint32_t to_ = 0;
  bool hot_ = false;
  bool complete_ = false;
};

}  // namespace ftlab::flexfs
