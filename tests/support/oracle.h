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
  enum class Trims : std::uint8_t {
    durable,     ///< once acknowledged
    need_flush,  ///< until the next flush a power cut may bring the page back, whole, as it was before
  };

  Oracle(std::uint64_t capacity, std::uint32_t page_bytes, Trims trims = Trims::durable)
      : page_bytes_(page_bytes),
        trims_(trims),
        now_(capacity, std::byte{0xFF}),
        before_(now_),
        pages_(capacity / page_bytes) {}

  /// A request is about to be made: until acknowledged, each of its pages may be old or new.
  void begin_write(std::uint64_t offset, std::span<const std::byte> data);
  void begin_trim(std::uint64_t offset, std::uint64_t length);
  /// The request was answered with ok.
  void acknowledge();
  /// A flush was answered with ok.
  void flushed();

  /// Reads everything back. Empty when accepted, else where and how it differs. Afterwards what was read is the
  /// truth: a page that kept its old content will not turn into the new one later.
  std::string check(Ftl& ftl) { return check(ftl, true); }
  /// The same without a mount before: what a power cut may still undo stays in doubt.
  std::string check_live(Ftl& ftl) { return check(ftl, false); }

 private:
  enum class Touch : std::uint8_t { none, write, trim };
  struct Page {
    Touch touched = Touch::none;  ///< by the request under way
    bool weak = false;            ///< trimmed, not flushed: before_ still counts, and so do erased bytes
  };

  std::string check(Ftl& ftl, bool mounted);
  [[nodiscard]] std::span<std::byte> page_of(std::vector<std::byte>& bytes, std::size_t page) const {
    return std::span(bytes).subspan(page * page_bytes_, page_bytes_);
  }

  std::uint32_t page_bytes_;
  Trims trims_;
  std::vector<std::byte> now_;
  std::vector<std::byte> before_;
  std::vector<Page> pages_;
};

}  // namespace ftlab::tests
