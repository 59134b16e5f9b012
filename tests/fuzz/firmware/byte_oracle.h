// Knows every byte that may stand in each page: what the host saw last, and every version since the page was last
// durable. Knows nothing of how an FTL works. Beside tests/powerloss/page_oracle.h because the requests of an input
// begin and end at any byte. Whole pages are compared: a mixture of old and new within one page is a torn write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "tests/fixtures/oracle_rules.h"

namespace ftlab::fuzz {

class ByteOracle {
 public:
  ByteOracle(std::uint64_t capacity, std::uint32_t page_bytes, tests::OracleRules rules = {})
      : page_bytes_(page_bytes), rules_(rules), last_(capacity, std::byte{0xFF}) {}

  /// A request is about to be made: until acknowledged, each of its pages may be old or new.
  void begin_write(std::uint64_t offset, std::span<const std::byte> data);
  void begin_trim(std::uint64_t offset, std::uint64_t length);
  /// The request was answered with ok.
  void acknowledge();
  /// A flush was answered with ok.
  void acknowledge_flush();

  /// The next check lets these pages hold anything, or be lost.
  void expose(const std::vector<std::uint32_t>& pages) { exposed_.assign(pages.begin(), pages.end()); }
  /// Whether the request made last is on a page that cannot be read.
  [[nodiscard]] bool is_on_lost_page() const {
    return std::ranges::any_of(touched_, [this](const Touched& touched) { return has(lost_, touched.page); });
  }

  [[nodiscard]] bool may_not_be_read(std::uint64_t offset, std::uint64_t length) const {
    return std::ranges::any_of(lost_, [&](std::size_t page) {
      return page * page_bytes_ < offset + length && offset < (page + 1) * page_bytes_;
    });
  }

  /// Reads everything back in the same mount session. Empty when all is as the host saw it last, but for the pages of
  /// requests that were not acknowledged, which may be old or new; else where it differs.
  [[nodiscard]] std::string check_live(Ftl& ftl) { return check(ftl, false); }
  /// The same after a mount: any version that a power loss may leave. What was read is the truth from now on: a page
  /// that kept its old content will not turn into the new one later.
  [[nodiscard]] std::string check_mounted(Ftl& ftl);

 private:
  struct Older {
    std::size_t page;
    std::vector<std::byte> bytes;
  };
  struct Touched {
    std::size_t page;
    bool durable;       ///< once acknowledged
    std::size_t begin;  ///< the part that changes
    std::size_t end;
  };

  std::string check(Ftl& ftl, bool mounted);
  void begin_request();
  void begin_page(const Touched& touched);
  static bool has(const std::vector<std::size_t>& pages, std::size_t page) {
    return std::ranges::find(pages, page) != pages.end();
  }
  [[nodiscard]] bool is_refused(std::size_t page) const { return has(refused_, page); }
  [[nodiscard]] std::span<std::byte> last_of(std::size_t page) {
    return std::span(last_).subspan(page * page_bytes_, page_bytes_);
  }

  std::uint32_t page_bytes_;
  tests::OracleRules rules_;
  std::vector<std::byte> last_;
  std::vector<Older> older_;
  std::vector<Touched> touched_;      ///< by the request under way
  std::vector<std::size_t> refused_;  ///< pages that a request before it should have changed
  std::vector<std::size_t> exposed_;
  std::vector<std::size_t> lost_;  ///< pages that cannot be read until they are written or trimmed
};

inline void ByteOracle::begin_request() {
  for (const Touched& touched : touched_) refused_.push_back(touched.page);
  touched_.clear();
}

inline void ByteOracle::begin_page(const Touched& touched) {
  const std::span<const std::byte> before = last_of(touched.page);
  older_.push_back({touched.page, {before.begin(), before.end()}});
  touched_.push_back(touched);
}

inline void ByteOracle::begin_write(std::uint64_t offset, std::span<const std::byte> data) {
  begin_request();
  while (!data.empty()) {
    const std::size_t page = offset / page_bytes_;
    const std::size_t at = offset % page_bytes_;
    const std::size_t part = std::min<std::size_t>(page_bytes_ - at, data.size());
    begin_page({page, part == page_bytes_ || !rules_.parts_need_flush, at, at + part});
    std::ranges::copy(data.first(part), last_of(page).subspan(at).begin());
    offset += part;
    data = data.subspan(part);
  }
}

inline void ByteOracle::begin_trim(std::uint64_t offset, std::uint64_t length) {
  begin_request();
  for (std::size_t page = (offset + page_bytes_ - 1) / page_bytes_; page < (offset + length) / page_bytes_; ++page) {
    begin_page({page, !rules_.trims_need_flush, 0, page_bytes_});
    std::ranges::fill(last_of(page), std::byte{0xFF});
  }
}

inline void ByteOracle::acknowledge() {
  for (const Touched& touched : touched_) {
    const bool whole = touched.end - touched.begin == page_bytes_;
    if (whole) std::erase(lost_, touched.page);
    if (is_refused(touched.page) && !whole) {
      // Whichever version the part went on top of.
      const std::span<const std::byte> part = last_of(touched.page).subspan(touched.begin, touched.end - touched.begin);
      for (Older& older : older_)
        if (older.page == touched.page)
          std::ranges::copy(part, older.bytes.begin() + static_cast<std::ptrdiff_t>(touched.begin));
      continue;
    }
    if (touched.durable) std::erase_if(older_, [&](const Older& older) { return older.page == touched.page; });
    std::erase(refused_, touched.page);
  }
  touched_.clear();
}

inline void ByteOracle::acknowledge_flush() {
  begin_request();
  std::erase_if(older_, [&](const Older& older) { return !is_refused(older.page); });
}

inline std::string ByteOracle::check_mounted(Ftl& ftl) {
  std::string wrong = check(ftl, true);
  older_.clear();
  return wrong;
}

inline std::string ByteOracle::check(Ftl& ftl, bool mounted) {
  begin_request();
  std::vector<std::byte> read(page_bytes_);
  for (std::size_t page = 0; page * page_bytes_ < last_.size(); ++page) {
    const bool exposed = has(exposed_, page);
    if (ftl.read(page * page_bytes_, read, 0) != FtlStatus::ok) {
      if (!exposed && !has(lost_, page)) return "page " + std::to_string(page) + " cannot be read";
      if (!has(lost_, page)) lost_.push_back(page);
      continue;
    }
    if (std::ranges::equal(read, last_of(page))) continue;
    if (exposed || has(lost_, page)) {
      std::erase(lost_, page);
      std::ranges::copy(read, last_of(page).begin());
      continue;
    }
    const bool in_doubt = mounted || is_refused(page);
    const auto is_it = [&](const Older& older) { return older.page == page && older.bytes == read; };
    if (!in_doubt || std::ranges::none_of(older_, is_it))
      return "page " + std::to_string(page) + " is none of what it may be";
    // A power loss may still bring the other one.
    const std::span<const std::byte> other = last_of(page);
    older_.push_back({page, {other.begin(), other.end()}});
    std::ranges::copy(read, last_of(page).begin());
  }
  refused_.clear();
  exposed_.clear();
  return {};
}

}  // namespace ftlab::fuzz
