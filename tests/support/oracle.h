// Knows every byte the FTL has acknowledged, and for a write that was not, what may stand in its place.
// Knows nothing of how an FTL works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firmware/ftl.h"

namespace ftlab::tests {

class Oracle {
 public:
  Oracle(std::uint64_t capacity, std::uint32_t page_bytes)
      : page_bytes_(page_bytes), now_(capacity, std::byte{0xFF}), before_(now_) {}

  /// A request is about to be made: until acknowledged, each of its pages may be old or new.
  void begin_write(std::uint64_t offset, std::span<const std::byte> data);
  void begin_trim(std::uint64_t offset, std::uint64_t length);
  /// The request was answered with ok.
  void acknowledge() { before_ = now_; }

  /// Reads everything back. Empty when accepted, else where and how it differs. Afterwards what was read is the
  /// truth: a page that kept its old content will not turn into the new one later.
  std::string check(Ftl& ftl);

 private:
  std::uint32_t page_bytes_;
  std::vector<std::byte> now_;
  std::vector<std::byte> before_;
};

}  // namespace ftlab::tests
