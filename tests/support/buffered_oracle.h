// Knows what may stand in each page of an FTL that buffers parts of pages: what the host saw last, and every version
// since the page was last durable. Knows nothing of how an FTL works.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "firmware/ftl.h"

namespace ftlab::tests {

class BufferedOracle {
 public:
  using Page = std::vector<std::byte>;

  BufferedOracle(std::uint64_t capacity, std::uint32_t page_bytes)
      : page_bytes_(page_bytes), versions_(capacity / page_bytes, {Page(page_bytes, std::byte{0xFF})}) {}

  /// A request is about to be made; its pages may hold the new content from now on.
  void begin_write(std::uint64_t offset, std::span<const std::byte> data) {
    touched_.clear();
    while (!data.empty()) {
      const std::uint64_t lpn = offset / page_bytes_;
      const std::uint64_t at = offset % page_bytes_;
      const std::size_t part = std::min<std::size_t>(page_bytes_ - at, data.size());
      Page page = versions_[lpn].back();
      std::copy_n(data.begin(), part, page.begin() + static_cast<std::ptrdiff_t>(at));
      versions_[lpn].push_back(page);
      if (part == page_bytes_) touched_.push_back(lpn);
      offset += part;
      data = data.subspan(part);
    }
  }
  void begin_trim(std::uint64_t offset, std::uint64_t length) {
    touched_.clear();
    for (std::uint64_t lpn = (offset + page_bytes_ - 1) / page_bytes_; lpn < (offset + length) / page_bytes_; ++lpn)
      versions_[lpn].emplace_back(page_bytes_, std::byte{0xFF});
  }
  /// The request was answered with ok: pages written whole are durable.
  void acknowledge() {
    for (const std::uint64_t lpn : touched_) keep_last(lpn);
  }
  /// A flush was answered with ok.
  void acknowledge_flush() {
    for (std::uint64_t lpn = 0; lpn < versions_.size(); ++lpn) keep_last(lpn);
  }

  /// Reads everything back: the host's last version of each page. Empty when accepted, else where it differs.
  std::string check(Ftl& ftl) { return compare(ftl, true); }
  /// The same after power was lost: any version since the page was durable; what was read is the truth from now on.
  std::string check_after_cut(Ftl& ftl) { return compare(ftl, false); }

 private:
  void keep_last(std::uint64_t lpn) { versions_[lpn].erase(versions_[lpn].begin(), versions_[lpn].end() - 1); }

  std::string compare(Ftl& ftl, bool last_only) {
    Page page(page_bytes_);
    for (std::uint64_t lpn = 0; lpn < versions_.size(); ++lpn) {
      const FtlStatus status = ftl.read(lpn * page_bytes_, page, 0);
      if (status != FtlStatus::ok) return "page " + std::to_string(lpn) + " cannot be read";
      std::vector<Page>& versions = versions_[lpn];
      const auto same = [&](const Page& version) { return std::memcmp(version.data(), page.data(), page_bytes_) == 0; };
      const bool accepted = last_only ? same(versions.back()) : std::ranges::any_of(versions, same);
      if (!accepted)
        return "page " + std::to_string(lpn) + " holds none of " + std::to_string(versions.size()) + " versions";
      if (!last_only) versions = {page};
    }
    return {};
  }

  std::uint32_t page_bytes_;
  std::vector<std::vector<Page>> versions_;  ///< oldest first; the last is what the host sees
  std::vector<std::uint64_t> touched_;       ///< pages that the request under way writes whole
};

}  // namespace ftlab::tests
